"""The host policy: no address that an attacker could have supplied is called."""

import pytest

from upstream.client import Upstream
from upstream.config import TransportConfig
from upstream.errors import ForeignHost
from upstream.hosts import check_base_url
from upstream.tests.conftest import Tokens

CONFIG = TransportConfig(
    "https://handler.dental.example", "", allowed_hosts=("dental.example", ".scans.example", "", " ")
)
LOOPBACK = TransportConfig("http://localhost:1", "", allowed_hosts=("dental.example",), insecure_loopback=True)

HOSTILE = [
    "",
    " ",
    "https://",
    "//api.dental.example",
    "api.dental.example",
    "http://api.dental.example",
    "ftp://api.dental.example",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https:api.dental.example",
    "https:/api.dental.example",
    "https:///api.dental.example",
    "https://dental.example.evil.example",
    "https://evil-dental.example",
    "https://evildental.example",
    "https://evil.example/api.dental.example",
    "https://evil.example#.dental.example",
    "https://evil.example?.dental.example",
    "https://evil.example\\.dental.example",
    "https://evil.example\\@api.dental.example",
    "https://user@api.dental.example",
    "https://user:password@api.dental.example",
    "https://api.dental.example@evil.example",
    "https://api.dental.example:443@evil.example",
    "https://api.dental.example:8443",
    "https://api.dental.example:80",
    "https://api.dental.example:",
    "https://api.dental.example:0443",
    "https://api.dental.example.",
    "https://api..dental.example",
    "https://.dental.example",
    "https://-api.dental.example",
    "https://api_x.dental.example",
    "https://api.dental.example/%2e%2e/x",
    "https://api.dental.example/../x",
    "https://api.dental.example/a/./b",
    "https://api.dental.example/?next=x",
    "https://api.dental.example/#x",
    "https://api.dental.example\r\nX-Evil: 1",
    "https://api.dental.example\n",
    "https://api.dental.example\t",
    " https://api.dental.example",
    "https://api.dental.example\x00.evil.example",
    "https://api.dental\u3002example",
    "https://api.dent\u0430l.example",
    "https://\uff41pi.dental.example",
    "https://api.dental.example\u2044evil",
    "https://%61pi.dental.example",
    "https://api.dental.example%2eevil.example",
    "https://127.0.0.1",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    "https://169.254.169.254/latest/meta-data",
    "https://2130706433",
    "https://0x7f000001",
    "https://0x7f.1",
    "https://0177.0.0.1",
    "https://localhost",
    "http://localhost",
    "http://127.0.0.1:9100",
    "https://" + "a." * 126 + "dental.example",
    "https://" + "a" * 64 + ".dental.example",
]


@pytest.mark.req("EN-24")
@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_address_is_foreign(url):
    with pytest.raises(ForeignHost):
        check_base_url(url, CONFIG)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1.evil.example",
        "http://127.0.0.2:80",
        "http://localhost.evil.example",
        "http://localhost@evil.example",
        "http://user@localhost",
        "http://[::2]",
        "http://[::1",
        "http://0.0.0.0",
        "http://localhost:99999999",
        "http://10.0.0.1",
        "ftp://localhost",
    ],
)
def test_the_loopback_exception_applies_to_loopback_only(url):
    with pytest.raises(ForeignHost):
        check_base_url(url, LOOPBACK)


def test_no_suffix_allows_an_ip_address():
    config = TransportConfig("", "", allowed_hosts=("0.0.1", "127.0.0.1", "0x7f"))
    for url in ("https://127.0.0.1", "https://10.0.0.1", "https://1.0x7f"):
        with pytest.raises(ForeignHost):
            check_base_url(url, config)


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://dental.example", "https://dental.example"),
        ("https://api.eu.dental.example/", "https://api.eu.dental.example"),
        ("HTTPS://API.Dental.Example:443", "https://api.dental.example"),
        ("https://api.scans.example/base/v2/", "https://api.scans.example/base/v2"),
        ("https://xn--80ak6aa92e.dental.example", "https://xn--80ak6aa92e.dental.example"),
    ],
)
def test_an_allowed_address_is_returned_normalized(url, plain):
    assert check_base_url(url, CONFIG) == plain


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9101", "http://localhost", "http://[::1]:9101", "http://localhost/x"]
)
def test_loopback_is_allowed_if_the_configuration_permits_it(url):
    assert check_base_url(url, LOOPBACK) == url


def test_a_service_on_loopback_never_receives_a_token_whose_address_names_it(service, transports):
    transport = transports("https://api.dental.example", allowed_hosts=("dental.example",))
    transport.config = TransportConfig("https://h.dental.example", "https://api.dental.example")
    for url in (service.url, service.url.replace("http://", "https://"), service.url.replace("127.0.0.1", "localhost")):
        with pytest.raises(ForeignHost):
            Upstream(transport, tokens=Tokens(url)).clinics.get("g-1")
    assert service.connections == 0
