"""Hostile requests never cause an internal error: each gets a page with a request ID."""

import json
import logging
import re
from itertools import product
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.config.logging import JsonFormatter
from console.tests.wsgi_requests import ask
from tests.support import factories
from tests.support.cases import faults
from tests.support.routes import ROUTES

CLINICS = "/user-manage/clinic"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=x"

pytestmark = pytest.mark.django_db

STRANGER: dict[str, str] = {}


@pytest.fixture
def cookie(administrator, upstream):
    """Return an administrator's cookies; the service knows one clinic and refuses every change."""
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        upstream.answers(method, "/v1/biz.*", factories.refusal(10004), status=404)
    return "; ".join(f"{name}={morsel.value}" for name, morsel in administrator.cookies.items())


@pytest.fixture
def form(cookie):
    """Return the cookies and headers with which a POST passes the CSRF check."""
    token = ask(CLINICS + "/new", HTTP_COOKIE=cookie).cookies["csrf"].value
    return {"HTTP_COOKIE": f"{cookie}; csrf={token}", "HTTP_X_CSRFTOKEN": token}


def is_console_error(answer):
    """Return True for an error on the console's own page, with the ID of the request."""
    has_id = answer.headers["X-Request-ID"] in answer.text
    return has_id and (answer.text.startswith("{") or "<!doctype html>" in answer.text)


def lines(caplog):
    return [json.loads(JsonFormatter().format(record)) for record in caplog.records]


CHARSETS = ["ascii", "nope", "utf-16", "utf-7", "idna", "hex", "rot13", "undefined", "unicode_escape", "punycode", "é"]
TYPES = [
    *(f"{kind}; charset={charset}" for kind in (FORM, MULTIPART) for charset in CHARSETS),
    "text/plain; a*=bogus''x",
    "text/plain; a*0=x; a*1*=bogus''x; a*=x",
    "text/plain; charset*=hex''zz",
    "multipart/form-data",
    "multipart/form-data; boundary=" + "x" * 5000,
    "application/json",
    ";;;=;",
]


@pytest.mark.req("SEC-04")
@pytest.mark.parametrize("path", ["/login", "/healthz", CLINICS + "/new"])
def test_a_body_that_is_not_a_form_is_not_read(form, upstream, path):
    body = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n\xff+A-\r\n--x--'

    def check(content_type):
        for environ in (STRANGER, form):
            answer = ask(path, "POST", body=body, CONTENT_TYPE=content_type, **environ)
            assert answer.status_code in (302, 303, 403, 405, 422)
            assert answer.headers["X-Request-ID"]
        assert upstream.calls("POST") == []

    assert faults(TYPES, check, at_least=28) == {}


@pytest.mark.req("SEC-04")
@pytest.mark.parametrize(
    "content_type",
    [FORM, FORM + ";charset=UTF-8", MULTIPART, "multipart/form-data; boundary=----WebKitFormBoundaryA1b2", ""],
)
def test_a_form_of_a_browser_is_read(form, upstream, content_type):
    boundary = content_type.partition("boundary=")[2]
    part = f'--{boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nKörner\r\n--{boundary}--\r\n'
    body = part.encode() if boundary else b"name=K%C3%B6rner"
    answer = ask(CLINICS + "/new", "POST", body=body, CONTENT_TYPE=content_type, **form)
    assert answer.status_code == 422
    assert ("Körner" in answer.text) == bool(content_type), "what was typed comes back"


@pytest.mark.req("SEC-04", "SEC-07")
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("content_type", [FORM, FORM + "; charset=utf-8", MULTIPART, ""])
def test_a_query_of_too_many_fields_is_refused(db, method, content_type):
    answer = ask("/login", method, QUERY_STRING="a&" * 2501, CONTENT_TYPE=content_type)
    assert answer.status_code == 400
    assert answer.headers["X-Request-ID"]


