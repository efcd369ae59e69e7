"""A form whose process died, or whose row can't be stored: a write that may be done is never reported as failed."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.utils import timezone

from console.models import Submission
from tests.support import factories
from tests.support.bulk import answer_bulk_call, has_users, next_step
from tests.support.imports import upload
from tests.support.reading import is_unconfirmed

pytestmark = pytest.mark.sql

LIST = "/user-manage/clinic"
NEW, EDIT, IMPORT = f"{LIST}/new", f"{LIST}/g-1/edit", f"{LIST}/import"
USERS = f"{LIST}/g-1/user"
INVITE, RESEND, BULK = f"{USERS}/new", f"{USERS}/u-1/invitation/resend", f"{USERS}/bulk/resend"
CLINICS, PEOPLE = "/v1/bizMainGroups", "/v1/bizUsers"
FORM_ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
FORM_DATA = {
    "name": "Smile",
    "country_code": "FR",
    "dentist_count": "",
    "staff_count": "",
    "info": "",
    "form_id": FORM_ID,
}
ADA = {"row": "0", "row-0-name": "Ada", "row-0-email": "ada@clinic.example", "row-0-user_type": "STAFF"}
JSON = {"Accept": "application/json"}


@pytest.fixture
def administrator(administrator, upstream):
    has_users(upstream, 2, status="INVITED")
    upstream.answers("GET", f"{PEOPLE}/u-1", factories.user(status="INVITED", lastLoginDate=None))
    upstream.answers("PUT", f"{PEOPLE}/u-1/invitation/resend", {"invitationExpiresDate": "2026-11-28T08:30:00Z"})
    upstream.answers("POST", CLINICS, {"id": "g-2"})
    upstream.answers("POST", PEOPLE, {"id": "u-9"})
    answer_bulk_call(upstream, f"{PEOPLE}/bulkResendInvitation")
    upstream.callback("POST", f"{CLINICS}/bulkCreate", create_clinics)
    upstream.answers("PUT", f"{CLINICS}/g-1", {"version": 3})
    return administrator


def create_clinics(request):
    """Answer the creation of the clinics of a file; "Clinic 1" is in use."""
    items = json.loads(request.body)["items"]
    in_use = {"ok": False, "code": 13007, "field": "name"}
    rows = [{"index": n, **(in_use if item["name"] == "Clinic 1" else {"ok": True})} for n, item in enumerate(items)]
    return 200, {}, json.dumps({"results": rows})


def planned(client):
    """Return the form of a plan to resend two invitations."""
    return next_step(client.post(BULK, {"id": ["u-1", "u-2"]}).content.decode())


def checked(client, rows=b"Smile,FR\n"):
    """Return the form of a checked file, which overwrites existing rows."""
    html = upload(client, IMPORT, b"Name,Country\n" + rows, overwrite="on").content.decode()
    return {name: unescape(re.findall(rf'name="{name}" value="([^"]*)"', html)[0]) for name in ("lines", "form_id")}


# Path, function that returns the form data, path of the call, message, and address where the user can check.
FORMS = {
    "create": (NEW, lambda _: FORM_DATA, CLINICS, "t confirm whether this worked.", LIST),
    "invite": (
        INVITE,
        lambda _: {**ADA, "form_id": FORM_ID},
        PEOPLE,
        "t confirm whether this worked.",
        USERS,
    ),
    "resend": (
        RESEND,
        lambda _: {"form_id": FORM_ID},
        f"{PEOPLE}/u-1/invitation/resend",
        "t confirm whether this worked.",
        USERS,
    ),
    "bulk": (
        BULK,
        planned,
        f"{PEOPLE}/bulkResendInvitation",
        "confirm whether this worked for 2 rows.",
        USERS,
    ),
    "import": (
        IMPORT,
        checked,
        f"{CLINICS}/bulkCreate",
        "t confirm whether this worked.",
        LIST,
    ),
    "overwrite": (
        IMPORT,
        lambda client: checked(client, b"Clinic 1,FR\n"),
        f"{CLINICS}/g-1",
        "t confirm whether this worked.",
        LIST,
    ),
    "mixed import": (
        IMPORT,
        lambda client: checked(client, b"Clinic 1,FR\nSmile,FR\n"),
        f"{CLINICS}/bulkCreate",
        "t confirm whether this worked.",
        LIST,
    ),
}
every_form = pytest.mark.parametrize("form", FORMS)


def lose_the_answer(*, seconds=0):
    """Leave the rows as a process that was killed after its call, this many seconds ago, does."""
    began = timezone.now() - timedelta(seconds=seconds)
    assert Submission.objects.update(answer="", created_at=began) > 0


def keys(upstream, path):
    """Return the keys of the writes to a path. An update of a clinic has none, because it has a version."""
    return [c.headers.get("Idempotency-Key") for c in upstream.calls("", path) if c.method in ("POST", "PUT")]


@pytest.mark.req("SEC-50")
@every_form
def test_a_repeat_takes_over_from_a_killed_process_with_the_same_key(administrator, upstream, form):
    path, fill, call, _, _ = FORMS[form]
    sent = fill(administrator)
    first = administrator.post(path, sent)
    lose_the_answer(seconds=56)
    before = len(keys(upstream, call))
    repeated = administrator.post(path, sent)
    assert repeated.status_code == first.status_code
    assert repeated["Location"].partition("?")[0] == first["Location"].partition("?")[0]  # a result of its own
    made = keys(upstream, call)
    assert len(made) == before + 1
    assert made[-1] == made[-2]


@pytest.mark.req("SEC-50")
@pytest.mark.parametrize("limits", [{"request": 60}, {"refresh": 60}])
def test_a_write_that_may_still_run_is_not_taken_over_even_with_long_deadlines(
    administrator, upstream, deadlines, limits
):
    """Until the last moment at which the first request may end, a repeat waits for its response."""
    first = administrator.post(NEW, FORM_DATA)
    answer = Submission.objects.values_list("answer", flat=True)[0]
    deadlines(**limits)
    lose_the_answer(seconds=60)

    def ends(execute, sql, params, many, context):
        """Let the first request end while the second one looks for its row."""
        if sql.startswith('SELECT "submission"'):
            execute("UPDATE submission SET answer = %s", [answer], False, context)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(ends):
        repeated = administrator.post(NEW, FORM_DATA)
    assert (repeated.status_code, repeated.headers["Location"]) == (first.status_code, first.headers["Location"])
    assert len(keys(upstream, CLINICS)) == 1
    lose_the_answer(seconds=108)
    administrator.post(NEW, FORM_DATA)
    assert len(keys(upstream, CLINICS)) == 2


@pytest.mark.req("SEC-50")
@pytest.mark.parametrize("name", ["Smile", "Smiles"])
@pytest.mark.parametrize(
    ("path", "form", "exist"), [(NEW, FORM_DATA, CLINICS), (INVITE, {**ADA, "form_id": FORM_ID}, PEOPLE)]
)
def test_an_object_of_a_killed_process_is_not_reported_as_in_use(administrator, upstream, path, form, exist, name):
    """The form is sent again unchanged or corrected, long after its response would have expired."""
    administrator.post(path, form)
    lose_the_answer(seconds=600)
    upstream.answers("GET", f"{exist}/exist", {"resultCount": 1})
    field = "name" if path == NEW else "row-0-name"
    repeated = administrator.post(path, {**form, field: name})
    assert repeated.status_code == 303


@pytest.mark.req("SEC-50")
@pytest.mark.parametrize(
    ("path", "form", "exist"), [(NEW, FORM_DATA, CLINICS), (INVITE, {**ADA, "form_id": FORM_ID}, PEOPLE)]
)
def test_a_created_object_is_not_reported_as_in_use_after_its_response_expired(
    administrator, upstream, path, form, exist
):
    """The response was stored, but lost on its way to the browser."""
    administrator.post(path, form)
    Submission.objects.update(created_at=timezone.now() - timedelta(seconds=61))
    upstream.answers("GET", f"{exist}/exist", {"resultCount": 1})
    assert administrator.post(path, form).status_code == 303
    first, second = keys(upstream, exist)
    assert first == second


@pytest.mark.req("SEC-52")
@every_form
def test_an_early_repeat_says_that_the_outcome_is_unknown_and_links_to_the_list(
    administrator, upstream, deadlines, form
):
    path, fill, call, message, check_url = FORMS[form]
    sent = fill(administrator)
    administrator.post(path, sent)
    lose_the_answer()
    before = len(keys(upstream, call))
    deadlines(request=0)
    repeated = administrator.post(path, sent)
    html = repeated.content.decode()
    assert repeated.status_code == 504
    assert message in html
    assert "Failed" not in html
    assert "not imported" not in html.lower()
    assert f'href="{check_url}" target="_blank"' in html or (
        form == "bulk" and f'data-primary href="{check_url}"' in html
    )
    assert len(keys(upstream, call)) == before
    values = [value for name, value in sent.items() if name in ("name", "row-0-name", "row-0-email", "lines") and value]
    assert [value for value in values if f'value="{value}"' not in html] == []
    as_json = administrator.post(path, sent, headers=JSON)
    assert as_json.status_code == 504
    assert not as_json.json()["ok"]
    assert as_json.json()["message"]


@pytest.mark.req("SEC-52")
@pytest.mark.parametrize("status", [403, 422, 429, 500, 503])
@pytest.mark.parametrize("form", ["create", "invite", "resend"])
def test_after_a_failed_repeat_the_first_try_is_still_unknown(administrator, upstream, form, status):
    path, fill, call, message, check_url = FORMS[form]
    method = "PUT" if form == "resend" else "POST"
    upstream.answers(method, call, factories.refusal(10000), status=524)
    first = administrator.post(path, fill(administrator))
    assert message in first.content.decode()
    upstream.answers(method, call, factories.refusal(10003), status=status)
    repeated = administrator.post(path, {**fill(administrator), "sent_before": "1"})
    html = repeated.content.decode()
    assert message in html
    assert "Failed" not in html
    assert f'href="{check_url}" target="_blank"' in html
    assert 'name="sent_before"' in html


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-51")
@every_form
def test_a_form_whose_row_can_not_be_stored_is_not_sent_and_keeps_its_input(
    administrator, upstream, without_rows, form
):
    path, fill, call, message, _ = FORMS[form]
    sent = fill(administrator)
    before = len(keys(upstream, call))
    without_rows()
    response = administrator.post(path, sent)
    html = response.content.decode()
    assert response.status_code == 503
    assert message not in html
    assert len(keys(upstream, call)) == before
    values = [value for name, value in sent.items() if name in ("name", "row-0-name", "row-0-email", "lines") and value]
    assert [value for value in values if f'value="{value}"' not in html] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-51")
@pytest.mark.parametrize("status", [200, 524])
def test_the_outcome_is_reported_even_if_the_response_can_not_be_stored(administrator, upstream, without_rows, status):
    def answer(_request):
        without_rows()
        return status, {}, '{"id": "g-2"}'

    upstream.remove("POST", CLINICS)
    upstream.callback("POST", CLINICS, answer)
    response = administrator.post(NEW, FORM_DATA)
    if status == 200:
        assert (response.status_code, response.headers["Location"]) == (303, LIST)
    else:
        html = response.content.decode()
        assert is_unconfirmed(html, "Add clinic")
        assert 'value="Smile"' in html
        assert 'name="sent_before"' in html


def resending(upstream, *, calls_answer):
    """Answer bulk calls in order, with a status or the IDs to refuse; return the IDs and key of each call."""
    sent = []

    def answer(request):
        ids = json.loads(request.body)["ids"]
        sent.append((ids, request.headers["Idempotency-Key"]))
        status = calls_answer[min(len(sent), len(calls_answer)) - 1]
        if isinstance(status, int):
            return status, {}, "{}"
        rows = [{"id": id, "ok": False, "code": 10008} if id in status else {"id": id, "ok": True} for id in ids]
        return 200, {}, json.dumps({"results": rows})

    upstream.remove("POST", f"{PEOPLE}/bulkResendInvitation")
    upstream.callback("POST", f"{PEOPLE}/bulkResendInvitation", answer)
    return sent


@pytest.mark.req("SEC-54")
def test_an_unknown_call_is_tried_again_unchanged_next_to_refused_rows(administrator, upstream):
    has_users(upstream, 250, status="INVITED")
    sent = resending(upstream, calls_answer=[["u-7", "u-8"], 524, 524, ["u-7"], 524, []])
    html = administrator.post(BULK, {"id": [f"u-{n}" for n in range(1, 251)]}).content.decode()
    for _ in range(3):
        html = administrator.post(BULK, next_step(html), follow=True).content.decode()
    assert "confirm whether this worked for 150 rows." in html
    for _ in range(3):
        html = administrator.post(BULK, next_step(html), follow=True).content.decode()
    first, second, third, refused, second_repeat, third_repeat = sent
    assert (second_repeat, third_repeat) == (second, third)
    assert refused[0] == ["u-7", "u-8"]
    assert refused[1] != first[1], "the service would only give its answer again"
    assert "confirm whether this worked for 100 rows." in html
    assert "1 invitation wasn&#39;t resent." in html
    for _ in range(2):
        html = administrator.post(BULK, next_step(html), follow=True).content.decode()
    assert sent[-1] == second
    assert sent[-2][0] == ["u-7"]
    assert len({key for _ids, key in sent}) == 5
    assert "101 invitations resent." in html


@pytest.mark.req("SEC-53", "SEC-54")
@pytest.mark.parametrize(
    ("status", "messages"), [(200, "1 invitation resent."), (429, "1 invitation wasn&#39;t resent.")]
)
def test_an_unknown_row_keeps_its_key_with_any_outcome_of_the_others(administrator, upstream, status, messages):
    """The service has no bulk call."""
    one, other = (f"{PEOPLE}/u-{n}/invitation/resend" for n in (1, 2))
    for method, path in (("POST", f"{PEOPLE}/bulkResendInvitation"), ("PUT", one)):
        upstream.remove(method, path)
    upstream.answers("POST", f"{PEOPLE}/bulkResendInvitation", status=404)
    upstream.answers("PUT", one, {}, status=status)
    upstream.answers("PUT", other, {}, status=524)
    html = administrator.post(BULK, planned(administrator), follow=True).content.decode()
    assert messages in html
    assert "confirm whether this worked for 1 row." in html
    for _ in range(3):  # the refused row is in a step of its own
        html = administrator.post(BULK, next_step(html), follow=True).content.decode()
    first, *more = keys(upstream, other)
    assert more
    assert set(more) == {first}
    refused_keys = keys(upstream, one)
    assert len(refused_keys) == (1 if status == 200 else 3)
    assert len(set(refused_keys)) == len(refused_keys)


@pytest.mark.req("SEC-54")
@pytest.mark.parametrize("page", ["again", "retry"])
@pytest.mark.parametrize("status", [403, 422, 429, 503])
def test_after_a_failed_second_try_the_first_one_is_still_unknown(administrator, upstream, status, page):
    """The second try sends the plan again, or the form of its result."""
    sent = resending(upstream, calls_answer=[524, status, []])
    plan = planned(administrator)
    html = administrator.post(BULK, plan, follow=True).content.decode()
    html = administrator.post(BULK, plan if page == "again" else next_step(html), follow=True).content.decode()
    assert "confirm whether this worked for 2 rows." in html
    assert "weren&#39;t resent" not in html
    assert "Failed" not in html
    administrator.post(BULK, next_step(html))
    assert sent[0] == sent[1] == sent[2]


@pytest.mark.req("SEC-53", "SEC-54")
def test_after_a_failed_second_try_of_a_row_the_first_one_is_still_unknown(administrator, upstream):
    call = f"{PEOPLE}/u-1/invitation/resend"
    upstream.remove("POST", f"{PEOPLE}/bulkResendInvitation")
    upstream.answers("POST", f"{PEOPLE}/bulkResendInvitation", status=404)
    upstream.remove("PUT", call)
    upstream.answers_in_order("PUT", call, (524, {}), (429, {}), (200, {}))
    html = administrator.post(BULK, {"id": "u-1"}, follow=True).content.decode()
    for _ in range(2):
        html = administrator.post(BULK, next_step(html), follow=True).content.decode()
    assert "confirm whether this worked for 1 row." in html
    assert "wasn&#39;t resent" not in html
    assert "1 invitation resent." in administrator.post(BULK, next_step(html), follow=True).content.decode()
    assert len(set(keys(upstream, call))) == 1


@pytest.mark.req("SEC-54")
def test_unknown_rows_are_tried_again_with_the_same_key(administrator, upstream):
    call = f"{PEOPLE}/bulkResendInvitation"
    upstream.answers("POST", call, {}, status=524)
    html = administrator.post(BULK, planned(administrator), follow=True).content.decode()
    assert "confirm whether this worked for 2 rows." in html
    upstream.remove("POST", call)
    refused = {"results": [{"id": "u-1", "ok": True}, {"id": "u-2", "ok": False, "code": 10008}]}
    upstream.answers("POST", call, refused)
    html = administrator.post(BULK, next_step(html), follow=True).content.decode()
    assert "1 invitation wasn&#39;t resent." in html
    administrator.post(BULK, next_step(html))
    first, second, refused_key = keys(upstream, call)
    assert first == second
    assert refused_key != first, "the service would only give its answer again"


@pytest.mark.req("LS-18")
def test_a_form_sent_by_script_and_then_without_gets_a_page_instead_of_json(administrator):
    came_from = f"{USERS}?status=INVITED"
    first = administrator.post(RESEND, {"form_id": FORM_ID}, headers=JSON)
    assert first.json()["ok"]
    repeated = administrator.post(RESEND, {"form_id": FORM_ID}, headers={"Referer": f"http://testserver{came_from}"})
    assert (repeated.status_code, repeated.headers["Location"]) == (303, came_from)
    assert first.json()["message"] in administrator.get(came_from).content.decode()
