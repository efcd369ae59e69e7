"""The environment's variables: valid ones load, invalid ones stop the start, and the code names no host."""

import re
from base64 import urlsafe_b64encode
from pathlib import Path
from types import SimpleNamespace

import certifi
import environ
import pytest
from django.core.exceptions import ImproperlyConfigured

from console.config.checks import refuse_wrong_variables
from console.config.environment import read_env_file
from tools.sources import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
KEYS = ",".join(urlsafe_b64encode(bytes([n]) * 32).decode() for n in range(2))


@pytest.mark.req("UC-17")
@pytest.mark.parametrize("variant", ["global", "china"])
@pytest.mark.parametrize("environment", ["dev", "stage", "prod"])
def test_each_environment_loads_in_each_variant(load_settings, startup_errors, environment, variant):
    variables = {"CONSOLE_ENV": environment, "CONSOLE_VARIANT": variant}
    assert startup_errors(**variables) == []
    settings = load_settings(**variables)
    upstream = settings["UPSTREAM"]
    assert (upstream.environment, upstream.variant) == (environment, variant)
    assert (upstream.handler_url, upstream.api_url) == ("https://handler.example", "https://api.example")


@pytest.mark.req("UC-17")
def test_each_variant_needs_only_its_own_start_address(startup_errors):
    assert startup_errors(CONSOLE_VARIANT="global", API_URL=None) == []
    assert startup_errors(CONSOLE_VARIANT="china", DOMAIN_HANDLER_URL=None) == []
    assert startup_errors(CONSOLE_VARIANT="global", DOMAIN_HANDLER_URL=None) == ["DOMAIN_HANDLER_URL is missing."]
    assert startup_errors(CONSOLE_VARIANT="china", API_URL=None) == ["API_URL is missing."]


SECRET = "k" * 60


@pytest.fixture
def read_file(monkeypatch, tmp_path):
    def read(content: bytes) -> dict[str, str]:
        """Return the variables that a file with this content sets."""
        variables: dict[str, str] = {}
        monkeypatch.setattr(environ.Env, "ENVIRON", variables)
        (tmp_path / ".env").write_bytes(content)
        read_env_file(environ.Env(), tmp_path / ".env")
        return variables

    return read


def test_a_file_of_variables_may_have_a_byte_order_mark_and_any_line_ends(read_file, tmp_path):
    lines = ["# the key", "", f"SECRET_KEY={SECRET}", "  export DEBUG='true'  "]
    wanted = {"SECRET_KEY": SECRET, "DEBUG": "true"}
    for mark, end in ((b"", "\n"), (b"\xef\xbb\xbf", "\n"), (b"\xef\xbb\xbf", "\r\n"), (b"", "\r")):
        assert read_file(mark + end.join(lines).encode()) == wanted
    read_env_file(environ.Env(), tmp_path / "missing.env")


UNREADABLE = [
    (f"SECRET_KEY={SECRET}".encode("utf-16"), ".env is not encoded as UTF-8. Save it as UTF-8 text."),
    (f"SECRET_KEY={SECRET}é".encode("latin-1"), ".env is not encoded as UTF-8. Save it as UTF-8 text."),
    (f"DEBUG=false\nSECRET_KEY: {SECRET}".encode(), "Line 2 of .env is not of the form NAME=value."),
    (f"SECRET_KEY = {SECRET}".encode(), "Line 1 of .env is not of the form NAME=value."),
    (f"\u200bSECRET_KEY={SECRET}".encode(), "Line 1 of .env is not of the form NAME=value."),
]


def test_a_file_of_variables_that_cannot_be_read_stops_the_start_without_a_secret(read_file, capsys, caplog):
    for content, sentence in UNREADABLE:
        with pytest.raises(ImproperlyConfigured) as caught:
            read_file(content)
        assert (str(caught.value), caught.value.__cause__) == (sentence, None)
    output = capsys.readouterr()
    assert SECRET not in output.out + output.err + caplog.text


