"""Exports over the network: a whole file of a long list, and a download that fails when the service does."""

import csv
import io
import socket
import time
from contextlib import closing
from urllib.parse import urlsplit

import openpyxl
import pytest
import requests

from tests.e2e.http_client import logged_in

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
    exported = names(whole.content)
    assert len(exported) >= USERS
    book = openpyxl.load_workbook(io.BytesIO(reader.get(f"{EXPORT}/xlsx").content), read_only=True)
    assert [row[0] for row in book.worksheets[0].iter_rows(values_only=True)][1:] == exported


@pytest.mark.req("CO-17", "ER-20", "SEC-29")
def test_a_download_that_breaks_is_seen_to_break(reader, sandbox):
    path = "/v1/bizUsers$"
    first_calls = {"path": path, "times": 6, "delay": 0.01}
    sandbox.faults(first_calls, {"path": path, "times": -1, "status": 500})
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        reader.get(EXPORT)
    assert "Traceback" not in reader.console.log.read_text()
    assert reader.get(f"{EXPORT}/xlsx").status_code == 502


@pytest.mark.req("CO-17", "SEC-29")
def test_an_export_that_is_not_read_keeps_its_administrator_from_another_one_until_it_is_left(reader, sandbox):
    sandbox.seed(CLINIC, 30_000)  # more than the buffers of the network take
    address = urlsplit(reader.console.url)
    with closing(socket.socket()) as unread:
        unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        unread.connect((address.hostname, address.port))
        unread.sendall(
            f"GET {EXPORT} HTTP/1.1\r\nHost: {address.netloc}\r\nCookie: auth={reader.auth}\r\n\r\n".encode()
        )
        assert unread.recv(12) == b"HTTP/1.1 200"
        answers = [reader.get(path) for path in (EXPORT, f"{EXPORT}/xlsx") * 4]  # of both workers
        assert [answer.status_code for answer in answers] == [303] * 8
    ends = time.monotonic() + 30
    while (answer := reader.get(f"{EXPORT}?keyword=nobody")).status_code == 303 and time.monotonic() < ends:
        time.sleep(0.2)
    assert answer.status_code == 200
