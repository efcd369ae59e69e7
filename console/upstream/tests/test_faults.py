"""The fault matrix: whatever the line does, a call ends as one of the errors, and in time."""

import gzip
import socket
import struct
import time

import pytest

from console.upstream import errors
from console.upstream.client import Upstream
from console.upstream.config import Deadlines
from console.upstream.listing import ListParams
from console.upstream.tests.conftest import SHORT, Service, Tokens, ok

BOMB = gzip.compress(b'{"id": "' + b"a" * 50_000_000 + b'"}', 1)


def reset(line: socket.socket) -> None:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def begin_and_reset(line: socket.socket) -> None:
    line.sendall(b"HTTP/1.1 20")
    reset(line)


def endless(line, head=b"HTTP/1.1 200 OK\r\n"):
    line.sendall(head + b"\r\n")
    while True:
        line.sendall(b" " * 65536)


FAULTS = {
    "hang": (lambda s, line: s.released.wait(10) and None, errors.TimedOut, "in time"),
    "a late beginning, then silence": (
        lambda s, line: (s.released.wait(0.28), line.sendall(b"HTTP/1.1 2"), s.released.wait(10), None)[3],
        errors.TimedOut,
        "in time",
    ),
    "drip of the header": (lambda s, line: s.drip(line, ok() * 9), errors.TimedOut, "in time"),
    "drip of endless headers": (
        lambda s, line: (line.sendall(b"HTTP/1.1 200 OK\r\n"), s.drip(line, b"a: b\r\n" * 99))[1],
        errors.TimedOut,
        "in time",
    ),
    "drip of the body": (
        lambda s, line: (line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n"), s.drip(line, b" " * 999))[1],
        errors.TimedOut,
        "in time",
    ),
    "drip of chunks": (
        lambda s, line: (
            line.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            s.drip(line, b"1\r\n \r\n" * 99),
        )[1],
        errors.TimedOut,
        "in time",
    ),
    "truncated": (lambda s, line: line.sendall(ok(b'{"id": "g-1"}')[:-3]), errors.BadAnswer, "IncompleteRead"),
    "truncated chunks": (
        lambda s, line: line.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}"),
        errors.BadAnswer,
        "ProtocolError",
    ),
    "cut-off JSON of the right length": (lambda s, line: ok(b'{"id": "g-'), errors.BadAnswer, "truncated"),
    "wrong types": (
        lambda s, line: ok(b'{"id": "g-1", "userCount": "secret"}'),
        errors.BadAnswer,
        "Expected `int`, got `str` - at `$.userCount`",
    ),
    "nesting without end": (lambda s, line: ok(b'{"id":"g-1","info":' + b"[" * 99_999), errors.BadAnswer, "nested"),
    "HTML": (lambda s, line: ok(b"<!doctype html><title>secret</title>"), errors.BadAnswer, "malformed"),
    "a list instead of an object": (lambda s, line: ok(b"[]"), errors.BadAnswer, "Expected `object`, got `array`"),
    "nothing": (lambda s, line: ok(b""), errors.BadAnswer, "truncated"),
    "endless": (lambda s, line: endless(line), errors.BadAnswer, "too large"),
    "gzip bomb": (lambda s, line: ok(BOMB, b"Content-Encoding: gzip"), errors.BadAnswer, "too large"),
    "broken gzip": (lambda s, line: ok(b"secret", b"Content-Encoding: gzip"), errors.BadAnswer, "DecodeError"),
    "reset": (lambda s, line: reset(line), errors.BadAnswer, "ConnectionError"),
    "empty": (lambda s, line: None, errors.BadAnswer, "ConnectionError"),
    "no HTTP": (lambda s, line: line.sendall(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), errors.BadAnswer, "ConnectionError"),
    "too many headers": (
        lambda s, line: line.sendall(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 999 + b"\r\n{}"),
        errors.BadAnswer,
        "",
    ),
}


@pytest.mark.req("CA-38", "ST-51")
@pytest.mark.parametrize(("fault", "expected", "said"), FAULTS.values(), ids=FAULTS)
def test_each_fault_ends_as_its_error_within_the_deadline(service, transports, fault, expected, said):
    service.handle = lambda line, request: fault(service, line)
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    started = time.monotonic()
    with pytest.raises(errors.NotDone) as caught:
        up.clinics.get("g-1")
    taken = time.monotonic() - started
    assert type(caught.value) is expected
    assert said in str(caught.value)
    assert "GET /v1/bizMainGroups/{id}" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert service.connections == 1
    if expected is errors.TimedOut:
        assert taken < SHORT.read + 0.2