WRONG = [
    {"ALLOWED_DASHBOARD_HOSTS": "https://dashboard.example"},
    {"ALLOWED_DASHBOARD_HOSTS": "*.dashboard.example"},
    {"ALLOWED_HOSTS": None},
    {"ALLOWED_HOSTS": "*"},
    {"ALLOWED_HOSTS": ".console.example"},
    {"ALLOWED_HOSTS": "https://console.example"},
    {"ALLOWED_HOSTS": "console.example:443"},
    {"ALLOWED_HOSTS": "console.example other.example"},
    {"ALLOWED_HOSTS": "console.example\nother.example"},
    {"ALLOWED_HOSTS": "::1"},
    {"ALLOWED_HOSTS": "console\N{NO-BREAK SPACE}.example"},
    {"ALLOWED_HOSTS": "$ALLOWED_HOSTS"},
    {"ALLOWED_UPSTREAM_HOSTS": "https://api.example"},
    {"ALLOWED_UPSTREAM_HOSTS": "*"},
    {"API_URL": "http://api.example"},
    {"API_URL": "https://someone:secret@api.example"},
    {"API_URL": "https://api.example/?query"},
    {"API_URL": "https://api.example:99999"},
    {"API_URL": "https://api.example:0"},
    {"API_URL": "https://api example"},
    {"API_URL": "https://api..example"},
    {"API_URL": "https://api.example/../v1"},
    {"BUILD_TIME": "2026-11-25\x1b[31m"},
    {"CONSOLE_ENV": "live"},
    {"CONSOLE_ENV": ""},
    {"CONSOLE_HTTPS": "on"},
    {"CONSOLE_VARIANT": "moon"},
    {"DATABASE_URL": "console"},
    {"DATABASE_URL": "moon://user@db.example/console"},
    {"DATABASE_URL": "postgres://user@db.example:port/console"},
    {"DATABASE_URL": "postgres://user@db.example/"},
    {"DATABASE_URL": "postgres://user@db.example/console?moon=1"},
    {"DATABASE_URL": "postgres://user@db.example/console?connect_timeout=soon"},
    {"DATABASE_URL": "postgres://user@db.example/console?options=%00"},
    {"DATABASE_URL": "$DATABASE_URL"},
    {"DATA_DIR": "/dev/null/console"},
    {"DEBUG": "yes"},
    {"DEBUG": "$DEBUG"},
    {"DOMAIN_HANDLER_URL": "/"},
    {"DOMAIN_HANDLER_URL": "handler.example"},
    {"DOMAIN_HANDLER_URL": "https://["},
    {"DOMAIN_HANDLER_URL": "http://127.0.0.1:9100"},
    {"EMAIL_CHANGE_ASKS_PASSWORD": "sometimes"},
    {"FORGOT_PASSWORD_PATH": "v1/forgot"},
    {"FORGOT_PASSWORD_PATH": "/v1/{id}"},
    {"FORGOT_PASSWORD_PATH": "/v1/../forgot?x=1"},
    {"GRANT_KEYS": "not-a-key"},
    {"GRANT_KEYS": KEYS + ",short"},
    {"SECRET_KEY": None},
    {"SECRET_KEY": "k" * 49},
    {"SECRET_KEY": "k" * 49, "DEBUG": "true"},
    {"SECRET_KEY_FALLBACKS": "k" * 49},
    {"SERVER_LOCATIONS": "KR"},
    {"SERVER_LOCATIONS": "{}"},
    {"SERVER_LOCATIONS": '[{"code": "KR"}]'},
    {"SERVER_LOCATIONS": '["KR"]'},
    {"SERVER_LOCATIONS": "[" * 100_000},
    {"SERVER_LOCATIONS": '[{"code": "", "api_url": "https://api.example"}]'},
    {"SERVER_LOCATIONS": '[{"code": "KR", "api_url": "https://api.example", "label": null}]'},
    {"SERVER_LOCATIONS": '[{"code": "K R", "api_url": "https://api.example"}]'},
    {"SERVER_LOCATIONS": '[{"code": "KR", "label": "Korea", "api_url": "https://elsewhere.test"}]'},
    {"SERVER_LOCATIONS": '[{"code": "KR", "label": "Korea", "api_url": "http://kr.api.example"}]'},
    {
        "SERVER_LOCATIONS": '[{"code": "KR", "label": "Korea", "api_url": "https://kr.api.example"}, '
        '{"code": "KR", "label": "Seoul", "api_url": "https://kr.api.example"}]'
    },
    {"SECURITY_CONTACT": "security"},
    {"SECURITY_CONTACT": "http://console.example/security"},
    {"SECURITY_CONTACT": "https://console.example/a b"},
    {"SECURITY_CONTACT": "https://"},
    {"SESSION_COOKIE_NAME": "a b"},
    {"SUPPORT_EMAIL": "nobody"},
    {"SUPPORT_EMAIL": "https://someone@console.example"},
    {"TRUSTED_PROXY": "nginx"},
    {"TRUSTED_PROXY": "10.0.0.1/8"},
    {"TRUSTED_PROXY": "unix,10.0.0.0/8"},
    {"UPSTREAM_CA_BUNDLE": "/dev/null/roots.pem"},
    {"UPSTREAM_CA_BUNDLE": "/dev/null"},
    {"UPSTREAM_CA_BUNDLE": "/dev"},
    {"UPSTREAM_CA_BUNDLE": "r" * 5000},
    {"UPSTREAM_DEADLINES": "read"},
    {"UPSTREAM_DEADLINES": "read=soon"},
    {"UPSTREAM_DEADLINES": "read=0"},
    {"UPSTREAM_DEADLINES": "read=nan"},
    {"UPSTREAM_DEADLINES": "read=1e-300"},
    {"UPSTREAM_DEADLINES": "request=601"},
    {"UPSTREAM_DEADLINES": "lunch=3600"},
    {"UPSTREAM_INSECURE_LOOPBACK": "maybe"},
    {"UPSTREAM_PROXY": "proxy.example:3128"},
    {"UPSTREAM_PROXY": "https://"},
    {"UPSTREAM_PROXY": "http://proxy.example:70000"},
    {"WEB_THREADS": "0"},
    {"WEB_THREADS": "1001"},
    {"WEB_THREADS": "9" * 5000},
    {"CONSOLE_HTTPS": "false", "CONSOLE_ENV": "prod"},
    {"DEBUG": "true", "CONSOLE_ENV": "prod"},
    {"SUPPORT_EMAIL": None, "CONSOLE_ENV": "prod"},
    {"UPSTREAM_INSECURE_LOOPBACK": "true", "CONSOLE_ENV": "prod"},
]


