"""The key in a real browser: where a person comes from, and what stays open over a restart."""

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from dashboard.server.key import write_opener
from tests.dashboard.test_browser import PICTURES
from tests.support.browser import NEEDS_BROWSER
from tests.support.processes import HANGS, find_free_port, get_address_with_key, serve_dashboard

pytestmark = [pytest.mark.long, NEEDS_BROWSER]
REFUSED = "h1:has-text('This dashboard needs its key')"


@pytest.fixture
def page(browser):
    """Of a browser that knows no dashboard yet."""
    context = browser.new_context()
    context.set_default_timeout(1000 * HANGS)
    yield context.new_page()
    context.close()


@pytest.fixture
def other_site(tmp_path):
    """The folder of a site under another name, and its address."""
    (folder := tmp_path / "site").mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def follow_link(page, site: tuple[Path, str], target: str) -> None:
    """Click on a link of another site."""
    folder, address = site
    (folder / "link.html").write_text(f"<a href='{target}'>a link</a>")
    page.goto(f"{address}/link.html")
    page.click("a")


def wait_for_page(page, question: str) -> None:
    page.wait_for_selector(f"h1:has-text('{question}')")


def test_the_key_opens_the_dashboard_wherever_a_person_comes_from(single, page, other_site):
    with serve_dashboard(single) as port, serve_dashboard(single) as second:
        address, with_key = f"http://127.0.0.1:{port}", get_address_with_key(port)
        page.goto(f"{address}/data")
        page.wait_for_selector(REFUSED)
        follow_link(page, other_site, with_key)
        wait_for_page(page, "What is in this file?")
        assert page.url.startswith(address)
        assert "key" not in page.url
        assert "boardgames" not in page.evaluate("document.cookie")  # no script can read it
        page.click("[data-testid=stSidebar] a[href*='seats?']")
        wait_for_page(page, "Does any seat have an advantage?")
        shared = page.url
        page.go_back()
        wait_for_page(page, "What is in this file?")
        page.go_forward()
        page.reload()
        wait_for_page(page, "Does any seat have an advantage?")
        # the other dashboard has its own key and cookie
        page.goto(f"http://127.0.0.1:{second}")
        page.wait_for_selector(REFUSED)
        page.goto(get_address_with_key(second))
        wait_for_page(page, "What is in this file?")
        # a shared link, typed or found on another site
        page.goto(shared)
        wait_for_page(page, "Does any seat have an advantage?")
        follow_link(page, other_site, shared)
        wait_for_page(page, "Does any seat have an advantage?")
        # another name of this machine is another site to a browser, and needs the key once
        page.goto(f"http://localhost:{port}")
        page.wait_for_selector(REFUSED)
        page.goto(with_key.replace("127.0.0.1", "localhost"))
        wait_for_page(page, "What is in this file?")
        assert page.url.startswith(f"http://localhost:{port}")


def test_the_file_that_the_browser_is_started_with_leads_to_the_dashboard(single, page):
    with serve_dashboard(single) as port, write_opener(get_address_with_key(port)) as opener:
        page.goto(opener)
        wait_for_page(page, "What is in this file?")
        assert "key" not in page.url


def test_a_page_left_open_over_a_restart_says_what_to_do(single, tmp_path, page):
    db, port = Path(shutil.copy(single, tmp_path / "shown.duckdb")), find_free_port()
    with serve_dashboard(db, "--port", str(port)):
        page.goto(get_address_with_key(port))
        wait_for_page(page, "What is in this file?")
        page.click("[data-testid=stSidebar] a[href*='seats?']")
        wait_for_page(page, "Does any seat have an advantage?")
    with serve_dashboard(db, "--port", str(port)):
        page.wait_for_selector(REFUSED)
        assert "Each start has a new key" in page.inner_text("main")
        PICTURES.mkdir(exist_ok=True)
        page.screenshot(path=PICTURES / "key.png")
        opened = page.context.new_page()
        opened.goto(get_address_with_key(port))
        wait_for_page(opened, "What is in this file?")
        page.reload()
        wait_for_page(page, "Does any seat have an advantage?")
