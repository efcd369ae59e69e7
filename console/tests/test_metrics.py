"""Metrics: counted at the event, named as documented, and free of personal data."""

import json
import re
from datetime import timedelta
from math import inf

import pytest
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from prometheus_client import REGISTRY

from console.config import metrics
from console.forms.idempotency import abandoned
from console.models import Attempt, Draft, Edit, EditVersion, Purge, Submission
from console.ops.exporter import Stored
from console.sessions.models import Grant
from tests.support import factories
from upstream.breaker import Breaker

pytestmark = pytest.mark.sql

CLINICS, ROUTE, LIST = "/user-manage/clinic", "groups:clinic-list", "GET /v1/bizMainGroups"
DOCUMENT = settings.BASE_DIR / "docs" / "monitoring.md"
INCIDENTS = settings.BASE_DIR / "docs" / "operations" / "incidents.md"
DASHBOARD = settings.BASE_DIR / "deploy" / "grafana.json"
ALERTS = settings.BASE_DIR / "deploy" / "alerts.yml"
NAME = re.compile(r"\bconsole_[a-z_]+")


def value(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0


@pytest.fixture
def added():
    """Return a function for the increase of a value since its last call, or since the test began."""
    before: dict[object, float] = {}

    def grown(name, **labels):
        key = name, tuple(labels.items())
        now = value(name, **labels)
        grown_by = now - before.get(key, 0)
        before[key] = now
        return grown_by

    return grown


def test_an_answer_is_counted_by_route_method_and_status(admin_client, upstream, added):
    upstream.has_clinic()
    labels = {"route": ROUTE, "method": "GET", "status": "200"}
    added("console_requests_total", **labels)
    added("console_request_seconds_count", route=ROUTE)
    admin_client.get(CLINICS + "?keyword=secret@clinic.example")
    assert added("console_requests_total", **labels) == 1
    assert added("console_request_seconds_count", route=ROUTE) == 1
    assert value("console_requests_in_progress") == 0


def test_anonymous_requests_add_no_labels(client, added):
    added("console_requests_total", route="unknown", method="other", status="405")
    for method in ("BREW", "PROPFIND"):
        client.generic(method, f"/{method}/path")
    client.get("/", headers={"Host": "evil.example"})
    assert added("console_requests_total", route="unknown", method="other", status="405") == 2
    methods = {sample.labels.get("method") for m in REGISTRY.collect() for sample in m.samples}
    assert methods <= {None, "other", *metrics.METHODS}


def test_a_call_is_counted_by_its_outcome(admin_client, upstream, added):
    upstream.has_clinic()
    upstream.answers("GET", "/v1/bizMainGroups", {}, status=500)
    added("console_upstream_calls_total", call=LIST, outcome="Failed")
    added("console_upstream_seconds_count", call=LIST)
    admin_client.get(CLINICS)
    assert added("console_upstream_calls_total", call=LIST, outcome="Failed") == 1
    assert added("console_upstream_seconds_count", call=LIST) == 1


def test_a_refresh_is_counted_by_its_outcome_with_its_lease(admin_client, upstream, added):
    upstream.has_clinic()
    upstream.remove("GET", "/v1/bizMainGroups")
    upstream.answers_in_order("GET", "/v1/bizMainGroups", (401, {}), (200, factories.listing([factories.clinic()])))
    for name, labels in (("refreshes_total", {"outcome": "ok"}), ("refresh_lease_seconds_count", {})):
        added(f"console_{name}", **labels)
    admin_client.get(CLINICS)
    assert added("console_refreshes_total", outcome="ok") == 1
    assert added("console_refresh_lease_seconds_count") == 1

    upstream.remove("GET", "/v1/bizMainGroups")
    upstream.answers("GET", "/v1/bizMainGroups", {}, status=401)
    upstream.answers("POST", "/v2/oauth/requestToken", {}, status=401)
    with connection.cursor() as cursor:
        cursor.execute('UPDATE "grant" SET refreshed_at = NULL')
    added("console_refreshes_total", outcome="SessionEnded")
    admin_client.get(CLINICS)
    assert added("console_refreshes_total", outcome="SessionEnded") == 1


def test_a_breaker_that_opens_is_counted_with_its_time(added):
    breaker = Breaker(on_open=metrics.count_opening)
    added("console_breaker_openings_total")
    for _ in range(Breaker.FAILURES):
        breaker.note("api.example", answered=False)
    assert added("console_breaker_openings_total") == 1
    remaining = value("console_breaker_open_until_seconds") - timezone.now().timestamp()
    assert 0 < remaining <= Breaker.PAUSE


@pytest.mark.django_db
def test_a_throttled_attempt_is_counted(client, upstream, added):
    upstream.may_log_in()
    upstream.answers("POST", "/v2/oauth/requestToken", {}, status=401)
    added("console_throttled_total", action="login")
    for _ in range(6):
        client.post("/login", {"email": "dana@clinic.example", "password": "Wrong123!"})
    assert added("console_throttled_total", action="login") == 1


@pytest.mark.django_db
def test_stored_rows_are_counted_without_decrypting_them(admin_client, upstream, settings):
    settings.WEB_CONCURRENCY = 3
    now = timezone.now()
    Draft.objects.create(key="d", content="x")
    Submission.objects.create(key="s")
    Submission.objects.create(key="t", answer="x")
    long_ago = now - timedelta(days=31)
    Draft.objects.create(key="e", content="x", created_at=long_ago)
    Submission.objects.create(key="u", created_at=now - abandoned())  # answered, and the response was purged
    Submission.objects.create(key="v", form="v")  # only the mark that it may have been done
    for persistent in (True, False):
        Grant.objects.create(payload="x", persistent=persistent, created_at=long_ago, last_seen_at=long_ago)
    Attempt.objects.create(key="a", window_ends=now, blocked_until=now + timedelta(minutes=1))
    Attempt.objects.create(key="b", window_ends=now, blocked_until=now - timedelta(minutes=1))
    EditVersion.objects.create(number=7)
    for state in (Edit.State.ON_HOLD, Edit.State.PUBLISHED):
        Edit.objects.create(code="de", message="m", text="Save", forms=["x"], former=[""], author="Ada", state=state)
    samples = {(s.name, *s.labels.values()): s.value for m in Stored().collect() for s in m.samples}
    assert samples["console_workers_configured",] == 3
    assert samples["console_database_up",] == 1
    assert samples["console_purge_age_seconds",] == inf, "there was none yet"
    assert samples["console_texts_version",] == 7
    assert samples["console_texts_waiting",] == 1
    assert samples["console_drafts",] == 1
    assert samples["console_forms_in_progress",] == 1
    assert samples["console_throttles",] == 1
    assert samples["console_sessions", "kept"] + samples["console_sessions", "browser"] == 1


@pytest.mark.django_db
def test_the_age_of_the_last_purge_is_a_metric():
    now = timezone.now()
    Purge.objects.create(locked_until=now, finished_at=now - timedelta(hours=3))
    samples = {s.name: s.value for m in Stored().collect() for s in m.samples}
    assert 3 * 3600 <= samples["console_purge_age_seconds"] < 3 * 3600 + 60


def test_a_database_that_can_not_be_read_is_reported_as_down(monkeypatch):
    def fail(*_):
        raise DatabaseError

    monkeypatch.setattr(Stored, "_rows", fail)
    samples = {s.name: s.value for m in Stored().collect() for s in m.samples}
    assert samples["console_database_up"] == 0
    assert samples["console_build_info"] == 1


TOKEN = {"Authorization": "Bearer secret-token"}


@pytest.fixture
def metrics_on(settings):
    settings.METRICS_TOKEN = "secret-token"
    settings.SECURE_SSL_REDIRECT = True


@pytest.mark.req("SEC-121")
@pytest.mark.django_db
def test_the_metrics_are_sent_to_a_caller_with_the_token(client, metrics_on):
    """Also over http and under the address of a host: Prometheus calls each host's own nginx."""
    response = client.get("/metrics", headers={**TOKEN, "Host": "10.0.0.7:8000"})
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain; version=")
    text = response.content.decode()
    assert "console_workers_configured 2.0" in text
    assert "console_requests_in_progress 1.0" in text
    assert "@" not in text, "nobody is named"


@pytest.mark.req("SEC-121")
@pytest.mark.parametrize("given", [{}, {"Authorization": "Bearer secret"}, {"Authorization": "secret-token"}], ids=str)
def test_without_the_token_nothing_is_read(admin_client, metrics_on, django_assert_num_queries, given):
    with django_assert_num_queries(0):
        response = admin_client.get("/metrics", headers=given)
    assert (response.status_code, response.content) == (401, b"")
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert not response.cookies


@pytest.mark.django_db
@pytest.mark.parametrize(
    "content", [b"", b"\xff\xff\xff\x7f" + bytes(100), b"\x40\x00\x00\x00" + b"\xff" * 200], ids=len
)
def test_an_unreadable_file_of_counts_fails_only_that_scrape(client, metrics_on, settings, tmp_path, caplog, content):
    """Such as while a worker creates its files."""
    settings.PROMETHEUS_MULTIPROC_DIR = str(tmp_path)
    file = tmp_path / "counter_7.db"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
        file.write_bytes(content)
        assert client.get("/metrics", headers=TOKEN).status_code == 503
        file.unlink()
        assert client.get("/metrics", headers=TOKEN).status_code == 200
    assert "the counts of a worker can't be read" in caplog.text


def test_disabled_metrics_are_a_404(client):
    assert client.get("/metrics", headers=TOKEN).status_code == 404


@pytest.fixture
def names(db):
    """Return the names of all metrics: those of the samples."""
    collected = [m for m in REGISTRY.collect() if m.name.startswith("console_")] + list(Stored().collect())
    return {m.name: m.name + ("_total" if m.type == "counter" else "") for m in collected}, {
        m.name + suffix for m in collected for suffix in ("", "_total", "_bucket", "_count", "_sum")
    }


def test_each_metric_is_explained_to_operators(names):
    named, _queryable = names
    explained = set(re.findall(r"^\| `(\w+)`", DOCUMENT.read_text("utf-8").partition("## Metrics")[2], re.MULTILINE))
    assert explained == set(named.values())


@pytest.mark.parametrize("path", [DASHBOARD, ALERTS], ids=lambda path: path.name)
def test_dashboard_and_alerts_ask_for_metrics_that_exist(names, path):
    queried = set(NAME.findall(path.read_text("utf-8")))
    assert queried
    assert queried - names[1] == set()
    text = path.read_text("utf-8").replace('\\"', '"')
    by = re.findall(r"by \(([^)]+)\)", text)
    labels = {label.strip() for group in by for label in group.split(",")} | set(re.findall(r'[{,](\w+)[!=]~?"', text))
    documented = re.findall(r"^\| `console_\w+` \| ([^|]*) \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert labels - set(re.findall(r"\w+", " ".join(documented))) - {"le", "job"} == set()


def test_the_dashboard_shows_every_metric(names):
    queried = set(NAME.findall(DASHBOARD.read_text("utf-8")))
    assert {
        n for n in names[0] if not queried & {n + end for end in ("", "_total", "_bucket", "_count", "_sum")}
    } == set()


def test_the_dashboard_can_be_imported():
    dashboard = json.loads(DASHBOARD.read_text("utf-8"))
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    assert all(panel["title"] and panel["targets"] and panel["description"] for panel in panels)
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


def test_each_alert_links_to_instructions():
    names = re.findall(r"^ +- alert: (\w+)$", ALERTS.read_text("utf-8"), re.MULTILINE)
    headings = set(re.findall(r"^### (\w+)$", INCIDENTS.read_text("utf-8"), re.MULTILINE))
    assert names
    assert set(names) - headings == set()
    runbooks = re.findall(r'runbook: "/srv/console/docs/operations/incidents\.md#(\w+)"', ALERTS.read_text("utf-8"))
    assert runbooks == [name.lower() for name in names]


def test_neither_probes_nor_files_make_pages_look_fast():
    for path in (DASHBOARD, ALERTS):
        for labels in re.findall(r"console_request_seconds_bucket(\S*)", path.read_text("utf-8")):
            assert "none|healthz|readyz|metrics" in labels, path.name