@pytest.mark.parametrize("variables", WRONG, ids=lambda v: "-".join(f"{name}={text}" for name, text in v.items())[:60])
def test_a_wrong_value_stops_the_start_with_one_sentence_that_names_the_variable(startup_errors, variables):
    name, value = next(iter(variables.items()))
    (sentence,) = startup_errors(**variables)
    assert sentence.startswith(name + " ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    if name in ("SECRET_KEY", "SECRET_KEY_FALLBACKS", "GRANT_KEYS") and value:
        assert value not in sentence, "a log must not hold the key"


def test_gunicorn_starts_only_with_right_variables(load_settings, monkeypatch):
    monkeypatch.setattr("console.config.checks.settings", SimpleNamespace(**load_settings()))
    refuse_wrong_variables()
    wrong = load_settings(CONSOLE_ENV="prod", CONSOLE_HTTPS="false", WEB_THREADS="0")
    monkeypatch.setattr("console.config.checks.settings", SimpleNamespace(**wrong))
    with pytest.raises(ImproperlyConfigured) as stopped:
        refuse_wrong_variables()
    assert str(stopped.value).splitlines() == [
        "WEB_THREADS is a whole number from 1 to 1000.",
        "CONSOLE_HTTPS can't be false when CONSOLE_ENV is prod.",
    ]


def test_a_server_location_at_a_host_that_is_not_allowed_is_explained(startup_errors):
    locations = '[{"code": "KR", "label": "Korea", "api_url": "https://elsewhere.test"}]'
    assert startup_errors(SERVER_LOCATIONS=locations) == [
        "SERVER_LOCATIONS has an api_url for KR that may not be called: add its host to ALLOWED_UPSTREAM_HOSTS, or "
        "correct the address (https, without user name and port)."
    ]
    assert startup_errors(SERVER_LOCATIONS=locations, ALLOWED_UPSTREAM_HOSTS="example,elsewhere.test") == []


def test_missing_variables_have_their_documented_defaults(load_settings):
    settings = load_settings()
    deadlines = settings["UPSTREAM"].deadlines
    assert (deadlines.connect, deadlines.read, deadlines.write) == (2, 10, 20)
    assert (deadlines.refresh, deadlines.request) == (8, 25)
    assert settings["UPSTREAM"].forgot_password_path == "/v1/bizOrganizationAdmins/forgotPassword"
    assert settings["UPSTREAM"].insecure_loopback is False
    assert (settings["CONSOLE_ENV"], settings["CONSOLE_VARIANT"], settings["CONSOLE_HTTPS"]) == ("dev", "global", True)
    assert (settings["DEBUG"], settings["TRUSTED_PROXY"], settings["GRANT_KEYS"]) == (False, [], [])
    assert settings["SESSION_COOKIE_NAME"] == "auth"
    assert settings["WEB_THREADS"] == 16
    assert settings["DATABASES"]["default"]["ENGINE"] == "django.db.backends.sqlite3"


def test_variables_are_applied(load_settings, startup_errors):
    variables = {
        "CONSOLE_HTTPS": "false",
        "UPSTREAM_INSECURE_LOOPBACK": "true",
        "API_URL": "http://127.0.0.1:9101/",
        "UPSTREAM_DEADLINES": "read=0.5",
        "TRUSTED_PROXY": "10.0.0.0/8, 192.0.2.7/32",
        "GRANT_KEYS": f"derived,{KEYS}",
        "DATABASE_URL": "postgres://console:secret@db.example:5432/console?connect_timeout=7&sslmode=require",
        "SERVER_LOCATIONS": '[\n{"code": "KR", "label": "Korea",\n"api_url": "https://kr.api.example"}\n]',
        "ALLOWED_HOSTS": "console.example, OTHER.example, [::1]",
        "UPSTREAM_PROXY": "http://console:secret@proxy.example:3128",
        "UPSTREAM_CA_BUNDLE": certifi.where(),
        "SECURITY_CONTACT": "https://console.example/security?lng=en",
        "SECRET_KEY": "$" + "k" * 50,
        "SECRET_KEY_FALLBACKS": "old-" + "k" * 50,
    }
    assert startup_errors(**variables) == []
    settings = load_settings(**variables)
    assert settings["UPSTREAM"].api_url == "http://127.0.0.1:9101"
    assert (settings["UPSTREAM"].deadlines.read, settings["UPSTREAM"].deadlines.write) == (0.5, 20)
    assert settings["TRUSTED_PROXY"] == ["10.0.0.0/8", "192.0.2.7/32"]
    assert settings["GRANT_KEYS"] == ["derived", *KEYS.split(",")]
    database = settings["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert database["OPTIONS"]["tcp_user_timeout"] == 10_000, "a host that is gone is noticed in time"
    assert database["OPTIONS"]["options"] == "-c lock_timeout=20s", "nobody waits for ever for what somebody has locked"
    assert (database["OPTIONS"]["connect_timeout"], database["OPTIONS"]["sslmode"]) == (7, "require"), "as was said"
    assert settings["SERVER_LOCATIONS"][0]["code"] == "KR"
    assert settings["ALLOWED_HOSTS"] == ["console.example", "OTHER.example", "[::1]"]
    assert settings["SECRET_KEY"] == "$" + "k" * 50, "a key may begin with any character"


def test_a_removed_variable_stops_the_start_with_the_name_of_its_replacement(load_settings):
    with pytest.raises(ImproperlyConfigured, match=r"^METRICS_PORT is no longer used: set METRICS_TOKEN, "):
        load_settings(METRICS_PORT="9464")


@pytest.mark.req("EN-20")
def test_cookies_are_secure_except_over_plain_http(load_settings):
    https, http = load_settings(), load_settings(CONSOLE_HTTPS="false")
    assert https["CSRF_COOKIE_NAME"] == "__Host-csrf"
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"):
        assert (https[name], http[name]) == (True, False)


FOLDERS = (*PACKAGES, "templates", "static_src")
SUFFIXES = {".py", ".html", ".ts", ".tsx", ".mjs", ".css", ".svg", ".json"}
HOST = re.compile(
    r"(?i)https?://(?P<url>[a-z0-9\[][^\s\"'`<>/{}()|\\]*)"
    r"|[\"'](?P<bare>(?:[a-z0-9-]+\.)+(?:com|net|org|io|cn|kr|eu|cloud|dev|jp|de))(?::\d+)?[\"'/]"
)
# This machine, and namespaces of XML.
NOT_A_SERVICE = re.compile(r"(localhost|127\.0\.0\.1|www\.w3\.org|schemas\.openxmlformats\.org)(:.*)?")


def sources():
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            inside = path.relative_to(ROOT).parts
            is_test = {"tests", "fixtures"} & set(inside) or ".test." in path.name or path.name == "conftest.py"
            if path.suffix in SUFFIXES and not is_test:
                yield path


@pytest.mark.req("UC-18")
def test_no_host_is_written_in_code_or_templates():
    files = list(sources())
    assert len(files) > 100
    hosts = []
    for path in files:
        for match in HOST.finditer(path.read_text("utf-8")):
            host = match["url"] or match["bare"]
            if not NOT_A_SERVICE.fullmatch(host):
                hosts.append(f"{path.relative_to(ROOT)}: {host}")
    assert hosts == []


@pytest.mark.req("UC-18")
@pytest.mark.parametrize("text", ['"https://api.dental.com/v1"', "'api.dental.com'", 'href="http://dental.io"'])
def test_a_host_in_code_is_detected(text):
    assert HOST.search(text)


@pytest.mark.req("UC-18")
def test_calls_go_to_the_configured_hosts_and_those_of_the_region_only(client, log_in, upstream):
    log_in()
    upstream.has_clinic()
    client.get("/user-manage/clinic")
    assert {call.url.split("/")[2] for call in upstream.calls()} == {"handler.example", "eu.api.example"}
