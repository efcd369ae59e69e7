"""Access control: every view is private or public, and answers only requests that may call it."""

import pytest
from django.test import Client

from console.web.access import CHECKED_AT, CHECKED_EVERY
from tests.support import factories
from tests.support.cases import faults, rolled_back
from tests.support.routes import IDS, PRIVATE, ROUTES

POST_ROUTES = [route for route in ROUTES if "POST" in route.methods]
CLINIC_ROUTES = [route for route in PRIVATE if "clinic_id" in route.parameters]


def ask(client, route, **headers):
    """Call a view with its first method."""
    response = getattr(client, route.methods[0].lower())(route.path(), headers=headers)
    if response.streaming:
        response.getvalue()  # reading to the end closes it
    return response


VERBS = {
    *(
        "list",
        "show",
        "open",
        "read",
        "unread",
        "count",
        "create",
        "edit",
        "delete",
        "move",
        "lock",
        "sign",
        "unlock",
        "copy",
        "export",
        "import",
        "run",
        "invite",
    ),
    *("resend", "cancel", "approve", "disapprove"),
    *("add", "remove", "send", "accept", "reject", "end", "reset", "activate", "apply", "decide"),
}
"""The verbs of apps' views; the paths of the session and the start page of an app have no noun."""
DECIDES = {"change", "decide"}
WITHOUT_NOUN = {"home", "login", "logout", "session"}


def test_the_url_and_the_function_of_a_view_are_named_noun_and_verb():
    for route in ROUTES:
        if route.app in ("console", "translate", "translations"):
            continue
        noun, _, verb = route.name.rpartition("-")
        assert route.name in WITHOUT_NOUN or (noun and set(route.name.split("-")) & VERBS), route.name
        function = route.view.__name__
        if route.view.__module__.startswith("console.") or hasattr(route.view, "view_class"):
            continue  # shared by all lists
        noun, _, verb = function.rpartition("_")
        if verb in DECIDES:  # one view for several actions, which its paths are named after
            assert route.name.startswith(noun.replace("_", "-") + "-")
            continue
        assert route.name == function.replace("_", "-")
        assert verb in VERBS or function in WITHOUT_NOUN, function


def test_every_view_is_private_or_public():
    assert {route.access for route in ROUTES} == {"private", "public"}


@pytest.mark.req("RT-31", "PM-06", "ST-06", "RT-11", "RT-12", "RT-13")
def test_without_a_login_a_private_page_redirects_to_the_login_and_back(db, upstream):
    def check(route):
        response = ask(Client(), route)
        assert response.status_code == 302
        back = route.path() if "GET" in route.methods else "/"
        assert response.headers["Location"] == "/login?next=" + back.replace("/", "%2F")
        assert response.headers["Cache-Control"] == "no-store"

    assert faults(PRIVATE, check, at_least=140) == {}


@pytest.mark.req("RT-31", "ST-06")
def test_a_dead_cookie_is_deleted_and_the_reason_is_given(db, upstream):
    def check(route):
        client = Client()
        client.cookies["auth"] = "x" * 32
        response = ask(client, route)
        assert response.headers["Location"].endswith("&reason=expired")
        assert response.cookies["auth"]["max-age"] == 0

    assert faults(PRIVATE, check, at_least=140) == {}


@pytest.mark.req("RT-31")
def test_without_a_login_an_island_gets_the_login_address(db, upstream):
    def check(route):
        response = ask(Client(), route, Accept="application/json")
        assert response.status_code == 401
        assert response.json()["goto"].startswith("/login?next=")

    assert faults(PRIVATE, check, at_least=140) == {}


@pytest.mark.req("ST-07", "RT-12", "RT-13")
def test_a_logged_in_administrator_is_admitted(administrator, upstream, stored_rows):
    upstream.has_lab()
    stored_rows(IDS)

    def check(route):
        with rolled_back(administrator):
            response = ask(administrator, route)
        assert response.status_code in (200, 302, 303)
        assert not response.headers.get("Location", "").startswith("/login?next")
        assert response.headers["Cache-Control"] == "no-store"
        assert {"Accept", "Accept-Language", "Cookie"} <= {v.strip() for v in response.headers["Vary"].split(",")}

    assert faults(PRIVATE, check, at_least=140) == {}


@pytest.mark.req("PM-20")
def test_an_object_of_another_organization_is_not_there(admin_client, upstream):
    upstream.has_clinic(organizationId="o-2", name="Their clinic")
    upstream.has_lab()

    def check(route):
        response = ask(admin_client, route)
        if response.status_code == 302:  # the clinic's own address leads to its users
            response = admin_client.get(response.headers["Location"])
        assert response.status_code == 404
        assert "Their clinic" not in response.content.decode()

    assert faults(CLINIC_ROUTES, check, at_least=20) == {}


