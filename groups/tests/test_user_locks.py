"""Users locked instead of deleted, and unlocked, if the service offers it."""

import json
from html import unescape

import pytest

from tests.support import factories
from tests.support.bulk import answer_bulk_call, bodies, get_list_query, has_rows, has_users, next_step
from tests.support.reading import as_read, is_unconfirmed

pytestmark = pytest.mark.sql

LIST = "/user-manage/clinic/g-1/user"
ONE = f"{LIST}/u-1"
CALL = "/v1/bizUsers/u-1"
MISSING = (404, 405, 501)
FORM_ID = "11111111-1111-4111-8111-111111111111"


@pytest.fixture
def administrator(administrator, upstream):
    for action in ("lock", "unlock"):
        upstream.answers("PUT", f"{CALL}/{action}", {"version": 2})
    return administrator


def is_locked(upstream):
    locked = factories.user(status="LOCKED")
    upstream.answers("GET", CALL, locked)
    upstream.answers("GET", "/v1/bizUsers", factories.listing([locked]))


@pytest.mark.req("DM-48", "EN-45", "LS-13")
def test_an_active_user_is_locked_after_confirmation(administrator, upstream, visit):
    html = visit(f"{ONE}/lock").response.content.decode()
    assert "Lock \u2068User 1\u2069?" in html
    assert "No data will be deleted." in html
    assert "Active sessions may continue until they expire." in html
    assert upstream.calls("PUT") == []
    response = administrator.post(f"{ONE}/lock", {"back": f"{LIST}?status=ACTIVE"})
    assert (response.status_code, response.headers["Location"]) == (303, f"{LIST}?status=ACTIVE")
    assert len(upstream.calls("PUT", f"{CALL}/lock")) == 1
    assert "\u2068User 1\u2069 (\u2068user1@clinic.example\u2069) was locked." in as_read(
        administrator.get(LIST).content.decode()
    )


@pytest.mark.req("DM-48", "EN-45")
def test_a_locked_user_is_unlocked(administrator, upstream, visit):
    is_locked(upstream)
    assert "Unlock user</button>" in visit(f"{ONE}/unlock").response.content.decode()
    assert administrator.post(f"{ONE}/unlock").status_code == 303
    assert len(upstream.calls("PUT", f"{CALL}/unlock")) == 1
    assert "\u2068User 1\u2069 (\u2068user1@clinic.example\u2069) was unlocked." in as_read(
        administrator.get(LIST).content.decode()
    )


@pytest.mark.req("DM-48", "DM-40")
@pytest.mark.parametrize(("action", "undo"), [("lock", "unlock"), ("unlock", "lock")])
def test_locking_and_unlocking_can_be_undone(administrator, upstream, action, undo):
    if action == "unlock":
        is_locked(upstream)
    administrator.post(f"{ONE}/{action}")
    assert f'<form method="post" action="{ONE}/{undo}">' in administrator.get(LIST).content.decode()
    answer = administrator.post(f"{ONE}/{action}", headers={"Accept": "application/json"}).json()
    assert (answer["undo"], answer["item"]["id"]) == (f"{ONE}/{undo}", "u-1")


@pytest.mark.req("DM-48", "DM-40")
def test_many_locked_users_are_unlocked_by_the_undo_in_the_list(administrator, upstream):
    has_users(upstream, 3, status="ACTIVE")
    for action in ("Lock", "Unlock"):
        answer_bulk_call(upstream, f"/v1/bizUsers/bulk{action}")
    plan = administrator.post(f"{LIST}/bulk/lock", {"id": ["u-1", "u-3"]}).content.decode()
    html = administrator.post(f"{LIST}/bulk/lock", next_step(plan), follow=True).content.decode()
    message = html.partition('id="messages"')[2].partition("</ul>")[0]
    assert f'action="{LIST}/bulk/unlock"' in message
    undone = administrator.post(f"{LIST}/bulk/unlock", next_step(message), follow=True).content.decode()
    assert "2 users unlocked." in undone
    assert bodies(upstream, "/v1/bizUsers/bulkUnlock") == [{"ids": ["u-1", "u-3"]}]


