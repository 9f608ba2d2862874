"""Agents in files: they enter stored runs, their matches come back, and nothing is imported unasked."""

from pathlib import Path

import numpy as np
import pytest

from analytics import compare
from boardgames import (
    InvalidInput,
    Match,
    PluginError,
    find_agent,
    find_variant,
    make_python_agent,
    query,
    simulate,
    trust_agent,
)
from boardgames.agents.python_agent import is_address, make_view
from boardgames.errors import NotTrusted
from boardgames.plan.cell import fingerprint_agent
from boardgames.store.replay import replay_stored

PIG = find_variant("pig+target=30")
AGENTS = '''
import random
from pathlib import Path

from boardgames import mark_deterministic

LIMIT = int((Path(__file__).parent / "limit.txt").read_text())


@mark_deterministic(files=["limit.txt"])
def careful(view):
    """Hold at a limit."""
    return view.actions[-1] if view.state.gathered >= LIMIT else view.actions[0]


def whim(view):
    return random.choice(view.actions)


def broken(view):
    return 1 // 0


number = 7
'''


@pytest.fixture
def agents(tmp_path, monkeypatch) -> Path:
    """A folder with agents in a file whose name no other test uses."""
    monkeypatch.chdir(tmp_path)
    name = f"agents_{tmp_path.name.replace('-', '_')}.py"
    (tmp_path / name).write_text(AGENTS)
    (tmp_path / "limit.txt").write_text("8")
    return Path(name)


def test_a_deterministic_agent_plays_in_a_stored_run_and_its_matches_come_back_from_the_seed(agents):
    spec = f"./{agents}:careful"
    trust_agent(spec)
    for workers, db in ((1, "one.duckdb"), (2, "two.duckdb")):
        simulate(PIG.name, db=db, players="2", agents=[f"{spec},random"], matches=6, workers=workers)
    rows = [query(db, "FROM matches ORDER BY ALL").to_pylist() for db in ("one.duckdb", "two.duckdb")]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 6
    assert query("one.duckdb", "FROM actions").num_rows == 0
    row = rows[0][3]
    match = replay_stored(Path("one.duckdb"), f"{row['cell_id']}/{row['deal']}/{row['seating']}")
    assert (len(match.actions), match.state.turn) == (row["decisions"], row["turns"])


def test_the_actions_of_any_other_agent_are_stored(agents):
    spec = f"./{agents}:whim"
    trust_agent(spec)
    simulate(PIG.name, db="whim.duckdb", players="2", agents=[f"{spec},random"], matches=6)
    rows = query("whim.duckdb", "FROM match JOIN actions USING (cell_id, deal, seating)").to_pylist()
    assert len(rows) == 6
    for row in rows:
        assert len(row["actions"]) == row["decisions"]
        match = replay_stored(Path("whim.duckdb"), f"{row['cell_id']}/{row['deal']}/{row['seating']}")
        assert (match.actions, match.state.turn) == (row["actions"], row["turns"])


def test_a_name_that_no_person_has_typed_is_never_imported(agents):
    Path("trap.py").write_text("from pathlib import Path\nPath('sprung').touch()\ndef agent(view): pass\n")
    with pytest.raises(NotTrusted, match=r"add `--agent \./trap\.py:agent`"):
        find_agent("./trap.py:agent", PIG.game)
    assert not Path("sprung").exists()


def test_the_fingerprint_is_that_of_the_code_and_of_the_files_it_plays_by(agents, tmp_path):
    prints = {}
    for name, text, limit in [
        ("same", AGENTS, "8"),
        ("comment", AGENTS.replace("LIMIT = ", "# Why not?\nLIMIT = "), "8"),
        ("code", AGENTS.replace(">= LIMIT", "> LIMIT"), "8"),
        ("file", AGENTS, "9"),
    ]:
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}_{agents}").write_text(text)
        (folder / "limit.txt").write_text(limit)
        spec = f"{folder}/{name}_{agents}:careful"
        trust_agent(spec)
        prints[name] = fingerprint_agent(find_agent(spec, PIG.game))
    assert prints["same"] == prints["comment"]
    assert len({prints["same"], prints["code"], prints["file"]}) == 3


