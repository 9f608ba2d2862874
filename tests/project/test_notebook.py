"""The example notebook of the docs runs from top to bottom, and shows what it promises."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.support.processes import HANGS

ROOT = Path(__file__).parents[2]


class Listener(NotebookClient):
    """A client that also remembers what was shown for a moment."""

    def process_message(self, message, cell, index):
        data = message["content"].get("data", {})
        self.shown = [*getattr(self, "shown", []), data.get("text/html", "")]
        return super().process_message(message, cell, index)


@pytest.mark.long
@pytest.mark.filterwarnings("default")  # those of the kernel's client are none of ours
def test_the_example_notebook_runs_and_shows_its_answers(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(ROOT / "docs/how/example.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # the file in git has none
    client = Listener(notebook, timeout=HANGS, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    shown = {
        cell.source.splitlines()[-1]: [output.get("data", {}) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    }
    assert "<svg" in shown["match"][-1]["text/html"]
    assert "Matches are shorter" in shown["comparison"][-1]["text/html"]
    assert "application/vnd.plotly.v1+json" in shown["comparison.figure()"][-1]
    assert "<td>greedy</td>" in shown["ladder"][-1]["text/html"]
    bars = [html for html in client.shown if "<progress" in html]
    assert any("compare: " in html for html in bars)
    assert any("ladder of pig: " in html and "value=" in html for html in bars)