@pytest.mark.req("DM-48", "DM-40")
def test_more_users_than_a_message_can_undo_have_a_result_page_that_can(administrator, upstream):
    has_users(upstream, 101, status="ACTIVE")
    answer_bulk_call(upstream, "/v1/bizUsers/bulkLock")
    query = get_list_query(administrator, LIST)
    html = administrator.post(f"{LIST}/bulk/lock", {"all": "1", "query": query}).content.decode()
    for _step in range(2):
        html = administrator.post(f"{LIST}/bulk/lock", next_step(html), follow=True).content.decode()
    assert "101 users locked." in html
    assert f'action="{LIST}/bulk/unlock"' in html


@pytest.mark.req("DM-48")
@pytest.mark.parametrize("page", [LIST, ONE, f"{LIST}?user=u-1"])
def test_the_matching_action_is_in_the_row_on_the_page_and_next_to_the_list(administrator, upstream, page):
    html = administrator.get(page).content.decode()
    assert "u-1/lock" in html
    assert "u-1/unlock" not in html
    is_locked(upstream)
    html = administrator.get(page).content.decode()
    assert "u-1/lock" not in html
    assert "u-1/unlock" in html


@pytest.mark.req("DM-48", "DM-18")
@pytest.mark.parametrize("blockers", [[], [{"reason": "ONGOING_ORDERED_CASE", "count": 1}]])
def test_the_page_of_a_deletion_offers_to_lock_the_user_instead(administrator, upstream, blockers):
    upstream.answers("GET", CALL, factories.user(deleteBlockers=blockers))
    assert f'href="{ONE}/lock">Lock instead</a>' in administrator.get(f"{ONE}/delete").content.decode()
    upstream.answers("GET", CALL, factories.user(status="LOCKED"))
    assert "Lock instead" not in administrator.get(f"{ONE}/delete").content.decode()


@pytest.mark.parametrize(
    ("status", "action", "message"),
    [
        ("LOCKED", "lock", "\u2068User 1\u2069 is already locked."),
        ("INVITED", "lock", "Only active users can be locked."),
        ("ACTIVE", "unlock", "\u2068User 1\u2069 isn&#39;t locked."),
    ],
)
def test_an_action_that_does_not_match_the_state_is_not_offered(administrator, upstream, status, action, message):
    upstream.answers("GET", CALL, factories.user(status=status))
    html = administrator.get(f"{ONE}/{action}").content.decode()
    assert message in html
    assert "ock user</button>" not in html


@pytest.mark.req("DM-48")
@pytest.mark.parametrize("status", MISSING)
def test_a_service_without_locking_is_reported_once_and_then_it_is_not_offered(administrator, upstream, status):
    upstream.answers("PUT", f"{CALL}/lock", status=status)
    response = administrator.post(f"{ONE}/lock")
    html = unescape(response.content.decode())
    assert response.status_code == 422
    assert "Failed to lock the user." in html
    assert "This isn't available here." in html
    assert "t confirm" not in html
    for page in (LIST, ONE, f"{LIST}?user=u-1", f"{ONE}/delete", "/user-manage/user"):
        html = administrator.get(page).content.decode()
        assert "/lock" not in html
        assert "/unlock" not in html
    assert "Lock user</button>" not in administrator.get(f"{ONE}/lock").content.decode()


@pytest.mark.req("LS-16")
def test_a_missing_user_does_not_mean_that_the_service_has_no_locking(administrator, upstream):
    upstream.answers("PUT", f"{CALL}/lock", factories.refusal(10004), status=404)
    administrator.post(f"{ONE}/lock")
    assert "u-1/lock" in administrator.get(LIST).content.decode()


