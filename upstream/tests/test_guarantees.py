"""The guarantees of deadline.py and tasks.py, one test for each sentence there, over real sockets."""

import json
import socket
import threading
from contextlib import ExitStack, closing
from contextvars import ContextVar
from functools import partial

import pytest

from upstream import errors
from upstream.calls import CallRecord
from upstream.client import Upstream
from upstream.config import Deadlines
from upstream.tasks import end_all
from upstream.tests.conftest import (
    SHORT,
    Service,
    Tokens,
    make_proxy,
    ok,
    reset,
    run_concurrently,
    serve,
    tunnel,
    within,
    write_certificate,
)

HEAD = b"HTTP/1.1 200 OK\r\n"
LONG = Deadlines(connect=2, read=5, write=5, refresh=5)
request_id: ContextVar[str] = ContextVar("request_id")


def clinic(request) -> bytes:
    return ok(json.dumps({"id": request.line.split()[1].rpartition("/")[2]}).encode())


class Checks:
    """Calls to services and through proxies that drip; each returns after its time."""

    def __init__(self, transports, certificate):
        self.transports = transports
        self.certificate = certificate

    def client(self, url, **options):
        return Upstream(self.transports(url, ca_bundle=self.certificate[0], **options), tokens=Tokens(url))

    def answer(self, head, dripped, secure=False):
        with closing(serve(self.certificate) if secure else Service()) as service:

            def handle(sock, request):
                sock.sendall(head)
                service.drip(sock, dripped * 99)
                service.released.wait(10)

            service.handle = handle
            with within(SHORT.read), pytest.raises(errors.TimedOut, match="in time"):
                self.client(service.url).clinics.get("g-1")
            assert service.connections == 1

    def late_beginning(self):
        with closing(Service()) as service:

            def handle(sock, request):
                service.released.wait(2.5)
                sock.sendall(b"HTTP/1.1 2")
                service.released.wait(10)

            service.handle = handle
            deadlines = Deadlines(connect=1, read=3, write=1, refresh=1)
            with within(deadlines.read), pytest.raises(errors.TimedOut):
                self.client(service.url, deadlines=deadlines).clinics.get("g-1")

    def unread_write(self):
        with closing(Service(reads=False)) as service, within(SHORT.write), pytest.raises(errors.TimedOut):
            self.client(service.url).oauth.request_token("a@b.example", "x" * 20_000_000, region=None)

    def unanswered_handshake(self):
        with closing(Service(reads=False)) as service, within(SHORT.connect), pytest.raises(errors.Unreachable):
            self.client(service.url.replace("http:", "https:")).clinics.get("g-1")

    def tunnel_that_never_opens(self):
        with closing(Service()) as proxy:
            proxy.handle = lambda sock, request: proxy.drip(sock, b"HTTP/1.1 200 Connection established\r\n" * 9)
            with within(SHORT.connect), pytest.raises(errors.Unreachable):
                self.client("https://api.invalid", proxy=proxy.url).clinics.get("g-1")

    def proxy(self, scheme, what, expected):
        """Drip in the tunnel of a proxy: the whole handshake, or only the answer."""
        with closing(serve(self.certificate)) as secure, closing(make_proxy(self.certificate, scheme)) as proxy:
            secure.handle = lambda sock, request: ok(b'{"id": "g-1"}')

            def send(sock, data):
                if what == "handshake" or secure.requests:
                    proxy.drip(sock, data)
                else:
                    sock.sendall(data)

            proxy.handle = lambda sock, request: tunnel(sock, secure.port, partial(send, sock))
            with within(SHORT.read), pytest.raises(expected):
                self.client(secure.url, proxy=proxy.url).clinics.get("g-1")


@pytest.mark.req("CA-38", "ST-51")
def test_a_call_ends_within_its_total_time_also_if_a_header_a_body_a_tls_handshake_or_a_proxy_drips(
    transports, certificate
):
    checks = Checks(transports, certificate)
    chunked, sized = HEAD + b"Transfer-Encoding: chunked\r\n\r\n", HEAD + b"Content-Length: 99\r\n\r\n"
    failures = run_concurrently(
        {
            "the header": partial(checks.answer, b"", ok()),
            "endless headers": partial(checks.answer, HEAD, b"a: b\r\n"),
            "the body": partial(checks.answer, sized, b" "),
            "chunks": partial(checks.answer, chunked, b"1\r\n \r\n"),
            "the header, TLS": partial(checks.answer, b"", ok(), secure=True),
            "the body, TLS": partial(checks.answer, sized, b" ", secure=True),
            "silence": partial(checks.answer, b"", b""),
            "first bytes shortly before the end": checks.late_beginning,
            "a write that is not read": checks.unread_write,
            "a handshake without an answer": checks.unanswered_handshake,
            "a tunnel that never opens": checks.tunnel_that_never_opens,
            **{
                f"the {what}, {scheme} proxy": partial(checks.proxy, scheme, what, expected)
                for scheme in ("http", "https")
                for what, expected in (("handshake", errors.Unreachable), ("answer", errors.TimedOut))
            },
        }
    )
    assert failures == {}


