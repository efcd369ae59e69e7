"""Pages that belong to no feature: redirects, 404, 520, version, maintenance, health."""

import json
import time
from unittest.mock import ANY

import pytest
from django.test import Client, override_settings

from console.i18n import catalogs
from console.shell import pages
from console.web import maintenance
from tests.support import factories
from tests.support.reading import words


@pytest.mark.req("RT-25")
def test_the_root_redirects_to_the_login(client, db, upstream):
    assert client.get("/").headers["Location"] == "/login"


@pytest.mark.req("RT-24", "RT-11")
def test_the_root_redirects_a_logged_in_administrator_to_the_start_page(admin_client):
    assert admin_client.get("/").headers["Location"] == "/user-manage"
    assert admin_client.get("/user-manage").headers["Location"] == "/user-manage/clinic"


def test_pages_before_and_after_the_login_report_an_outdated_browser(admin_client, upstream):
    sentence = '<p class="outdated">Your browser is out of date. Update it to use all features.</p>'
    for visitor, path in ((Client(), "/login"), (admin_client, "/version")):
        assert visitor.get(path).content.decode().count(sentence) == 1


@pytest.mark.req("RT-09", "RT-10")
def test_an_unknown_path_redirects_to_404_which_names_the_path(client, db, upstream, visit):
    response = client.get("/no/such<script>alert(1)</script>")
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/404?from=%2Fno%2Fsuch%3Cscript")
    page = client.get(response.headers["Location"]).content.decode()
    assert "/no/such&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert(1)" not in page


@pytest.mark.req("RT-06")
def test_the_404_page_has_status_404(visit, db, upstream):
    page = visit("/404", status=404)
    assert "This page does not exist" in page.response.content.decode()


@pytest.mark.req("RT-06")
def test_the_404_page_links_to_the_likely_places(client, administrator):
    page = administrator.get("/404?from=/user-manage/clinics").content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    for path in ("/user-manage/clinic", "/user-manage/user", "/decisions", "/search"):
        assert f'href="{path}"' in main


@pytest.mark.req("RT-09")
def test_an_unknown_path_is_a_plain_404_for_json(client, db, upstream):
    response = client.get("/no/such", headers={"Accept": "application/json"})
    assert (response.status_code, response.json()["ok"]) == (404, False)


@pytest.mark.req("RT-38")
@pytest.mark.parametrize(
    ("path", "goto"),
    [
        ("/login/", "/login"),
        ("/login/?next=/a", "/login?next=/a"),
        ("/user-manage/clinic//", "/user-manage/clinic"),
        ("//evil.test/", "/evil.test"),
        ("/\\evil.test/", "/%5Cevil.test"),
        ("/\t/\u2100/", "/%09/%E2%84%80"),  # read as a host, this character is an error
    ],
)
def test_a_trailing_slash_is_removed_once(client, db, upstream, path, goto):
    bare, _, query = path.partition("?")
    response = client.get("/", PATH_INFO=bare.encode().decode("latin-1"), QUERY_STRING=query)
    assert response.status_code == 301
    assert response.headers["Location"] == goto


@pytest.mark.req("ER-36")
def test_texts_of_an_unknown_language_are_a_404_in_the_consoles_look(client, db, upstream):
    response = client.get("/i18n/xx-XX/0.json")
    assert response.status_code == 404
    assert "This page does not exist" in response.content.decode()


@pytest.mark.req("RT-07", "ER-36")
def test_the_520_page_makes_no_upstream_call_and_shows_no_trace(visit, db, upstream):
    page = visit("/520")
    html = page.response.content.decode()
    assert page.response.headers["X-Request-ID"] in html
    assert "mailto:support@console.example" in html
    assert upstream.calls() == []


@pytest.mark.req("RT-07")
def test_the_520_page_does_not_end_a_login(admin_client):
    admin_client.get("/520")
    assert admin_client.get("/").headers["Location"] == "/user-manage"


@pytest.mark.req("RT-08")
@override_settings(BUILD_COMMIT="abc123", CONSOLE_ENV="stage")
def test_the_version_page_serves_people_and_operators(visit, client, db, upstream):
    assert "0.1.0" in visit("/version").response.content.decode()
    facts = client.get("/version", headers={"Accept": "application/json"}).json()
    assert facts == {
        "product": "Enterprise for Admin",
        "version": "0.1.0",
        "commit": "abc123",
        "built": ANY,
        "environment": "stage",
        "variant": "global",
        "language_pack": catalogs.version(),
    }
    assert catalogs.version() in words(client.get("/version"))
    plain = client.get("/version", headers={"Accept": "text/plain"})
    assert "commit: abc123\n" in plain.content.decode()


