"""How quickly the dashboard's pages appear on a rich file, in a real browser: `python -m
benchmarks.dashboard_pages`.

The file has 10 variants of Keltis, 2 to 4 players and 4 agents, 320 matches of each. `--db` names it; it is
made if it does not exist. Another result file is measured as it is.

For each page: seconds on the clock from a click on it in the sidebar until nothing moves any more, and
seconds of the server's processor. Of three visits the first and the median are shown: the server has worked
nothing out before the first.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from boardgames import find_variant
from dashboard.app import list_pages
from tests.support.processes import get_address_with_key, serve_dashboard

AGENTS = ("random", "greedy", "learned", "mcts:4")
VISITS = 3
READY = "[data-testid=stApp][data-test-script-state=notRunning]"
STILL_SECONDS = 0.5  # without a change: the page is complete


def make_rich_file(db: Path) -> None:
    """By the command, which also stores the sums that pages read."""
    variants = [f"keltis:{name}" for name in list(find_variant("keltis").game.variants)[:9]]
    agents = [word for agent in AGENTS for word in ("--agents", agent)]
    amount = ("--players", "2-4", *agents, "--matches", "320")
    command = (sys.executable, "-m", "boardgames", "simulate", "keltis", *variants, *amount, "--db", str(db))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def serve(db: Path) -> Iterator[tuple[str, list[int]]]:
    """The address of a dashboard, with its key, and its processes."""
    before = find_children(os.getpid())
    with serve_dashboard(db) as port:
        yield get_address_with_key(port), sorted(find_children(os.getpid()) - before)


def find_children(process: int) -> set[int]:
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    children = {int(word) for word in text.split()}
    return children.union(*(find_children(child) for child in children))


def read_cpu_seconds(processes: list[int]) -> float:
    """Seconds of the processor that these processes, and what they have started and waited for, have used."""
    ticks = 0
    for process in processes:
        values = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
        ticks += sum(int(value) for value in values[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def wait_until_complete(page: Any) -> float:
    """When the page last changed."""
    last, text = time.perf_counter(), ""
    while time.perf_counter() - last < STILL_SECONDS:
        page.wait_for_selector(READY)
        now = page.evaluate("document.querySelector('[data-testid=stMain]').innerHTML")
        if now != text:
            last, text = time.perf_counter(), now
        page.wait_for_timeout(20)
    return last


def visit(page: Any, name: str, question: str, processes: list[int]) -> tuple[float, float]:
    """Seconds on the clock and of the server's processor that a click on a page takes."""
    cpu, clock = read_cpu_seconds(processes), time.perf_counter()
    page.click(f"[data-testid=stSidebar] a:has-text('{name}')")
    page.wait_for_selector(f"h1:has-text('{question}')")
    return wait_until_complete(page) - clock, read_cpu_seconds(processes) - cpu


def measure_pages(address: str, processes: list[int]) -> None:
    pages = list_pages()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        page.wait_for_selector("h1")
        wait_until_complete(page)
        times: dict[str, list[tuple[float, float]]] = {path: [] for path in pages}
        for _ in range(VISITS):
            for path, shown in pages.items():
                times[path].append(visit(page, shown.name, shown.question, processes))
        for path, measured in times.items():
            clock, cpu = (statistics.median(values) for values in zip(*measured, strict=True))
            first = measured[0]
            print(f"{path:14} first {first[0]:5.2f} s ({first[1]:.2f} of CPU)   {clock:5.2f} s ({cpu:.2f})")
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path, default=Path("rich.duckdb"))
    db = parser.parse_args().db
    if not db.exists():
        make_rich_file(db)
    with serve(db) as (address, processes):
        measure_pages(address, processes)


if __name__ == "__main__":
    main()
