"""A read is sent as requests would have prepared it, and what requests refuses is never sent."""

import pytest
import requests

from upstream.transport import _prepared

HEADERS = {"Accept": "application/json", "Authorization": "Bearer a.b-c_d", "Accept-Language": "en-US,en;q=0.8"}
URL = "https://api.example:8443/v1/bizUsers"


def sent(request):
    return request.method, request.url, dict(request.headers), request.body, request.path_url


def by_requests(method, url, headers, body):
    request = requests.PreparedRequest()
    request.prepare(method, url, headers=headers, data=body)
    return request


@pytest.mark.parametrize(
    "url",
    [
        URL,
        f"{URL}?keyword=a%26b%20c&page=2&sort=-name",
        f"{URL}?keyword=%D8%B9%D9%8A&status=A&status=B",
        "https://[::1]:8443/v1/x",
        f"{URL}/",
        f"{URL}?q=a+b@c.example",
        # Each of these goes through requests, which quotes it or leaves it alone.
        f"{URL}?keyword=é b",
        f"{URL}?keyword=a|b",
        "https://API.example/v1/x",
        "https://api.example",
        f"{URL}?a=%zz",
        f"{URL}/..",
        f"{URL}/./x",
        f"{URL}/../x?a=b",
        f"{URL}/..a",
        f"{URL}?",
        f"{URL}?a=%41%7E",
        f"{URL}?a=b?c",
        f"{URL}#part",
    ],
)
def test_a_read_is_the_same_however_it_was_prepared(url):
    assert sent(_prepared("GET", url, HEADERS, None)) == sent(by_requests("GET", url, HEADERS, None))


def test_a_write_is_prepared_by_requests():
    assert sent(_prepared("POST", URL, HEADERS, b"{}")) == sent(by_requests("POST", URL, HEADERS, b"{}"))


@pytest.mark.parametrize("value", ["a\r\nX: y", "a\n b", "\nx", " x", "x\r", "é\r\n"])
def test_a_line_end_in_a_header_is_refused(value):
    with pytest.raises(requests.exceptions.InvalidHeader):
        _prepared("GET", URL, {"X-Request-ID": value}, None)


@pytest.mark.req("SEC-14")
@pytest.mark.parametrize("name", ["X: y\r\nZ", "X\n", "X\r", " X", "X y", "\nX", "", "X:", "é"])
def test_a_name_of_a_header_is_checked_like_its_value(name):
    """It refuses the same values as requests, and prepares the same request."""
    try:
        prepared = sent(by_requests("GET", URL, {name: "a"}, None))
    except requests.exceptions.InvalidHeader:
        prepared = None
    if prepared is None:
        with pytest.raises(requests.exceptions.InvalidHeader):
            _prepared("GET", URL, {name: "a"}, None)
    else:
        assert sent(_prepared("GET", URL, {name: "a"}, None)) == prepared


@pytest.mark.parametrize("text", ["\r\n", "\n", "\t", "\x00", " ", "é"])
def test_an_address_has_only_quoted_ascii(text):
    request = _prepared("GET", f"{URL}?keyword=a{text}b", HEADERS, None)
    assert request.url
    assert all("!" <= letter <= "~" for letter in request.url)