@pytest.mark.req("SEC-05")
@pytest.mark.parametrize("query", ["k=" + "a" * 3900, "k=" + "%22" * 1290, "keyword=" + "%F0%9F%98%80" * 320])
def test_no_redirect_is_longer_than_a_proxy_reads(db, form, query):
    for environ in (STRANGER, {"HTTP_COOKIE": "auth=none"}):
        answer = ask(CLINICS, QUERY_STRING=query, **environ)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/login?next=%2Fuser-manage%2Fclinic")
        assert len(answer.headers["Location"]) < 3000
    page = ask(f"{CLINICS}/new", QUERY_STRING="back=" + quote_plus(f"{CLINICS}?{query}"), **form)
    assert 'name="back" value="/user-manage/clinic"' in page.text


@pytest.mark.req("SEC-46")
@pytest.mark.parametrize("secret", ["wren.secret＠canary.example", '"wren secret"@canary.example'])
def test_no_path_is_in_the_log(db, caplog, secret):
    ask(f"{CLINICS}/{quote_plus(secret)}/edit", "POST", **STRANGER)
    ask(f"/{quote_plus(secret)}", "POST", **STRANGER)
    assert "secret" not in json.dumps(lines(caplog))


ADDRESSES = ["http://[", "//[", "//a℀b", "http://a℀b/", "http://testserver:x/", "http://testserver/\0", "javascript:1"]


@pytest.mark.req("SEC-05")
@pytest.mark.parametrize("path", ["/login", CLINICS + "/new", CLINICS + "/g-1/delete"])
def test_an_invalid_address_is_never_a_redirect_target(form, path):
    def check(address):
        raw, query = address.encode().decode("latin-1"), urlencode({"back": address, "next": address})
        for environ in (STRANGER, form):
            answers = [
                ask(path, QUERY_STRING=query, HTTP_REFERER=raw, HTTP_ORIGIN=raw, **environ),
                ask(path, "POST", body=query.encode(), CONTENT_TYPE=FORM, HTTP_REFERER=raw, **environ),
            ]
            for answer in answers:
                assert answer.status_code in (200, 302, 303, 403, 422)
                target = answer.headers.get("Location", "/")
                assert target.startswith("/")
                assert not target.startswith("//")
                assert f'href="{address}' not in answer.text

    assert faults(ADDRESSES, check, at_least=7) == {}


@pytest.mark.req("SEC-05")
@pytest.mark.parametrize("path", ["//[", "//evil.test/x", "/\\evil.test/x"])
def test_a_referer_that_reads_as_another_site_is_ignored(path):
    token = ask("/login").cookies["csrf"].value
    sent = {"CONTENT_TYPE": FORM, "HTTP_COOKIE": f"csrf={token}", "HTTP_REFERER": f"http://testserver{path}"}
    refused = ask("/login", "POST", **sent)
    assert refused.status_code == 403
    assert not re.search(r'href="/[/\\]', refused.text)
    ended = ask(CLINICS + "/new", "POST", HTTP_X_CSRFTOKEN=token, **sent)
    assert (ended.status_code, ended.headers["Location"]) == (302, "/login?next=%2F")


@pytest.mark.req("SEC-05")
def test_a_form_of_a_foreign_origin_is_refused_with_our_page(form):
    def check(origin):
        raw = origin.encode().decode("latin-1")
        for environ in (STRANGER, form):
            answer = ask("/login", "POST", HTTP_ORIGIN=raw, HTTP_REFERER=raw, CONTENT_TYPE=FORM, **environ)
            assert answer.status_code == 403
            assert is_console_error(answer)

    assert faults([*ADDRESSES, "null", "a" * 7900], check, at_least=9) == {}