def test_a_name_lookup_ends_within_the_time_to_open_a_connection(service, transports, monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: service.released.wait(10))
    up = Upstream(transports("http://slow.invalid"), tokens=Tokens("http://slow.invalid"))
    with within(SHORT.connect), pytest.raises(errors.Unreachable):
        up.clinics.get("g-1")


def start_and_reset(sock):
    sock.sendall(b"HTTP/1.1 20")
    reset(sock)


@pytest.mark.parametrize(
    ("is_reused", "method", "end", "times"),
    [
        (True, "GET", lambda sock: None, 2),
        (True, "GET", reset, 2),
        (True, "GET", start_and_reset, 1),
        (True, "PUT", lambda sock: None, 1),
        (True, "PUT", reset, 1),
        (False, "GET", lambda sock: None, 1),
        (False, "PUT", reset, 1),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_nothing_is_sent_twice_except_one_get_on_a_kept_connection_that_the_service_had_closed(
    service, transports, is_reused, method, end, times
):
    transport = transports(service.url)

    def send(method):
        return transport.send(method, f"{service.url}/x", headers={}, body=None, seconds=5)

    if is_reused:
        send("GET")
    service.requests.clear()
    service.handle = lambda sock, request: end(sock)
    with pytest.raises(errors.BadAnswer):  # a second connection is closed as well
        send(method)
    assert [request.line.split()[0] for request in service.requests] == [method] * times


def test_not_opened_means_that_nothing_was_sent(transports, certificate, tmp_path):
    roots = certificate[0]
    with ExitStack() as stack:
        secure, ended, silent, refusing, closed = services = [
            stack.enter_context(closing(service))
            for service in (
                serve(certificate),
                serve(write_certificate(tmp_path, days=-1)),
                Service(reads=False),
                Service(handle=lambda sock, request: ok(status=b"502 Bad Gateway")),
                Service(handle=lambda sock, request: None),
            )
        ]
        free_port = socket.create_server(("127.0.0.1", 0))
        refused = f"http://127.0.0.1:{free_port.getsockname()[1]}"
        free_port.close()
        for url, options, reason in [
            (refused, {}, "ConnectionRefusedError"),
            ("http://no-such-host.invalid", {}, "gaierror"),
            (silent.url.replace("http:", "https:"), {}, "no time left"),
            (ended.url, {"ca_bundle": str(tmp_path / "cert.pem")}, "certificate has expired"),
            (secure.url, {}, "SSLCertVerificationError"),
            (secure.url, {"ca_bundle": roots, "proxy": refused}, "ConnectionRefusedError"),
            (secure.url, {"ca_bundle": roots, "proxy": ended.url}, "SSLCertVerificationError"),
            (secure.url, {"ca_bundle": roots, "proxy": silent.url}, "no time left"),
            (secure.url, {"ca_bundle": roots, "proxy": refusing.url}, "the proxy answered 502"),
            (secure.url, {"ca_bundle": roots, "proxy": closed.url}, "the proxy didn't answer with HTTP"),
        ]:
            transport = transports(url, **options)
            with pytest.raises(errors.Unreachable, match=reason) as caught:  # NotOpened and its reason
                Upstream(transport, tokens=Tokens(url)).teams.update("t-1", version=1, name="Night")
            assert not caught.value.may_be_done
        assert {request.line.split()[0] for service in services for request in service.requests} == {"CONNECT"}


def test_the_calls_of_a_page_run_together_and_see_the_same_context_variables(service, transports):
    at_once = threading.Barrier(4)

    def handle(sock, request):
        at_once.wait(5)  # breaks, and fails the test, unless all four calls have arrived
        return clinic(request)

    service.handle = handle
    tokens = Tokens(service.url)
    up = Upstream(transports(service.url, deadlines=LONG), tokens=tokens)
    request_id.set("r-7")
    results = up.together(*(lambda n=n: (up.clinics.get(f"g-{n}").id, request_id.get()) for n in range(4)))
    assert results == (("g-0", "r-7"), ("g-1", "r-7"), ("g-2", "r-7"), ("g-3", "r-7"))
    assert tokens.threads == {threading.get_ident()}


def test_calls_that_no_one_waits_for_are_canceled(service, transports):
    def handle(sock, request):
        if request.line.split()[1].endswith("/late"):
            service.released.wait(10)
        return clinic(request)

    service.handle = handle
    calls: list[CallRecord] = []
    up = Upstream(transports(service.url, deadlines=LONG), tokens=Tokens(service.url), on_call=calls.append)
    with within(LONG.connect):
        result = up.start(lambda: up.clinics.get("late"))
        assert [up.clinics.get("g-1").id, up.clinics.get("g-2").id] == ["g-1", "g-2"]
        assert result(0.05) is None
    end_all()
    assert [call.outcome for call in calls] == ["ok", "ok", "Abandoned"]
    assert up.clinics.get("g-3").id == "g-3", "the connection of a canceled call is not used again"
    assert result(0) is None
