"""How long each page takes on a file: `python -m tests.dashboard.measure FILE GAME ...`. First, and again with what is kept.

Seconds on the clock, and in brackets those of the processor: on a busy machine only these mean something.
"""

import os
import sys
import time

from boardgames import find_variant
from dashboard.launch import FILE


def main() -> None:
    os.environ[FILE] = sys.argv[1]
    for spec in sys.argv[2:]:  # games that are not installed
        find_variant(spec)
    from dashboard.app import pages
    from dashboard.data.file import contents, file_shown
    from tests.dashboard.test_pages import opened

    opened("method")  # imports are not counted
    print(f"{contents(file_shown()).matches:,} matches")
    for path in pages():
        looks = []
        for _ in range(2):
            clock, processor = time.perf_counter(), time.process_time()
            page = opened(path)
            looks.append(f"{time.perf_counter() - clock:6.2f} s ({time.process_time() - processor:.2f})")
        wrong = "".join(one.value for one in [*page.error, *page.exception])
        print(f"{path:12}{looks[0]} first{looks[1]} again   {wrong}")


if __name__ == "__main__":
    main()
