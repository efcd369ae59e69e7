"""The log: one line per request, with all data for operators and nothing private."""

import inspect
import json
import logging
import re
import sys

import pytest
from cryptography.fernet import Fernet
from django.test import Client

from console.config.logging import FIELDS, JsonFormatter, SafeReporterFilter
from tests.support import factories

CLINICS = "/user-manage/clinic"
EMAIL, PASSWORD = "dana.kim@clinic.example", "Demo123!"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkYW5hIn0.c2lnbmF0dXJl-x_y"
FERNET = Fernet(Fernet.generate_key()).encrypt(b"payload").decode()


def line(message, *arguments, **extra):
    """Return the formatted line of a record."""
    record = logging.LogRecord("test", logging.WARNING, "file.py", 1, message, arguments, None)
    record.__dict__.update(extra)
    text = JsonFormatter().format(record)
    assert "\n" not in text, "one line for each record"
    return json.loads(text)


def get_lines(caplog, logger="console.request"):
    return [json.loads(JsonFormatter().format(record)) for record in caplog.records if record.name == logger]


@pytest.mark.req("CA-39")
@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("mail to dana.kim@clinic.example failed", EMAIL),
        ("mail to dana.kim＠clinic．example failed", "dana.kim"),
        ("GET /exist with email=dana.kim%EF%BC%A0clinic.example", "dana.kim"),
        ("mail to 김@bücher.example failed", "김"),
        ("GET /exist with email=dana.kim%40clinic.example", "dana.kim"),
        ("Authorization: Bearer abc.def-123", "abc.def-123"),
        ("authorization: bearer\tabc", "abc"),
        (f"the token {JWT} has ended", JWT),
        (f'{{"refreshToken": "{JWT}"}}', "c2lnbmF0dXJl"),
        pytest.param(f"payload {FERNET}", FERNET[5:], id="payload"),
        ("GET /exist?name=Demo&x=1 failed", "Demo"),
        ("https://api.example/exist?name=Demo", "Demo"),
    ],
)
def test_a_secret_is_masked_in_a_message(text, secret):
    assert secret not in json.dumps(line(text))
    assert secret not in json.dumps(line("%s", text)), "also when it is an argument"


@pytest.mark.req("CA-39")
def test_a_secret_is_masked_in_the_trace_of_an_exception():
    def fail(password):
        raise ValueError(f"no answer for {EMAIL} with Bearer {JWT} at /exist?name=Demo")

    try:
        fail(PASSWORD)
    except ValueError:
        record = logging.LogRecord("test", logging.ERROR, "file.py", 1, "failed", (), sys.exc_info())
    text = JsonFormatter().format(record)
    assert "ValueError" in json.loads(text)["exception"]
    for secret in (EMAIL, JWT, "name=Demo", PASSWORD):
        assert secret not in text


def test_texts_without_secrets_stay_readable():
    line_text = line("refresh failed, session ended: %s", "Refused", grant="0a1b2c3d")
    assert line_text["message"] == "refresh failed, session ended: Refused"
    assert (line_text["level"], line_text["logger"], line_text["grant"]) == ("WARNING", "test", "0a1b2c3d")
    assert line_text["time"].endswith("+00:00")


