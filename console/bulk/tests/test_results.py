"""The result of a bulk action shows what is done, what is not, and what is unknown; as a page and as JSON."""

import json
import time

import pytest

from console.models import Submission
from tests.support import factories
from tests.support.bulk import CALL, USERS, answer_bulk_call, bodies, get_list_query, has_users, next_step

pytestmark = pytest.mark.sql

BULK = USERS + "/bulk/"
JSON = {"Accept": "application/json"}
UNKNOWN = "t confirm whether this worked."
OUTCOME_UNKNOWN = "confirm whether this worked for 100 rows."
NOT_DONE = "100 invitations weren&#39;t resent."
SENT_BEFORE = "You already submitted this. Check the list before you submit it again."


@pytest.fixture
def administrator(administrator, upstream):
    has_users(upstream, 3)
    return administrator


def post(client, action, data):
    return client.post(BULK + action, data, follow=True).content.decode()


def answers_second(upstream, path, status, body):
    """Answer the second call with this status and body, the others with success; return the IDs of each call."""
    calls = []

    def answer(request):
        calls.append(json.loads(request.body)["ids"])
        if len(calls) == 2:
            return status, {}, body
        rows = [{"id": id, "ok": True} for id in calls[-1]]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    upstream.callback("POST", path, answer)
    return calls


@pytest.mark.req("LS-08", "DM-02", "ER-05")
@pytest.mark.parametrize(
    ("status", "body", "summary", "expected", "reason"),
    [
        (500, '{"code": 10000}', NOT_DONE, "Failed to send the invitation.", "Failed to send the invitation."),
        (429, "{}", NOT_DONE, "Too many requests", "Too many requests"),
        (502, "<html>", OUTCOME_UNKNOWN, "Check the list before you try again.", UNKNOWN),
        (504, "", OUTCOME_UNKNOWN, "Check the list before you try again.", UNKNOWN),
        (524, "{}", OUTCOME_UNKNOWN, "Check the list before you try again.", UNKNOWN),
        (200, '{"results": [', OUTCOME_UNKNOWN, "Check the list before you try again.", UNKNOWN),
        (200, "", OUTCOME_UNKNOWN, "Check the list before you try again.", UNKNOWN),
        (409, json.dumps(factories.refusal(10006)), OUTCOME_UNKNOWN, SENT_BEFORE, SENT_BEFORE),
    ],
)
def test_a_call_that_fails_loses_no_result_and_stops_the_run(
    administrator, upstream, status, body, summary, expected, reason
):
    has_users(upstream, 240, status="INVITED")
    calls = answers_second(upstream, CALL + "/bulkResendInvitation", status, body)
    html = post(administrator, "resend", {"all": "1", "query": get_list_query(administrator, USERS)})
    html = post(administrator, "resend", next_step(html))
    assert 'data-run="goes-on"' in html
    html = post(administrator, "resend", next_step(html))
    assert "100 invitations resent." in html
    assert summary in html
    assert (NOT_DONE in html) != (OUTCOME_UNKNOWN in html)
    assert expected in html
    assert html.count(reason) >= 100
    assert 'data-run=""' in html
    html = post(administrator, "resend", next_step(html))
    assert "140 invitations resent." in html
    html = post(administrator, "resend", next_step(html))
    assert (len(calls[3]), calls[3]) == (100, calls[1])
    assert "100 invitations resent." in html


@pytest.mark.req("LS-08")
def test_a_row_that_the_answer_leaves_out_is_unknown(administrator, upstream):
    upstream.answers("POST", CALL + "/bulkDelete", {"results": [{"id": "u-1", "ok": True}]})
    html = post(administrator, "delete", next_step(post(administrator, "delete", {"id": ["u-1", "u-2"]})))
    assert "1 user deleted." in html
    assert "confirm whether this worked for 1 row." in html
    assert "wasn&#39;t deleted" not in html
    assert "t confirm whether this worked." in html
    assert "Unknown</span>" in html


@pytest.mark.req("LS-08", "ER-22", "ER-34")
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (13002, "1 ordered case is still in progress."),
        (13009, "This user has no pending invitation."),
        (10004, "This user no longer exists."),
        (10005, "Someone else changed this in the meantime."),
        (10006, SENT_BEFORE),
        (10008, "Too many requests. Try again in a moment."),
        (99999, "Failed to update the user."),
    ],
)
def test_a_row_without_reasons_gets_the_sentence_of_its_code(administrator, upstream, code, expected):
    upstream.answers("POST", CALL + "/bulkUpdate", {"results": [{"id": "u-1", "ok": False, "code": code}]})
    plan = post(administrator, "type", {"id": "u-1"})
    html = post(administrator, "type", {**next_step(plan), "user_type": "STAFF"})
    assert expected in html
    assert "<bdi translate=no>User 1</bdi>" in html
    is_unknown = "confirm whether this worked for 1 row." in html
    assert (is_unknown, "The type wasn&#39;t changed for 1 user." in html) == (code == 10006, code != 10006)


