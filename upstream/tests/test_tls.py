"""TLS: always verified, and as punctual as a plain connection."""

import json
import os
import socket
import ssl
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest

from upstream import errors
from upstream.calls import Changed, write
from upstream.client import Upstream
from upstream.config import Deadlines
from upstream.tests.conftest import LATE, SHORT, Service, Tokens, make_proxy, ok, serve, tunnel, write_certificate


@pytest.fixture
def secure(certificate):
    made = serve(certificate)
    yield made
    made.close()


@pytest.mark.req("CA-38", "SEC-66")
def test_a_host_whose_certificate_has_expired_is_unreachable_and_the_error_has_the_reason(tmp_path, transports):
    certificate = write_certificate(tmp_path, days=-1)
    ended = serve(certificate)
    with pytest.raises(errors.Unreachable, match="certificate has expired"):
        Upstream(transports(ended.url, ca_bundle=certificate[0]), tokens=Tokens(ended.url)).clinics.get("g-1")
    assert ended.requests == []
    ended.close()


@pytest.mark.req("CA-38")
def test_a_host_with_an_untrusted_certificate_is_unreachable_and_nothing_is_sent(secure, transports):
    with pytest.raises(errors.Unreachable, match="SSL"):
        Upstream(transports(secure.url), tokens=Tokens(secure.url)).clinics.get("g-1")
    assert secure.requests == []


def test_a_host_with_a_certificate_for_another_name_is_unreachable(secure, transports, certificate):
    url = secure.url.replace("localhost", "127.0.0.1")
    with pytest.raises(errors.Unreachable, match="SSL"):
        Upstream(transports(url, ca_bundle=certificate[0]), tokens=Tokens(url)).clinics.get("g-1")


def test_the_configured_roots_are_trusted_and_the_connection_is_kept(secure, transports, certificate):
    secure.handle = lambda sock, request: ok(b'{"id": "g-1"}')
    up = Upstream(transports(secure.url, ca_bundle=certificate[0]), tokens=Tokens(secure.url))
    assert [up.clinics.get("g-1").id for _ in range(3)] == ["g-1"] * 3
    assert secure.connections == 1


def replace_certificate(folder, service):
    """Let a service have another certificate, and its file of roots, as a change of the CA does."""
    other = folder / "new"
    other.mkdir()
    certificate = write_certificate(other)
    service.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    service.tls.load_cert_chain(*certificate)
    return other / "cert.pem"


@pytest.mark.req("CA-38")
@pytest.mark.parametrize("way", ["written", "moved", "linked"])
@pytest.mark.parametrize("proxied", [False, True])
def test_a_replaced_file_of_roots_is_used_without_a_restart(tmp_path, transports, way, proxied):
    certificate = write_certificate(tmp_path)
    roots = tmp_path / "roots.pem"
    roots.symlink_to(certificate[0]) if way == "linked" else roots.write_bytes((tmp_path / "cert.pem").read_bytes())
    with ExitStack() as closed:
        secure, proxy = [closed.enter_context(closing(service)) for service in (serve(certificate), Service())]
        secure.handle = lambda sock, request: ok(b'{"id": "g-1"}')
        proxy.handle = lambda sock, request: tunnel(sock, secure.port)
        through = {"proxy": proxy.url} if proxied else {}
        transport = closed.enter_context(closing(transports(secure.url, ca_bundle=str(roots), **through)))
        up = Upstream(transport, tokens=Tokens(secure.url))
        assert up.clinics.get("g-1").id == "g-1"
        new = replace_certificate(tmp_path, secure)
        if way == "written":
            roots.write_bytes(new.read_bytes())
        elif way == "moved":
            new.rename(roots)
        else:
            (tmp_path / "other").symlink_to(new)
            (tmp_path / "other").rename(roots)
        assert [up.clinics.get("g-1").id for _ in range(2)] == ["g-1"] * 2


@pytest.mark.req("CA-38")
def test_roots_that_were_removed_from_the_file_are_no_longer_trusted(tmp_path, transports):
    certificate = write_certificate(tmp_path)
    with closing(serve(certificate)) as secure, closing(transports(secure.url, ca_bundle=certificate[0])) as transport:
        secure.handle = lambda sock, request: ok(b'{"id": "g-1"}')
        up = Upstream(transport, tokens=Tokens(secure.url))
        up.clinics.get("g-1")
        (tmp_path / "other").mkdir()
        write_certificate(tmp_path / "other")
        (tmp_path / "other" / "cert.pem").rename(certificate[0])
        with pytest.raises(errors.Unreachable, match="certificate"):
            up.clinics.get("g-1")


@pytest.mark.req("CA-38")
@pytest.mark.parametrize("content", [None, b"", b"half of a certif", b"-----BEGIN CERTIFICATE-----\nAAAA"])
def test_a_file_of_roots_that_cannot_be_read_for_a_moment_changes_nothing(tmp_path, transports, content, caplog):
    certificate = write_certificate(tmp_path)
    roots = tmp_path / "roots.pem"
    good = (tmp_path / "cert.pem").read_bytes()
    roots.write_bytes(good)
    with closing(serve(certificate)) as secure, closing(transports(secure.url, ca_bundle=str(roots))) as transport:
        secure.handle = lambda sock, request: ok(b'{"id": "g-1"}')
        up = Upstream(transport, tokens=Tokens(secure.url))
        up.clinics.get("g-1")
        roots.unlink() if content is None else roots.write_bytes(content)
        with ThreadPoolExecutor(1) as another_thread:
            assert another_thread.submit(lambda: up.clinics.get("g-1").id).result() == "g-1"
        assert up.clinics.get("g-1").id == "g-1"
        assert caplog.text.count("the file of TLS roots can't be read") == 1
        roots.write_bytes(good)
        assert up.clinics.get("g-1").id == "g-1"