@pytest.mark.req("LS-17")
def test_a_user_who_was_locked_by_another_request_is_reported(administrator, upstream):
    upstream.answers("PUT", f"{CALL}/lock", factories.refusal(13011), status=409)
    upstream.remove("GET", CALL)
    upstream.answers_in_order("GET", CALL, (200, factories.user()), (200, factories.user(status="LOCKED")))
    response = administrator.post(f"{ONE}/lock")
    html = unescape(response.content.decode())
    assert response.status_code == 409
    assert "This isn't possible with the user's current status." in html
    assert "is already locked." in html
    assert "raw words" not in html


@pytest.mark.parametrize(("now", "status"), [("LOCKED", 303), ("ACTIVE", 502)])
def test_after_a_lost_answer_the_stored_state_decides(administrator, upstream, now, status):
    upstream.answers("PUT", f"{CALL}/lock", None, status=502)
    upstream.remove("GET", CALL)
    upstream.answers_in_order("GET", CALL, (200, factories.user()), (200, factories.user(status=now)))
    response = administrator.post(f"{ONE}/lock")
    assert response.status_code == status
    if status == 502:
        assert is_unconfirmed(response.content.decode(), "Lock user")


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("action", ["lock", "unlock"])
def test_a_user_of_another_clinic_is_not_there(administrator, upstream, action):
    upstream.answers("GET", CALL, factories.user(mainGroupId="g-2"))
    assert administrator.post(f"{ONE}/{action}").status_code == 404
    assert upstream.calls("PUT") == []


@pytest.mark.req("DM-48", "DM-01", "LS-08")
def test_many_users_are_locked_except_those_who_are_not_active(administrator, upstream):
    has_users(upstream, 3, status="ACTIVE")
    answer_bulk_call(upstream, "/v1/bizUsers/bulkLock")
    query = get_list_query(administrator, LIST)
    plan = administrator.post(f"{LIST}/bulk/lock", {"all": "1", "query": query}).content.decode()
    assert "Lock 3 users" in plan
    result = administrator.post(f"{LIST}/bulk/lock", next_step(plan), follow=True).content.decode()
    assert "3 users locked." in result
    assert bodies(upstream, "/v1/bizUsers/bulkLock") == [{"ids": ["u-1", "u-2", "u-3"]}]
    plan = administrator.post(f"{LIST}/bulk/unlock", {"all": "1", "query": query}).content.decode()
    assert "3 users can&#39;t be unlocked." in plan
    assert "Only locked users can be unlocked." in plan


@pytest.mark.req("DM-48")
def test_a_service_without_locking_locks_none_of_many_and_it_is_not_offered_again(administrator, upstream):
    has_users(upstream, 2)
    for path in ("bulkLock", "u-1/lock", "u-2/lock"):
        upstream.answers("POST" if path == "bulkLock" else "PUT", f"/v1/bizUsers/{path}", status=501)
    query = get_list_query(administrator, LIST)
    plan = administrator.post(f"{LIST}/bulk/lock", {"all": "1", "query": query}).content.decode()
    result = administrator.post(f"{LIST}/bulk/lock", next_step(plan)).content.decode()
    assert "2 users weren&#39;t locked." in result
    assert "t confirm" not in result
    assert "/bulk/lock" not in administrator.get(LIST).content.decode()


def calls_off(upstream, *paths, status=501):
    """Let the service have none of these calls from now on."""
    for path in paths:
        method = "POST" if path.startswith("bulk") else "PUT"
        upstream.remove(method, f"/v1/bizUsers/{path}")
        upstream.answers(method, f"/v1/bizUsers/{path}", status=status)


def as_json(administrator, data):
    return administrator.post(f"{LIST}/bulk/lock", data, headers={"Accept": "application/json"})


