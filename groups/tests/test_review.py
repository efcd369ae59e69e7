"""The access review: its users, the decisions, and the list that is signed off; without JavaScript."""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from unittest import mock
from zoneinfo import ZoneInfo

import pytest
from django.db import DatabaseError, connection
from django.db.models import F
from msgspec.structs import replace

from console.audit.content import Content, thing_key
from console.models import Activity, Submission
from groups.reviewing import AWAY_DAYS
from tests.support import factories
from tests.support.bulk import CALL, answer_bulk_call, bodies, field, get_list_query, next_step
from tests.support.reading import is_unconfirmed, one_line

pytestmark = pytest.mark.sql

REVIEW = "/user-manage/review"
SIGNED = REVIEW + "/signed"
KEEP_BADGE = '<span class="badge" data-tone="success">Keep access</span>'
JSON = {"Accept": "application/json"}
LONG_AGO = (datetime.now(UTC) - timedelta(days=400)).strftime("%Y-%m-%dT%H:%M:%SZ")
YESTERDAY = (datetime.now(UTC) - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def knows(
    upstream,
    *rows,
    filters=("inactiveDays", "neverLoggedIn", "status", "ownPermission"),
    override_ids=(),
    first=(),
    failing=None,
):
    """Answer as a service with these users that knows these filters; `first` runs before the first answer.

    Calls whose sorted query matches `failing` fail.
    """
    pending = list(first)

    def answer(request):
        if pending:
            pending.pop()()
        query = "&".join(sorted(request.url.partition("?")[2].split("&")))
        if failing and re.search(failing, query):
            return 503, {}, "{}"
        matches = list(rows)
        if ids := re.findall(r"ids=([\w-]+)", query):
            matches = [row for row in matches if row["id"] in ids]
        if "status" in filters and (statuses := re.findall(r"status=(\w+)", query)):
            matches = [row for row in matches if row["status"] in statuses]
        if "inactiveDays" in filters and "inactiveDays=180" in query:
            matches = [row for row in matches if (row["lastLoginDate"] or "9") < LONG_AGO[:4] + "-99"]
            matches = [row for row in matches if row["lastLoginDate"] == LONG_AGO]
        if "neverLoggedIn" in filters and "neverLoggedIn=true" in query:
            matches = [row for row in matches if not row["lastLoginDate"]]
        if "ownPermission" in filters and "ownPermission=" in query:
            matches = [row for row in matches if row["id"] in override_ids]
        page, size = (
            int((re.findall(rf"[?&]{n}=(\d+)", "?" + query) or [d])[0]) for n, d in (("page", 1), ("size", 25))
        )
        page_rows = matches[(page - 1) * size : page * size]
        return 200, {}, json.dumps(factories.listing(page_rows, total=len(matches), page=page, size=size))

    upstream.remove("GET", CALL)
    upstream.callback("GET", CALL, answer)


@pytest.fixture
def administrator(administrator, upstream):
    permissions = factories.permissions() | {"ownSettings": {"allowExport": {"on": 1, "off": 0}}}
    upstream.remove("GET", "/v1/bizMainGroups/g-1/permissions")
    upstream.answers("GET", "/v1/bizMainGroups/g-1/permissions", permissions)
    knows(upstream, *users(), override_ids=("u-1", "u-4"))
    return administrator


def users():
    return [
        factories.user(1, lastLoginDate=LONG_AGO),
        factories.user(2, lastLoginDate=None),
        factories.user(3, lastLoginDate=None, status="INVITED", invitationExpiresDate="2026-12-01T00:00:00Z"),
        factories.user(4, lastLoginDate=YESTERDAY),
        factories.user(5, lastLoginDate=YESTERDAY),
    ]


def get_html(client, path):
    return client.get(path).content.decode().replace("&#39;", "'")


def names(html):
    return re.findall(r"<bdi translate=no>(User \d+)</bdi>", html[html.index("<tbody>") :]) if "<tbody>" in html else []


def decide(client, action, ids, **options):
    plan = client.post(f"{REVIEW}/bulk/{action}", {"id": ids}).content.decode()
    return client.post(f"{REVIEW}/bulk/{action}", {**next_step(plan), **options}, follow=True).content.decode()


def sign_off(client, note=""):
    return client.post(REVIEW + "/sign-off", sign_off_form(client) | {"note": note})


def sign_off_form(client):
    """Return the values that the page of a sign-off sends."""
    html = get_html(client, REVIEW + "/sign-off")
    return {name: field(html, name) for name in ("form_id", "digest")}


def export_rows(client):
    entry = Activity.objects.filter(act="sign_off", is_bulk=True).latest("id")
    text = b"".join(client.get(f"{SIGNED}/{entry.pk}/export")).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.req("DM-47")
@pytest.mark.parametrize(
    ("group", "expected"),
    [("away", ["User 1"]), ("never", ["User 2"]), ("invited", ["User 3"]), ("own", ["User 1", "User 4"])],
)
def test_users_are_grouped_by_last_login_invitation_and_own_settings(administrator, group, expected):
    html = get_html(administrator, f"{REVIEW}?group={group}")
    assert names(html) == expected
    tabs = re.findall(r'<a href="[^"]*"( aria-current="page")?>([^<]*)<span class="count">(\d*)', html)
    assert [label for _current, label, _count in tabs] == [
        "No login in the last 180 days",
        "Never logged in",
        "Invitation not accepted",
        "Own setting",
    ]
    assert [count for _current, _label, count in tabs] == ["1", "1", "1", "2"]
    assert 'href="/user-manage/review" aria-current="page"' in html, "it is an entry of its own"


@pytest.mark.req("DM-47")
@pytest.mark.parametrize(
    ("rows", "override_ids", "group"),
    [(slice(1, 5), (), "never"), (slice(2, 5), (), "invited"), (slice(3, 5), ("u-4",), "own")],
)
def test_without_a_tab_in_the_address_the_first_one_with_users_opens(
    administrator, upstream, rows, override_ids, group
):
    assert administrator.get(REVIEW).status_code == 200, "the first tab has a user"
    knows(upstream, *users()[rows], override_ids=override_ids)
    assert administrator.get(REVIEW).headers["Location"] == f"{REVIEW}?group={group}"
    html = get_html(administrator, f"{REVIEW}?group={group}")
    (href,) = re.findall(r'<nav class="tabs".*?<a href="([^"]*)"', html, re.DOTALL)
    assert href == f"{REVIEW}?group=away"
    assert "There are no users to review here." in get_html(administrator, href), "an empty tab can be opened"
    assert administrator.get(REVIEW, headers=JSON).status_code == 200, "the open page stays in its tab"


@pytest.mark.req("DM-47")
def test_without_users_in_any_tab_the_review_opens_on_the_first_one(administrator, upstream):
    knows(upstream, users()[4])
    assert "There are no users to review here." in get_html(administrator, REVIEW)


@pytest.mark.req("DM-47")
@pytest.mark.parametrize("count", [1, 30])
def test_the_number_of_calls_does_not_depend_on_the_rows(administrator, upstream, count):
    knows(upstream, *(factories.user(n, lastLoginDate=LONG_AGO) for n in range(count)))
    administrator.get(f"{REVIEW}?size=100")
    assert len(upstream.calls("GET", CALL)) == 7
    assert AWAY_DAYS == 180


@pytest.mark.req("DM-47", "ER-22")
@pytest.mark.parametrize(
    ("group", "unknown"),
    [("away", "inactiveDays"), ("never", "neverLoggedIn"), ("never", "status"), ("invited", "status")],
)
def test_if_the_service_does_not_know_a_filter_the_page_says_so_and_lists_no_one(
    administrator, upstream, group, unknown
):
    rows = (
        factories.user(1, lastLoginDate=YESTERDAY),
        factories.user(2, lastLoginDate=None, status="INVITED"),
        factories.user(3, lastLoginDate=None),
    )
    query = get_list_query(administrator, f"{REVIEW}?group={group}")
    known = {"inactiveDays", "neverLoggedIn", "status", "ownPermission"} - {unknown}
    knows(upstream, *rows, filters=known)
    html = get_html(administrator, f"{REVIEW}?group={group}")
    assert "This list of users isn't available." in html
    assert not names(html)
    assert "0 users" not in html, "nobody knows how many"
    assert re.search(r'aria-current="page">[^<]+<span class="count"></span>', html)
    # A page that was rendered before can't plan anything for all of them, either.
    plan = administrator.post(f"{REVIEW}/bulk/lock", {"all": "1", "query": query})
    assert "User 1" not in plan.content.decode()


@pytest.mark.req("DM-47", "ER-22")
@pytest.mark.parametrize("status", [400, 422])
def test_a_refused_filter_hides_its_group_only(administrator, upstream, status):
    def answer(request):
        if "ownPermission" in request.url:
            return status, {}, json.dumps({"code": 10002})
        return 200, {}, json.dumps(factories.listing([factories.user(1, lastLoginDate=LONG_AGO)]))

    upstream.remove("GET", CALL)
    upstream.callback("GET", CALL, answer)
    assert "This list of users isn't available." in get_html(administrator, f"{REVIEW}?group=own")
    assert names(get_html(administrator, REVIEW)) == ["User 1"]


@pytest.mark.req("DM-47")
def test_users_with_own_settings_are_only_listed_if_the_service_counts_them(administrator, upstream):
    upstream.remove("GET", "/v1/bizMainGroups/g-1/permissions")
    upstream.answers("GET", "/v1/bizMainGroups/g-1/permissions", factories.permissions())
    html = get_html(administrator, f"{REVIEW}?group=own")
    assert "This list of users isn't available." in html
    page = get_html(administrator, REVIEW + "/sign-off")
    assert "Not listed because the service doesn't identify these users:" in page
    assert "<li>Own setting</li>" in page


@pytest.mark.req("DM-47", "LS-08")
def test_keeping_a_user_needs_a_reason_and_makes_no_call(administrator, upstream):
    plan = administrator.post(REVIEW + "/bulk/keep", {"id": ["u-1"]}).content.decode()
    assert "Will keep access" in plan
    assert 'href="/user-manage/review" aria-current="page"' in plan, "it is an entry of its own"
    refused = administrator.post(REVIEW + "/bulk/keep", next_step(plan))
    assert refused.status_code == 422
    result = decide(administrator, "keep", ["u-1"], reason="On parental leave")
    assert "Access kept for 1 user." in result
    assert not [call for call in upstream.calls() if call.method != "GET" and "/bizUsers" in call.url]
    assert KEEP_BADGE in get_html(administrator, REVIEW)
    history = get_html(administrator, "/user-manage/clinic/g-1/user/u-1")
    assert "Keep access" in history


@pytest.mark.req("DM-47", "RT-46")
def test_users_are_kept_in_their_row_with_the_reason_above_the_list(administrator, upstream):
    html = get_html(administrator, REVIEW)
    assert 'name="keep_reason" form="act-review"' in html
    assert 'formaction="review/user/u-1/keep"' in html
    reason = {"keep_reason": "Access is still needed", "back": REVIEW}
    response = administrator.post(f"{REVIEW}/user/u-1/keep", reason)
    assert (response.status_code, response.headers["Location"]) == (303, REVIEW)
    html = get_html(administrator, REVIEW)
    assert "Access kept for \u2068User 1\u2069." in html
    assert KEEP_BADGE in html
    assert 'formaction="review/user/u-1/keep"' not in html
    assert not [call for call in upstream.calls() if call.method != "GET" and "/bizUsers" in call.url]
    sign_off(administrator)
    assert {row["Name"]: row["Reason"] for row in export_rows(administrator)}["User 1"] == "Access is still needed"


@pytest.mark.req("DM-47", "DM-40")
def test_a_decision_to_keep_a_user_can_be_cleared(administrator):
    path = f"{REVIEW}/user/u-1"
    body = administrator.post(f"{path}/keep", {"keep_reason": "Needed"}, headers=JSON).json()
    assert (body["ok"], body["message"], body["undo"]) == (
        True,
        "Access kept for \u2068User 1\u2069.",
        f"{path}/reopen",
    )
    assert administrator.post(body["undo"], {"keep_reason": "Needed"}, headers=JSON).json()["ok"]
    assert KEEP_BADGE not in get_html(administrator, REVIEW)
    sign_off(administrator)
    assert {row["Decision"] for row in export_rows(administrator)} == {"No decision"}


@pytest.mark.req("DM-47", "EN-45")
def test_keeping_a_user_in_the_row_needs_a_reason_too(administrator):
    path = f"{REVIEW}/user/u-1/keep"
    body = administrator.post(path, {"keep_reason": " "}, headers=JSON)
    assert (body.status_code, body.json()["ok"], body.json()["message"]) == (422, False, "Enter a reason")
    page = administrator.post(path, {"keep_reason": ""})
    assert page.status_code == 422
    html = page.content.decode()
    assert "Enter a reason" in html
    result = administrator.post(path, {**next_step(html), "reason": "On leave"}, follow=True)
    assert "Access kept for" in result.content.decode()


@pytest.mark.req("DM-47", "DM-40")
def test_a_user_is_locked_in_the_row_and_an_undo_clears_the_decision_too(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkLock")
    answer_bulk_call(upstream, CALL + "/bulkUnlock")
    path = f"{REVIEW}/user/u-1"
    body = administrator.post(f"{path}/lock", {"keep_reason": "Not for this"}, headers=JSON).json()
    assert (body["ok"], body["message"], body["undo"]) == (True, "\u2068User 1\u2069 was locked.", f"{path}/unlock")
    assert bodies(upstream, CALL + "/bulkLock") == [{"ids": ["u-1"]}]
    (entry,) = administrator.get("/activity", headers=JSON).json()["item"]["list"]["rows"]
    assert entry["cells"][3]["text"] == "User 1", "the activity names a single user"
    knows(upstream, factories.user(1, lastLoginDate=LONG_AGO, status="LOCKED"))
    assert administrator.post(body["undo"], headers=JSON).json()["ok"]
    assert bodies(upstream, CALL + "/bulkUnlock") == [{"ids": ["u-1"]}]
    knows(upstream, *users())
    sign_off(administrator)
    (row,) = [row for row in export_rows(administrator) if row["Name"] == "User 1"]
    assert (row["Decision"], row["Reason"]) == ("No decision", "")


@pytest.mark.req("DM-47")
@pytest.mark.parametrize("is_bulk", [False, True])
def test_a_user_who_is_unlocked_outside_of_the_review_has_no_decision_again(administrator, upstream, is_bulk):
    answer_bulk_call(upstream, CALL + "/bulkLock")
    answer_bulk_call(upstream, CALL + "/bulkUnlock")
    upstream.answers("PUT", CALL + "/u-1/unlock", {"version": 2})
    decide(administrator, "lock", ["u-1"])
    locked = factories.user(1, lastLoginDate=LONG_AGO, status="LOCKED")
    knows(upstream, locked, *users()[1:])
    upstream.answers("GET", CALL + "/u-1", locked)
    if is_bulk:
        plan = administrator.post("/user-manage/user/bulk/unlock", {"id": ["u-1"]}).content.decode()
        administrator.post("/user-manage/user/bulk/unlock", next_step(plan))
    else:
        assert administrator.post("/user-manage/clinic/g-1/user/u-1/unlock").status_code == 303
    knows(upstream, *users())
    html = get_html(administrator, REVIEW)
    assert 'formaction="review/user/u-1/keep"' in html
    assert "0 of 3 users reviewed" in html
    sign_off(administrator)
    assert {row["Decision"] for row in export_rows(administrator)} == {"No decision"}


@pytest.mark.req("DM-47", "ER-05", "ER-22")
def test_a_locked_user_stays_in_the_row_with_an_undo_until_the_page_is_reloaded(administrator, upstream):
    locked = factories.user(2, lastLoginDate=LONG_AGO, status="LOCKED")
    others = [factories.user(number, lastLoginDate=LONG_AGO) for number in (1, 3)]
    knows(upstream, others[0], factories.user(2, lastLoginDate=LONG_AGO), others[1])
    answer_bulk_call(upstream, CALL + "/bulkLock")
    assert administrator.post(f"{REVIEW}/user/u-2/lock", headers=JSON).json()["ok"] is True
    knows(upstream, others[0], locked, others[1])

    def listed(query=""):
        view = administrator.get(f"{REVIEW}{query}", headers=JSON).json()["item"]["list"]
        return {row["id"]: [view["actions"][index]["path"] for index in row["actions"]] for row in view["rows"]}

    undecided = ["/keep", "/lock"]
    expected = {"u-1": undecided, "u-2": ["/unlock"], "u-3": undecided}
    assert list(listed("?decided=u-2.1&decided=u-1.0").items()) == list(expected.items())
    assert listed() == {"u-1": undecided, "u-3": undecided}
    assert list(listed("?decided=u-2.999&decided=../x.1&decided=u-2")) == ["u-1", "u-3", "u-2"]


@pytest.mark.req("DM-47")
def test_a_lock_in_the_row_that_is_refused_or_unknown_is_reported_there(administrator, upstream):
    path = f"{REVIEW}/user/u-1/lock"
    answer_bulk_call(upstream, CALL + "/bulkLock", ["u-1"], code=13011)
    body = administrator.post(path, headers=JSON).json()
    assert (body["ok"], body["item"]) == (False, {"id": "u-1", "is_stale": True})
    assert "undo" not in body
    upstream.remove("POST", CALL + "/bulkLock")
    upstream.answers("POST", CALL + "/bulkLock", {}, status=504)
    body = administrator.post(path, {"form_id": "11111111-1111-4111-8111-111111111111"}, headers=JSON).json()
    assert "We couldn't confirm whether this worked." in body["message"]
    assert not body["ok"]


@pytest.mark.req("DM-47")
def test_a_user_of_another_organization_or_an_unknown_decision_is_not_found(administrator, upstream):
    assert administrator.post(f"{REVIEW}/user/u-1/approve").status_code == 404
    assert administrator.post(f"{REVIEW}/user/u-99/lock").status_code == 303
    assert not upstream.calls("POST", CALL + "/bulkLock")


@pytest.mark.req("DM-47")
def test_the_progress_counts_who_was_decided_and_who_left_the_groups(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkLock")
    answer_bulk_call(upstream, CALL + "/bulkPermissions")
    assert "0 of 4 users reviewed" in get_html(administrator, REVIEW)
    decide(administrator, "keep", ["u-2"], reason="On leave")
    decide(administrator, "reduce", ["u-4"], to="inherit")
    knows(upstream, *users(), override_ids=("u-1",))
    for path in (REVIEW, REVIEW + "/sign-off"):
        assert "2 of 4 users reviewed" in get_html(administrator, path)
    decide(administrator, "lock", ["u-1"])
    locked = factories.user(1, lastLoginDate=LONG_AGO, status="LOCKED")
    knows(upstream, locked, *users()[1:], override_ids=("u-1",))
    html = get_html(administrator, f"{REVIEW}?group=never")
    assert '<progress value="3" max="4">' in html
    for path in (f"{REVIEW}?group=never", REVIEW + "/sign-off"):
        assert "3 of 4 users reviewed" in get_html(administrator, path)
    progress = administrator.get(REVIEW, headers=JSON).json()["item"]["list"]["progress"]
    assert (progress["value"], progress["total"]) == (3, 4)
    assert "reviewed" not in get_html(administrator, f"{REVIEW}?keyword=user").partition("<tbody>")[0]


@pytest.mark.req("DM-47")
def test_a_user_who_leaves_the_groups_after_a_decision_completes_no_review(administrator, upstream):
    knows(upstream, *users()[:2])
    decide(administrator, "keep", ["u-2"], reason="On leave")
    back = factories.user(2, lastLoginDate=YESTERDAY)
    knows(upstream, users()[0], back)
    for path in (REVIEW, REVIEW + "/sign-off"):
        assert "1 of 2 users reviewed" in get_html(administrator, path)


@pytest.mark.req("DM-47")
def test_there_is_no_progress_if_decided_users_can_not_be_read_or_are_too_many(administrator, upstream, monkeypatch):
    decide(administrator, "keep", ["u-1", "u-2"], reason="On leave")
    assert "2 of 4 users reviewed" in get_html(administrator, REVIEW)
    with monkeypatch.context() as patch:
        patch.setattr("groups.reviewing.MAX_PROGRESS_USERS", 1)
        assert "users reviewed" not in get_html(administrator, REVIEW)
    knows(upstream, *users(), override_ids=("u-1", "u-4"), failing="ids=")
    html = get_html(administrator, f"{REVIEW}?group=away")
    assert names(html) == ["User 1"]
    assert "users reviewed" not in html


@pytest.mark.req("DM-47")
@pytest.mark.parametrize("failing", ["neverLoggedIn=true", "ownPermission=", "inactiveDays=180.*ownPermission="])
def test_there_is_no_progress_if_a_number_of_users_could_not_be_read(administrator, upstream, failing):
    knows(upstream, *users(), override_ids=("u-1", "u-4"), failing=failing)
    assert "users reviewed" not in get_html(administrator, f"{REVIEW}?group=invited")


@pytest.mark.req("DM-47")
def test_the_signed_off_reviews_say_how_many_users_were_reviewed(administrator):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    sign_off(administrator)
    entry = Activity.objects.get(act="sign_off", is_bulk=True)
    for path in (SIGNED, f"{SIGNED}/{entry.pk}"):
        assert "1 of 4 users reviewed" in get_html(administrator, path)
    assert "No decision: \u20683\u2069" in get_html(administrator, "/activity")
    content = Content.decrypt(entry.content)
    Activity.objects.filter(pk=entry.pk).update(content=replace(content, changes=[]).encrypt())
    assert "4 users" in get_html(administrator, SIGNED), "an older one has only their number"


@pytest.mark.req("DM-47")
def test_only_invitations_are_offered_to_be_canceled(administrator, upstream):
    button = 'formaction="/user-manage/review/bulk/cancel"'
    assert button not in get_html(administrator, REVIEW)
    assert button in get_html(administrator, f"{REVIEW}?group=invited")
    upstream.answers("DELETE", CALL + "/u-3/invitation")
    assert "1 invitation canceled." in decide(administrator, "cancel", ["u-3"], reason="Never came")


@pytest.mark.req("DM-47")
def test_a_sign_off_warns_of_users_without_a_decision_before_it_signs(administrator):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    html = get_html(administrator, REVIEW + "/sign-off")
    assert "You haven't made a decision about 3 users. Sign off anyway?" in html
    links = re.findall(rf'<a href="({REVIEW}\?group=\w+)">([^<]+)</a>', html)
    assert [text for _href, text in links] == ["Never logged in: 1", "Invitation not accepted: 1", "Own setting: 1"]
    assert "A user with several reasons for review is counted only under the first one." in html
    assert [names(get_html(administrator, href)) for href, _text in links] == [
        ["User 2"],
        ["User 3"],
        ["User 1", "User 4"],
    ]
    assert "Sign off anyway</button>" in one_line(html)
    decide(administrator, "keep", ["u-2", "u-3", "u-4"], reason="On leave")
    html = get_html(administrator, REVIEW + "/sign-off")
    assert "Sign off anyway" not in html


@pytest.mark.req("DM-47", "LS-08", "DM-37")
@pytest.mark.parametrize(("to", "value"), [("inherit", None), ("off", False)])
def test_reducing_sets_all_permissions_and_is_recorded_for_each(administrator, upstream, to, value):
    answer_bulk_call(upstream, CALL + "/bulkPermissions")
    assert "Choose a setting" in decide(administrator, "reduce", ["u-1"]), "none is chosen at first"
    assert "Permissions changed for 1 user." in decide(administrator, "reduce", ["u-1"], to=to)
    (sent,) = bodies(upstream, CALL + "/bulkPermissions")
    assert list(sent["permissions"].values()) == [value] * 5
    entry = Activity.objects.get(act="permissions", is_bulk=False)
    assert entry.outcome == "done"


@pytest.mark.req("DM-47", "ER-22")
def test_the_signed_off_list_has_each_user_once_with_the_decision_and_its_outcome(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkLock", ["u-2"], code=13011)
    upstream.answers("POST", CALL + "/bulkDelete", {}, status=504)
    decide(administrator, "keep", ["u-1"], reason="=On leave")
    decide(administrator, "lock", ["u-2"])
    decide(administrator, "delete", ["u-5"], reason="Has left")
    assert sign_off(administrator, "Autumn").status_code == 303
    rows = {row["Name"]: row for row in export_rows(administrator)}
    assert list(rows) == ["User 1", "User 2", "User 5", "User 3", "User 4"]
    assert [(row["Decision"], row["Result"]) for row in rows.values()] == [
        ("Keep access", "Completed"),
        ("Lock", "Declined"),
        ("Delete", "Unknown"),
        ("No decision", ""),
        ("No decision", ""),
    ]
    first = rows["User 1"]
    assert first["Last login"] == LONG_AGO[:10]
    assert (first["Reason"], rows["User 5"]["Reason"]) == ("'=On leave", "Has left")
    assert (rows["User 2"]["Last login"], rows["User 3"]["Last login"]) == ("Never", "Invited")
    assert first["Decided by"] == first["Signed off by"] != ""
    assert re.fullmatch(r"[\d-]{10}T[\d:]{8}\+00:00", first["Decision date"])
    assert re.fullmatch(r"[\d-]{10}T[\d:]{8}\+00:00", first["Signed off on"])
    assert first["Decision date"][:10] == first["Signed off on"][:10] == f"{datetime.now(UTC):%Y-%m-%d}"
    assert {row["Note"] for row in rows.values()} == {"Autumn"}
    assert "failed" not in str(rows).lower()
    sign_off_entry = Activity.objects.get(act="sign_off", is_bulk=True)
    assert sign_off_entry.outcome == "done"
    assert "Autumn" in get_html(administrator, SIGNED)
    html = get_html(administrator, f"{SIGNED}/{sign_off_entry.pk}")
    assert len(names(html)) == 5
    assert re.search(r"<h1[^>]*>\s*Access review: ", html)
    assert names(get_html(administrator, f"{SIGNED}/{sign_off_entry.pk}?outcome=unknown")) == ["User 5"]
    assert "Sign off on access review" in get_html(administrator, "/activity")


@pytest.mark.req("DM-47", "EN-101")
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])  # one of them has another day than UTC
def test_the_day_of_the_last_login_is_in_the_reviewers_time_zone_as_in_the_list(administrator, zone):
    administrator.cookies["tz"] = zone
    day = datetime.fromisoformat(LONG_AGO).astimezone(ZoneInfo(zone))
    decide(administrator, "keep", ["u-1"], reason="On leave")
    sign_off(administrator)
    assert {row["Name"]: row["Last login"] for row in export_rows(administrator)}["User 1"] == f"{day:%Y-%m-%d}"


@pytest.mark.req("DM-47")
def test_the_next_review_starts_after_the_last_sign_off(administrator):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    sign_off(administrator)
    assert not re.search(r"<td[^>]*>\s*<span class=\"badge\"[^>]*>Keep", get_html(administrator, REVIEW))
    decide(administrator, "keep", ["u-2"], reason="Starts soon")
    sign_off(administrator)
    assert [row["Name"] for row in export_rows(administrator) if row["Decision"] == "Keep access"] == ["User 2"]


@pytest.mark.req("DM-47")
def test_an_action_that_runs_during_a_sign_off_is_in_the_next_list(administrator, upstream):
    users = [factories.user(n, lastLoginDate=LONG_AGO) for n in range(1, 102)]
    knows(upstream, *users)
    plan = administrator.post(REVIEW + "/bulk/keep", {"id": [user["id"] for user in users]}).content.decode()
    step = administrator.post(REVIEW + "/bulk/keep", {**next_step(plan), "reason": "On leave"}).content.decode()
    sign_off(administrator)
    assert [row["Name"] for row in export_rows(administrator) if row["Decision"] == "No decision"] == ["User 101"]
    assert (
        "Access kept for 101 users."
        in administrator.post(REVIEW + "/bulk/keep", next_step(step), follow=True).content.decode()
    )
    sign_off(administrator)
    assert [row["Name"] for row in export_rows(administrator) if row["Decision"] == "Keep access"] == ["User 101"]


@pytest.mark.req("DM-47")
def test_a_decision_is_in_the_list_after_any_number_of_later_actions(administrator, upstream):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    answer_bulk_call(upstream, CALL + "/bulkPermissions")
    decide(administrator, "reduce", ["u-4"], to="off")
    entry = Activity.objects.get(act="permissions", is_bulk=True)
    copies = [Activity(**{f.attname: getattr(entry, f.attname) for f in Activity._meta.fields}) for _n in range(1001)]
    for number, copy in enumerate(copies):
        copy.pk, copy.key = None, f"{number:032}"
    Activity.objects.bulk_create(copies)
    assert KEEP_BADGE in get_html(administrator, REVIEW)
    sign_off(administrator)
    decisions = {row["Name"]: row["Decision"] for row in export_rows(administrator)}
    assert (decisions["User 1"], decisions["User 4"]) == ("Keep access", "Reduce permissions")


@pytest.mark.req("DM-47", "LS-18")
def test_a_sign_off_that_is_sent_twice_is_stored_once(administrator):
    form = sign_off_form(administrator)
    for _time in range(2):
        assert administrator.post(REVIEW + "/sign-off", form).status_code == 303
    assert Activity.objects.filter(act="sign_off", is_bulk=True).count() == 1


CHANGED = "The access review changed after you opened this page. Check the numbers before you sign off."


def later(**by):
    """Let enough time pass for the answers to forms to expire."""
    Submission.objects.update(created_at=F("created_at") - timedelta(**by))


def signed_rows():
    return list(Activity.objects.filter(act="sign_off").order_by("id").values())


@pytest.mark.req("DM-47", "SEC-112")
@pytest.mark.parametrize("note", ["Autumn", "Winter"])
@pytest.mark.parametrize("by", [{"seconds": 85}, {"hours": 2}, {"days": 3}])
def test_a_sign_off_never_changes_if_its_form_is_sent_again(administrator, note, by):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    form = sign_off_form(administrator) | {"note": "Autumn"}
    administrator.post(REVIEW + "/sign-off", form)
    before = signed_rows()
    later(**by)
    repeated = administrator.post(REVIEW + "/sign-off", form | {"note": note})
    assert repeated.status_code == (303 if note == "Autumn" else 409), "the same form is done, another one is refused"
    html = repeated.content.decode()
    assert ("This access review was already signed off. The note wasn&#39;t changed." in html) == (note != "Autumn")
    assert "not known" not in html
    decide(administrator, "keep", ["u-1"], reason="Back in May")
    later(**by)
    assert administrator.post(REVIEW + "/sign-off", form | {"note": "Spring"}).status_code == 409
    assert signed_rows() == before


def another_decision(administrator, _upstream):
    decide(administrator, "keep", ["u-2"], reason="Starts soon")


def another_reason(administrator, _upstream):
    decide(administrator, "keep", ["u-1"], reason="Approved by the head of the clinic")


def another_user(_administrator, upstream):
    knows(upstream, *(factories.user(n, lastLoginDate=LONG_AGO) for n in (1, 6)))


def no_users(_administrator, upstream):
    knows(upstream)


def no_group(_administrator, upstream):
    upstream.remove("GET", "/v1/bizMainGroups/g-1/permissions")
    upstream.answers("GET", "/v1/bizMainGroups/g-1/permissions", factories.permissions())


def another_sign_off(administrator, _upstream):
    sign_off(administrator)


@pytest.mark.req("DM-47", "SEC-112")
@pytest.mark.parametrize(
    "change", [another_decision, another_reason, another_user, no_users, no_group, another_sign_off]
)
def test_a_review_that_has_changed_since_its_page_is_not_signed_off(administrator, upstream, change):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    form = sign_off_form(administrator) | {"note": "Autumn"}
    change(administrator, upstream)
    before = signed_rows()
    answer = administrator.post(REVIEW + "/sign-off", form)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert CHANGED in html
    assert 'value="Autumn"' in html
    assert signed_rows() == before
    current_form = form | {"digest": field(html, "digest")}
    assert administrator.post(REVIEW + "/sign-off", current_form).status_code == 303, "once it was looked at"
    assert len(signed_rows()) > len(before)


@pytest.mark.req("DM-47", "SEC-112")
@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        (another_decision, {"On leave", "Starts soon", ""}),
        (another_reason, {"Approved by the head of the clinic", ""}),
        (another_sign_off, {""}),
    ],
)
def test_a_decision_stored_while_a_sign_off_reads_the_users_is_neither_lost_nor_signed_off(
    administrator, upstream, change, reasons
):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    form = sign_off_form(administrator) | {"note": "Autumn"}
    knows(upstream, *users(), override_ids=("u-1", "u-4"), first=[lambda: change(administrator, upstream)])
    answer = administrator.post(REVIEW + "/sign-off", form)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert CHANGED in html
    assert 'value="Autumn"' in html
    assert Activity.objects.filter(act="sign_off", is_bulk=True).count() == (change is another_sign_off)
    current_form = form | {"digest": field(html, "digest")}
    assert administrator.post(REVIEW + "/sign-off", current_form).status_code == 303, (
        "its page shows what is stored now"
    )
    assert {row["Reason"] for row in export_rows(administrator)} == reasons


