"""A list never answers a wider question than its address asks: what it can't apply is reported, and nothing is read."""

import json
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from console.lists.saved_views import ListState, StoredViews
from console.models import SavedView
from console.sessions.models import Grant
from console.web.contributions import contributed
from tests.support import factories
from tests.support.bulk import get_list_query
from tests.support.page import Page

pytestmark = pytest.mark.sql

USERS, ALL_USERS, SCANNERS, ACTIVITY = (
    "/user-manage/clinic/g-1/user",
    "/user-manage/user",
    "/scanner-manage",
    "/activity",
)
LABS, TEAMS, ASKING, PAST = (
    "/partner-manage/search",
    "/user-manage/team",
    "/partner-manage/list",
    "/partner-manage/list/history",
)
PRESETS, CLINICS, EXPECTED, REVIEW, NOTIFICATIONS = (
    "/user-manage/permissions/presets",
    "/user-manage/clinic",
    "/scanner-manage/expected",
    "/user-manage/review",
    "/notifications",
)
JSON = {"Accept": "application/json"}
GONE = "This link has a filter that no longer exists: %s. Remove it from the link"
UNSEEN = "This link searches only for invisible characters. Remove it from the link"
UNSEEN_KEYWORDS = ("\u200b", "\u3164", "\u202e", "\u00ad \u2060", "\U000e0061", "\u2800", "\x01")
CLINIC_IDS = [("clinic", f"g-{number}") for number in range(1, 22)]

REPORTED = [
    # A list, what its address asks, what is reported, and the address without it.
    (USERS, "status=DEACTIVATED", GONE % "Status DEACTIVATED", ""),
    (USERS, "status=ACTIVE&status=GONE&status=OLD&page=3", GONE % "Status GONE, OLD", "status=ACTIVE"),
    (USERS, "status=active", GONE % "Status active", ""),
    (USERS, "user_type=ASSISTANT&keyword=kim", GONE % "Type ASSISTANT", "keyword=kim"),
    (USERS, "account_type=9", GONE % "Role 9", ""),
    (USERS, "last_login=45", GONE % "Last login 45", ""),
    (USERS, "own_permission=fly", GONE % "Own setting fly", ""),
    (USERS, "team=../x", GONE % "Team ../x", ""),
    (
        USERS,
        "last_login=30&last_login=90",
        "The “Last login” filter can have only 1 value. This link has more. Remove the extra values",
        "last_login=30",
    ),
    (
        USERS,
        "searchField=phone&keyword=kim",
        "This link searches in a field that no longer exists: phone. Remove it from the link",
        "keyword=kim",
    ),
    (
        ALL_USERS,
        "team=t-1",
        "To use the “Team t-1” filter, choose exactly one value for the “Clinic” filter. Remove it from the link",
        "",
    ),
    (
        ALL_USERS,
        "clinic=g-1&clinic=g-2&team=t-1",
        "To use the “Team t-1” filter, choose exactly one value for the “Clinic” filter. Remove it from the link",
        "clinic=g-1&clinic=g-2",
    ),
    (
        ALL_USERS,
        urlencode(CLINIC_IDS),
        "The “Clinic” filter can have up to 20 values. This link has more. Remove the extra values",
        urlencode(CLINIC_IDS[:20]),
    ),
    (SCANNERS, "status=FOO", GONE % "Status FOO", ""),
    (SCANNERS, "last_scan=7", GONE % "Last scan 7", ""),
    (EXPECTED, "state=BROKEN", GONE % "Connection BROKEN", ""),
    (ACTIVITY, "days=45", GONE % "Date 45", ""),
    (ACTIVITY, "kind=spaceship", GONE % "Type spaceship", ""),
    (ACTIVITY, "act=user.fly&outcome=maybe", f"{GONE % 'Action user.fly'} {GONE % 'Result maybe'}", "outcome=maybe"),
    *[
        (path, urlencode({"keyword": unseen}), UNSEEN, "")
        for path in (ALL_USERS, CLINICS)
        for unseen in UNSEEN_KEYWORDS
    ],
    (USERS, "keyword=%E2%80%8B&keyword=&status=ACTIVE", UNSEEN, "status=ACTIVE"),
    (
        PRESETS,
        "keyword=kim",
        "This list can't be searched, but this link searches for: kim. Remove it from the link",
        "",
    ),
    (CLINICS, "has_partner=maybe", GONE % "Partners maybe", ""),
    (CLINICS, "country_code=<b>", GONE % "Country <b>", ""),
    (TEAMS, "team_type=a b", GONE % "Team type a b", ""),
    (LABS, "in_list=maybe", GONE % "My partner list maybe", ""),
    (ASKING, "requested_within=365", GONE % "Requested 365", ""),
    (PAST, "status=PENDING", GONE % "Status PENDING", ""),
    (REVIEW, "group=everybody", GONE % "Reason for review everybody", ""),
    (NOTIFICATIONS, "kind=PARTY&filter=unread", GONE % "Type PARTY", "filter=unread"),
]


