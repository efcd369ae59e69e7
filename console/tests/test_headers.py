"""The security headers: on pages, errors, JSON and files."""

import pytest
from django.test import Client

CSP = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
}
EVERYWHERE = {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains; preload",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
SECURITY = ("SECURE_", "SESSION_COOKIE_", "CSRF_COOKIE_", "X_FRAME_OPTIONS", "CONTENT_SECURITY_POLICY")
CLINICS = "/user-manage/clinic"
FILE = "dist/app-ABCD1234.css"

# The response: method, path, headers of the request, status.
ANSWERS = {
    "the login, for who is logged in": ("GET", "/login", {}, 302),
    "a private page": ("GET", CLINICS, {}, 200),
    "its JSON": ("GET", CLINICS, {"Accept": "application/json"}, 200),
    "a private page of a clinic": ("GET", f"{CLINICS}/g-1/user", {}, 200),
    "a clinic that is not there": ("GET", f"{CLINICS}/g-9/user", {}, 404),
    "the same as JSON": ("GET", f"{CLINICS}/g-9/user", {"Accept": "application/json"}, 404),
    "the page of unknown paths": ("GET", "/404", {}, 404),
    "the way there": ("GET", "/nowhere", {}, 302),
    "an unknown path as JSON": ("GET", "/nowhere", {"Accept": "application/json"}, 404),
    "a file that is not there": ("GET", "/static/dist/none.js", {}, 302),
    "the server error page": ("GET", "/520", {}, 200),
    "the version": ("GET", "/version", {}, 200),
    "maintenance": ("GET", "/maintenance", {}, 200),
    "a method that is not meant": ("DELETE", "/login", {}, 405),
    "a request of another site": ("POST", "/logout", {"Sec-Fetch-Site": "cross-site"}, 403),
    "texts of the islands": ("GET", "/i18n/en-US/0.json", {}, 200),
    "health": ("GET", "/healthz", {}, 200),
    "readiness": ("GET", "/readyz", {}, 200),
}


@pytest.fixture
def https(settings, load_settings, tmp_path):
    """The security settings of a console behind https, and one built file."""
    for name, value in load_settings(CONSOLE_ENV="prod").items():
        if name.startswith(SECURITY):
            setattr(settings, name, value)
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "dist").mkdir()
    (tmp_path / FILE).write_text("main { display: block }")


@pytest.fixture
def administrator(https, db, upstream):
    """A browser over https whose administrator is logged in."""
    upstream.may_log_in()
    upstream.has_clinic()
    upstream.answers("GET", "/v1/bizMainGroups/g-9", {"code": 10004}, status=404)
    client = Client(raise_request_exception=False)
    login = {"email": "admin@demo.example", "password": "Demo123!"}
    assert client.post("/login", login, secure=True).status_code == 303
    return client


def policy(response):
    return {directive.strip() for directive in response.headers["Content-Security-Policy"].split(";")}


@pytest.mark.parametrize("what", ANSWERS)
def test_every_answer_carries_the_security_headers(administrator, what):
    method, path, headers, status = ANSWERS[what]
    response = administrator.generic(method, path, headers=headers, secure=True)
    assert response.status_code == status
    for name, value in EVERYWHERE.items():
        assert response.headers[name] == value
    assert policy(response) == CSP
    assert response.headers["X-Frame-Options"] == "DENY"
    assert "camera=()" in response.headers["Permissions-Policy"]
    assert response.headers["X-Request-ID"]
    assert response.headers["Content-Length"] == str(len(response.getvalue()))


def test_the_page_of_an_internal_error_carries_them_too(administrator, monkeypatch):
    monkeypatch.setattr("console.shell.pages.layout", lambda request: 1 / 0)
    response = administrator.get("/version", secure=True)
    assert response.status_code == 500
    assert {name: response.headers[name] for name in EVERYWHERE} == EVERYWHERE
    assert policy(response) == CSP


@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("POST", 403)])
def test_the_login_and_its_refusal_without_a_token_carry_them(https, db, upstream, method, status):
    response = Client(enforce_csrf_checks=True).generic(method, "/login", secure=True)
    assert response.status_code == status
    assert {name: response.headers[name] for name in EVERYWHERE} == EVERYWHERE
    assert policy(response) == CSP


def test_a_built_file_is_kept_for_ever_and_used_by_this_site_only(administrator):
    response = administrator.get("/static/" + FILE, secure=True)
    assert b"".join(response.streaming_content).startswith(b"main")
    response.close()
    assert {name: response.headers[name] for name in EVERYWHERE} == EVERYWHERE
    assert "immutable" in response.headers["Cache-Control"]
    assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.req("RT-36")
@pytest.mark.parametrize(
    "what", ["a private page", "its JSON", "a private page of a clinic", "a clinic that is not there"]
)
def test_private_responses_are_not_stored(administrator, what):
    method, path, headers, _ = ANSWERS[what]
    response = administrator.generic(method, path, headers=headers, secure=True)
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.req("EN-20")
def test_cookies_are_for_https_and_not_for_scripts(https, db, upstream):
    upstream.may_log_in()
    client = Client()
    client.get("/login", secure=True)
    client.post("/login", {"email": "admin@demo.example", "password": "Demo123!"}, secure=True)
    for name in ("auth", "__Host-csrf"):
        cookie = client.cookies[name]
        assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Lax")
        assert (cookie["path"], cookie["domain"]) == ("/", "")


def test_plain_http_redirects_to_https_except_for_health_checks(https, db, upstream):
    client = Client()
    response = client.get("/login?lng=ko-KR")
    assert (response.status_code, response.headers["Location"]) == (301, "https://testserver/login?lng=ko-KR")
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 200


def test_without_https_there_is_no_strict_transport_security(client, db, upstream):
    response = client.get("/login")
    assert response.status_code == 200
    assert "Strict-Transport-Security" not in response.headers
    assert policy(response) == CSP
