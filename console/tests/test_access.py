"""Who may call a view: every view is private or public, and nobody calls one that is not theirs to call."""

import re

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from console.access import CHECKED_AT, CHECKED_EVERY
from console.testing import factories

IDS = {
    "action": "delete",
    "clinic_id": "g-1",
    "user_id": "u-1",
    "team_id": "t-1",
    "lab_id": "l-1",
    "partnership_id": "p-1",
    "scanner_id": "s-1",
    "decision": "approve",
    "expected_id": "1",
    "reminder_id": "1",
    "preset_id": "1",
    "entry_id": "1",
    "review_id": "2",
    "view_id": "1",
    "link_id": "7b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11",
    "session_id": "e-1",
    "tag": "en-US",
    "version": "0",
    "path": "x",
    "notification_id": "n-1",
    "kind": "xlsx",
    "seen": "20260105T083000Z",
}


OF_VIEW = {
    "lab-bulk-run": {"action": "add"},
    "all-permission-bulk-run": {"action": "permissions"},
    "my-lab-bulk-run": {"action": "remove"},
    "asking-bulk-run": {"action": "accept"},
    "sent-bulk-run": {"action": "cancel"},
    "request-bulk-run": {"action": "send"},
    "service-log-show": {"entry_id": "e-1"},
}
"""What differs for one view, by its name."""


def views(patterns=None, prefix=""):
    """All views of the product: (name, path with ids filled in, view)."""
    for entry in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(entry, URLResolver):
            yield from views(entry.url_patterns, prefix + str(entry.pattern))
        elif isinstance(entry, URLPattern) and entry.name != "unknown":
            path = prefix + str(entry.pattern)
            for name, value in (IDS | OF_VIEW.get(entry.name or "", {})).items():
                path = re.sub(rf"<\w+:{name}>", value, path)
            yield entry.name, "/" + path, entry.callback


PRIVATE = [(name, path, view) for name, path, view in views() if view.access == "private"]
ALL = list(views())


def ask(client, view, path, **headers):
    """Call a view by its first method."""
    response = getattr(client, view.methods[0].lower())(path, headers=headers)
    if response.streaming:
        response.getvalue()  # what is read to its end is closed
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
    *("add", "remove", "send", "accept", "reject", "end", "reset", "activate"),
}
"""What the view of an app does to its noun; the paths of the session and the start of an app have no noun."""
DECIDES = {"change", "decide"}
WITHOUT_NOUN = {"home", "login", "logout", "session"}


def test_the_view_of_an_app_is_called_noun_and_verb_and_its_url_likewise():
    for name, _path, view in ALL:
        if view.__module__.startswith("console."):
            continue
        noun, _, verb = view.__name__.rpartition("_")
        if verb in DECIDES:  # one view for several acts, which its paths are named after
            assert name.startswith(noun.replace("_", "-") + "-")
            assert set(name.split("-")) & VERBS
            continue
        assert name == view.__name__.replace("_", "-")
        assert view.__name__ in WITHOUT_NOUN or (noun and verb in VERBS), view.__name__


def test_every_view_is_private_or_public():
    assert {view.access for _, _, view in ALL} == {"private", "public"}


@pytest.mark.req("RT-31", "PM-06", "ST-06", "RT-11", "RT-12", "RT-13")
@pytest.mark.parametrize(("name", "path", "view"), PRIVATE)
def test_without_a_login_a_private_page_leads_to_the_login_and_back(client, db, upstream, name, path, view):
    response = ask(client, view, path)
    assert response.status_code == 302
    back = path if "GET" in view.methods else "/"
    assert response.headers["Location"] == "/login?next=" + back.replace("/", "%2F")
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.req("RT-31", "ST-06")
@pytest.mark.parametrize(("name", "path", "view"), PRIVATE)
def test_a_dead_cookie_is_deleted_and_the_reason_is_told(client, db, upstream, name, path, view):
    client.cookies["auth"] = "x" * 32
    response = ask(client, view, path)
    assert response.headers["Location"].endswith("&reason=expired")
    assert response.cookies["auth"]["max-age"] == 0


@pytest.mark.req("RT-31")
@pytest.mark.parametrize(("name", "path", "view"), PRIVATE)
def test_without_a_login_an_island_is_told_where_to_go(client, db, upstream, name, path, view):
    response = ask(client, view, path, Accept="application/json")
    assert response.status_code == 401
    assert response.json()["goto"].startswith("/login?next=")