def list_calls(upstream):
    """The pages of lists that were read, except for choices and counts."""
    return [call for call in upstream.calls("GET") if "sort=" in str(call.url) and "sort=name" not in str(call.url)]


@pytest.fixture(autouse=True)
def _labs(upstream):
    upstream.has_lab()


@pytest.mark.req("LS-03")
def test_an_empty_search_that_follows_does_not_widen_one(administrator, upstream):
    for address in (
        *("keyword=kim&keyword=", "keyword=&keyword=kim", "keyword=kim&keyword=%20"),
        *("keyword=kim&keyword=%E2%80%8B", "keyword=%E3%85%A4kim"),
    ):
        assert administrator.get(f"{ALL_USERS}?{address}").status_code == 200
        assert upstream.query("/v1/bizUsers")["keyword"] == ["kim"], address


@pytest.mark.parametrize(("path", "query", "text", "without"), REPORTED)
def test_a_part_that_a_list_can_not_apply_is_reported_above_it(administrator, visit, path, query, text, without):
    page = visit(f"{path}?{query}")
    assert " ".join(page.texts("[data-notice]")) == text
    assert page.rows == []
    assert not page.all("[name=all], [popovertarget=export], a[data-download], .views-act")
    address = urlsplit(page.one("[data-notice]:first-of-type a").attributes["href"])
    assert (address.path, parse_qs(address.query)) == (path, parse_qs(without))


@pytest.mark.parametrize(("path", "query", "text", "without"), REPORTED)
def test_json_is_refused_with_the_same_sentence(administrator, path, query, text, without):
    response = administrator.get(f"{path}?{query}", headers=JSON)
    answer = response.json()
    assert (response.status_code, answer["ok"], answer["message"]) == (422, False, text)
    assert (answer["item"]["list"]["rows"], answer["item"]["list"]["total"]) == ([], 0)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        (USERS, "status=DEACTIVATED"),
        (ALL_USERS, "team=t-1"),
        (SCANNERS, "status=FOO"),
        (ASKING, "requested_within=365"),
        (NOTIFICATIONS, "kind=PARTY"),
        (LABS, "in_list=maybe"),
    ],
)
def test_nothing_wider_is_asked_of_the_service(administrator, upstream, path, query):
    calls = {USERS: "Users", ALL_USERS: "Users", SCANNERS: "Scanners", ASKING: "Partnerships", LABS: "Labs"}
    upstream.clear_calls()
    administrator.get(f"{path}?{query}", headers=JSON)
    assert not upstream.calls("GET", f"/v1/biz{calls.get(path, 'Notifications')}")