@pytest.mark.req("RT-21", "RT-22", "RT-23")
def test_the_maintenance_page_shows_duration_reason_and_services(visit, db, upstream):
    upstream.answers(
        "GET",
        "/v1/maintenance",
        {
            "active": True,
            "startDate": "2026-11-21T01:00:00Z",
            "endDate": "2026-11-21T05:00:00Z",
            "reason": {"en-US": "Upgrade of the storage", "ko-KR": "저장소 업그레이드"},
            "unavailableServices": ["ORDER", "NEW_THING"],
        },
    )
    page = visit("/maintenance")
    html = page.response.content.decode()
    assert "Upgrade of the storage" in html
    assert 'datetime="2026-11-21T01:00:00' in html
    assert 'datetime="2026-11-21T05:00:00' in html
    for service in ("Sign-up", "Login", "File upload and download", "Orders", "Sharing", "NEW_THING"):
        assert service in html
    assert html.count("Not available") == 2
    assert "<nav" not in html.split("<main")[0], "outside the layout"


@pytest.mark.req("RT-22")
def test_the_reason_is_given_in_the_readers_language(visit, db, upstream):
    upstream.answers("GET", "/v1/maintenance", {"active": True, "reason": {"en-US": "Upgrade", "ko-KR": "업그레이드"}})
    assert "업그레이드" in visit("/maintenance", lng="ko-KR").response.content.decode()
    assert 'lang="en-US"' in visit("/maintenance", lng="de-DE").response.content.decode()


@pytest.mark.req("ER-07")
def test_the_operators_own_notice_wins_and_is_read_when_it_changes(visit, db, upstream, tmp_path, settings):
    notice = tmp_path / "notice.json"
    settings.MAINTENANCE_FILE = str(notice)
    notice.write_text(json.dumps({"active": True, "reason": {"en-US": "Moving house"}, "unavailableServices": []}))
    assert "Moving house" in visit("/maintenance").response.content.decode()
    notice.unlink()
    assert "Moving house" not in visit("/maintenance").response.content.decode()


@pytest.mark.req("ER-07")
def test_an_unreadable_notice_is_no_maintenance(visit, db, upstream):
    upstream.answers("GET", "/v1/maintenance", {}, status=500)
    assert "There&#39;s no maintenance" in visit("/maintenance").response.content.decode()


def test_the_service_is_asked_for_its_notice_at_most_every_thirty_seconds(client, db, upstream):
    for _ in range(5):
        client.get("/maintenance")
    assert len(upstream.calls("GET", "/v1/maintenance")) == 1
    maintenance.clear_cache()
    client.get("/maintenance")
    assert len(upstream.calls("GET", "/v1/maintenance")) == 2


@pytest.mark.req("RT-42")
def test_the_health_check_answers_any_host_without_upstream(client, db, upstream):
    assert client.get("/healthz", headers={"Host": "10.1.2.3"}).content == b"ok\n"
    ready = client.get("/readyz", headers={"Host": "10.1.2.3"})
    assert (ready.status_code, ready.json()["ready"]) == (200, True)
    assert upstream.calls() == []


def test_readiness_fails_without_a_build(client, db, upstream, settings, tmp_path):
    settings.ASSETS_MANIFEST = tmp_path / "none.json"
    response = client.get("/readyz")
    assert (response.status_code, response.json()["assets"]) == (503, False)


def test_many_readiness_requests_check_once_a_second(client, db, monkeypatch, django_assert_num_queries):
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr("console.shell.pages.KNOWN_FOR", 60)
    with django_assert_num_queries(0):
        assert client.get("/readyz").json()["ready"] is True


def test_while_the_database_does_not_answer_it_is_reported_as_unavailable(client, db, monkeypatch):
    assert client.get("/readyz").status_code == 200
    with pages._Known.lock:
        assert client.get("/readyz").status_code == 200, "what was found a moment ago"
        monkeypatch.setattr("console.shell.pages._Known.at", time.monotonic() - pages.ANSWERS_WITHIN - 1)
        ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["database"], ready.json()["assets"]) == (503, False, True)