@pytest.mark.req("DM-47", "SEC-112")
@pytest.mark.parametrize("digest", ["", "0" * 64, "x" * 5000, "\0", "ä"])
def test_a_form_without_a_valid_digest_signs_off_nothing(administrator, digest):
    answer = administrator.post(REVIEW + "/sign-off", {"note": "Autumn", "digest": digest})
    assert answer.status_code in (409, 422)
    assert not signed_rows()


@pytest.mark.req("DM-47", "ER-22")
@pytest.mark.parametrize("status", [400, 422])
def test_a_service_that_refuses_every_list_empties_no_sign_off(administrator, upstream, status):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    form = sign_off_form(administrator) | {"note": "Autumn"}
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, factories.refusal(10002), status=status)
    assert "t sign off right now" in get_html(administrator, REVIEW + "/sign-off")
    answer = administrator.post(REVIEW + "/sign-off", form)
    assert (answer.status_code, 'value="Autumn"' in answer.content.decode()) == (503, True)
    assert not signed_rows()


@pytest.mark.req("DM-47", "SEC-112")
def test_a_sign_off_is_never_stored_in_part(administrator):
    form = sign_off_form(administrator)
    inserts = []

    def refuse(execute, sql, *args):
        if sql.startswith("INSERT") and '"activity"' in sql:
            inserts.append(sql)
            if len(inserts) == 2:
                raise DatabaseError("disk full")
        return execute(sql, *args)

    with mock.patch("console.audit.record.CHUNK_SIZE", 2), connection.execute_wrapper(refuse):
        assert administrator.post(REVIEW + "/sign-off", form).status_code == 502
    assert len(inserts) == 2
    assert not signed_rows()