def test_each_field_is_explained_to_operators(settings):
    written = {*line("request"), *FIELDS, "exception"}
    nginx = re.findall(r'"(\w+)":', (settings.BASE_DIR / "deploy/nginx.conf").read_text("utf-8"))
    document = (settings.BASE_DIR / "docs/monitoring.md").read_text("utf-8")
    tables = document.partition("## Logs")[2].partition("## Metrics")[0].partition("nginx's access log")
    explained = [set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\|([^|]+)\|", t, re.MULTILINE)))) for t in tables]
    assert explained == [written, set(), set(nginx)]


def test_a_field_that_is_not_on_the_list_is_not_written():
    assert "email" not in line("request", email=EMAIL)


@pytest.mark.req("CA-39")
def test_a_request_is_one_line_without_its_query(admin_client, upstream, caplog):
    upstream.has_clinic()
    caplog.clear()
    with caplog.at_level(logging.INFO):
        response = admin_client.get(f"{CLINICS}/g-1/user?searchField=email&keyword={EMAIL}")
    (entry,) = get_lines(caplog)
    assert entry["request_id"] == response.headers["X-Request-ID"]
    assert (entry["method"], entry["route"], entry["status"]) == ("GET", "groups:user-list", 200)
    assert entry["upstream_calls"] == 4
    assert entry["ms"] > 0
    assert entry["upstream_ms"] > 0
    everything = "\n".join(JsonFormatter().format(record) for record in caplog.records)
    assert EMAIL not in everything
    assert "keyword" not in everything
    assert "g-1" not in everything, "a route, not an address"


@pytest.mark.parametrize(
    ("given", "is_accepted"),
    [
        ("5f3c0e7d", True),
        ("5f3c0e7d-93a1-4c0e-9d52-6f0c54c21fa4", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("\xb2\xb3\xaa", False),
        ('a","level":"ERROR', False),
        ("someone@clinic.example", False),
        ("", False),
    ],
)
def test_the_id_of_a_trusted_proxy_is_taken_where_it_is_one(client, settings, caplog, given, is_accepted):
    settings.TRUSTED_PROXY = ["127.0.0.0/8"]
    with caplog.at_level(logging.INFO):
        response = client.get("/healthz", HTTP_X_REQUEST_ID=given)
    (entry,) = get_lines(caplog)
    assert entry["request_id"] == response.headers["X-Request-ID"]
    assert (entry["request_id"] == given) is is_accepted


@pytest.mark.req("CA-39")
def test_a_login_leaves_neither_password_nor_token_nor_address(log_in, client, caplog):
    with caplog.at_level(logging.DEBUG):
        log_in()
    (entry,) = get_lines(caplog)
    assert (entry["route"], entry["method"], entry["status"]) == ("accounts:login", "POST", 303)
    everything = "\n".join(JsonFormatter().format(record) for record in caplog.records)
    for secret in ("admin@demo.example", PASSWORD, "access-1", "refresh-1", client.cookies["auth"].value):
        assert secret not in everything


@pytest.mark.req("CA-39")
def test_an_upstream_failure_is_logged_by_its_type_without_its_texts(admin_client, upstream, caplog):
    upstream.answers("GET", "/v1/bizMainGroups", factories.refusal(10000), status=500)
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary())
    caplog.clear()
    with caplog.at_level(logging.INFO):
        assert admin_client.get(CLINICS).status_code == 502
    (entry,) = get_lines(caplog)
    assert (entry["level"], entry["failed"]) == ("WARNING", ["Failed: GET /v1/bizMainGroups, status 500, code 10000"])
    assert len(caplog.records) == 1, "Django adds no line to what was answered on purpose"
    assert "raw words" not in caplog.text


@pytest.mark.req("CA-39")
def test_a_failure_that_a_form_or_a_login_handles_is_logged_the_same_way(admin_client, upstream, caplog):
    upstream.answers("GET", "/v1/bizMainGroups/exist", {"resultCount": 0})
    upstream.answers("POST", "/v1/bizMainGroups", factories.refusal(10001), status=400)
    upstream.answers("POST", "/v1/accounts/search", factories.refusal(10000), status=500)
    caplog.clear()
    with caplog.at_level(logging.INFO):
        admin_client.post(f"{CLINICS}/new", {"name": "North", "country_code": "DE"})
        assert Client().post("/login", {"email": EMAIL, "password": PASSWORD}).status_code == 502
    form, login = get_lines(caplog)
    assert (form["level"], form["failed"]) == ("INFO", ["Refused: POST /v1/bizMainGroups, status 400, code 10001"])
    assert login["level"] == "WARNING"
    assert login["failed"] == ["Failed: POST /v1/accounts/search, status 500, code 10000"]


def test_each_line_of_a_request_has_its_id_including_tracebacks(admin_client, upstream, monkeypatch, capsys):
    def break_it(*_: object) -> None:
        raise ValueError("a fault")

    upstream.has_clinic()
    monkeypatch.setattr("console.shell.context_processors.remaining_time", break_it)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.getLogger().addHandler(handler)
    try:
        admin_client.raise_request_exception = False
        response = admin_client.get(CLINICS)
    finally:
        logging.getLogger().removeHandler(handler)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert {line["request_id"] for line in lines} == {response.headers["X-Request-ID"]}
    assert [line["level"] for line in lines if "ValueError" in line.get("exception", "")] == ["ERROR"]


@pytest.mark.req("ER-08")
def test_a_failed_refresh_is_logged_once_and_redirects_to_the_login(admin_client, upstream, caplog):
    upstream.has_clinic()
    upstream.answers("GET", "/v1/bizMainGroups", factories.refusal(11002), status=401)
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11003), status=401)
    caplog.clear()
    with caplog.at_level(logging.INFO):
        response = admin_client.get(CLINICS)
    assert response.headers["Location"].startswith("/login?next=")
    (entry,) = get_lines(caplog, "console.sessions.tokens")
    assert entry["message"].startswith("refresh failed, session ended: ")
    assert len(entry["grant"]) == 8
    assert "refresh-1" not in caplog.text


@pytest.mark.req("CA-39", "ER-36")
def test_an_error_report_holds_no_form_and_no_variables(rf):
    report = SafeReporterFilter()
    request = rf.post("/login", {"email": EMAIL, "password": PASSWORD})
    assert report.is_active(request) is True
    assert report.get_post_parameters(request) == {}
    assert list(report.get_traceback_frame_variables(request, inspect.currentframe())) == []
