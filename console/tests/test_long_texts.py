"""Texts that are too long for a field are never cut: their length is reported, and the input stays."""

import pytest

from tests.support import factories
from tests.support.page import Page

USERS = "/user-manage/clinic/g-1/user"
FACE, ACCENTED = "\N{GRINNING FACE}", "e\N{COMBINING ACUTE ACCENT}"
LONG_EMAIL = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.example"
MAX_EMAIL = f"{'a' * 64}@{'.'.join(['b' * 59] * 3)}.exampleee"


@pytest.mark.parametrize(
    "path",
    [
        USERS,
        "/user-manage/user",
        "/scanner-manage",
        "/scanner-manage/expected/new",
        "/user-manage/clinic/new",
        "/user-manage/clinic/g-1/edit",
        "/user-manage/clinic/g-1/delete",
        "/user-manage/clinic/g-1/team/new",
        f"{USERS}/new",
        f"{USERS}/u-1/edit",
        "/search?q=kim",
        "/my-account/password",
        "/my-account/organization-name",
        "/saved-view/new?back=%2Fuser-manage%2Fclinic",
    ],
)
def test_no_browser_cuts_input(administrator, visit, path):
    assert "maxlength" not in visit(path).html


def test_no_browser_cuts_input_without_a_login(client, upstream, visit, db):
    for path in ("/login", "/translate/login"):
        assert "maxlength" not in visit(path).html, path


@pytest.mark.parametrize(
    ("name", "length"),
    [("x" * 130, 130), (FACE * 101, 101), (ACCENTED * 120, 120), ("가" * 250, 250), ("a b" * 34, 102)],
)
def test_a_name_that_is_too_long_stays_and_its_length_is_reported_in_code_points(administrator, name, length):
    response = administrator.post("/user-manage/clinic/new", {"name": name, "country_code": "KR"})
    page = Page.from_response(response)
    assert response.status_code == 422
    assert page.form(".form").fields["name"]["value"] == name
    assert f"(it has {length})" in page.errors["name"]


@pytest.mark.parametrize("name", ["x" * 100, FACE * 100, ACCENTED * 100])
def test_a_name_of_a_hundred_code_points_is_stored_whole(administrator, upstream, name):
    upstream.answers("POST", "/v1/bizMainGroups", {"id": "g-9"})
    response = administrator.post("/user-manage/clinic/new", {"name": name, "country_code": "KR"})
    assert response.status_code == 303
    assert len(upstream.bodies("POST", "/v1/bizMainGroups")[0]["name"]) == 100


@pytest.mark.req("VA-21", "RT-14")
@pytest.mark.parametrize("email", [LONG_EMAIL, MAX_EMAIL])
def test_the_longest_emails_can_be_searched(administrator, upstream, email):
    assert len(MAX_EMAIL) == 254
    for path in (USERS, "/user-manage/user"):
        administrator.get(path, {"searchField": "email", "keyword": email})
        assert upstream.query("/v1/bizUsers")["keyword"] == [email]


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"keyword": "x" * 101}, "You can enter up to 100 characters. This search has 101."),
        ({"keyword": FACE * 150, "searchField": "name"}, "You can enter up to 100 characters. This search has 150."),
        (
            {"keyword": "a" + MAX_EMAIL, "searchField": "email"},
            "You can enter up to 254 characters. This search has 255.",
        ),
    ],
)
def test_a_search_that_is_too_long_is_reported_and_stays(administrator, upstream, visit, query, error):
    response = administrator.get(USERS, query)
    page = Page.from_response(response)
    assert page.errors == {"keyword": error}
    assert page.form(".list-search").fields["keyword"]["value"] == query["keyword"]
    assert not upstream.calls("GET", "/v1/bizUsers")
    exported = administrator.get(f"{USERS}/export", query, headers={"Accept": "application/json"})
    assert (exported.status_code, exported.json()["message"]) == (422, error)


def test_a_global_search_that_is_too_long_makes_no_call(administrator, upstream):
    upstream.has_lab()
    upstream.clear_calls()
    page = Page.from_response(administrator.get("/search", {"q": "x" * 140}))
    assert "You can enter up to 100 characters. This search has 140." in page.text
    assert page.form("main form").fields["q"]["value"] == "x" * 140
    assert not [call for call in upstream.calls("GET") if "keyword" in str(call.url)]


def test_a_clinic_with_too_long_a_name_is_not_found(administrator, upstream):
    upstream.clear_calls()
    page = Page.from_response(administrator.get("/user-manage/user", {"find_clinic": "x" * 120}))
    assert page.one("[name=find_clinic]").attributes["value"] == "x" * 120
    assert not [call for call in upstream.calls("GET") if "x" * 50 in str(call.url)]


def test_no_browser_cuts_the_search_in_a_plan(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers", factories.listing([factories.user(n) for n in range(40)]))
    plan = Page.from_response(administrator.post(f"{USERS}/bulk/resend", {"id": [f"u-{n}" for n in range(40)]}))
    assert "maxlength" not in plan.html