@pytest.mark.parametrize("kind", ["", "/xlsx"])
@pytest.mark.parametrize(
    ("path", "query", "text"),
    [
        (USERS, "status=DEACTIVATED", GONE % "Status DEACTIVATED"),
        (ALL_USERS, "team=t-1&clinic=g-1&clinic=g-2", "To use the “Team t-1” filter, choose exactly one value"),
        (SCANNERS, "last_scan=7", GONE % "Last scan 7"),
        (ACTIVITY, "days=45", GONE % "Date 45"),
        (PAST, "status=PENDING", GONE % "Status PENDING"),
        (ALL_USERS, "keyword=%E2%80%8B", UNSEEN),
        (CLINICS, "searchField=email&keyword=x", "This link searches in a field that no longer exists: email."),
    ],
)
def test_an_export_is_refused_with_the_same_sentence(administrator, path, query, text, kind):
    for headers in ({}, JSON):
        response = administrator.get(f"{path}/export{kind}?{query}", headers=headers)
        assert response.status_code == 422
        message = response.json()["message"] if headers else Page.from_response(response).text
        assert text in message
    assert (
        Page.from_response(administrator.get(f"{path}/export{kind}?{query}"))
        .links["Back to list"]
        .startswith(f"{path}?")
    )


@pytest.mark.parametrize("path", [USERS, ALL_USERS, SCANNERS])
def test_all_that_match_such_an_address_can_not_be_selected(administrator, upstream, path):
    view = administrator.get(f"{path}?status=GONE", headers=JSON).json()["item"]["list"]
    action = "approve" if path == SCANNERS else "resend"
    upstream.clear_calls()
    sent = {"all": "1", "query": view["selection_query"]}
    for headers in ({}, JSON):
        response = administrator.post(f"{path}/bulk/{action}", sent, headers=headers)
        assert response.status_code == 422
        assert GONE % "Status GONE" in (response.json()["message"] if headers else Page.from_response(response).text)
    assert not upstream.calls("GET", "/v1/biz(Users|Scanners)")


@pytest.mark.req("DM-36")
@pytest.mark.parametrize(
    ("path", "query", "text"),
    [
        (USERS, "status=DEACTIVATED", GONE % "Status DEACTIVATED"),
        (ACTIVITY, "days=45&kind=user", GONE % "Date 45"),
        (ALL_USERS, "searchField=phone&keyword=kim", "This link searches in a field that no longer exists: phone."),
        (ALL_USERS, "keyword=%E2%80%8B", UNSEEN),
    ],
)
def test_such_an_address_can_not_be_saved_as_a_view(administrator, path, query, text):
    address = f"{path}?{query}"
    for headers in ({}, JSON):
        response = administrator.post("/saved-view/new", {"back": address, "name": "Mine"}, headers=headers)
        assert response.status_code == 422
        assert text in (response.json()["message"] if headers else Page.from_response(response).text)
    assert administrator.get("/saved-view/new?" + urlencode({"back": address})).status_code == 422
    assert SavedView.objects.count() == 0


@pytest.mark.req("DM-36")
def test_a_default_view_that_has_become_stale_is_reported_and_does_not_open_as_all(administrator, visit):
    views = StoredViews(Grant.objects.get().admin_id_hash)
    views.save("Locked", ListState(USERS, "status=GONE&size=25"), is_default=True)
    opened = administrator.get(USERS)
    assert (opened.status_code, opened.headers["Location"]) == (302, f"{USERS}?status=GONE")
    page = visit(opened.headers["Location"])
    assert page.texts("[data-notice]") == [GONE % "Status GONE"]
    assert page.texts(".view[aria-current]") == ["Locked"]
    assert visit(page.one("[data-notice] a").attributes["href"]).all("[data-notice]") == []


def test_the_search_form_keeps_what_can_not_be_applied(administrator, visit):
    form = visit(f"{USERS}?status=GONE&status=ACTIVE").one("form.list-search")
    values = [field.attributes["value"] for field in form.css("input[name=status][type=hidden]")]
    assert values == ["GONE"]


@pytest.mark.req("LS-03", "LS-04")
@pytest.mark.parametrize(
    "query", ["page=99999", "page=abc", "size=7", "sort=nonsense&order=up", "status=", "utm_source=mail"]
)
def test_page_size_and_sort_fall_back_and_foreign_names_are_no_filters(administrator, query):
    view = administrator.get(f"{USERS}?{query}", headers=JSON)
    assert (view.status_code, view.json()["item"]["list"]["notices"]) == (200, [])