BODY = {"name": "X", "allow_export": "off", "typed_name": "Their clinic", "id": "u-1", "user_type": "STAFF"}


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_nothing_of_another_organization_is_changed(admin_client, upstream, accept):
    upstream.has_clinic(organizationId="o-2", name="Their clinic")
    upstream.has_lab()

    def check(route):
        upstream.clear_calls()
        response = admin_client.post(route.path(), BODY, headers={"Accept": accept})
        assert response.status_code == 404
        assert {call.method for call in upstream.calls()} <= {"GET"}

    assert faults([route for route in CLINIC_ROUTES if "POST" in route.methods], check, at_least=15) == {}


@pytest.mark.req("PM-20")
def test_a_user_of_another_clinic_is_not_there(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(mainGroupId="g-9", name="Someone else"))
    response = administrator.get("/user-manage/clinic/g-1/user/u-1/permissions")
    assert response.status_code == 404
    assert "Someone else" not in response.content.decode()


@pytest.mark.req("RT-39")
def test_each_view_answers_for_its_methods(db, upstream):
    def check(route):
        client, path = Client(), route.path()
        options = client.options(path)
        assert options.status_code == 204
        allowed = {method.strip() for method in options.headers["Allow"].split(",")}
        assert client.delete(path).status_code == 405
        if "GET" in allowed:
            head, get = client.head(path), client.get(path)
            assert (head.status_code, head.content) == (get.status_code, b"")
        else:
            assert client.get(path).status_code == 405, "a GET changes nothing"

    assert faults(ROUTES, check, at_least=170) == {}


@pytest.mark.req("PM-21")
def test_a_post_needs_the_token_of_its_form(db, upstream):
    def check(route):
        strict = Client(enforce_csrf_checks=True)
        response = strict.post(route.path(), {})
        assert response.status_code == 403
        assert "Your browser didn&#39;t send this site&#39;s cookie." in response.content.decode()
        json = strict.post(route.path(), {}, headers={"Accept": "application/json"})
        assert (json.status_code, json.json()["ok"]) == (403, False)

    assert faults(POST_ROUTES, check, at_least=80) == {}


@pytest.mark.req("PM-21")
def test_a_post_of_another_site_is_refused(db, upstream):
    def check(route):
        response = Client().post(route.path(), {}, headers={"Sec-Fetch-Site": "cross-site"})
        assert response.status_code == 403

    assert faults(POST_ROUTES, check, at_least=80) == {}


CHECK = "/v2/oauth/checkToken"
QUIET = "/user-manage/clinic/new"
"""A private page that makes no call to the service."""


@pytest.mark.req("CA-29")
def test_a_page_without_calls_checks_the_token_once_a_minute(admin_client, upstream):
    upstream.has_clinic()
    for counts in ("bizDashboards/summary", "bizNotifications/unreadCount"):
        upstream.answers("GET", f"/v1/{counts}", {}, status=501)
    for _ in range(3):
        assert admin_client.get(QUIET).status_code == 200
    (call,) = upstream.calls("GET", CHECK)
    assert call.params == {"adminId": "a-1"}
    assert call.headers["Authorization"] == "Bearer access-1"
    session = admin_client.session
    session[CHECKED_AT] -= CHECKED_EVERY
    session.save()
    admin_client.get(QUIET)
    assert len(upstream.calls("GET", CHECK)) == 2


@pytest.mark.req("CA-29")
def test_a_page_with_calls_needs_no_check(admin_client, upstream):
    upstream.has_clinic()
    admin_client.get("/user-manage/clinic")
    admin_client.post(QUIET, {"name": ""})
    assert upstream.calls("GET", CHECK) == []


@pytest.mark.req("CA-29", "ST-08", "ST-13")
def test_an_expired_token_is_detected_before_the_form_is_shown(admin_client, upstream):
    upstream.answers("GET", CHECK, factories.refusal(11002), status=401)
    response = admin_client.get(QUIET)
    assert (response.status_code, response.headers["Location"].split("?")[0]) == (302, "/login")


@pytest.mark.req("CA-29")
@pytest.mark.parametrize("status", [404, 429, 500, 501, 503])
def test_a_page_is_shown_if_the_service_cannot_check_the_token(admin_client, upstream, status):
    upstream.answers("GET", CHECK, factories.refusal(10000), status=status)
    assert admin_client.get(QUIET).status_code == 200