@pytest.mark.req("SEC-06")
@pytest.mark.parametrize("path", ["/login", CLINICS, "/nowhere", "/static/x.js"])
def test_a_foreign_host_is_one_line_of_the_log_and_our_page(caplog, path):
    def check(host):
        caplog.clear()
        with caplog.at_level(logging.INFO):
            answer = ask(path, HTTP_HOST=host.encode().decode("latin-1"))
        assert answer.status_code == 400
        assert is_console_error(answer)
        (line,) = lines(caplog)
        assert (line["status"], line["refused"], "exception" in line) == (400, "DisallowedHost", False)
        assert line["request_id"] == answer.headers["X-Request-ID"]

    hosts = ["evil.test", "[", "testserver@evil.test", "é", "", "testserver:x"]
    assert faults(hosts, check, at_least=6) == {}


MANY = "&".join(f"a{n}=1" for n in range(2501))
UNREADABLE: dict[str, tuple[str, dict[str, Any]]] = {
    "too many fields in the query": ("GET", {"QUERY_STRING": MANY}),
    "too many fields in the form": ("POST", {"body": MANY.encode(), "CONTENT_TYPE": FORM}),
    "too large a form": ("POST", {"body": b"x" * (3 * 1024 * 1024), "CONTENT_TYPE": FORM}),
}


@pytest.mark.req("SEC-07")
@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_request_is_reported_on_our_page_and_in_one_log_line(form, caplog, name):
    method, environ = UNREADABLE[name]
    environ = environ | {name: value for name, value in form.items() if name != "HTTP_X_CSRFTOKEN"}

    def check(case):
        path, accept = case
        caplog.clear()
        with caplog.at_level(logging.INFO):
            answer = ask(path, method, HTTP_ACCEPT=accept, **environ)
        assert answer.status_code == 400
        assert is_console_error(answer)
        assert "couldn&#x27;t read your request" in answer.text or "couldn't read your request" in answer.text
        (line,) = lines(caplog)
        assert line["refused"] in ("TooManyFieldsSent", "RequestDataTooBig")
        assert "exception" not in line

    paths = ["/login", CLINICS + "/new", "/i18n/xx-XX/0.json", "/nowhere"]
    assert faults(list(product(paths, ["text/html", "application/json"])), check, at_least=8) == {}


@pytest.mark.req("SEC-07")
def test_the_page_for_an_unreadable_request_is_in_the_readers_language():
    german = ask(
        "/login",
        "POST",
        CONTENT_TYPE=FORM,
        body=MANY.encode(),
        HTTP_ACCEPT_LANGUAGE="de-DE",
        HTTP_COOKIE="csrf=" + "a" * 32,
    )
    assert '<html lang="de-DE"' in german.text
    ask("/login", HTTP_ACCEPT_LANGUAGE="ar-EG")
    foreign = ask("/login", HTTP_HOST="evil.test")
    assert '<html lang="en" dir="ltr"' in foreign.text, "not in the language of an earlier request"


@pytest.mark.req("SEC-08")
def test_an_unsupported_method_gets_our_405_page(form):
    def check(route):
        for method in ("PUT", "PATCH", "DELETE", "TRACE", "FOO", *({"GET", "POST"} - set(route.methods))):
            for accept in ("text/html", "application/json"):
                answer = ask(route.path(), method, HTTP_ACCEPT=accept, **form)
                assert answer.status_code == 405
                assert set(route.methods) <= set(answer.headers["Allow"].split(", "))
                assert is_console_error(answer)

    assert faults(ROUTES, check, at_least=170) == {}


