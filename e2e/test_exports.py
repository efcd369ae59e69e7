"""Exports over the network: a whole file of a long list, and a download that fails when the service does."""

import csv
import io

import openpyxl
import pytest
import requests

from e2e.http_client import logged_in

pytestmark = pytest.mark.slow
CLINIC, USERS = "g-3", 3000
EXPORT = f"/user-manage/clinic/{CLINIC}/user/export"


@pytest.fixture
def reader(console, sandbox):
    sandbox.seed(CLINIC, USERS)
    return logged_in(console)


def names(content):
    return [row[0] for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))][1:]


@pytest.mark.req("CO-17", "LS-10", "DM-13", "DM-42")
def test_a_long_list_is_downloaded_whole_as_either_file(reader):
    whole = reader.get(EXPORT)
    assert whole.headers["Transfer-Encoding"] == "chunked"
    found = names(whole.content)
    assert len(found) >= USERS
    book = openpyxl.load_workbook(io.BytesIO(reader.get(f"{EXPORT}/xlsx").content), read_only=True)
    assert [row[0] for row in book.worksheets[0].iter_rows(values_only=True)][1:] == found


@pytest.mark.req("CO-17", "ER-20", "SEC-29")
def test_a_download_that_breaks_is_seen_to_break(reader, sandbox):
    path = "/v1/bizUsers$"
    before_it_begins = {"path": path, "times": 6, "delay": 0.01}
    sandbox.faults(before_it_begins, {"path": path, "times": -1, "status": 500})
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        reader.get(EXPORT)
    assert "Traceback" not in reader.console.log.read_text()
    assert reader.get(f"{EXPORT}/xlsx").status_code == 502
