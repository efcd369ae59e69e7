"""The fault matrix: whatever the connection does, a call ends in time with one of the errors."""

import gzip
import time
from contextlib import closing

import pytest

from upstream import errors
from upstream.client import Upstream
from upstream.config import Deadlines
from upstream.listing import ListParams
from upstream.tests.conftest import SHORT, Service, Tokens, ok, reset, within

BOMB = gzip.compress(b'{"id": "' + b"a" * 50_000_000 + b'"}', 1)


def endless(sock, head=b"HTTP/1.1 200 OK\r\n"):
    sock.sendall(head + b"\r\n")
    while True:
        sock.sendall(b" " * 65536)


FAULTS = {
    "truncated": (lambda s, sock: sock.sendall(ok(b'{"id": "g-1"}')[:-3]), errors.BadAnswer, "IncompleteRead"),
    "truncated chunks": (
        lambda s, sock: sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}"),
        errors.BadAnswer,
        "ProtocolError",
    ),
    "cut-off JSON of the right length": (lambda s, sock: ok(b'{"id": "g-'), errors.BadAnswer, "truncated"),
    "wrong types": (
        lambda s, sock: ok(b'["secret"]'),
        errors.BadAnswer,
        "Expected `object`, got `array`",
    ),
    "nesting without end": (lambda s, sock: ok(b'{"id":"g-1","info":' + b"[" * 99_999), errors.BadAnswer, "nested"),
    "HTML": (lambda s, sock: ok(b"<!doctype html><title>secret</title>"), errors.BadAnswer, "malformed"),
    "a list instead of an object": (lambda s, sock: ok(b"[]"), errors.BadAnswer, "Expected `object`, got `array`"),
    "nothing": (lambda s, sock: ok(b""), errors.BadAnswer, "truncated"),
    "endless": (lambda s, sock: endless(sock), errors.BadAnswer, "too large"),
    "gzip bomb": (lambda s, sock: ok(BOMB, b"Content-Encoding: gzip"), errors.BadAnswer, "too large"),
    "broken gzip": (lambda s, sock: ok(b"secret", b"Content-Encoding: gzip"), errors.BadAnswer, "DecodeError"),
    "reset": (lambda s, sock: reset(sock), errors.BadAnswer, "ConnectionError"),
    "empty": (lambda s, sock: None, errors.BadAnswer, "ConnectionError"),
    "no HTTP": (lambda s, sock: sock.sendall(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), errors.BadAnswer, "ConnectionError"),
    "too many headers": (
        lambda s, sock: sock.sendall(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 999 + b"\r\n{}"),
        errors.BadAnswer,
        "",
    ),
}


def check_fault(transports, fault, expected, message):
    with closing(Service()) as service:
        service.handle = lambda sock, request: fault(service, sock)
        up = Upstream(transports(service.url), tokens=Tokens(service.url))
        with within(SHORT.read), pytest.raises(errors.NotDone) as caught:
            up.clinics.get("g-1")
        assert type(caught.value) is expected
        assert message in str(caught.value)
        assert "GET /v1/bizMainGroups/{id}" in str(caught.value)
        assert "secret" not in str(caught.value)
        assert service.connections == 1


@pytest.mark.req("CA-38", "ST-51")
@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_raises_its_error(transports, name):
    check_fault(transports, *FAULTS[name])


@pytest.mark.req("CA-38")
def test_a_redirect_is_not_followed_and_its_endless_body_not_read(service, transports):
    other = Service()
    try:
        head = f"HTTP/1.1 302 Found\r\nLocation: {other.url}/\r\n".encode()
        service.handle = lambda sock, request: endless(sock, head)
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


def test_all_calls_of_a_request_share_one_deadline(service, transports):
    service.handle = lambda sock, request: service.released.wait(10) and None
    deadlines = Deadlines(connect=1, read=0.2, write=1, refresh=1, request=0.5)
    up = Upstream(transports(service.url, deadlines=deadlines), tokens=Tokens(service.url))
    started = time.monotonic()
    for _ in range(9):
        with pytest.raises(errors.TimedOut):
            up.users.list(ListParams(), clinic_id="g-1")
    assert time.monotonic() - started < 1.5
    assert len(service.requests) <= 3


def test_a_connection_is_reused_by_the_next_call(service, transports):
    service.handle = lambda sock, request: ok(b'{"id": "g-1"}')
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    for _ in range(5):
        up.clinics.get("g-1")
    assert (service.connections, len(service.requests)) == (1, 5)


