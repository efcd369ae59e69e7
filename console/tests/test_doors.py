"""Who may enter: every view has a door, and nobody gets through the wrong one."""

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from console.testing import factories

IDS = {
    "action": "delete",
    "clinic_id": "g-1",
    "user_id": "u-1",
    "team_id": "t-1",
    "tag": "en-US",
    "version": "0",
    "path": "x",
}


def views(patterns=None, prefix=""):
    """All views of the product: (name, path with ids filled in, view)."""
    for entry in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(entry, URLResolver):
            yield from views(entry.url_patterns, prefix + str(entry.pattern))
        elif isinstance(entry, URLPattern) and entry.name != "unknown":
            path = prefix + str(entry.pattern)
            for name, value in IDS.items():
                path = path.replace(f"<str:{name}>", value)
            yield entry.name, "/" + path, entry.callback


PRIVATE = [(name, path, view) for name, path, view in views() if view.door == "private"]
ALL = list(views())


def ask(client, view, path, **headers):
    """Go through a door by its first method."""
    return getattr(client, view.methods[0].lower())(path, headers=headers)


def test_every_view_has_a_door():
    assert {view.door for _, _, view in ALL} == {"private", "public"}


@pytest.mark.req("RT-31", "PM-06", "ST-06", "RT-11", "RT-12", "RT-13")
@pytest.mark.parametrize(("name", "path", "view"), PRIVATE)
def test_without_a_login_a_private_page_leads_to_the_login_and_back(client, db, upstream, name, path, view):
    response = ask(client, view, path)
    assert response.status_code == 302
    way_back = path if "GET" in view.methods else "/"
    assert response.headers["Location"] == "/login?next=" + way_back.replace("/", "%2F")
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
def test_a_logged_in_administrator_enters(admin_client, upstream, name, path, view):
    upstream.has_clinic()
    response = ask(admin_client, view, path)
    assert response.status_code in (200, 302, 303)
    assert response.headers["Cache-Control"] == "no-store"
    assert {"Accept", "Accept-Language", "Cookie"} <= {v.strip() for v in response.headers["Vary"].split(",")}


@pytest.mark.req("PM-20")
@pytest.mark.parametrize(("name", "path", "view"), [row for row in PRIVATE if "g-1" in row[1]])
def test_an_object_of_another_organization_is_not_there(admin_client, upstream, name, path, view):
    upstream.has_clinic(organizationId="o-2", name="Their clinic")
    response = ask(admin_client, view, path)
    assert response.status_code == 404
    assert "Their clinic" not in response.content.decode()


@pytest.mark.req("PM-20")
def test_a_user_of_another_clinic_is_not_there(admin_client, upstream):
    upstream.has_clinic()
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(mainGroupId="g-9", name="Someone else"))
    response = admin_client.get("/user-manage/clinic/g-1/user/u-1/permissions")
    assert response.status_code == 404
    assert "Someone else" not in response.content.decode()


@pytest.mark.req("RT-39")
@pytest.mark.parametrize(("name", "path", "view"), ALL)
def test_each_door_answers_for_its_methods(client, db, upstream, name, path, view):
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