@pytest.mark.req("DM-47", "SEC-112")
def test_a_repeated_decision_keeps_the_previous_entry(administrator):
    plan = next_step(administrator.post(REVIEW + "/bulk/keep", {"id": ["u-1"]}).content.decode())
    for reason in ("No reason at all", "Approved by the head of the clinic"):
        administrator.post(REVIEW + "/bulk/keep", {**plan, "reason": reason})
        later(seconds=85)
    entries = Activity.objects.filter(act="keep", is_bulk=False).order_by("id")
    reasons = [c.new for entry in entries for c in Content.decrypt(entry.content).changes if c.field == "reason"]
    assert reasons == ["No reason at all", "Approved by the head of the clinic"]


@pytest.mark.req("DM-47", "ER-22")
def test_a_review_that_could_not_be_stored_is_not_reported_as_signed_off(administrator, monkeypatch):
    form = sign_off_form(administrator)

    def fail(*_args, **_options):
        raise DatabaseError

    monkeypatch.setattr("console.audit.record._insert", fail)
    answer = administrator.post(REVIEW + "/sign-off", form | {"note": "Autumn"})
    html = answer.content.decode()
    assert answer.status_code == 502
    assert is_unconfirmed(html, "Sign off on access review")
    assert 'value="Autumn"' in html


