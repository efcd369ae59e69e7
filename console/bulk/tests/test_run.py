"""A run of many rows: the pages between its steps, the search in them, and that no step is made twice."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from console.models import Submission
from tests.support.bulk import CALL, USERS, answer_bulk_call, bodies, field, has_users, next_step
from tests.support.reading import one_line

pytestmark = pytest.mark.sql

BULK = USERS + "/bulk/"
SENT = CALL + "/bulkResendInvitation"
JSON = {"Accept": "application/json"}
ONGOING = {"reason": "ONGOING_ORDERED_CASE", "count": 1}


@pytest.fixture
def administrator(administrator, upstream):
    has_users(upstream, 240, status="INVITED")
    answer_bulk_call(upstream, SENT, ["u-7"], reasons=[ONGOING])
    return administrator


def post(client, data, action="resend"):
    return client.post(BULK + action, data, follow=True).content.decode()


def plan(client, action="resend", count=240):
    return post(client, {"ids": " ".join(f"u-{n}" for n in range(1, count + 1))}, action)


def row_names(html):
    """Return the names of the visible rows."""
    return [unescape(name) for name in re.findall(r"<li><span><bdi translate=no>([^<]*)</bdi>", one_line(html))]


def sent_ids(upstream):
    return [id for body in bodies(upstream, SENT) for id in body["ids"]]


@pytest.mark.req("LS-08", "LS-09")
def test_the_rows_of_a_plan_are_found_without_scripts_and_nothing_is_lost_or_sent(administrator, upstream):
    html = plan(administrator, "type")
    assert len(row_names(html)) == 240
    assert html.index('name="show"') < html.index("data-primary"), "Enter presses the first button of a form"
    results = post(administrator, {**next_step(html), "user_type": "STAFF", "find": " USER 23", "show": "1"}, "type")
    assert row_names(results) == ["User 23", *(f"User {n}" for n in range(230, 240))]
    assert "11 of 240" in results
    assert "Change type for 240 users</button>" in results
    assert '<option value="STAFF" selected>' in results
    assert field(results, "job") == field(html, "job")
    answer_bulk_call(upstream, CALL + "/bulkUpdate")
    assert not upstream.calls("POST", CALL + "/bulkUpdate")
    done = post(administrator, {**next_step(results), "user_type": "STAFF", "find": "23"}, "type")
    assert "Type changed for 100 users." in done


@pytest.mark.req("LS-08", "LS-15")
def test_a_search_keeps_the_typed_confirmation_and_confirms_nothing(administrator, upstream):
    html = plan(administrator, "delete")
    results = post(administrator, {**next_step(html), "typed": "240", "find": "nobody", "show": "1"}, "delete")
    assert row_names(results) == []
    assert 'value="240"' in results
    assert not upstream.calls("POST", CALL + "/bulkDelete")


@pytest.mark.parametrize(
    ("count", "scrolls", "can_find"), [(8, False, False), (9, True, False), (25, True, False), (26, True, True)]
)
def test_more_than_a_few_rows_scroll_and_many_have_a_search(administrator, count, scrolls, can_find):
    html = plan(administrator, "type", count)
    assert (len(row_names(html)), 'class="bulk-rows" tabindex="0"' in html) == (count, scrolls)
    assert ('name="find"' in html) == can_find


@pytest.mark.req("LS-08", "DM-02")
def test_between_two_steps_only_rows_that_need_attention_are_listed_until_all_are_requested(administrator, upstream):
    html = post(administrator, next_step(plan(administrator)))
    assert "99 invitations resent. 1 invitation wasn&#39;t resent." in html
    assert row_names(html) == ["User 7"]
    so_far = post(administrator, {**next_step(html), "show": "1"})
    assert "99 invitations resent." in so_far
    assert "<span>100 of 240</span>" in so_far
    assert len(row_names(so_far)) == 100
    assert 'data-run=""' in so_far, "a result that one looks at does not go on by itself"
    assert so_far.index('name="show"') < so_far.index("data-primary"), "Enter presses the first button of a form"
    assert row_names(post(administrator, {**next_step(so_far), "show": "1", "find": "user 9"}))[0] == "User 9"
    assert len(sent_ids(upstream)) == 100
    post(administrator, next_step(so_far))
    assert len(sent_ids(upstream)) == len(set(sent_ids(upstream))) == 200


@pytest.mark.req("LS-08", "DM-02")
def test_the_rows_of_a_result_are_found_without_scripts(administrator, upstream):
    html = plan(administrator)
    for _ in range(3):
        html = post(administrator, next_step(html))
    results = post(administrator, {"job": field(html, "job"), "show": "1", "find": "in progress"})
    assert row_names(results) == ["User 7"]
    assert "239 invitations resent." in results
    assert "1 of 240" in results
    assert len(sent_ids(upstream)) == 240
    assert 'name="retry"' not in results, "what is blocked stays so"
    assert 'form="check-again"' in results


@pytest.mark.req("LS-08")
def test_the_rows_stay_selected_until_nothing_is_waiting(administrator):
    html = plan(administrator)
    for _ in range(2):
        html = post(administrator, next_step(html))
        assert 'data-selection-done=""' in html
    assert f'data-selection-done="{USERS}"' in post(administrator, next_step(html))


@pytest.mark.req("LS-06", "LS-08")
def test_a_script_gets_each_step_with_its_own_rows(administrator, upstream):
    step = administrator.post(BULK + "resend", next_step(plan(administrator)), headers=JSON).json()
    assert step["message"] == "99 invitations resent. 1 invitation wasn't resent."
    item = step["item"]
    assert [item[name] for name in ("seen", "total", "waiting", "progress", "goes_on", "can_retry")] == [
        100, 240, 140, "100 of 240", True, False,
    ]  # fmt: skip
    assert item["button"] == "Continue with the next 100 rows"
    step = administrator.post(BULK + "resend", {"job": item["job"]}, headers=JSON).json()
    assert [row["id"] for row in step["item"]["rows"]] == [f"u-{n}" for n in range(101, 201)]
    assert step["message"] == "199 invitations resent. 1 invitation wasn't resent."


@pytest.mark.req("ER-05")
def test_a_script_stops_where_a_call_failed(administrator, upstream):
    upstream.remove("POST", SENT)
    upstream.answers("POST", SENT, {}, status=503)
    response = administrator.post(BULK + "resend", next_step(plan(administrator)), headers=JSON)
    assert (response.status_code, response.json()["item"]["goes_on"]) == (502, False)
    assert "100 invitations weren't resent." in response.json()["message"]


@pytest.mark.req("LS-18", "SEC-54")
def test_a_step_that_a_script_sent_has_the_same_message_and_key_as_a_page(administrator, upstream):
    step = next_step(plan(administrator))
    message = administrator.post(BULK + "resend", step, headers=JSON).json()["message"]
    page = administrator.post(BULK + "resend", step)
    assert page.headers["Content-Type"].startswith("text/html")
    assert message in unescape(page.content.decode())
    assert len({call.headers["Idempotency-Key"] for call in upstream.calls("POST", SENT)}) == 1


@pytest.mark.req("LS-18", "SEC-50", "SEC-54")
def test_a_late_reload_repeats_each_step_with_its_key_and_ends_with_the_same_result(administrator, upstream):
    """The stored answers have expired by then; the service repeats its answer to the same key."""
    jobs = [next_step(plan(administrator))]
    for _ in range(3):
        jobs.append(next_step(html := post(administrator, jobs[-1])))
    first = [call.headers["Idempotency-Key"] for call in upstream.calls("POST", SENT)]
    Submission.objects.update(answer="", created_at=timezone.now() - timedelta(seconds=61))
    page = post(administrator, jobs[0])
    for _ in range(2):
        page = post(administrator, next_step(page))
    assert [call.headers["Idempotency-Key"] for call in upstream.calls("POST", SENT)][3:] == first
    assert re.findall(r"\d+ invitations? [^<]*", page) == re.findall(r"\d+ invitations? [^<]*", html)


def stops(upstream, *others):
    """Start maintenance: refuse every call with its code."""
    for method, path in (("POST", SENT), ("GET", "/v1/bizMainGroups/g-1"), *others):
        upstream.remove(method, path)
        upstream.answers(method, path, {"code": 18001}, status=503)


@pytest.mark.req("ER-07", "ER-22", "LS-08")
def test_maintenance_in_the_middle_loses_nothing_and_is_reported(administrator, upstream):
    html = post(administrator, next_step(plan(administrator)))
    stops(upstream)
    answer = administrator.post(BULK + "resend", next_step(html), headers=JSON)
    message, item = answer.json()["message"], answer.json()["item"]
    assert (answer.status_code, answer.json()["goto"], item["seen"], item["goes_on"]) == (503, "", 200, False)
    assert message.startswith("99 invitations resent. 101 invitations weren't resent. ")
    assert message.endswith("Failed to send the invitation. The service is under maintenance.")
    page = administrator.post(BULK + "resend", next_step(html))
    stopped = page.content.decode()
    assert page.status_code == 503
    assert "99 invitations resent." in stopped
    assert "The service is under maintenance." in stopped
    assert "Continue with the next 40 rows" in stopped
    answer_bulk_call(upstream, SENT)
    continued = post(administrator, next_step(stopped))
    assert "139 invitations resent." in continued
    assert 'name="retry"' in continued


@pytest.mark.req("ER-07", "ER-22")
def test_maintenance_among_single_calls_reports_which_were_made(administrator, upstream):
    has_users(upstream, 12, status="INVITED")
    upstream.remove("POST", SENT)
    upstream.answers("POST", SENT, status=404)
    for n in range(1, 13):
        answer = ({"code": 18001}, 503) if n > 4 else ({}, 200)
        upstream.answers("PUT", f"{CALL}/u-{n}/invitation/resend", answer[0], status=answer[1])
    html = post(administrator, next_step(plan(administrator, count=12)))
    assert "4 invitations resent." in html
    assert "8 invitations weren&#39;t resent." in html
    assert "The service is under maintenance." in html
    assert "t confirm" not in html


@pytest.mark.req("ER-22")
@pytest.mark.parametrize("status", [404, 500, 503])
def test_a_run_does_not_depend_on_reading_its_clinic(administrator, upstream, status):
    html = post(administrator, next_step(plan(administrator)))
    upstream.remove("GET", "/v1/bizMainGroups/g-1")
    upstream.answers("GET", "/v1/bizMainGroups/g-1", status=status)
    assert "199 invitations resent." in post(administrator, next_step(html))