@pytest.mark.req("LS-08", "DM-02", "DM-03")
def test_plan_and_result_name_each_of_more_than_a_hundred_rows(administrator, upstream):
    has_users(upstream, 240, status="INVITED")
    answer_bulk_call(upstream, CALL + "/bulkResendInvitation", ["u-7"], code=10008)
    html = post(administrator, "resend", {"all": "1", "query": get_list_query(administrator, USERS)})
    assert [n for n in range(1, 241) if f"<bdi translate=no>User {n}</bdi>" not in html] == []
    for _ in range(3):
        html = post(administrator, "resend", next_step(html))
    assert "239 invitations resent." in html
    assert html.index("<bdi translate=no>User 7</bdi>") < html.index("Too many requests. Try again in a moment.")
    assert html.index("Too many requests. Try again in a moment.") < html.index("<bdi translate=no>User 1</bdi>")
    assert "<bdi translate=no>User 240</bdi>" in html
    retried = post(administrator, "resend", next_step(html))
    assert bodies(upstream, CALL + "/bulkResendInvitation")[-1] == {"ids": ["u-7"]}
    assert "1 invitation wasn&#39;t resent." in retried


@pytest.mark.req("LS-07", "LS-13")
def test_an_action_that_completely_succeeded_returns_to_the_list_and_ends_the_selection(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    plan = post(administrator, "delete", {"id": "u-1", "back": USERS + "?keyword=user"})
    response = administrator.post(BULK + "delete", next_step(plan))
    assert (response.status_code, response["Location"]) == (303, USERS + "?keyword=user")
    html = administrator.get(USERS).content.decode()
    assert f'data-selection-done="{USERS}"' in html
    assert "1 user deleted." in html
    assert ">Undo</button>" not in html


@pytest.mark.req("LS-07", "LS-13")
def test_the_result_of_a_part_ends_the_selection_and_links_to_the_list(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkDelete", ["u-2"])
    plan = post(administrator, "delete", {"id": ["u-1", "u-2"], "back": USERS + "?keyword=user"})
    html = post(administrator, "delete", next_step(plan))
    assert f'data-selection-done="{USERS}"' in html
    assert f'href="{USERS}?keyword=user"' in html.partition('class="notice-actions"')[2]


@pytest.mark.req("LS-08")
def test_json_has_plan_and_result_in_the_same_sentences(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkDelete", ["u-2"])
    upstream.answers("POST", CALL + "/bulkDelete", {"results": [{"id": "u-1", "ok": True}, {"id": "u-2", "ok": False}]})
    plan = administrator.post(BULK + "delete", {"id": ["u-1", "u-2"]}, headers=JSON)
    body = plan.json()
    assert (plan.status_code, body["ok"], body["item"]["selected"]) == (200, True, "2 users selected")
    assert [(row["id"], row["outcome"]) for row in body["item"]["rows"]] == [("u-1", "waiting"), ("u-2", "waiting")]
    result = administrator.post(BULK + "delete", {"job": body["item"]["job"]}, headers=JSON)
    body = result.json()
    assert (result.status_code, body["ok"]) == (200, False)
    assert body["message"] == "1 user deleted. 1 user wasn't deleted."
    assert [(row["id"], row["outcome"], row["reasons"]) for row in body["item"]["rows"]] == [
        ("u-1", "done", []),
        ("u-2", "failed", ["Failed to delete the user."]),
    ]
    assert [body["item"][name] for name in ("seen", "total", "waiting", "can_retry")] == [2, 2, 0, True]
    assert body["traceId"]
    retried = administrator.post(BULK + "delete", {"job": body["item"]["job"], "retry": "1"}, headers=JSON).json()
    assert [row["id"] for row in retried["item"]["rows"]] == ["u-2"]


@pytest.mark.req("LS-08")
def test_json_has_the_reasons_of_blocked_rows(administrator, upstream):
    has_users(upstream, 2, deleteBlockers=[{"reason": "ONGOING_ORDERED_CASE", "count": 1}])
    body = administrator.post(BULK + "delete", {"id": ["u-1", "u-2"]}, headers=JSON).json()
    assert body["message"] == "1 user can't be deleted. The other one can."
    assert body["item"]["rows"][1]["reasons"] == ["1 ordered case is still in progress."]


def test_json_has_the_errors_of_the_form(administrator, upstream):
    has_users(upstream, 6)
    item = administrator.post(BULK + "delete", {"id": [f"u-{n}" for n in range(1, 7)]}, headers=JSON).json()["item"]
    assert item["to_type"] == "6"
    answer = administrator.post(BULK + "delete", {"job": item["job"], "typed": "5"}, headers=JSON)
    assert (answer.status_code, answer.json()["errors"]) == (
        422,
        {"typed": ["This doesn't match. Type “6” to delete."]},
    )
    item = administrator.post(BULK + "type", {"id": "u-1"}, headers=JSON).json()["item"]
    answer = administrator.post(BULK + "type", {"job": item["job"]}, headers=JSON)
    assert (answer.status_code, answer.json()["errors"]) == (422, {"user_type": ["Choose a type"]})
    assert not upstream.calls("POST", CALL + "/bulkDelete")


@pytest.mark.parametrize(
    ("data", "message", "goto"),
    [
        ({}, "Select at least one row first.", USERS),
        ({"id": "u-99"}, "The selected rows no longer exist.", USERS),
        ({"all": "1"}, "You can't use this selection here. Select the rows again.", ""),
        ({"job": "x"}, "You can't use this selection here. Select the rows again.", ""),
    ],
)
def test_json_says_why_there_is_no_plan(administrator, data, message, goto):
    answer = administrator.post(BULK + "delete", data, headers=JSON)
    body = answer.json()
    assert (answer.status_code, body["ok"], body["message"], body["goto"]) == (422, False, message, goto)


@pytest.mark.req("LS-08")
def test_json_reports_an_unknown_outcome_as_unknown(administrator, upstream):
    upstream.answers("POST", CALL + "/bulkDelete", {}, status=504)
    item = administrator.post(BULK + "delete", {"id": "u-1"}, headers=JSON).json()["item"]
    body = administrator.post(BULK + "delete", {"job": item["job"]}, headers=JSON).json()
    message = "0 users deleted. We couldn't confirm whether this worked for 1 row. Check the list before you try again."
    assert (body["ok"], body["message"]) == (False, message)
    assert body["item"]["rows"][0]["outcome"] == "unknown"


@pytest.mark.req("LS-08")
def test_a_call_that_failed_as_a_whole_may_be_sent_again(administrator, upstream):
    upstream.answers("POST", CALL + "/bulkDelete", {}, status=503)
    step = next_step(post(administrator, "delete", {"id": "u-1"}))
    refused = administrator.post(BULK + "delete", step)
    assert refused.status_code == 502
    assert "1 user wasn&#39;t deleted." in refused.content.decode()
    upstream.remove("POST", CALL + "/bulkDelete")
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    assert "1 user deleted." in post(administrator, "delete", step)


def test_a_plan_with_only_blocked_rows_sends_nothing(administrator, upstream):
    has_users(upstream, 2, deleteBlockers=[{"reason": "ONGOING_ORDERED_CASE", "count": 1}])
    item = administrator.post(BULK + "delete", {"id": "u-2"}, headers=JSON).json()["item"]
    answer = administrator.post(BULK + "delete", {"job": item["job"]}, headers=JSON)
    assert answer.json()["message"] == "0 users deleted. 1 user wasn't deleted."
    assert not upstream.calls("POST", CALL + "/bulkDelete")


@pytest.mark.parametrize("number", ["6", "٦"])
def test_the_number_may_be_typed_in_the_digits_of_any_script(administrator, upstream, number):
    has_users(upstream, 6)
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    plan = post(administrator, "delete", {"id": [f"u-{n}" for n in range(1, 7)]})
    assert "6 users deleted." in post(administrator, "delete", next_step(plan) | {"typed": number})


@pytest.mark.parametrize("number", ["9" * 5000, "²", "6²", "٦٦", "06"])
def test_any_other_number_is_refused(administrator, upstream, number):
    has_users(upstream, 6)
    plan = post(administrator, "delete", {"id": [f"u-{n}" for n in range(1, 7)]})
    answer = administrator.post(BULK + "delete", next_step(plan) | {"typed": number})
    assert answer.status_code == 422
    assert "This doesn&#39;t match. Type “6” to delete." in answer.content.decode()
    assert not upstream.calls("POST", CALL + "/bulkDelete")


@pytest.mark.req("SEC-35")
@pytest.mark.parametrize("form_id", [None, "x", "0f8fad5b-d9cb-469f-a165-70867728950e"])
def test_a_confirmed_plan_that_is_sent_again_runs_once_with_any_form_id(administrator, upstream, form_id):
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    job = {"job": next_step(post(administrator, "delete", {"id": ["u-1", "u-2"]}))["job"]}
    first = administrator.post(BULK + "delete", job)
    second = administrator.post(BULK + "delete", job | ({"form_id": form_id} if form_id else {}))
    assert [(answer.status_code, answer["Location"]) for answer in (first, second)] == [(303, USERS)] * 2
    assert administrator.get(USERS).content.decode().count("2 users deleted.") == 1
    assert len(bodies(upstream, CALL + "/bulkDelete")) == 1


@pytest.mark.req("SEC-35")
def test_a_plan_that_is_sent_again_much_later_has_the_key_that_the_service_knows(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    job = {"job": next_step(post(administrator, "delete", {"id": "u-1"}))["job"]}
    for _ in range(2):
        post(administrator, "delete", job)
        Submission.objects.all().delete()  # a minute later
    first, second = upstream.calls("POST", CALL + "/bulkDelete")
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]


@pytest.mark.req("SEC-35")
def test_another_plan_for_the_same_rows_is_another_action_even_within_a_second(administrator, upstream, monkeypatch):
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    for _ in range(2):
        post(administrator, "delete", {"job": next_step(post(administrator, "delete", {"id": "u-1"}))["job"]})
    first, second = upstream.calls("POST", CALL + "/bulkDelete")
    assert first.headers["Idempotency-Key"] != second.headers["Idempotency-Key"]
