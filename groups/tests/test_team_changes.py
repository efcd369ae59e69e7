"""Adding, editing and deleting a team: the calls, the messages, and conflicts with a second administrator."""

import json
import re
from html import unescape

import pytest

from groups.forms.bulk import NO_TEAM
from tests.support import factories
from tests.support.bulk import answer_bulk_call, has_users, next_step
from tests.support.reading import is_unconfirmed

LIST = "/user-manage/clinic/g-1/team"
ALL = "/user-manage/team"
NEW, EDIT, DELETE = f"{LIST}/new", f"{LIST}/t-1/edit", f"{LIST}/t-1/delete"
CALL, ONE = "/v1/bizSubGroups", "/v1/bizSubGroups/t-1"
TYPES = {"GENERAL": "General", "ORTHODONTICS": "Orthodontics"}
FORM_DATA = {"name": "Night", "team_type": "ORTHODONTICS", "version": "1"}
NOT_EMPTY = {"reason": "NOT_EMPTY", "count": 5, "refs": [{"type": "USER", "id": "u-1", "label": "User 1"}]}


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", CALL + "/teamTypes", factories.team_types(**TYPES))
    upstream.answers("POST", CALL, {"id": "t-9"}, status=201)
    upstream.answers("PUT", ONE, {"version": 2})
    upstream.answers("DELETE", ONE, {})
    return administrator


@pytest.fixture
def full_team(upstream):
    """Team 1 has five users; Team 2 is in the same clinic."""
    team = factories.team(userCount=5, canDelete=False, deleteBlockers=[NOT_EMPTY])
    upstream.answers("GET", ONE, team)
    upstream.answers("GET", CALL, factories.listing([team, factories.team(2)]))


def body(call):
    return json.loads(call.body)


def hidden(html, name):
    return re.findall(rf'name="{name}" value="([^"]*)"', html)[0]


@pytest.mark.req("UC-05", "EN-39")
@pytest.mark.parametrize("path", [NEW, EDIT, DELETE])
@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_the_pages_are_valid(administrator, visit, path, lng):
    assert "Clinic 1" in visit(path, lng=lng).response.content.decode()


@pytest.mark.req("UC-05", "EN-39", "EN-40")
def test_a_team_is_added(administrator, upstream):
    answer = administrator.post(
        NEW, FORM_DATA | {"name": "  Night\u202e ", "organizationId": "o-2", "mainGroupId": "g-2"}
    )
    assert (answer.status_code, answer.headers["Location"]) == (303, LIST)
    (call,) = upstream.calls("POST", CALL)
    assert body(call) == {"mainGroupId": "g-1", "name": "Night", "teamType": "ORTHODONTICS"}
    assert "<bdi translate=no>Night</bdi></a> was created." in administrator.get(LIST).content.decode()


@pytest.mark.req("DM-11")
def test_the_next_team_starts_with_the_same_type_and_keeps_the_return_url(administrator):
    answer = administrator.post(NEW, FORM_DATA | {"another": "1", "back": f"{LIST}?keyword=x"})
    html = administrator.get(answer.headers["Location"]).content.decode()
    assert '<option value="ORTHODONTICS" selected>' in html
    assert re.search(r'<input[^>]*name="name"[^>]* autofocus', html)
    assert hidden(html, "back") == f"{LIST}?keyword=x"


@pytest.mark.req("VA-35")
@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"name": "  "}, "Enter name"),
        ({"name": "x" * 101}, "100"),
        ({"name": "a\x00b"}, "Invalid name"),
        ({"team_type": "NO_SUCH"}, "Select a valid choice"),
    ],
)
def test_invalid_input_is_reported_and_nothing_is_sent(administrator, upstream, changes, text):
    answer = administrator.post(NEW, FORM_DATA | changes)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert text in html
    assert "<title>Error: Add team" in html
    assert upstream.calls("POST", CALL) == []


@pytest.mark.req("ER-20")
@pytest.mark.parametrize(
    ("method", "path", "page", "text"),
    [
        ("POST", CALL, NEW, "Failed to create the team."),
        ("PUT", ONE, EDIT, "Failed to update the team."),
        ("DELETE", ONE, DELETE, "Failed to delete the team."),
    ],
)
def test_a_failure_is_reported_and_the_input_stays(administrator, upstream, method, path, page, text):
    upstream.answers(method, path, {"code": 10000, "message": "raw words of the service"}, status=500)
    answer = administrator.post(page, FORM_DATA)
    html = answer.content.decode()
    assert answer.status_code == 502
    assert text in html
    assert "raw words" not in html
    if page != DELETE:
        assert 'value="Night"' in html