@pytest.mark.req("DM-47")
def test_users_that_vanish_appear_twice_or_have_odd_values_hide_no_one_else(administrator, upstream):
    odd = factories.user(7, lastLoginDate="soon", status="ASLEEP", mainGroupName=None, mainGroupId="")
    rows = [
        odd,
        factories.user(8, id=None, lastLoginDate=None),
        factories.user(9, lastLoginDate="0001-01-01T00:00:00Z"),
    ]
    knows(upstream, *rows, rows[2], filters=())
    assert names(get_html(administrator, f"{REVIEW}?group=never")) == ["User 7", "User 8", "User 9", "User 9"]
    answer_bulk_call(upstream, CALL + "/bulkLock", ["u-9"], code=10004)
    decide(administrator, "keep", ["u-7", "u-9"], reason="On leave")
    knows(upstream, rows[1])
    assert sign_off(administrator).status_code == 303
    assert {row["Name"]: row["Decision"] for row in export_rows(administrator)} == {
        "User 7": "Keep access",
        "User 9": "Keep access",
        "User 8": "No decision",
    }


@pytest.mark.req("DM-47")
def test_a_list_that_can_not_be_read_completely_is_not_signed_off(administrator, upstream):
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, factories.listing([factories.user(1, lastLoginDate=LONG_AGO)], total=300))
    html = get_html(administrator, REVIEW + "/sign-off")
    assert "t sign off right now" in html
    answer = administrator.post(REVIEW + "/sign-off", {"note": "Autumn"})
    assert answer.status_code == 503
    assert 'value="Autumn"' in answer.content.decode(), "nothing typed is lost"
    assert not Activity.objects.filter(act="sign_off").exists()


