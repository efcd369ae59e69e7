"""Heads of messages: written and read as http.client does it, only faster."""

import http.client
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.upstream import heads
from console.upstream.client import Upstream
from console.upstream.tests.conftest import Tokens, ok

NAMES = st.from_regex(rb"[A-Za-z-]{1,9}", fullmatch=True)
ODD = [b"Content-Type: application/json", b" folded", b"\tfolded", b"From x", b": no name", b"a : b", b""]
LINES = st.lists(
    st.one_of(
        st.binary(max_size=20),
        st.builds(b"%s:%s".__mod__, st.tuples(NAMES, st.binary(max_size=20))),
        st.sampled_from(ODD),
    ),
    max_size=8,
)


def by_http_client(data):
    return http.client.parse_headers(io.BytesIO(data)).items()


@given(LINES, st.sampled_from([b"\r\n", b"\n", b"\r", b"\r\r\n"]))
def test_headers_are_read_as_http_client_reads_them(lines, end):
    data = end.join([*lines, b"", b"body"])
    stream = io.BytesIO(data)
    assert heads.read(stream).items() == by_http_client(data)
    other = io.BytesIO(data)
    http.client.parse_headers(other)
    assert stream.tell() == other.tell()


@pytest.mark.parametrize("data", [b"a: b\r\n" * 101, b"a: " + b"b" * 65536 + b"\r\n\r\n"])
def test_the_limits_of_http_client_hold(data):
    with pytest.raises(http.client.HTTPException):
        heads.read(io.BytesIO(data))


@pytest.mark.parametrize("value", ["application/json", "", "a, b", "\xe9", b"api.example"])
def test_a_header_is_written_as_http_client_writes_it(value):
    connection = http.client.HTTPConnection("api.example")
    connection.putrequest("GET", "/", skip_host=True, skip_accept_encoding=True)
    connection.putheader("X-Name", value)
    assert vars(connection)["_buffer"][-1] == heads.line_of("X-Name", value)


def test_a_usual_answer_is_read_without_the_parser_of_emails(service, transports, monkeypatch):
    monkeypatch.setattr("http.client.parse_headers", pytest.fail)
    monkeypatch.setattr("email.parser.Parser.parse", pytest.fail)
    service.handle = lambda sock, request: ok(b'{"id": "g-1", "name": "x"}', b"Content-Type: application/json")
    upstream = Upstream(transports(service.url), tokens=Tokens(service.url))
    assert upstream.clinics.get("g-1").name == "x"


def test_an_odd_header_of_the_service_takes_nothing_from_the_answer(service, transports):
    service.handle = lambda sock, request: ok(b'{"id": "g-1", "name": "x"}', b"X-Folded: a\r\n b", b"no colon")
    upstream = Upstream(transports(service.url), tokens=Tokens(service.url))
    assert upstream.clinics.get("g-1").name == "x"


def test_the_headers_of_one_answer_are_not_those_of_the_next(service, transports):
    answers = [ok(b"{}", b"Retry-After: 7", status=b"429 Too Many"), ok(b"{}", status=b"429 Too Many")]
    service.handle = lambda sock, request: answers.pop(0)
    transport = transports(service.url)
    asked: Any = {"headers": {}, "body": None, "seconds": 1}
    assert [transport.send("GET", f"{service.url}/x", **asked).retry_after for _ in range(2)] == ["7", ""]