@pytest.mark.parametrize(("method", "path", "page"), [("POST", CALL, NEW), ("PUT", ONE, EDIT)])
def test_a_name_in_use_is_reported_at_its_field(administrator, upstream, method, path, page):
    details = {"fields": [{"field": "name", "code": 13007}]}
    upstream.answers(method, path, {"code": 13007, "details": details}, status=409)
    answer = administrator.post(page, FORM_DATA)
    assert answer.status_code == 409
    assert "<span>This name is already in use</span>" in answer.content.decode()


@pytest.mark.req("LS-18")
def test_a_form_sent_twice_makes_one_team(administrator, upstream):
    form = FORM_DATA | {"form_id": hidden(administrator.get(NEW).content.decode(), "form_id")}
    assert [administrator.post(NEW, form).status_code for _ in range(2)] == [303, 303]
    assert len(upstream.calls("POST", CALL)) == 1


@pytest.mark.req("UC-05", "EN-39")
def test_an_edit_sends_the_changes_and_the_version_that_was_shown(administrator, upstream):
    answer = administrator.post(EDIT, {"name": "Team 1", "team_type": "ORTHODONTICS", "version": "1"})
    assert (answer.status_code, answer.headers["Location"]) == (303, LIST)
    (call,) = upstream.calls("PUT", ONE)
    assert body(call) == {"teamType": "ORTHODONTICS"}
    assert call.headers["If-Match"] == '"1"'
    assert "<bdi translate=no>Team 1</bdi></a> was updated." in administrator.get(LIST).content.decode()


def test_an_edit_that_changes_nothing_sends_nothing(administrator, upstream):
    assert administrator.post(EDIT, {"name": "Team 1", "team_type": "GENERAL"}).status_code == 303
    assert upstream.calls("PUT", ONE) == []


@pytest.mark.req("EN-40")
def test_a_team_may_keep_a_type_that_the_service_no_longer_names(administrator, upstream):
    upstream.answers("GET", ONE, factories.team(teamType="NIGHT_SHIFT"))
    assert '<option value="NIGHT_SHIFT" selected>NIGHT_SHIFT</option>' in administrator.get(EDIT).content.decode()
    assert administrator.post(EDIT, {"name": "Night", "team_type": "NIGHT_SHIFT", "version": "1"}).status_code == 303
    assert body(upstream.calls("PUT", ONE)[0]) == {"name": "Night"}


@pytest.mark.req("LS-17")
def test_a_stale_edit_shows_both_values_and_asks(administrator, upstream):
    upstream.answers("PUT", ONE, {"code": 10005}, status=412)
    upstream.remove("GET", ONE)
    upstream.answers_in_order("GET", ONE, (200, factories.team()), (200, factories.team(name="Dawn", version=7)))
    answer = administrator.post(EDIT, FORM_DATA | {"version": "1"})
    html = answer.content.decode()
    assert answer.status_code == 412
    assert "Someone else changed this in the meantime." in html
    for part in ("<bdi translate=no>Night</bdi>", "<bdi translate=no>Dawn</bdi>", "Orthodontics"):
        assert part in html
    assert 'value="Night"' in html, "what was typed stays typed"
    assert hidden(html, "version") == "7"
    upstream.answers("PUT", ONE, {"version": 8})
    assert administrator.post(EDIT, FORM_DATA | {"version": "7"}).status_code == 303
    assert upstream.calls("PUT", ONE)[-1].headers["If-Match"] == '"7"'


def test_after_invalid_input_an_edit_still_sends_the_version_that_was_shown_first(administrator, upstream):
    upstream.answers("GET", ONE, factories.team(version=5))
    assert hidden(administrator.post(EDIT, {"name": "", "version": "3"}).content.decode(), "version") == "3"


@pytest.mark.req("LS-13")
@pytest.mark.parametrize("path", [NEW, EDIT, DELETE])
@pytest.mark.parametrize(
    ("came_from", "expected"),
    [
        (f"{LIST}?keyword=x&page=2", f"{LIST}?keyword=x&amp;page=2"),
        (f"{ALL}?team_type=GENERAL", f"{ALL}?team_type=GENERAL"),
        (ALL, ALL),
        ("/logout?x=1", LIST),
    ],
)
def test_every_page_returns_to_the_list_it_was_opened_from(administrator, path, came_from, expected):
    html = administrator.get(path, headers={"Referer": f"http://testserver{came_from}"}).content.decode()
    assert hidden(html, "back") == expected
    assert f'href="{expected}">Cancel</a>' in html