def test_an_answer_in_chunks_and_gzip_is_read_and_its_connection_kept(service, transports):
    packed = gzip.compress(b'{"id": "g-1", "name": "Clinic"}')
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (packed[:7], packed[7:])) + b"0\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    service.handle = lambda sock, request: head + chunks
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    assert [up.clinics.get("g-1").name for _ in range(3)] == ["Clinic"] * 3
    assert service.connections == 1


def test_a_malformed_token_never_appears_in_an_error(service, transports):
    for strange in ("secret\r\nX-Evil: 1", "secret한"):
        up = Upstream(transports(service.url), tokens=Tokens(service.url, prefix=strange))
        with pytest.raises(errors.BadAnswer) as caught:
            up.clinics.get("g-1")
        assert "secret" not in str(caught.value)
        assert caught.value.__suppress_context__
    assert service.requests == []


WRITE_ANSWERS = {
    "broken JSON": (ok(b'{"version": '), errors.BadAnswer, True),
    "an HTML page": (ok(b"<!doctype html>"), errors.BadAnswer, True),
    "a redirect": (ok(status=b"302 Found"), errors.BadAnswer, True),
    "the connection closed": (None, errors.BadAnswer, True),
    "500, an HTML page": (ok(b"<!doctype html>", status=b"500 No"), errors.Failed, True),
    "500, empty": (ok(b"", status=b"500 No"), errors.Failed, True),
    "500, a code of somebody else": (ok(b'{"code": 500}', status=b"500 No"), errors.Failed, True),
    "500, a code of the service": (ok(b'{"code": 10000}', status=b"500 No"), errors.Failed, False),
    "501": (ok(status=b"501 No"), errors.Failed, False),
    "502": (ok(status=b"502 No"), errors.Failed, True),
    "502, a code of the service": (ok(b'{"code": 10000}', status=b"502 No"), errors.Failed, True),
    "503": (ok(status=b"503 No"), errors.Failed, False),
    "504": (ok(status=b"504 No"), errors.Failed, True),
    "504, a code of the service": (ok(b'{"code": 10000}', status=b"504 No"), errors.Failed, True),
    "520 twice": (ok(status=b"520 No"), errors.Failed, True),
    "520 twice, a code of the service": (ok(b'{"code": 10000}', status=b"520 No"), errors.Failed, True),
    "521": (ok(status=b"521 No"), errors.Failed, True),
    "524": (ok(status=b"524 No"), errors.TimedOut, True),
    "524, a code of the service": (ok(b'{"code": 10000}', status=b"524 No"), errors.TimedOut, True),
    "400": (ok(b"<!doctype html>", status=b"400 No"), errors.Refused, False),
    "408, given by a proxy": (ok(b"<!doctype html>", status=b"408 No"), errors.Refused, True),
    "412": (ok(b'{"code": 10005}', status=b"412 No"), errors.Conflict, False),
    "429": (ok(status=b"429 No"), errors.Limited, False),
}


def write(up):
    up.teams.update("t-1", version=1, name="Night")


@pytest.mark.parametrize(("answer", "expected", "may_be_done"), WRITE_ANSWERS.values(), ids=WRITE_ANSWERS)
def test_a_write_may_be_done_unless_its_answer_proves_the_opposite(service, transports, answer, expected, may_be_done):
    service.handle = lambda sock, request: answer
    with pytest.raises(errors.NotDone) as caught:
        write(Upstream(transports(service.url), tokens=Tokens(service.url)))
    assert (type(caught.value), caught.value.may_be_done) == (expected, may_be_done)


def test_an_empty_answer_where_content_is_needed_does_not_prove_that_a_write_was_not_done(service, transports):
    service.handle = lambda sock, request: ok(b"")
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    with pytest.raises(errors.BadAnswer) as caught:
        up.clinics.bulk_delete(["g-1"])
    assert caught.value.may_be_done


def test_a_write_that_timed_out_may_be_done_only_if_it_was_sent(service, transports):
    service.handle = lambda sock, request: service.released.wait(10) and None
    deadlines = Deadlines(connect=1, read=1, write=0.2, refresh=1, request=0.2)
    up = Upstream(transports(service.url, deadlines=deadlines), tokens=Tokens(service.url))
    with pytest.raises(errors.TimedOut) as sent:
        write(up)
    with pytest.raises(errors.TimedOut) as not_sent:
        write(up)
    assert (sent.value.may_be_done, not_sent.value.may_be_done) == (True, False)
    assert len(service.requests) == 1


def test_a_write_without_a_connection_is_not_done(service, transports):
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    service.close()
    service.close = lambda: None
    with pytest.raises(errors.Unreachable) as caught:
        write(up)
    assert not caught.value.may_be_done