@pytest.mark.req("ST-07", "RT-12", "RT-13")
@pytest.mark.parametrize(("name", "path", "view"), PRIVATE)
def test_a_logged_in_administrator_enters(admin_client, upstream, own_rows, name, path, view):
    upstream.has_clinic()
    upstream.has_lab()
    own_rows(IDS)
    response = ask(admin_client, view, path)
    assert response.status_code in (200, 302, 303)
    assert response.headers["Cache-Control"] == "no-store"
    assert {"Accept", "Accept-Language", "Cookie"} <= {v.strip() for v in response.headers["Vary"].split(",")}


@pytest.mark.req("PM-20")
@pytest.mark.parametrize(("name", "path", "view"), [row for row in PRIVATE if "g-1" in row[1]])
def test_an_object_of_another_organization_is_not_there(admin_client, upstream, name, path, view):
    upstream.has_clinic(organizationId="o-2", name="Their clinic")
    upstream.has_lab()
    response = ask(admin_client, view, path)
    assert response.status_code == 404
    assert "Their clinic" not in response.content.decode()


WRITES = [row for row in PRIVATE if "g-1" in row[1] and "POST" in row[2].methods]
BODY = {"name": "X", "allow_export": "off", "typed_name": "Their clinic", "id": "u-1", "user_type": "STAFF"}


@pytest.mark.req("PM-20")
@pytest.mark.parametrize(("name", "path", "view"), WRITES)
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_nothing_of_another_organization_is_changed(admin_client, upstream, name, path, view, accept):
    upstream.has_clinic(organizationId="o-2", name="Their clinic")
    upstream.has_lab()
    before = len(upstream.calls())
    response = admin_client.post(path, BODY, headers={"Accept": accept})
    assert response.status_code == 404
    assert {call.method for call in upstream.calls()[before:]} <= {"GET"}


@pytest.mark.req("PM-20")
def test_a_user_of_another_clinic_is_not_there(admin_client, upstream):
    upstream.has_clinic()
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(mainGroupId="g-9", name="Someone else"))
    response = admin_client.get("/user-manage/clinic/g-1/user/u-1/permissions")
    assert response.status_code == 404
    assert "Someone else" not in response.content.decode()


@pytest.mark.req("RT-39")
@pytest.mark.parametrize(("name", "path", "view"), ALL)
def test_each_view_answers_for_its_methods(client, db, upstream, name, path, view):
    options = client.options(path)
    assert options.status_code == 204
    allowed = {method.strip() for method in options.headers["Allow"].split(",")}
    assert client.delete(path).status_code == 405
    if "GET" in allowed:
        head, get = client.head(path), client.get(path)
        assert (head.status_code, head.content) == (get.status_code, b"")
    else:
        assert client.get(path).status_code == 405, "a GET changes nothing"


@pytest.mark.req("PM-21")
@pytest.mark.parametrize(("name", "path", "view"), [row for row in ALL if "POST" in row[2].methods])
def test_a_post_needs_the_token_of_its_form(db, upstream, name, path, view):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    response = strict.post(path, {})
    assert response.status_code == 403
    assert "no longer valid" in response.content.decode()
    json = strict.post(path, {}, headers={"Accept": "application/json"})
    assert (json.status_code, json.json()["ok"]) == (403, False)


@pytest.mark.req("PM-21")
@pytest.mark.parametrize(("name", "path", "view"), [row for row in ALL if "POST" in row[2].methods])
def test_a_post_of_another_site_is_refused(client, db, upstream, name, path, view):
    response = client.post(path, {}, headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 403


CHECK = "/v2/oauth/checkToken"
QUIET = "/user-manage/clinic/new"
"""A private page that asks the service for nothing."""


@pytest.mark.req("CA-29")
def test_a_page_that_asks_the_service_nothing_checks_the_token_once_in_a_minute(admin_client, upstream):
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
def test_a_page_that_asks_the_service_something_needs_no_check(admin_client, upstream):
    upstream.has_clinic()
    admin_client.get("/user-manage/clinic")
    admin_client.post(QUIET, {"name": ""})
    assert upstream.calls("GET", CHECK) == []


@pytest.mark.req("CA-29", "ST-08", "ST-13")
def test_a_token_that_no_longer_holds_is_noticed_before_anything_is_typed(admin_client, upstream):
    upstream.answers("GET", CHECK, factories.refusal(11002), status=401)
    response = admin_client.get(QUIET)
    assert (response.status_code, response.headers["Location"].split("?")[0]) == (302, "/login")


@pytest.mark.req("CA-29")
@pytest.mark.parametrize("status", [404, 429, 500, 501, 503])
def test_a_service_that_cannot_check_a_token_keeps_nobody_from_a_page(admin_client, upstream, status):
    upstream.answers("GET", CHECK, factories.refusal(10000), status=status)
    assert admin_client.get(QUIET).status_code == 200