PATHS = sorted({route.path() for route in ROUTES})
ODD = """
%00 %FF //[ //a%E2%84%80b /%0d%0aX:1 %F0%9F%98%80 %ED%A0%80 ../.. 999999999999999999999 -1 1e5 %D9%A3 0x1 NaN true
bytes=9-1 bytes=-99999999999999999999 bytes=99999- W/"x" * Mon,+99+Foo "\\777"
Sun,%2006%20Nov%200000%2008:49:37%20GMT
en-US,*;q=x application/json;q=x text/plain gzip;q= chunked cross-site eyJhbGciOi.e30 [[[[ {"a": ../../etc/passwd
"""
WORDS = st.one_of(
    st.sampled_from(ODD.split()),
    st.text(max_size=12),
    st.binary(max_size=12).map(lambda raw: raw.decode("latin-1")),
    st.sampled_from(["9" * 5000, "[" * 3000, "a-" * 2000, "%" * 3000]),
)
ON_THE_LINE = WORDS.map(lambda text: text.encode().decode("latin-1").translate({0: None, 10: None, 13: None}))
FIELDS = """
keyword searchField columns column list_query page size sort order ids all query job back next lng user name email
password version form_id typed_name another row row-0-name add_row remove lines sender proof from reason
csrfmiddlewaretoken
"""
HEADERS = """
HTTP_REFERER HTTP_ORIGIN HTTP_HOST HTTP_ACCEPT HTTP_ACCEPT_LANGUAGE HTTP_ACCEPT_ENCODING HTTP_RANGE HTTP_IF_RANGE
HTTP_IF_MODIFIED_SINCE HTTP_IF_NONE_MATCH HTTP_IF_MATCH HTTP_IF_UNMODIFIED_SINCE HTTP_X_FORWARDED_FOR
HTTP_X_FORWARDED_PROTO HTTP_X_REQUEST_ID HTTP_SEC_FETCH_SITE HTTP_X_CSRFTOKEN CONTENT_TYPE REMOTE_ADDR
"""
COOKIES = st.sampled_from(["auth", "csrf", "theme", "tz", "i18next", "lng-storage", "draft", "messages", "", "$"])
PAIRS = st.lists(st.tuples(st.sampled_from(FIELDS.split()), WORDS), max_size=5)
METHODS = st.sampled_from(["GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "FOO"])
TAILS = st.one_of(st.just(""), ON_THE_LINE.map(lambda text: "/" + text))


def quoted(pairs):
    return urlencode(pairs, errors="surrogatepass").replace("%25", "%")


@pytest.mark.req("SEC-09")
@pytest.mark.parametrize("examples", [100, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("is_known", [False, True], ids=["a stranger", "an administrator"])
def test_no_request_causes_an_internal_error(form, upstream, monkeypatch, is_known, examples):
    monkeypatch.setattr("accounts.views.login.MIN_REFUSAL_S", 0.0)
    upstream.has_lab()
    unknown = "/v1/biz[^/]+/(?!([aglopstu]-1|exist|teamTypes|summary|url|unreadCount)(?![^/?])).*"
    upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1/sessions", {"results": []})
    upstream.callback("GET", unknown, lambda _request: (404, {}, json.dumps({"code": 10004})))
    credentials = form if is_known else STRANGER

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    @given(
        st.sampled_from([path for path in PATHS if path != "/logout"]),
        TAILS,
        METHODS,
        PAIRS,
        PAIRS,
        st.dictionaries(st.sampled_from(HEADERS.split()), ON_THE_LINE, max_size=3),
        st.lists(st.tuples(COOKIES, ON_THE_LINE), max_size=2),
        st.one_of(st.none(), st.binary(max_size=200)),
    )
    def send(path, tail, method, query, fields, headers, cookies, raw):
        environ = {"CONTENT_TYPE": FORM, **credentials, **headers, "QUERY_STRING": quoted(query)}
        session_cookie = [environ["HTTP_COOKIE"]] if "HTTP_COOKIE" in environ else []
        environ["HTTP_COOKIE"] = "; ".join(
            [*session_cookie, *(f"{name}={value}" for name, value in cookies if name != "auth" or not session_cookie)]
        )
        answer = ask(path + tail, method, body=quoted(fields).encode() if raw is None else raw, **environ)
        assert answer.status_code < 500, answer.text[:2000]
        assert answer.headers["X-Request-ID"]
        if answer.status_code in (400, 403, 405) and method != "HEAD":
            assert is_console_error(answer)

    send()