@pytest.mark.req("DM-47")
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_group_with_too_many_users_is_reported_as_such_and_not_as_temporary(
    administrator, upstream, monkeypatch, method
):
    monkeypatch.setattr("groups.reviewing.MAX_SIGNED_OFF_USERS", 2)
    monkeypatch.setattr("groups.views.review.MAX_SIGNED_OFF_USERS", 2)
    knows(upstream, *(factories.user(n, lastLoginDate=LONG_AGO) for n in range(1, 3)))
    assert "Nothing can be signed off" not in get_html(administrator, REVIEW + "/sign-off"), "as many as may be"
    knows(upstream, *(factories.user(n, lastLoginDate=LONG_AGO) for n in range(1, 4)))
    answer = getattr(administrator, method)(REVIEW + "/sign-off", {"note": "Autumn"})
    assert answer.status_code == {"get": 200, "post": 422}[method]
    html = answer.content.decode()
    assert "You can&#39;t sign off because one part of the review has more than 2 users." in html
    assert "Try again" not in html
    assert not Activity.objects.filter(act="sign_off").exists()


@pytest.mark.req("DM-47")
@pytest.mark.parametrize("has_new_decision", [False, True])
def test_a_decision_that_can_not_be_decrypted_is_never_shown_as_no_decision(administrator, has_new_decision):
    for user, reason in (("u-1", "On leave"), ("u-2", "Starts soon"), ("u-5", "On leave")):
        decide(administrator, "keep", [user], reason=reason)
    decide(administrator, "keep", ["u-5"], reason="Still on leave")
    rows = Activity.objects.filter(act="keep", is_bulk=False)
    for user, number in (("u-1", 0), ("u-5", -1)):
        key = thing_key(rows[0].organization, "user", user)
        row = list(rows.filter(target=key).order_by("id"))[number]
        Activity.objects.filter(pk=row.pk).update(content="of another key")
    assert "Unreadable" in get_html(administrator, REVIEW)
    assert "Unreadable" in get_html(administrator, REVIEW + "/sign-off")
    if has_new_decision:
        decide(administrator, "keep", ["u-1"], reason="Back in May")
    sign_off(administrator)
    exported = {row["Name"]: (row["Decision"], row["Reason"]) for row in export_rows(administrator)}
    assert exported["User 1"] == (("Keep access", "Back in May") if has_new_decision else ("Unreadable", ""))
    assert exported["User 5"] == ("Unreadable", "")
    assert exported["User 2"] == ("Keep access", "Starts soon")
    assert len(exported) == 5


