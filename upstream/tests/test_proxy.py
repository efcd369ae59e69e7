"""The configured outgoing proxy: the same limits apply, and it never sees a token."""

import contextlib

import pytest

from upstream import errors
from upstream.client import Upstream
from upstream.tests.conftest import Tokens, ok, serve, tunnel


def test_a_plain_call_goes_through_the_proxy(service, transports):
    service.handle = lambda sock, request: ok(b'{"id": "g-1"}')
    up = Upstream(transports("http://api.invalid", proxy=service.url), tokens=Tokens("http://api.invalid"))
    assert up.clinics.get("g-1").id == "g-1"
    assert service.requests[0].line == "GET http://api.invalid/v1/bizMainGroups/g-1 HTTP/1.1"


def test_a_proxy_that_opens_no_tunnel_makes_the_service_unreachable_and_sees_no_token(service, transports):
    service.handle = lambda sock, request: ok(status=b"502 Bad Gateway")
    up = Upstream(transports("https://api.invalid", proxy=service.url), tokens=Tokens("https://api.invalid"))
    with pytest.raises(errors.Unreachable):
        up.clinics.get("g-1")
    (request,) = service.requests
    assert request.line.startswith("CONNECT api.invalid:443 ")
    assert "authorization" not in request.headers


def test_the_proxy_alone_gets_the_credentials_of_its_address(service, transports, certificate):
    answers = [ok(b'{"id": "g-1"}'), ok(status=b"407 Proxy Authentication Required")]
    service.handle = lambda sock, request: answers.pop(0)
    address = service.url.replace("http://", "http://name:secret@")
    for url in ("http://api.invalid", "https://api.invalid"):
        with contextlib.suppress(errors.Unreachable):
            Upstream(transports(url, proxy=address), tokens=Tokens(url)).clinics.get("g-1")
    assert [request.headers["proxy-authorization"] for request in service.requests] == ["Basic bmFtZTpzZWNyZXQ="] * 2
    with contextlib.closing(serve(certificate)) as secure:
        secure.handle = lambda sock, request: ok(b'{"id": "g-1"}')
        service.handle = lambda sock, request: tunnel(sock, secure.port)
        with contextlib.closing(transports(secure.url, ca_bundle=certificate[0], proxy=address)) as transport:
            Upstream(transport, tokens=Tokens(secure.url)).clinics.get("g-1")
        assert "proxy-authorization" in service.requests[-1].headers
        assert "proxy-authorization" not in secure.requests[0].headers


def test_a_proxy_or_netrc_from_the_environment_is_not_used(service, transports, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login secret password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    service.handle = lambda sock, request: ok(b'{"active": false}')
    assert not Upstream(transports(service.url)).maintenance.notice().active
    assert "authorization" not in service.requests[0].headers