@pytest.mark.req("CA-38")
def test_a_redirect_is_not_followed_and_its_body_not_read_without_end(service, transports):
    other = Service()
    try:
        head = f"HTTP/1.1 302 Found\r\nLocation: {other.url}/\r\n".encode()
        service.handle = lambda line, request: endless(line, head)
        with pytest.raises(errors.BadAnswer, match="too large"):
            Upstream(transports(service.url), tokens=Tokens(service.url)).clinics.get("g-1")
        assert other.connections == 0
    finally:
        other.close()


def test_a_refused_connection_is_unreachable(service, transports):
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    service.close()
    service.close = lambda: None
    with pytest.raises(errors.Unreachable, match="ConnectionRefusedError"):
        up.clinics.get("g-1")


def test_a_name_without_an_address_is_unreachable(transports):
    up = Upstream(transports("http://no-such-host.invalid"), tokens=Tokens("http://no-such-host.invalid"))
    with pytest.raises(errors.Unreachable):
        up.clinics.get("g-1")


def test_a_name_lookup_that_hangs_costs_the_connect_limit_only(transports, monkeypatch):
    service = Service()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: service.released.wait(10))
    try:
        up = Upstream(transports("http://slow.invalid"), tokens=Tokens("http://slow.invalid"))
        started = time.monotonic()
        with pytest.raises(errors.Unreachable):
            up.clinics.get("g-1")
        assert time.monotonic() - started < SHORT.connect + 0.2
    finally:
        service.close()


def test_a_service_that_does_not_read_ends_a_write_in_time(service, transports):
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    service._converse = lambda line: service.released.wait(10)
    started = time.monotonic()
    with pytest.raises(errors.TimedOut):
        up.oauth.request_token("a@b.example", "x" * 20_000_000, region=None)
    assert time.monotonic() - started < SHORT.write + 0.2


def test_all_calls_of_a_request_share_one_deadline(service, transports):
    service.handle = lambda line, request: service.released.wait(10) and None
    deadlines = Deadlines(connect=1, read=0.2, write=1, refresh=1, request=0.5)
    up = Upstream(transports(service.url, deadlines=deadlines), tokens=Tokens(service.url))
    started = time.monotonic()
    for _ in range(9):
        with pytest.raises(errors.TimedOut):
            up.users.list(ListParams(), clinic_id="g-1")
    assert time.monotonic() - started < 0.7
    assert len(service.requests) <= 3


def test_a_connection_is_kept_for_the_next_call(service, transports):
    service.handle = lambda line, request: ok(b'{"id": "g-1"}')
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    for _ in range(5):
        up.clinics.get("g-1")
    assert (service.connections, len(service.requests)) == (1, 5)


def test_an_answer_in_chunks_and_gzip_is_read_and_its_connection_kept(service, transports):
    packed = gzip.compress(b'{"id": "g-1", "name": "Clinic"}')
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (packed[:7], packed[7:])) + b"0\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    service.handle = lambda line, request: head + chunks
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    assert [up.clinics.get("g-1").name for _ in range(3)] == ["Clinic"] * 3
    assert service.connections == 1


@pytest.mark.parametrize("end", [lambda line: None, lambda line: reset(line)], ids=["closed", "reset"])
def test_a_read_on_a_connection_that_died_between_calls_is_repeated_once(service, transports, end):
    served = []

    def handle(line, request):
        served.append(request)
        return end(line) if len(served) == 2 else ok(b'{"id": "g-1"}')

    service.handle = handle
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    up.clinics.get("g-1")
    assert up.clinics.get("g-1").id == "g-1"
    assert (len(served), service.connections) == (3, 2)


@pytest.mark.parametrize(
    ("end", "again"),
    [
        (lambda line: None, lambda up: up.permissions.change_clinic("g-1", changes={"allow_export": True}, version=1)),
        (begin_and_reset, lambda up: up.clinics.get("g-1")),
    ],
    ids=["a write", "a begun answer"],
)
def test_a_write_or_a_begun_answer_is_never_repeated(service, transports, end, again):
    served = []

    def handle(line, request):
        served.append(request)
        return ok(b'{"id": "g-1"}') if len(served) == 1 else end(line)

    service.handle = handle
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    up.clinics.get("g-1")
    with pytest.raises(errors.BadAnswer):
        again(up)
    assert len(served) == 2


def test_a_strange_token_is_never_told(service, transports):
    for strange in ("secret\r\nX-Evil: 1", "secret한"):
        up = Upstream(transports(service.url), tokens=Tokens(service.url, prefix=strange))
        with pytest.raises(errors.BadAnswer) as caught:
            up.clinics.get("g-1")
        assert "secret" not in str(caught.value)
        assert caught.value.__suppress_context__
    assert service.requests == []