@pytest.mark.req("DM-47")
def test_an_undecryptable_action_on_a_user_in_no_group_is_named_by_its_id(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    decide(administrator, "delete", ["u-5"], reason="Has left")
    row = Activity.objects.get(act="delete", is_bulk=False)
    Activity.objects.filter(pk=row.pk).update(content="of another key")
    knows(upstream, factories.user(1, lastLoginDate=LONG_AGO))
    sign_off(administrator)
    assert {line["Name"]: line["Decision"] for line in export_rows(administrator)} == {
        str(row.pk): "Unreadable",
        "User 1": "No decision",
    }


@pytest.mark.req("DM-47")
def test_a_signed_off_list_that_can_not_be_decrypted_has_no_day_and_no_result(administrator):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    sign_off(administrator)
    Activity.objects.filter(act="sign_off", is_bulk=False).update(content="of another key")
    rows = [(row["Decision"], row["Reason"], row["Decision date"], row["Result"]) for row in export_rows(administrator)]
    assert rows == [("Unreadable", "", "", "")] * 4
    entry = Activity.objects.get(act="sign_off", is_bulk=True)
    assert get_html(administrator, f"{SIGNED}/{entry.pk}").count("Unreadable") == 4


@pytest.mark.req("DM-47", "ER-22")
@pytest.mark.parametrize("status", [404, 500, 503])
def test_a_note_stays_if_the_users_can_not_be_read(administrator, upstream, status):
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, {}, status=status)
    assert administrator.get(REVIEW + "/sign-off").status_code in (404, 502)
    answer = administrator.post(REVIEW + "/sign-off", {"note": "Autumn"})
    assert (answer.status_code, 'value="Autumn"' in answer.content.decode()) == (503, True)
    assert "t sign off right now" in answer.content.decode()