@pytest.mark.req("LS-15", "LS-16", "DM-40")
def test_an_empty_team_is_deleted_after_a_confirmation_with_its_name(administrator, upstream):
    html = administrator.get(DELETE).content.decode()
    assert "<bdi translate=no>Team 1</bdi>" in html
    assert "The team will be permanently deleted." in html
    assert "move_users_to" not in html
    assert upstream.calls("DELETE") == []
    answer = administrator.post(DELETE, {"version": hidden(html, "version"), "back": f"{ALL}?keyword=x"})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{ALL}?keyword=x")
    (call,) = upstream.calls("DELETE", ONE)
    assert "moveUsersTo" not in call.url
    assert call.headers["If-Match"] == '"1"'
    html = administrator.get(ALL).content.decode()
    assert "<bdi translate=no>Team 1</bdi> was deleted." in html
    assert ">Undo</button>" not in html, "what is gone for good"


@pytest.mark.req("DM-18", "UC-05", "VA-33")
def test_a_team_with_users_is_deleted_if_they_move_to_another_in_the_same_step(administrator, upstream, full_team):
    html = administrator.get(DELETE).content.decode()
    assert '<a href="/user-manage/clinic/g-1/user?team=t-1">5 users</a>' in html
    assert "right now" not in html
    assert '<option value="t-2">Team 2</option>' in html
    assert '<option value="t-1">' not in html
    assert administrator.post(DELETE, {"move_users_to": "t-2", "version": "1"}).status_code == 303
    (call,) = upstream.calls("DELETE", ONE)
    assert "moveUsersTo=t-2" in call.url


@pytest.mark.req("PM-20")
@pytest.mark.parametrize(
    ("chosen", "text"), [("", "Choose a team"), ("t-1", "no longer exists"), ("t-99", "no longer exists")]
)
def test_its_users_move_only_to_another_team_of_the_clinic(administrator, upstream, full_team, chosen, text):
    answer = administrator.post(DELETE, {"move_users_to": chosen})
    assert answer.status_code == 422
    assert (
        f"<span>{text}" in answer.content.decode() or f"{text}. Choose another one.</span>" in answer.content.decode()
    )
    assert upstream.calls("DELETE", ONE) == []


@pytest.mark.req("DM-18", "VA-33")
def test_without_another_team_the_reason_is_given_beforehand(administrator, upstream, full_team):
    upstream.answers("GET", CALL, factories.listing([factories.team(userCount=5)]))
    html = administrator.get(DELETE, {"back": f"{ALL}?keyword=x"}).content.decode()
    assert "5 users still belong to this team." in html
    assert '<a href="/user-manage/clinic/g-1/user/u-1"><bdi translate=no>User 1</bdi></a>' in html
    assert '<a href="/user-manage/clinic/g-1/user?team=t-1"><bdi translate=no>and 4 more</bdi></a>' in html
    assert "This clinic has no other team." in html
    assert 'data-variant="danger"' not in html
    assert "Move 5 users</button>" in html
    move = "/user-manage/clinic/g-1/user/bulk/move"
    has_users(upstream, 5)
    fields = {name: unescape(hidden(html, name)) for name in ("all", "query", "back")}
    plan = administrator.post(move, fields).content.decode()
    assert "Move 5 users" in plan
    assert "subGroupId=t-1" in upstream.calls("GET", "/v1/bizUsers")[-1].url
    deletion = f"{DELETE}?back=%2Fuser-manage%2Fteam%3Fkeyword%3Dx"
    assert f'href="{deletion}">Cancel</a>' in plan
    answer_bulk_call(upstream, "/v1/bizUsers/bulkUpdate")
    response = administrator.post(move, {**next_step(plan), "team": NO_TEAM})
    assert (response.status_code, response["Location"]) == (303, deletion)
    assert "5 users moved." in administrator.get(DELETE).content.decode()