@pytest.mark.req("DM-48", "LS-08", "ER-22")
@pytest.mark.parametrize("status", MISSING)
def test_a_run_at_a_service_without_locking_ends_with_a_result_that_says_so(administrator, upstream, status):
    has_users(upstream, 240)
    calls_off(upstream, "bulkLock", *(f"u-{n}/lock" for n in range(1, 241)), status=status)
    answer = as_json(administrator, {"ids": " ".join(f"u-{n}" for n in range(1, 241))})
    answer = as_json(administrator, {"job": answer.json()["item"]["job"], "form_id": FORM_ID})
    message, item = answer.json()["message"], answer.json()["item"]
    assert (item["waiting"], item["seen"], item["goes_on"], item["can_retry"]) == (0, 240, False, True)
    assert message.endswith("240 users weren't locked. Failed to lock the user. This isn't available here.")
    assert "/bulk/lock" not in administrator.get(LIST).content.decode(), "it is not offered for a while"
    for more in ({"show": "1"}, {}, {"retry": "1"}):
        page = administrator.post(f"{LIST}/bulk/lock", {"job": item["job"], "form_id": FORM_ID, **more}, follow=True)
        assert "240 users weren&#39;t locked." in page.content.decode()
        assert "This isn't available here." in unescape(page.content.decode())


@pytest.mark.req("DM-48", "LS-08")
def test_a_run_ends_when_the_service_stops_offering_locking_and_reports_what_was_done(administrator, upstream):
    has_users(upstream, 140)
    answer_bulk_call(upstream, "/v1/bizUsers/bulkLock")
    html = administrator.post(f"{LIST}/bulk/lock", next_step(get_plan(administrator, "lock", 140))).content.decode()
    assert "100 users locked." in html
    calls_off(upstream, "bulkLock", *(f"u-{n}/lock" for n in range(101, 141)))
    html = administrator.post(f"{LIST}/bulk/lock", next_step(html), follow=True).content.decode()
    assert "100 users locked." in html
    assert "40 users weren&#39;t locked." in html
    assert "This isn't available here." in unescape(html)


@pytest.mark.req("DM-48", "LS-08")
@pytest.mark.parametrize("missing", [1, 3], ids=["the first", "the last"])
def test_one_row_without_locking_among_others_hides_nothing(administrator, upstream, missing):
    users = [factories.user(n, status="ACTIVE") for n in range(1, 4)]
    knows_states(upstream, users)
    upstream.remove("PUT", f"/v1/bizUsers/u-{missing}/lock")
    calls_off(upstream, f"u-{missing}/lock")
    html = administrator.post(
        f"{LIST}/bulk/lock", next_step(get_plan(administrator, "lock")), follow=True
    ).content.decode()
    assert "2 users locked." in html
    assert "1 user wasn&#39;t locked." in html
    assert "/bulk/lock" in administrator.get(LIST).content.decode()
    form = {**next_step(html), "show": "1"}
    assert "2 users locked." in administrator.post(f"{LIST}/bulk/lock", form, follow=True).content.decode()


@pytest.mark.req("DM-48", "ER-22")
def test_an_action_that_is_no_longer_offered_is_not_started_and_links_to_the_list(administrator, upstream):
    calls_off(upstream, "u-1/lock")
    administrator.post(f"{ONE}/lock")
    response = administrator.post(f"{LIST}/bulk/lock", {"ids": "u-1"})
    assert response.status_code == 422
    assert "This isn't available here." in unescape(response.content.decode())
    assert f'href="{LIST}"' in response.content.decode()


@pytest.mark.req("DM-19")
@pytest.mark.parametrize("name", ["", "\u202e"])
def test_the_message_about_a_user_without_a_name_has_the_address(administrator, upstream, name):
    upstream.answers("GET", CALL, factories.user(name=name))
    assert administrator.post(f"{ONE}/lock", {"version": "1"}).status_code == 303
    assert "\u2068user1@clinic.example\u2069 was locked." in as_read(administrator.get(LIST).content.decode())


