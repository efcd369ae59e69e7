"""The lifetime of a login, the events that end it, and odd cookies."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.management import call_command
from django.utils import timezone

from console.sessions.crypto import StoredSession
from console.sessions.models import Grant, Session
from tests.support import factories
from tests.support.imports import upload
from tests.support.page import Page
from tests.support.saved_login import SavedLogin

pytestmark = pytest.mark.sql

PAGE = "/user-manage/clinic"


def change_stored(**values):
    grant = Grant.objects.get()
    grant.payload = StoredSession(
        **{
            name: getattr(StoredSession.decrypt(grant.payload), name)
            for name in StoredSession.__struct_fields__
            if name not in values
        },
        **values,
    ).encrypt()
    grant.save()


def ago(**times):
    return timezone.now() - timedelta(**times)


@pytest.mark.req("ST-04")
@pytest.mark.parametrize(
    ("times", "status"),
    [
        ({"last_seen_at": {"hours": 11, "minutes": 59}}, 200),
        ({"last_seen_at": {"hours": 12}}, 302),
        ({"created_at": {"hours": 23, "minutes": 59}}, 200),
        ({"created_at": {"hours": 24}}, 302),
    ],
)
def test_a_browser_session_ends_after_twelve_idle_hours_or_a_day(administrator, times, status):
    Grant.objects.update(**{name: ago(**value) for name, value in times.items()})
    assert administrator.get(PAGE).status_code == status


@pytest.mark.req("ST-04", "ST-02")
@pytest.mark.parametrize(
    ("times", "status"),
    [
        ({"created_at": {"days": 29, "hours": 23}}, 200),
        ({"created_at": {"days": 30}}, 302),
        ({"created_at": {"days": 90}, "refreshed_at": {"days": 29}}, 200),
        ({"created_at": {"days": 90}, "refreshed_at": {"days": 30}}, 302),
        ({"last_seen_at": {"days": 20}}, 200),
    ],
)
def test_a_kept_session_ends_thirty_days_after_its_last_refresh(client, log_in, upstream, times, status):
    upstream.has_clinic()
    log_in(keep=True)
    Grant.objects.update(**{name: ago(**value) for name, value in times.items()})
    assert client.get(PAGE).status_code == status


@pytest.mark.req("ST-04")
def test_a_refresh_keeps_the_kind_of_the_cookie(client, log_in, upstream):
    upstream.has_clinic()
    upstream.remove("GET", "/v1/bizMainGroups")
    log_in(keep=True)
    upstream.answers("POST", "/v2/oauth/requestToken", factories.token(2))
    upstream.answers_in_order("GET", "/v1/bizMainGroups", (401, {}), (200, factories.listing([factories.clinic()])))
    assert client.get(PAGE).cookies["auth"]["max-age"] == 2592000


@pytest.mark.req("ST-04")
def test_a_refresh_of_a_browser_session_sends_no_cookie(administrator, upstream):
    upstream.remove("GET", "/v1/bizMainGroups")
    upstream.answers("POST", "/v2/oauth/requestToken", factories.token(2))
    upstream.answers_in_order("GET", "/v1/bizMainGroups", (401, {}), (200, factories.listing([factories.clinic()])))
    response = administrator.get(PAGE)
    assert (response.status_code, len(upstream.calls("GET", "/v1/bizMainGroups"))) == (200, 2)
    assert "auth" not in response.cookies


@pytest.mark.req("ST-05")
def test_a_session_that_is_not_logged_in_goes_to_the_login(administrator):
    change_stored(isLoggedIn=False)
    assert administrator.get(PAGE).headers["Location"].startswith("/login")


@pytest.mark.req("ST-19", "EN-33")
@pytest.mark.parametrize("urls", [{}, {"1": "https://eu.example"}])
def test_a_session_without_domain_data_is_cleared(administrator, upstream, urls):
    change_stored(domainUrls=urls)
    response = administrator.get(PAGE)
    assert response.headers["Location"].startswith("/login")
    assert response.cookies["auth"]["max-age"] == 0
    assert not Grant.objects.exists()
    assert not upstream.calls("GET", "/v1/bizMainGroups")


def test_a_cookie_of_the_other_variant_is_no_login(administrator):
    change_stored(variant="china")
    assert administrator.get(PAGE).status_code == 302


def test_a_grant_that_no_key_reads_is_no_login(administrator):
    Grant.objects.update(payload="damaged")
    assert administrator.get(PAGE).headers["Location"].startswith("/login")


@pytest.mark.req("ST-20", "ST-21", "CA-30")
def test_a_logout_ends_the_session_here_and_at_the_service(administrator, upstream):
    cookie = administrator.cookies["auth"].value
    response = administrator.post("/logout")
    assert (response.status_code, response.headers["Location"]) == (303, "/login")
    assert response.cookies["auth"]["max-age"] == 0
    assert (Grant.objects.count(), Session.objects.count()) == (0, 0)
    (ended,) = upstream.calls("POST", "/v2/oauth/expireToken")
    assert ended.headers["Authorization"] == "Bearer access-1"
    administrator.cookies["auth"] = cookie
    assert administrator.get(PAGE).status_code == 302, "a copied cookie is dead"


@pytest.mark.req("ST-21")
@pytest.mark.parametrize("status", [401, 500, 503])
def test_a_logout_works_while_the_service_fails(administrator, upstream, status):
    upstream.answers("POST", "/v2/oauth/expireToken", {}, status=status)
    assert administrator.post("/logout").headers["Location"] == "/login"
    assert not Grant.objects.exists()


def test_a_logout_without_a_login_is_no_error(client, db, upstream):
    assert client.post("/logout").headers["Location"] == "/login"
    assert upstream.calls() == []


@pytest.mark.req("EN-20")
@pytest.mark.parametrize(
    "cookie",
    ["auth=", "auth=" + "x" * 5000, "auth=a%00b", 'auth="; auth=', "auth=é", "auth=" + "a" * 32 + "; auth=" + "b" * 32],
)
def test_an_odd_cookie_is_no_login_and_no_error(client, db, upstream, cookie):
    response = client.get(PAGE, headers={"Cookie": cookie.encode("utf-8").decode("latin-1")})
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/login")
    assert not Session.objects.exists()


@pytest.mark.req("EN-20")
def test_two_cookies_of_the_name_count_as_none_and_are_deleted(administrator):
    good = administrator.cookies["auth"].value
    response = administrator.get(PAGE, headers={"Cookie": f"auth={good}; auth={'a' * 32}"})
    assert response.status_code == 302
    assert response.cookies["auth"]["max-age"] == 0
    assert Grant.objects.exists(), "a planted cookie can't log anybody out"


@pytest.mark.req("SEC-44")
@pytest.mark.parametrize(
    "spelled",
    [
        "auth =%s",
        "auth= %s",
        "auth\t=%s",
        "theme=dark;\tauth=%s",
        "theme=dark;  auth=%s",
        "theme=dark;\u00a0auth=%s",
        'auth="%s"',
        'auth="x"; auth=%s',
        "auth=%s; auth=%s",
        "auth=%s ; theme=dark",
        "__Host-auth=x; auth=%s",
        'theme=dark; auth="\\141"; auth=%s',
    ],
)
def test_only_the_plain_spelling_of_the_cookie_is_a_login(administrator, spelled):
    """The proxy counts the requests of a session by its cookie, and must see the same one as the console."""
    good = administrator.cookies["auth"].value
    header = spelled.replace("%s", good).encode().decode("latin-1")
    response = administrator.get(PAGE, headers={"Cookie": header})
    assert response.status_code == 302
    assert response.cookies["auth"]["max-age"] == 0
    assert "__Host-auth" not in spelled or response.cookies["__Host-auth"]["max-age"] == 0, "else it comes again"
    assert Grant.objects.exists()


@pytest.mark.req("SEC-44")
@pytest.mark.parametrize(
    "spelled", ["auth=%s", "theme=dark; auth=%s", "auth=%s; theme=dark", "author=x; auth=%s;theme=dark"]
)
def test_the_plain_spelling_is_a_login_at_any_position(administrator, spelled):
    good = administrator.cookies["auth"].value
    assert administrator.get(PAGE, headers={"Cookie": spelled % good}).status_code == 200


def test_a_session_that_ended_during_its_own_request_redirects_to_the_login(administrator, upstream):
    def end(_request):
        Session.objects.all().delete()
        return 200, {}, '{"version": 3}'

    upstream.callback("PUT", "/v1/bizMainGroups/g-1/permissions", end)
    # The next page shows a message, so the session is saved.
    response = administrator.post(PAGE + "/g-1/permissions", {"allow_export": "off", "version": "2"})
    assert response.headers["Location"] == "/login?reason=unknown"


UNKNOWN = "We couldn't confirm whether your last change was saved. Check before you try again."


@pytest.mark.req("SEC-46")
@pytest.mark.parametrize("status", [520, 401])
def test_a_logout_during_a_write_reports_that_it_may_be_done(administrator, upstream, status):
    def end(_request):
        Grant.objects.all().delete()
        return status, {}, "{}"

    upstream.callback("PUT", "/v1/bizMainGroups/g-1/permissions", end)
    response = administrator.post(PAGE + "/g-1/permissions", {"allow_export": "off", "version": "2"})
    location = response.headers["Location"]
    assert location.startswith("/login?")
    assert ("reason=unknown" in location) == (status == 520), "a 401 proves that nothing was done"
    assert (UNKNOWN in unescape(administrator.get(location).content.decode())) == (status == 520)


@pytest.mark.req("SEC-46")
def test_a_refresh_refused_after_a_lost_response_reports_it_too(administrator, upstream):
    upstream.answers("PUT", "/v1/bizMainGroups/g-1/permissions", {}, status=520)
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11003), status=401)
    response = administrator.post(PAGE + "/g-1/permissions", {"allow_export": "off", "version": "2"})
    assert "reason=unknown" in response.headers["Location"]


@pytest.mark.req("SEC-46")
def test_a_logout_while_a_file_is_checked_reports_no_change(administrator, upstream):
    """The check is a POST that changes nothing, whatever its response."""

    def end(_request):
        Grant.objects.all().delete()
        return 520, {}, "{}"

    upstream.callback("POST", "/v1/bizMainGroups/bulkCreate", end)
    response = upload(administrator, PAGE + "/import", "name,country\nAlpha,KR\n")
    assert "reason=expired" in response.redirect_chain[-1][0]


@pytest.mark.req("SEC-46")
def test_a_logout_while_a_file_is_imported_reports_that_it_may_be_done(administrator, upstream):
    def end(request):
        if json.loads(request.body)["dryRun"]:
            return 200, {}, '{"results": [{"index": 0, "ok": true}]}'
        Grant.objects.all().delete()
        return 520, {}, "{}"

    upstream.callback("POST", "/v1/bizMainGroups/bulkCreate", end)
    html = upload(administrator, PAGE + "/import", "name,country\nAlpha,KR\n").content.decode()
    lines = {"lines": re.findall(r'name="lines" value="([^"]*)"', html)[0]}
    assert "reason=unknown" in administrator.post(PAGE + "/import", lines).headers["Location"]


@pytest.mark.req("SEC-46")
def test_a_session_that_ends_while_a_page_is_read_reports_no_change(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups", {}, status=520)
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11003), status=401)
    assert "reason=expired" in administrator.get(PAGE).headers["Location"]


def test_a_saved_login_does_not_affect_other_logins(administrator, client, log_in):
    log_in()
    others = Grant.objects.get(), Session.objects.get()
    SavedLogin().restore(administrator)
    assert Grant.objects.count() == Session.objects.count() == 2
    assert Grant.objects.filter(pk=others[0].pk).exists()
    assert Session.objects.filter(pk=others[1].pk).exists()


def test_expired_logins_are_removed(administrator, capsys):
    Grant.objects.update(created_at=ago(days=2))
    Session.objects.update(expire_date=ago(days=1))
    call_command("clearsessions")
    assert (Grant.objects.count(), Session.objects.count()) == (0, 0)
    assert capsys.readouterr().out == "1 grants removed\n"


def test_the_purge_keeps_valid_logins(administrator, client, log_in):
    call_command("clearsessions")
    assert Grant.objects.count() == 1


def test_a_page_costs_three_queries_and_a_list_one_more_for_its_saved_views(administrator, django_assert_num_queries):
    for page, queries in ((f"{PAGE}/new", 3), (PAGE, 4)):
        administrator.get(page)
        with django_assert_num_queries(queries):
            administrator.get(page)


@pytest.mark.req("ER-09", "ER-10", "RT-32", "RT-33", "ST-17")
@pytest.mark.parametrize("end", ["deleted", "idle", "refused by the service"])
def test_a_page_redirects_to_the_login_and_back_however_the_session_ended(administrator, upstream, end):
    path, login = f"{PAGE}?page=2", "/login?next=%2Fuser-manage%2Fclinic%3Fpage%3D2&reason=expired"
    match end:
        case "deleted":
            Grant.objects.all().delete()
        case "idle":
            Grant.objects.update(last_seen_at=ago(hours=13), created_at=ago(hours=13))
        case _:
            upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11003), status=401)
            upstream.answers("GET", "/v1/bizMainGroups", {}, status=401)
    cookie = administrator.cookies["auth"].value
    assert administrator.get(path).headers["Location"] == login
    administrator.cookies["auth"] = cookie
    answer = administrator.get(path, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["goto"]) == (401, login)
    page = Page.from_response(administrator.get(login))
    assert ["Your session has expired" in message and "Log in again" in message for message in page.messages] == [True]
    upstream.may_log_in()
    upstream.has_clinic()
    form = {"email": "admin@demo.example", "password": "Demo123!", "next": path}
    assert administrator.post("/login", form).headers["Location"] == path
    assert administrator.get(path).status_code == 200


def test_a_user_who_never_logged_in_sees_nothing_about_a_session(client, visit):
    assert client.get(PAGE).headers["Location"] == "/login?next=%2Fuser-manage%2Fclinic"
    page = visit("/login?next=%2Fuser-manage%2Fclinic")
    assert (page.heading, "session" in page.text) == ("Log in", False)