@pytest.mark.parametrize(
    ("attribute", "sentence"),
    [
        ("carefull", "did you mean careful"),
        ("number", "There are: broken, careful, whim"),
    ],
)
def test_a_name_that_is_no_agent_is_answered_with_those_there_are(agents, attribute, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        trust_agent(f"./{agents}:{attribute}")


def test_mistakes_are_told_in_sentences(agents):
    with pytest.raises(InvalidInput, match=r"there is no file ./nowhere\.py"):
        trust_agent("./nowhere.py:agent")
    trust_agent(f"./{agents}:broken")
    with pytest.raises(PluginError, match=rf"failed: ZeroDivisionError: .*\({agents}, line 21\)"):
        simulate(PIG.name, db="no.duckdb", players="2", agents=[f"./{agents}:broken"], matches=2)
    with pytest.raises(InvalidInput, match="chose 99, which is not legal"):
        Match(PIG, 2).push(0).step(make_python_agent(lambda view: 99, PIG.game)).step(
            make_python_agent(lambda view: 99, PIG.game)
        )
    (agents.parent / "limit.txt").unlink()
    Path(f"late_{agents}").write_text(
        AGENTS.replace('int((Path(__file__).parent / "limit.txt").read_text())', "8")
    )
    with pytest.raises(InvalidInput, match=r"plays by limit\.txt; there is no such file"):
        trust_agent(f"./late_{agents}:careful")


@pytest.mark.parametrize(
    ("spec", "answer"),
    [
        ("./mine.py:agent", True),
        ("package.module:agent", True),
        ("mcts:256", False),
        ("learned:a/b.learned", False),
    ],
)
def test_an_address_has_a_point_or_a_slash_before_its_colon(spec, answer):
    assert is_address(spec) is answer


def test_a_view_shows_the_row_and_the_mask_that_environments_show():
    match = Match(find_variant("magpies"), 2, seed=3)
    view = make_view(match.game, match.state, tuple(match.legal()), 5)
    assert view.observation.shape == (39,)
    assert np.flatnonzero(view.mask).tolist() == sorted(match.legal())


@pytest.mark.parametrize("name", ["careful", "whim"])
def test_an_agent_in_a_file_is_compared_with(agents, name):
    """Deterministic or not: on the same deals, also among weaker agents."""
    spec = f"./{agents}:{name}"
    comparison = compare(PIG, "pig+target=40", db="c.duckdb", players=2, agents=spec, matches=8)
    (contrast,) = comparison.contrasts
    assert (contrast.agent, contrast.matches) == (spec, 8)
    line_ups = {tuple(row["line_up"].split(",")) for row in query("c.duckdb", "FROM cell").to_pylist()}
    assert (spec, "random") in line_ups


@pytest.mark.long
def test_an_agent_in_a_file_is_named_on_the_command_line(agents, run_command):
    line = [
        "simulate",
        PIG.name,
        "--players",
        "2",
        "--agents",
        f"./{agents}:careful,random",
        "--matches",
        "4",
    ]
    done = run_command(*line, "--db", "cli.duckdb", folder=Path.cwd())
    assert done.returncode == 0, done.stderr
    (row, *_) = query("cli.duckdb", "FROM match").to_pylist()
    words = ["replay", f"{row['cell_id']}/{row['deal']}/{row['seating']}", "--db", "cli.duckdb"]
    refused = run_command(*words, folder=Path.cwd())
    assert refused.returncode == 2
    assert f"--agent ./{agents}:careful" in refused.stderr
    told = run_command(*words, "--agent", f"./{agents}:careful", folder=Path.cwd())
    assert "Match over" in told.stdout, told.stderr