@pytest.fixture(params=["http", "https"])
def proxy(request, secure, certificate):
    made = make_proxy(certificate, request.param)
    made.handle = lambda sock, request: tunnel(sock, secure.port)
    yield made
    made.close()


@pytest.fixture(params=[None, "proxy"], ids=["directly", "through a proxy"])
def upstream(request, secure, proxy, transports, certificate):
    way = {"proxy": proxy.url} if request.param else {}
    return Upstream(transports(secure.url, ca_bundle=certificate[0], **way), tokens=Tokens(secure.url))


def test_long_calls_and_answers_go_through_the_tunnel_of_a_proxy(secure, proxy, transports, certificate):
    name = "n" * 400_000
    secure.handle = lambda sock, request: ok(b'{"id": "g-1", "name": "%b"}' % name.encode())
    up = Upstream(transports(secure.url, ca_bundle=certificate[0], proxy=proxy.url), tokens=Tokens(secure.url))
    assert [up.clinics.get("g-1").name for _ in range(3)] == [name] * 3
    up.clinics.update("g-1", version=1, name=name)
    assert (proxy.connections, secure.connections) == (1, 1)
    assert json.loads(secure.requests[-1].body)["name"] == name


def test_reads_run_concurrently_over_tls_too(secure, upstream):
    at_once = threading.Barrier(4)

    def handle(sock, request):
        at_once.wait(SHORT.read)  # breaks, and fails the test, unless all four calls have arrived
        return ok(b'{"id": "g-1"}')

    secure.handle = handle
    for _ in range(2):  # over new connections, and over those that are kept
        assert len(upstream.together(*[lambda: upstream.clinics.get("g-1")] * 4)) == 4


def test_a_proxy_with_an_untrusted_certificate_receives_nothing(secure, transports, certificate, tmp_path):
    other = serve(write_certificate(tmp_path))
    transport = transports(secure.url, ca_bundle=certificate[0], proxy=other.url)
    with closing(other), pytest.raises(errors.Unreachable, match="certificate"):
        Upstream(transport, tokens=Tokens(secure.url)).clinics.get("g-1")
    assert other.requests == secure.requests == []


@pytest.fixture(params=["plain", "TLS"])
def host(request, certificate):
    made = serve(certificate) if request.param == "TLS" else Service()
    yield made
    made.close()


def test_a_service_that_no_longer_reads_is_left_in_time_and_holds_up_no_other_call(host, transports, certificate):
    came = []

    def handle(sock, request):
        came.append(time.monotonic())
        if len(came) == 1:  # the last one that this connection reads
            sock.sendall(ok(b'{"id": "g-1"}'))
            host.released.wait(10)
        return ok(b'{"version": 2}')

    host.handle = handle
    up = Upstream(transports(host.url, ca_bundle=certificate[0]), tokens=Tokens(host.url))
    up.clinics.get("g-1")
    started = time.monotonic()
    calls = [write("PUT", "/v1/bizMainGroups/{id}", id="g-1", body={"name": "n" * size}) for size in (30_000_000, 1)]
    lost, done = up.each(calls, Changed)
    assert isinstance(lost, errors.TimedOut)
    assert done == Changed(version=2)
    assert came[-1] - started < SHORT.write <= time.monotonic() - started < SHORT.write + LATE


def test_a_connection_that_breaks_after_a_write_was_sent_may_have_executed_it(secure, transports, certificate):
    def break_off(sock, request):
        with socket.socket(fileno=os.dup(sock.fileno())) as plain:  # past the encryption
            plain.sendall(b"not a TLS record")

    secure.handle = break_off
    up = Upstream(transports(secure.url, ca_bundle=certificate[0]), tokens=Tokens(secure.url))
    with pytest.raises(errors.BadAnswer, match="SSL") as caught:
        up.teams.update("t-1", version=1, name="Night")
    assert caught.value.may_be_done
    assert len(secure.requests) == 1


def test_names_are_looked_up_and_hands_shaken_for_several_calls_at_once(secure, certificate, transports, monkeypatch):
    names, hands, context, resolve = threading.Barrier(3), threading.Barrier(3), secure.tls, socket.getaddrinfo

    class AtOnce:
        def wrap_socket(self, sock, *, server_side):
            hands.wait(5)  # breaks, and fails the test, unless all three are there
            return context.wrap_socket(sock, server_side=server_side)

    def resolve_together(*args, **kwargs):
        names.wait(5)
        return resolve(*args, **kwargs)

    secure.tls = AtOnce()
    monkeypatch.setattr(socket, "getaddrinfo", resolve_together)
    secure.handle = lambda sock, request: ok(b'{"id": "g-1"}')
    limits = Deadlines(connect=4, read=5, write=5, refresh=5)
    up = Upstream(transports(secure.url, ca_bundle=certificate[0], deadlines=limits), tokens=Tokens(secure.url))
    results = up.together(*[lambda: up.clinics.get("g-1")] * 3)
    assert [clinic.id for clinic in results] == ["g-1"] * 3