def test_a_failed_probe_is_not_an_error_in_the_log(client, db, settings, tmp_path, caplog):
    settings.ASSETS_MANIFEST = tmp_path / "none.json"
    assert client.get("/readyz").status_code == 503
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_a_foreign_host_is_refused(client, db, upstream):
    assert client.get("/login", headers={"Host": "evil.test"}).status_code == 400


@pytest.mark.req("ER-36", "CA-39")
def test_an_internal_error_shows_the_consoles_page_and_no_trace(db, upstream, monkeypatch, caplog):
    client = Client(raise_request_exception=False)
    monkeypatch.setattr("accounts.views.login.safe_next", lambda request: 1 / 0)
    response = client.get("/login?email=dana@clinic.example")
    html = response.content.decode()
    assert response.status_code == 500
    assert "Something went wrong" in html
    assert "ZeroDivisionError" not in html
    assert response.headers["X-Request-ID"] in html


@pytest.mark.req("ER-36", "AX-14")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_the_error_pages_are_in_the_readers_language(client, db, upstream, lng):
    response = Client(enforce_csrf_checks=True).post("/login", headers={"Accept-Language": lng})
    assert f'<html lang="{lng}"' in response.content.decode()


NOTICE = {
    "active": True,
    "startDate": "2026-11-20T08:00:00Z",
    "endDate": "2999-01-01T00:00:00Z",
    "reason": {"en-US": "New storage"},
    "unavailableServices": ["ORDER"],
}


@pytest.fixture
def refused_for_maintenance(admin_client, upstream):
    """Return a browser whose administrator has just been refused a page with code 18001 and this notice."""

    def refuse(**notice):
        refusal = factories.refusal(18001) | {"details": {**NOTICE, **notice}}
        upstream.answers("GET", "/v1/bizMainGroups", refusal, status=503)
        upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary())
        response = admin_client.get("/user-manage/clinic")
        assert (response.status_code, response.headers["Location"]) == (302, "/maintenance")
        return admin_client

    return refuse


@pytest.mark.req("ER-07")
@pytest.mark.parametrize("notice", [{"status": 500}, {"status": 200}])
def test_the_notice_of_a_refused_call_is_shown_while_the_service_says_nothing_newer(
    refused_for_maintenance, upstream, notice
):
    upstream.answers("GET", "/v1/maintenance", {"active": False}, **notice)
    html = refused_for_maintenance().get("/maintenance").content.decode()
    assert "New storage" in html
    assert "Jan 1, 2999" in html


@pytest.mark.req("ER-07")
def test_the_notice_of_a_refused_call_is_replaced_by_a_newer_one_of_the_service(refused_for_maintenance, upstream):
    client = refused_for_maintenance()
    session = client.session
    at, notice = json.loads(session[maintenance.NOTICE_KEY])
    session[maintenance.NOTICE_KEY] = json.dumps([at - maintenance.POLL_INTERVAL_SECONDS, notice])
    session.save()
    assert "New storage" not in client.get("/maintenance").content.decode()


@pytest.mark.req("ER-07")
def test_the_notice_of_a_refused_call_ends_at_its_end_date(refused_for_maintenance):
    client = refused_for_maintenance(endDate="2026-01-01T00:00:00Z")
    assert "There&#39;s no maintenance" in client.get("/maintenance").content.decode()


@pytest.mark.req("ER-07")
def test_a_broken_notice_of_a_refused_call_is_ignored(refused_for_maintenance):
    client = refused_for_maintenance(endDate={"no": "date"})
    assert "There&#39;s no maintenance" in client.get("/maintenance").content.decode()


@pytest.mark.req("AX-02")
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/user-manage/clinic/new", "name"),
        ("/user-manage/clinic/g-1/team/new", "name"),
        ("/user-manage/clinic/g-1/user/new", "row-0-name"),
        ("/user-manage/user/new?several=1", "people"),
        ("/user-manage/user/import", "file"),
        ("/user-manage/permissions/presets/new", "name"),
        ("/scanner-manage/expected/new", "pasted"),
        ("/user-manage/clinic/g-1/edit", None),
        ("/user-manage/clinic/g-1/delete", None),
        ("/user-manage/clinic/g-1/user/u-1/move", None),
    ],
)
def test_a_page_that_adds_something_starts_in_its_first_field(administrator, visit, path, name):
    fields = visit(path).all("main form.form [autofocus]")
    assert [field.attributes["name"] for field in fields] == ([name] if name else [])