def knows_states(upstream, users, *, lost=()):
    """A service without bulk calls that refuses a state that a user has already; the first answer to `lost` is lost."""
    lost = set(lost)

    def one(user, state):
        def answer(_request):
            if user["status"] == state:
                return 409, {}, json.dumps(factories.refusal(13011))
            user["status"] = state
            if user["id"] in lost:
                lost.remove(user["id"])
                return 502, {}, ""
            return 200, {}, "{}"

        return answer

    has_rows(upstream, "/v1/bizUsers", users)
    for action, state in (("lock", "LOCKED"), ("unlock", "ACTIVE")):
        upstream.answers("POST", f"/v1/bizUsers/bulk{action.title()}", status=404)
        for user in users:
            upstream.remove("PUT", f"/v1/bizUsers/{user['id']}/{action}")
            upstream.callback("PUT", f"/v1/bizUsers/{user['id']}/{action}", one(user, state))


def get_plan(administrator, action, count=3):
    return administrator.post(
        f"{LIST}/bulk/{action}", {"ids": " ".join(f"u-{n}" for n in range(1, count + 1))}
    ).content.decode()


@pytest.mark.req("DM-48", "LS-18")
@pytest.mark.parametrize(
    ("action", "before", "result"), [("lock", "ACTIVE", "locked"), ("unlock", "LOCKED", "unlocked")]
)
def test_a_step_sent_by_script_and_then_by_the_page_reports_the_same_without_a_bulk_call(
    administrator, upstream, action, before, result
):
    knows_states(upstream, [factories.user(n, status=before) for n in range(1, 4)])
    step = next_step(get_plan(administrator, action))
    by_script = administrator.post(f"{LIST}/bulk/{action}", step, headers={"Accept": "application/json"}).json()
    assert by_script["message"] == f"3 users {result}."
    html = administrator.post(f"{LIST}/bulk/{action}", step, follow=True).content.decode()
    assert f"3 users {result}." in html
    assert "weren&#39;t" not in html


@pytest.mark.req("DM-48", "ER-22")
@pytest.mark.parametrize(
    ("action", "before", "result"), [("lock", "ACTIVE", "locked"), ("unlock", "LOCKED", "unlocked")]
)
def test_users_whose_answers_were_lost_are_done_when_they_are_tried_again_without_a_bulk_call(
    administrator, upstream, action, before, result
):
    users = [factories.user(n, status=before) for n in range(1, 4)]
    knows_states(upstream, users, lost=["u-1", "u-2", "u-3"])
    html = administrator.post(
        f"{LIST}/bulk/{action}", next_step(get_plan(administrator, action)), follow=True
    ).content.decode()
    assert "confirm whether this worked for 3 rows." in html
    retried = administrator.post(f"{LIST}/bulk/{action}", next_step(html), follow=True).content.decode()
    assert f"3 users {result}." in retried
    assert "weren&#39;t" not in retried


@pytest.mark.req("DM-48", "ER-22")
def test_users_tried_again_whose_state_can_not_be_read_are_not_called_not_locked(administrator, upstream):
    users = [factories.user(n, status="ACTIVE") for n in range(1, 4)]
    knows_states(upstream, users, lost=["u-1", "u-2", "u-3"])
    html = administrator.post(
        f"{LIST}/bulk/lock", next_step(get_plan(administrator, "lock")), follow=True
    ).content.decode()
    upstream.remove("GET", "/v1/bizUsers")
    upstream.answers("GET", "/v1/bizUsers", status=503)
    retried = administrator.post(f"{LIST}/bulk/lock", next_step(html), follow=True).content.decode()
    assert "confirm whether this worked for 3 rows." in retried
    assert "weren&#39;t" not in retried


def test_a_user_in_neither_state_is_reported_as_not_locked(administrator, upstream):
    users = [factories.user(n, status="ACTIVE") for n in range(1, 4)]
    knows_states(upstream, users)
    step = next_step(get_plan(administrator, "lock"))
    users[1]["status"] = "INVITED"
    upstream.remove("PUT", "/v1/bizUsers/u-2/lock")
    upstream.answers("PUT", "/v1/bizUsers/u-2/lock", factories.refusal(13011), status=409)
    html = administrator.post(f"{LIST}/bulk/lock", step, follow=True).content.decode()
    assert "2 users locked." in html
    assert "1 user wasn&#39;t locked." in html
    assert "with the user&#39;s current status." in html
