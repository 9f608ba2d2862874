"""What an open page costs a run: `python -m benchmarks.watched_run`.

The same matches are played twice on all cores: alone, and while a browser on this machine shows Compare.
Several pairs in turn, each beginning with the other half, because machines are noisy.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import sync_playwright

from benchmarks.dashboard_pages import serve, wait_until_complete

VARIANTS = ("keltis", "keltis:redraw")
FIRST_MATCHES = 320  # of each, so that the page has something to show


def simulate(db: Path, matches: int) -> float:
    """Seconds that it takes."""
    amount = ("--players", "2-4", "--agents", "greedy", "--matches", str(matches))
    workers = ("--workers", str(os.cpu_count()))
    line = [sys.executable, "-m", "boardgames", "simulate", *VARIANTS, *amount, *workers, "--db", str(db)]
    started = time.perf_counter()
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


def time_run(first: Path, matches: int, page: str | None) -> float:
    """Seconds of a run that begins with the first matches, while a page of that name is open."""
    db = Path(shutil.copy(first, first.with_name("run.duckdb")))
    with ExitStack() as stack:
        if page:
            address, _ = stack.enter_context(serve(db))
            open_page(stack, urljoin(address, f"{page}?{urlsplit(address).query}"))
        return simulate(db, matches)


def open_page(stack: ExitStack, address: str) -> None:
    """Show a page until the stack is left."""
    playwright = stack.enter_context(sync_playwright())
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
    stack.callback(browser.close)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    page.wait_for_selector("h1")
    wait_until_complete(page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=16_000, help="of each variant and player count")
    parser.add_argument("--pairs", type=int, default=4)
    parser.add_argument("--page", default="compare")
    options = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "first.duckdb"
        simulate(first, FIRST_MATCHES)
        for pair in range(options.pairs):
            order = [None, options.page] if pair % 2 == 0 else [options.page, None]
            seconds = {page: time_run(first, options.matches, page) for page in order}
            ratios.append(seconds[None] / seconds[options.page])
            print(f"alone {seconds[None]:.1f} s, watched {seconds[options.page]:.1f} s", flush=True)
    middle, low, high = statistics.median(ratios), min(ratios), max(ratios)
    print(f"watched, a run keeps {middle:.1%} of its speed ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