def test_marks_that_turn_the_direction_of_a_text_are_left_out_of_the_sentence(administrator, visit):
    page = visit(f"{USERS}?" + urlencode({"status": "\u202eGONE"}))
    assert "\u202e" not in page.one("[data-notice]").text(deep=True)


def test_a_filter_by_a_clinic_that_is_gone_is_reported(administrator, upstream, visit):
    """PC-27: the service knows clinic g-1 and no other."""
    upstream.has_clinics("g-1")
    for path in (ALL_USERS, SCANNERS, ASKING, REVIEW):
        for query, name in (("clinic=g-41", "g-41"), ("clinic=g-1&clinic=g-77", "g-77")):
            page = visit(f"{path}?{query}")
            assert page.texts("[data-notice]") == [GONE % f"Clinic {name}"], path
            assert page.rows == []
            assert administrator.get(f"{path}?{query}", headers=JSON).status_code == 422
        assert visit(f"{path}?clinic=g-1").all("[data-notice]") == []
    for path in (ALL_USERS, SCANNERS, ASKING):
        assert administrator.get(f"{path}/export?clinic=g-41").status_code == 422
    saved = administrator.post("/saved-view/new", {"back": f"{ALL_USERS}?clinic=g-41", "name": "Gone"})
    assert saved.status_code == 422


def test_all_users_of_a_clinic_that_is_gone_since_the_page_was_drawn_can_not_be_selected(administrator, upstream):
    upstream.has_clinics("g-1", "g-2")
    query = get_list_query(administrator, f"{ALL_USERS}?clinic=g-1&clinic=g-2")
    upstream.has_clinics("g-1")
    response = administrator.post(f"{ALL_USERS}/bulk/resend", {"all": "1", "query": query})
    assert response.status_code == 422
    assert GONE % "Clinic g-2" in Page.from_response(response).text


def test_a_filter_by_a_team_that_is_gone_is_reported(administrator, upstream, visit):
    def answer(request):
        ids = parse_qs(urlsplit(request.url).query).get("ids", ["t-1"])
        return 200, {}, json.dumps(factories.listing([factories.team()] if "t-1" in ids else []))

    upstream.remove("GET", "/v1/bizSubGroups")
    upstream.callback("GET", "/v1/bizSubGroups", answer)
    assert visit(f"{USERS}?team=t-109").texts("[data-notice]") == [GONE % "Team t-109"]
    assert visit(f"{ALL_USERS}?clinic=g-1&team=t-9").texts("[data-notice]") == [GONE % "Team t-9"]
    assert administrator.get(f"{USERS}/export?team=t-109").status_code == 422
    assert visit(f"{USERS}?team=t-1").all("[data-notice]") == []


def test_a_clinic_that_can_not_be_looked_up_counts_as_existing(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups", {}, status=500)
    view = administrator.get(f"{ALL_USERS}?clinic=g-41", headers=JSON)
    assert (view.status_code, view.json()["item"]["list"]["notices"]) == (200, [])


def test_the_activity_of_a_deleted_clinic_can_still_be_listed(administrator, upstream):
    upstream.has_clinics("g-1")
    assert administrator.get(f"{ACTIVITY}?clinic=g-41", headers=JSON).status_code == 200


def test_no_notification_is_marked_as_read_for_a_list_that_shows_none(administrator, upstream):
    sent = {"back": f"{NOTIFICATIONS}?kind=PARTY"}
    address = f"{NOTIFICATIONS}/read/2026-11-25T10:00:00+00:00"
    assert GONE % "Type PARTY" in Page.from_response(administrator.get(f"{address}?{urlencode(sent)}")).text
    assert administrator.post(address, sent).status_code == 422
    assert not upstream.calls("PUT") + upstream.calls("POST", "/v1/bizNotifications")


def test_each_list_that_can_be_saved_says_what_can_be_asked_of_it():
    def names(patterns, prefix=""):
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from names(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else prefix)
            elif isinstance(pattern, URLPattern) and (pattern.name or "").endswith("-list"):
                yield prefix + pattern.name

    others = {"accounts:session-list", "overview:decision-list"}
    assert set(names(get_resolver().url_patterns)) == contributed().lists.keys() | others