@pytest.mark.req("LS-13", "PM-20")
@pytest.mark.parametrize(
    "back",
    [
        "/user-manage/clinic/g-2/team/t-1/delete",
        "/user-manage/clinic/g-1/team/t-1/edit",
        "/user-manage/clinic/g-1/team/t-1/delete/x",
        "/user-manage/clinic/g-1/team/%2e%2e/delete",
        "/user-manage/../user-manage/clinic/g-1/team/t-1/delete",
    ],
)
def test_a_move_ignores_a_return_url_that_is_not_a_deletion_in_the_clinic(administrator, upstream, back):
    move = "/user-manage/clinic/g-1/user/bulk/move"
    has_users(upstream, 1)
    plan = administrator.post(move, {"id": "u-1", "back": back}).content.decode()
    assert 'href="/user-manage/clinic/g-1/user">Cancel</a>' in plan


@pytest.mark.req("ER-22", "DM-18")
@pytest.mark.parametrize(
    ("code", "reasons", "text"),
    [
        (13005, [NOT_EMPTY], "5 users still belong to this team."),
        (13005, [], "1 user still belongs to this team."),
        (13002, [{"reason": "ONGOING_ORDERED_CASE", "count": 2}], "2 ordered cases are still in progress."),
    ],
)
def test_the_reasons_why_a_team_was_not_deleted_are_reported(administrator, upstream, code, reasons, text):
    upstream.answers("DELETE", ONE, {"code": code, "details": {"reasons": reasons}}, status=409)
    answer = administrator.post(DELETE, {"version": "1"})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Failed to delete the team." in html
    assert f"<p>{text}" in html


@pytest.mark.req("LS-17")
def test_the_page_asks_where_users_go_who_have_joined_the_team_since(administrator, upstream):
    joined = factories.team(userCount=1)
    upstream.remove("GET", ONE)
    upstream.answers_in_order("GET", ONE, (200, factories.team()), (200, joined))
    upstream.answers("GET", CALL, factories.listing([joined, factories.team(2)]))
    upstream.answers("DELETE", ONE, {"code": 13005}, status=409)
    html = administrator.post(DELETE, {"version": "1"}).content.decode()
    assert '<option value="t-2">Team 2</option>' in html


def test_a_missing_target_team_is_reported(administrator, upstream, full_team):
    upstream.answers("DELETE", ONE, {"code": 10004}, status=404)
    remaining = [factories.team(userCount=5), factories.team(3)]
    upstream.remove("GET", CALL)
    upstream.answers_in_order(
        "GET",
        CALL,
        (200, factories.listing([factories.team(userCount=5), factories.team(2)])),
        (200, factories.listing(remaining)),
    )
    answer = administrator.post(DELETE, {"move_users_to": "t-2", "version": "1"})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "This item no longer exists. Choose another one." in html
    assert '<option value="t-3">Team 3</option>' in html


@pytest.mark.req("LS-16")
@pytest.mark.parametrize("path", [EDIT, DELETE])
def test_a_team_that_is_gone_is_not_found(administrator, upstream, path):
    upstream.answers("GET", ONE, {"code": 10004}, status=404)
    assert administrator.post(path, FORM_DATA).status_code == 404


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("path", [EDIT, DELETE])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_team_of_another_clinic_is_not_there(administrator, upstream, path, method):
    upstream.answers("GET", ONE, factories.team(mainGroupId="g-9", name="Theirs"))
    answer = getattr(administrator, method)(path, FORM_DATA)
    assert answer.status_code == 404
    assert "Theirs" not in answer.content.decode()
    assert upstream.calls("PUT") + upstream.calls("DELETE") == []


@pytest.mark.req("ER-20")
def test_each_sentence_of_a_refusal_is_a_text_of_its_own(administrator, upstream):
    upstream.answers("POST", CALL, {"code": 10003}, status=404)
    html = administrator.post(NEW, FORM_DATA).content.decode()
    assert '<p class="alert-title">Failed to create the team.</p>' in html
    assert re.search(r"<p>[^<\[]*no longer exists[^<\]]*</p>", html)


def test_an_answer_that_is_not_utf_8_leaves_open_whether_the_team_was_created(administrator, upstream):
    upstream.raw("POST", CALL, body=b'{"id":"t-9\xe9"}', content_type="application/json")
    response = administrator.post(NEW, FORM_DATA)
    assert response.status_code == 502
    assert is_unconfirmed(response.content.decode(), "Add team")
    upstream.raw("GET", CALL, body=b'{"resultCount":1,"results":[{"id":"t\xe9"}]}', content_type="application/json")
    assert administrator.get(LIST).status_code == 502
