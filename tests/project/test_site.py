"""The documentation site: generated pages are those of this program, and each page can be found."""

import importlib.util
import os
import re
import shlex
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from playwright.sync_api import sync_playwright
from typer.testing import CliRunner

from boardgames import query
from boardgames.cli import app
from dashboard.app import list_pages
from docs.pictures import FIX, search_fix, serve, take_pages
from tests.support.browser import NEEDS_BROWSER

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def generate():
    """docs/generate.py, which is a script and no package."""
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["commands.md", "metrics.md", "python.md", "tables.md"])
def test_a_generated_page_is_up_to_date(generate, name):
    assert (DOCS / "reference" / name).read_text() == generate.PAGES[name](), "make pages"


def test_every_command_is_explained_on_a_page_that_people_read(generate):
    generate.check_that_pages_name_every_command()


def test_a_command_without_help_fails_the_build(generate, monkeypatch):
    @app.command("unexplained", rich_help_panel="Ask")
    def unexplained() -> None:
        pass

    try:
        with pytest.raises(generate.Undocumented, match="unexplained has no help text"):
            generate.render_commands()
        with pytest.raises(generate.Undocumented, match="boardgames unexplained"):
            generate.check_that_pages_name_every_command()
    finally:
        app.registered_commands.pop()


def test_every_page_is_in_the_menu_and_the_site_asks_no_other_host():
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
    listed = re.findall(r"[\w/]+\.md", yaml.dump(site["nav"]))
    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))
    assert site["strict"] is True
    assert site["theme"]["font"] is False
    assert "offline" in site["plugins"]


def test_every_page_of_the_dashboard_has_a_picture_and_every_picture_is_small_and_shown():
    pictures = {path.name: path.stat().st_size for path in (DOCS / "pictures").iterdir()}
    assert {f"dashboard_{path}.png" for path in list_pages()} <= set(pictures)
    assert max(pictures.values()) < 150_000
    text = "".join(page.read_text() for page in DOCS.rglob("*.md"))
    assert [name for name in pictures if f"pictures/{name})" not in text] == []


@pytest.mark.long
@NEEDS_BROWSER
def test_a_picture_of_a_page_is_taken_anew_and_shows_no_path_of_this_machine(tmp_path):
    search_fix(tmp_path)
    commands = query(tmp_path / FIX, "SELECT command FROM run").to_pydict()["command"]
    assert commands
    assert not any("/" in word for command in commands for word in command.split())
    with serve(tmp_path, FIX) as address:
        take_pages(address, tmp_path, only="fix")
    assert [path.name for path in tmp_path.glob("*.png")] == ["dashboard_fix.png"]


def find_sentences(page: Path) -> list[str]:
    """The sentences of an answer that a page quotes."""
    snippets = re.findall(r"^```.*?\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
    return [line for snippet in snippets for line in snippet.splitlines() if line.startswith("- ")]


@pytest.mark.long
def test_the_numbers_of_the_page_about_length_are_those_of_its_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = DOCS / "how/longer.md"
    (command,) = re.findall(r"```sh\n(.*)\n```", page.read_text())
    done = CliRunner().invoke(app, shlex.split(command)[1:])
    assert done.exit_code == 0, done.output
    (sentence,) = find_sentences(page)
    assert sentence in done.stdout
    assert "<svg" in (tmp_path / "longer.svg").read_text()


@pytest.mark.long
def test_the_numbers_of_the_first_pages_are_those_of_the_demo(tmp_path, run_command):
    """README, Start and Read an answer quote what `make demo` prints."""
    (line,) = re.findall(r"boardgames (compare .*)", (ROOT / "Makefile").read_text().split("test:")[0])[:1]
    done = run_command(*shlex.split(line), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for page in (ROOT / "README.md", DOCS / "start/index.md", DOCS / "start/read_an_answer.md"):
        sentences = find_sentences(page)
        assert len(sentences) >= 3
        assert [sentence for sentence in sentences if sentence not in done.stdout] == [], page.name
    drawn = (tmp_path / "demo.svg").read_text()
    assert drawn == (DOCS / "pictures/answer.svg").read_text(), "make pictures"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built strictly: a link that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site")
    os.environ["NO_MKDOCS_2_WARNING"] = "true"
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder)))
    return folder


@pytest.mark.long
def test_the_site_loads_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    loads = re.compile(
        r'<(?:script|img|iframe|source)[^>]+src="(https?:[^"]+)|<link[^>]+href="(https?:[^"]+)'
    )
    assert {match.group() for page in pages for match in loads.finditer(page.read_text())} == set()


@pytest.mark.long
def test_the_site_can_be_searched_from_a_folder(site):
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = chromium.new_page()
        hosts = set()
        page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
        page.goto(f"file://{site}/how/share.html")
        page.click("[data-md-component=search-query]")
        page.keyboard.type("what open means")
        page.click(".md-search-result__link >> text=Read an answer")
        page.wait_for_selector("h1:has-text('Read an answer')")
        assert hosts == {""}
        chromium.close()
