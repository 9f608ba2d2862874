"""Take the pictures of the docs anew: `make pictures`. It takes two minutes.

It needs chromium, which `make browser` installs. The games' boards and the answer on the first page are SVG;
the dashboard's pages are small PNG files.
"""

import contextlib
import io
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urljoin
from urllib.request import HTTPCookieProcessor, build_opener

from PIL import Image
from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures"
BOARDS = {"celtica": 4, "keltis": 3, "celtae": 4}  # how many sit at the table that is drawn
COMPARISON, FIX = "celtica.duckdb", "fix.duckdb"  # what the pages are taken of
MOST_BYTES = 150_000
WIDTH, HEIGHT = 1280, 860
MENU = "[data-testid=stSidebar] [data-testid=stPageLink] a"
# the path of the result file is another one each time
WITHOUT_PATH = ".st-key-path { display: none; }"
QUIET = "[data-testid=stApp][data-test-script-state=notRunning]"


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for game, players in BOARDS.items():
        run("show", game, "--players", str(players), "--svg", str(DOCS / "games" / f"{game}.svg"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        play_comparison(folder)
        shutil.copy(folder / "answer.svg", PICTURES)
        with serve(folder, COMPARISON) as address:
            take_pages(address, PICTURES)
        search_fix(folder)
        with serve(folder, FIX) as address:
            take_pages(address, PICTURES, only="fix")


def run(*words: str, folder: Path = DOCS) -> None:
    """Run a command in a folder: what it stores, pages show, and no path of this machine."""
    command = [sys.executable, "-m", "boardgames", "--quiet", *words]
    code = subprocess.run(command, stdout=subprocess.DEVNULL, cwd=folder, check=False).returncode
    if code not in (0, 1, 3):  # done, a goal that is not reached, an answer that is open
        raise SystemExit(f"{' '.join(words)} ended with {code}")


def play_comparison(folder: Path) -> None:
    """Play what most pages show: the question of `make demo`, head-to-heads, and luck."""
    learned = ("--players", "4", "--agents", "learned", "--db", COMPARISON)
    both = ("celtica", "celtica:en")
    run("compare", *both, *learned, "--matches", "4000", "--chart", "answer.svg", folder=folder)
    line_up = ("--players", "4", "--agents", "greedy,random,random,random")
    run("simulate", *both, *line_up, "--matches", "400", "--db", COMPARISON, folder=folder)
    run("luck", *both, *learned, "--matches", "2000", folder=folder)


def search_fix(folder: Path) -> None:
    """Play what the page Fix shows, in a file of its own: a search tries many variants."""
    goal = ("--goal", "length at most 20", "--change", "target", "--stronger", "none")
    amount = ("--players", "2", "--agents", "greedy", "--matches", "2000")
    run("fix", "pig", *goal, *amount, "--db", FIX, folder=folder)


@contextlib.contextmanager
def serve(folder: Path, db: str) -> Iterator[str]:
    """A dashboard on a file of this folder; yields its address, with its key."""
    command = [sys.executable, "-m", "boardgames", "dashboard", "--no-open", "--db", db]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as server:
        assert server.stdout is not None
        try:
            address = next(
                word for line in server.stdout for word in line.split() if word.startswith("http://")
            )
            wait_until_reachable(address)
            yield address
        finally:
            server.terminate()


def wait_until_reachable(address: str) -> None:
    opener = build_opener(HTTPCookieProcessor())  # the answer to the key is a cookie
    while True:
        with contextlib.suppress(URLError), opener.open(address):
            return
        time.sleep(0.3)


def take_pages(address: str, folder: Path, only: str = "") -> None:
    """A picture of every page in the menu, or of one, as the browser shows it first."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.set_default_timeout(120_000)
        page.goto(address)
        wait_until_drawn(page)
        links = page.eval_on_selector_all(MENU, "links => links.map(link => link.pathname)")
        if not links:
            raise SystemExit("the dashboard shows no links to its pages")
        for path in links:
            name = path.strip("/") or "overview"
            if only in ("", name):
                page.goto(urljoin(address, path))
                wait_until_drawn(page)
                if begin := page.query_selector("button:has-text('Begin')"):  # the page Play sets up first
                    begin.click()
                    wait_until_drawn(page)
                page.add_style_tag(content=WITHOUT_PATH)
                save(page.screenshot(), folder / f"dashboard_{name}.png")
        chromium.close()


def wait_until_drawn(page: Any) -> None:
    page.wait_for_selector("h1")
    for _ in range(3):
        page.wait_for_timeout(700)
        page.wait_for_selector(QUIET)


def save(screenshot: bytes, path: Path) -> None:
    """Write a PNG of few colours; raise if it is still too large for a repository."""
    image = Image.open(io.BytesIO(screenshot)).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    image.save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{path} has {path.stat().st_size:,} bytes; {MOST_BYTES:,} are allowed")


if __name__ == "__main__":
    main()
