"""How long each page takes on a result file: `python -m tests.dashboard.measure DB GAME ...`. First, and
again from the cache.

Seconds on the clock, and in brackets those of the processor: on a busy machine only these mean something.
"""

import os
import sys
import time

from boardgames import find_variant
from dashboard.launch import DB_VARIABLE


def main() -> None:
    os.environ[DB_VARIABLE] = sys.argv[1]
    for spec in sys.argv[2:]:  # games that are not installed
        find_variant(spec)
    from dashboard.app import list_pages
    from dashboard.data.file import find_db, load_contents
    from tests.dashboard.test_pages import open_page

    open_page("method")  # imports are not counted
    print(f"{load_contents(find_db()).matches:,} matches")
    for path in list_pages():
        times = []
        for _ in range(2):
            clock, processor = time.perf_counter(), time.process_time()
            page = open_page(path)
            times.append(f"{time.perf_counter() - clock:6.2f} s ({time.process_time() - processor:.2f})")
        errors = "".join(element.value for element in [*page.error, *page.exception])
        print(f"{path:12}{times[0]} first{times[1]} again   {errors}")


if __name__ == "__main__":
    main()
