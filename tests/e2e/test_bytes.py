"""The bytes that a first visit transfers, as the browser reports them; a second visit transfers none."""

import gzip
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.http_client import logged_in
from tests.e2e.pages import BY_NAME, CLINIC_PERMISSIONS, CLINICS, USERS, go, ready

pytestmark = pytest.mark.slow

K = 1000
PLAIN_PAGE, UNTOUCHED_LIST, LIST, ISLAND, STYLES = 12 * K, 15 * K, 110 * K, 20 * K, 14 * K
HTML, HTML_GZIP = 44 * K, 7.5 * K
"""The limits of a page of 25 rows with check boxes, menus, bulk bar and dialogs, and of the navigation."""
ISLAND_CHUNKS = ("list", "permission-toggles")


@dataclass(frozen=True)
class File:
    """A built file as transferred. `bytes` is its compressed body; `fetched` is 0 if it came from the cache."""

    name: str
    bytes: int
    fetched: int

    @property
    def counts(self) -> bool:
        """Scripts and styles count; icons and the texts of a language are only reported."""
        return self.name.endswith((".js", ".css"))


def files(page: Page) -> list[File]:
    """Return the static files and texts that this page loaded."""
    entries = page.evaluate(
        """() => performance.getEntriesByType("resource")
             .filter(({ name }) => /\\/static\\/|\\/i18n\\//.test(name))
             .map(({ name, encodedBodySize, transferSize }) => [name, encodedBodySize, transferSize])"""
    )
    return [File(PurePath(name).name, size, fetched) for name, size, fetched in entries]


def weigh(title: str, downloads: list[File]) -> tuple[int, str]:
    """Return the bytes that count, and a summary, which is also printed (`pytest -s`)."""
    total = sum(file.bytes for file in downloads if file.counts)
    uncounted = sum(file.bytes for file in downloads if not file.counts)
    parts = ", ".join(f"{file.name} {file.bytes}" for file in sorted(downloads, key=lambda file: -file.bytes))
    summary = f"{title}: {total} bytes of scripts and styles, {uncounted} of icons and texts ({parts})"
    print(f"\n{summary}")  # noqa: T201 - the numbers are the point of this test
    return total, summary


def test_a_page_without_islands(open_browser, console):
    page = open_browser(logged_in=False)
    headers: dict[str, str] = {}
    page.on("response", lambda r: headers.update({r.url: r.headers.get("content-encoding", "")}))
    for name in ("login", "version, logged out"):
        go(page, BY_NAME[name], console)
    compressed = {url: how for url, how in headers.items() if "/static/" in url and not url.endswith((".svg", ".ico"))}
    assert set(compressed.values()) == {"br"}, compressed

    page = open_browser()
    for name in ("user", "clinic, edit"):
        go(page, BY_NAME[name], console)
        total, summary = weigh(name, files(page))
        assert 0 < total <= PLAIN_PAGE, summary
    styles = sum(file.bytes for file in files(page) if file.name.endswith(".css"))
    assert 0 < styles <= STYLES, summary


@pytest.mark.req("RT-35", "CA-35")
@pytest.mark.parametrize("name", ["users", "labs"])
def test_a_list_before_and_after_it_is_touched(open_browser, console, name):
    page = open_browser()
    page.add_init_script("window.requestIdleCallback = () => 0")
    page.goto(BY_NAME[name].path, wait_until="networkidle")
    untouched, summary = weigh(f"{name}, untouched", files(page))
    assert 0 < untouched <= UNTOUCHED_LIST, summary

    page.locator("[name=keyword]").focus()
    ready(page)
    downloads = files(page)
    total, summary = weigh(name, downloads)
    assert untouched < total <= LIST, summary
    assert [name for name, count in Counter(file.name for file in downloads).items() if count > 1] == [], summary
    assert all(file.fetched for file in downloads if file.counts), f"a first visit has nothing in its cache: {summary}"


@pytest.mark.parametrize("island", ISLAND_CHUNKS)
def test_the_chunk_of_an_island(open_browser, console, island):
    page = open_browser()
    page.goto(USERS if island == "list" else CLINIC_PERMISSIONS)
    ready(page)
    chunks = [file for file in files(page) if re.match(rf"{island}-\w+\.js$", file.name)]
    total, summary = weigh(island, chunks)
    assert 0 < total <= ISLAND, summary


def test_a_second_page_brings_nothing_and_no_file_comes_twice(open_browser, console):
    page = open_browser()
    sent: list[str] = []  # by the console: a file from the browser's cache causes no such event
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    urls: dict[str, str] = {}
    cdp.on("Network.responseReceived", lambda event: urls.update({event["requestId"]: event["response"]["url"]}))
    cached: set[str] = set()
    cdp.on("Network.requestServedFromCache", lambda event: cached.add(event["requestId"]))

    def finished(event) -> None:
        url = urls.get(event["requestId"], "")
        if "/static/" in url and event["requestId"] not in cached and event["encodedDataLength"]:
            sent.append(PurePath(url).name)

    cdp.on("Network.loadingFinished", finished)
    go(page, BY_NAME["users"], console)
    first = len(sent)
    assert first > 5
    go(page, BY_NAME["clinic permissions"], console)
    # New on this page: its own island and styles, those of reminders, and the guard for unsaved forms.
    assert sorted(name.split("-")[0] for name in sent[first:]) == ["details", "permission", "permissions", "unsaved"]
    # The clinics have above them what waits.
    go(page, BY_NAME["clinics"], console)
    assert [name.split("-")[0] for name in sent[first + 4 :]] == ["home"]
    page.goto(f"{CLINICS}?page=2")
    go(page, BY_NAME["users"], console)
    page.reload()
    ready(page)
    assert [name for name, count in Counter(sent).items() if count > 1] == []
    assert len(sent) == first + 5


def test_the_page_itself(console):
    visitor, faults = logged_in(console), {}
    for path in (CLINICS, USERS, CLINIC_PERMISSIONS):
        answer = visitor.get(path)
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers  # the reverse proxy compresses pages
        plain, compressed = len(answer.content), len(gzip.compress(answer.content, 6))
        summary = f"{plain} bytes of HTML, {compressed} with gzip"
        print(f"\n{path}: {summary}")  # noqa: T201 - the numbers are the point of this test
        if plain > HTML or compressed > HTML_GZIP:
            faults[path] = summary
    assert faults == {}


def test_no_page_asks_for_what_is_not_there(open_browser, console):
    page = open_browser(logged_in=False)
    missing: list[str] = []
    page.on("response", lambda r: missing.append(r.url) if r.status >= 400 else None)
    page.on("requestfailed", lambda r: missing.append(r.url))
    go(page, BY_NAME["login"], console)
    expect(page.locator("[data-theme-switch]")).to_be_visible()
    assert missing == []