@pytest.mark.req("DM-36", "DM-47")
def test_the_plain_form_of_the_review_is_a_part_that_can_be_saved_and_named(administrator):
    html = get_html(administrator, REVIEW)
    assert ">Save view</a>" in html
    assert '<select class="select" name="group"><option value="away" selected>' in html, "there is no group of any kind"
    administrator.post("/saved-view/new", {"back": REVIEW, "hidden": "team.type", "name": "Away"})
    for query in ("", "?group=away"):
        html = one_line(get_html(administrator, REVIEW + query))
        assert re.findall(r'class="view"[^>]* aria-current="page"><bdi translate=no>([^<]*)', html) == ["Away"]
        assert ">Edit view</a>" in html
    administrator.post("/saved-view/new", {"back": REVIEW + "?group=never", "name": "Never", "is_default": "on"})
    assert administrator.get(REVIEW).headers["Location"] == REVIEW + "?group=never"
    assert names(get_html(administrator, REVIEW + "?view=all")) == ["User 1"]


@pytest.mark.req("DM-47", "SEC-114")
def test_another_organization_sees_neither_decisions_nor_sign_offs(administrator, log_in, upstream):
    decide(administrator, "keep", ["u-1"], reason="On leave")
    sign_off(administrator, "Autumn")
    entry = Activity.objects.get(act="sign_off", is_bulk=True)
    decide(administrator, "keep", ["u-2"], reason="Starts soon")
    other = log_in(id="a-9", organizationId="o-9").client
    assert KEEP_BADGE not in get_html(other, f"{REVIEW}?group=never")
    assert "Autumn" not in get_html(other, SIGNED)
    for path in (f"{SIGNED}/{entry.pk}", f"{SIGNED}/{entry.pk}/export"):
        assert other.get(path).status_code == 404
    # An entry of another kind is not a sign-off, either.
    keep = Activity.objects.filter(act="keep", is_bulk=True).latest("id")
    assert administrator.get(f"{SIGNED}/{keep.pk}").status_code == 404


@pytest.mark.req("DM-47", "ER-22")
def test_if_decisions_can_not_be_read_the_list_is_shown_and_says_so(administrator, monkeypatch):
    def fail(*_args, **_options):
        raise DatabaseError

    monkeypatch.setattr("console.audit.query.StoredActivity.bulk_rows", fail)
    html = get_html(administrator, REVIEW)
    assert names(html) == ["User 1"]
    assert "Decision: Couldn't load this." in html
