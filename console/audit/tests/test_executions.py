"""An entry belongs to one execution: a repeated execution is recorded again, and complete entries don't change."""

import json
import re
import uuid
from datetime import timedelta

import pytest
from django.db.models import F

from console.audit.content import Change, Content
from console.models import Activity, Submission
from tests.support import factories
from tests.support.bulk import ALL_USERS, CALL, answer_bulk_call, has_users, next_step

pytestmark = [pytest.mark.sql, pytest.mark.req("SEC-112")]

USER = "/user-manage/clinic/g-1/user/u-1"
NEW_TEAM = "/user-manage/clinic/g-1/team/new"
PRESETS = "/user-manage/permissions/presets"
SETTINGS = ("allow_order", "allow_export", "allow_case_converting", "allow_case_talk", "allow_download")


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("POST", "/v1/bizSubGroups", {"id": "t-9"})
    upstream.answers("PUT", "/v1/bizUsers/u-1/lock")
    upstream.answers("PUT", "/v1/bizUsers/u-1/unlock")
    return administrator


def later(**by):
    """Let this much time pass: stored answers to forms expire, and entries are older."""
    passed = timedelta(**by)
    Submission.objects.update(created_at=F("created_at") - passed)
    Activity.objects.update(at=F("at") - passed)


def die():
    """Leave the rows as a process that is killed between its call and the answer does."""
    Submission.objects.update(answer="")
    Activity.objects.update(outcome="unknown")


def form(**values):
    return {"form_id": str(uuid.uuid4()), **values}


def outcomes(**filters):
    entries = Activity.objects.filter(**filters).order_by("id")
    return [(entry.act, entry.outcome) for entry in entries]


def decrypt_content(entry):
    return Content.decrypt(entry.content)


def rows_now():
    return list(Activity.objects.order_by("id").values())


def is_locked(upstream, locked):
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(status="LOCKED" if locked else "ACTIVE"))


@pytest.mark.parametrize("by", [{"seconds": 61}, {"seconds": 85}, {"hours": 2}, {"hours": 30}])
def test_a_lock_that_an_old_form_repeats_is_recorded_again(administrator, upstream, by):
    lock, unlock = form(), form()
    administrator.post(f"{USER}/lock", lock)
    is_locked(upstream, True)
    administrator.post(f"{USER}/unlock", unlock)
    is_locked(upstream, False)
    later(**by)
    before = rows_now()
    assert administrator.post(f"{USER}/lock", lock).status_code == 303
    assert len(upstream.calls("PUT", "/v1/bizUsers/u-1/lock")) == 2
    assert outcomes() == [("lock", "done"), ("unlock", "done"), ("lock", "done")]
    assert rows_now()[:2] == before


def test_a_repeat_that_is_answered_from_store_records_nothing(administrator, upstream):
    lock = form()
    for _time in range(3):
        assert administrator.post(f"{USER}/lock", lock).status_code == 303
    assert len(upstream.calls("PUT", "/v1/bizUsers/u-1/lock")) == 1
    assert outcomes() == [("lock", "done")]


@pytest.mark.parametrize("by", [{"seconds": 61}, {"minutes": 50}, {"hours": 2}, {"hours": 23}])
def test_a_creation_whose_answer_the_service_repeats_is_recorded_once(administrator, upstream, by):
    """The call has the same Idempotency-Key, so nothing was created again."""
    team = form(name="Front", team_type="GENERAL")
    administrator.post(NEW_TEAM, team)
    before = rows_now()
    later(**by)
    assert administrator.post(NEW_TEAM, team).status_code == 303
    first, second = (call.headers["Idempotency-Key"] for call in upstream.calls("POST", "/v1/bizSubGroups"))
    assert first == second
    assert [row["id"] for row in rows_now()] == [row["id"] for row in before]


def test_a_creation_whose_key_has_expired_at_the_service_is_recorded_again(administrator):
    team = form(name="Front", team_type="GENERAL")
    administrator.post(NEW_TEAM, team)
    later(hours=25)
    administrator.post(NEW_TEAM, team)
    assert outcomes() == [("create", "done"), ("create", "done")]


def test_a_repeat_completes_the_creation_of_a_killed_process(administrator):
    team = form(name="Front", team_type="GENERAL")
    administrator.post(NEW_TEAM, team)
    die()
    later(seconds=85)
    assert administrator.post(NEW_TEAM, team).status_code == 303
    assert outcomes() == [("create", "done")]
    assert decrypt_content(Activity.objects.get()).target.id == "t-9"


def test_an_execution_never_completes_the_entry_of_a_later_one(administrator, upstream):
    def answer(_request):
        entry = Activity.objects.get()
        entry.pk, entry.key = None, "another execution"
        entry.save(force_insert=True)
        return 200, {}, json.dumps({"id": "t-9"})

    upstream.remove("POST", "/v1/bizSubGroups")
    upstream.callback("POST", "/v1/bizSubGroups", answer)
    administrator.post(NEW_TEAM, form(name="Front", team_type="GENERAL"))
    assert outcomes() == [("create", "done"), ("create", "unknown")]


def test_a_lock_of_a_killed_process_stays_unknown_after_a_repeat(administrator, upstream):
    """The call has no Idempotency-Key: it was made twice."""
    lock = form()
    administrator.post(f"{USER}/lock", lock)
    die()
    later(seconds=85)
    administrator.post(f"{USER}/lock", lock)
    assert outcomes() == [("lock", "unknown"), ("lock", "done")]


@pytest.mark.parametrize("is_killed", [False, True])
def test_an_edit_that_was_made_before_is_not_recorded_as_made_again(administrator, upstream, is_killed):
    """The service refuses the old version, but the stored values match the form, so the form succeeds."""
    one = "/v1/bizSubGroups/t-1"
    upstream.answers("PUT", one, {"version": 2})
    edit = form(name="Front", team_type="GENERAL", version="1")
    administrator.post("/user-manage/clinic/g-1/team/t-1/edit", edit)
    if is_killed:
        die()
    later(seconds=85)
    upstream.answers("PUT", one, factories.refusal(10005), status=412)
    upstream.remove("GET", one)
    upstream.answers_in_order("GET", one, (200, factories.team()), (200, factories.team(name="Front")))
    assert administrator.post("/user-manage/clinic/g-1/team/t-1/edit", edit).status_code == 303
    assert outcomes() == [("edit", "done")]
    assert decrypt_content(Activity.objects.get()).changes == [Change("name", "Team 1", "Front")]


def test_an_edit_that_another_administrator_made_first_is_recorded_as_refused(administrator, upstream):
    one = "/v1/bizSubGroups/t-1"
    upstream.answers("PUT", one, factories.refusal(10005), status=412)
    upstream.remove("GET", one)
    upstream.answers_in_order("GET", one, (200, factories.team()), (200, factories.team(name="Front")))
    edit = form(name="Front", team_type="GENERAL", version="1")
    assert administrator.post("/user-manage/clinic/g-1/team/t-1/edit", edit).status_code == 303
    assert outcomes() == [("edit", "refused")]


@pytest.mark.parametrize("is_readable", [False, True])
def test_a_repeat_completes_an_entry_that_became_unreadable(administrator, is_readable):
    team = form(name="Front", team_type="GENERAL")
    administrator.post(NEW_TEAM, team)
    die()
    if not is_readable:
        Activity.objects.update(content="of another key")
    later(seconds=85)
    administrator.post(NEW_TEAM, team)
    assert decrypt_content(Activity.objects.get()).target.name == "Front"


@pytest.fixture
def plan(administrator, upstream):
    """Return a function that plans an action for two users."""
    has_users(upstream, 2)
    for call in ("bulkPermissions", "bulkUpdate", "bulkLock"):
        answer_bulk_call(upstream, f"{CALL}/{call}")

    def make(action):
        html = administrator.post(f"{ALL_USERS}/bulk/{action}", {"id": ["u-1", "u-2"]}).content.decode()
        return next_step(html)

    return make


@pytest.mark.parametrize(
    ("action", "field", "first", "second"),
    [
        ("permissions", "allow_export", "on", "off"),
        ("permissions", "allow_download", "inherit", "on"),
        ("type", "user_type", "STAFF", "DOCTOR"),
    ],
)
@pytest.mark.parametrize("by", [{}, {"seconds": 85}])
def test_a_plan_that_is_confirmed_again_with_other_options_is_another_action(
    administrator, plan, action, field, first, second, by
):
    step = plan(action)
    administrator.post(f"{ALL_USERS}/bulk/{action}", {**step, field: first})
    before = rows_now()
    later(**by)
    administrator.post(f"{ALL_USERS}/bulk/{action}", {**step, field: second})
    assert [row["content"] for row in rows_now()[:3]] == [row["content"] for row in before]
    changes = [decrypt_content(row).changes for row in Activity.objects.filter(is_bulk=False).order_by("id")]
    assert [(change.field, change.new) for (change,) in changes] == [(field, first)] * 2 + [(field, second)] * 2
    assert Activity.objects.filter(is_bulk=True).count() == 2


@pytest.mark.parametrize("by", [{"seconds": 85}, {"minutes": 55}])
def test_a_plan_whose_bulk_call_is_repeated_by_the_service_is_recorded_once(administrator, upstream, plan, by):
    step = plan("type")
    administrator.post(f"{ALL_USERS}/bulk/type", {**step, "user_type": "STAFF"})
    ids = [row["id"] for row in rows_now()]
    later(**by)
    administrator.post(f"{ALL_USERS}/bulk/type", {**step, "user_type": "STAFF"})
    keys = [call.headers["Idempotency-Key"] for call in upstream.calls("POST", f"{CALL}/bulkUpdate")]
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert [row["id"] for row in rows_now()] == ids
    assert decrypt_content(Activity.objects.get(is_bulk=True)).counts == {"done": 2}


@pytest.mark.parametrize("by", [{"seconds": 85}, {"minutes": 55}])
def test_a_plan_whose_single_calls_are_made_again_is_recorded_again(administrator, upstream, plan, by):
    step = plan("lock")
    upstream.answers("POST", f"{CALL}/bulkLock", status=404)
    for user in ("u-1", "u-2"):
        upstream.answers("PUT", f"{CALL}/{user}/lock")
    administrator.post(f"{ALL_USERS}/bulk/lock", step)
    later(**by)
    administrator.post(f"{ALL_USERS}/bulk/lock", step)
    calls = len(upstream.calls("PUT", f"{CALL}/u-1/lock"))
    assert calls == 2
    assert outcomes(is_bulk=False) == [("lock", "done")] * 2 * calls
    assert [decrypt_content(entry).counts for entry in Activity.objects.filter(is_bulk=True)] == [{"done": 2}] * calls


def test_a_retry_completes_unknown_rows_in_the_entry_of_their_first_try(administrator, upstream, plan):
    upstream.answers("POST", f"{CALL}/bulkUpdate", {}, status=524)
    html = administrator.post(
        f"{ALL_USERS}/bulk/type", {**plan("type"), "user_type": "STAFF"}, follow=True
    ).content.decode()
    assert outcomes() == [("edit", "unknown")] * 3
    answer_bulk_call(upstream, f"{CALL}/bulkUpdate", refused={"u-2"})
    administrator.post(f"{ALL_USERS}/bulk/type", next_step(html))
    first = Activity.objects.filter(is_bulk=True).order_by("id")[0]
    assert decrypt_content(first).counts == {"done": 1, "unknown": 1}
    assert outcomes(parent=first.key) == [("edit", "done"), ("edit", "unknown")]
    assert outcomes(is_bulk=False) == [("edit", "done"), ("edit", "unknown"), ("edit", "refused")]


def test_a_step_that_is_sent_again_after_the_run_does_not_change_its_action(administrator, upstream):
    has_users(upstream, 150)
    answer_bulk_call(upstream, f"{CALL}/bulkUpdate")
    ids = [f"u-{number}" for number in range(1, 151)]
    html = administrator.post(f"{ALL_USERS}/bulk/type", {"id": ids}).content.decode()
    middle = administrator.post(f"{ALL_USERS}/bulk/type", {**next_step(html), "user_type": "STAFF"}).content.decode()
    for _time in range(2):
        administrator.post(f"{ALL_USERS}/bulk/type", next_step(middle))
        parent = Activity.objects.get(is_bulk=True)
        assert (parent.outcome, decrypt_content(parent).counts) == ("done", {"done": 150})
        later(seconds=85)
    assert Activity.objects.count() == 151


def test_a_preset_that_is_made_deleted_and_made_again_by_its_old_form_is_recorded_three_times(administrator):
    """The console stores presets itself: no service repeats an answer."""
    sent = form(name="Front desk", **dict.fromkeys(SETTINGS, "on"))
    assert administrator.post(f"{PRESETS}/new", sent).status_code == 303
    before = rows_now()
    (id,) = set(re.findall(r"presets/([\w-]+)/edit", administrator.get(PRESETS).content.decode()))
    administrator.post(f"{PRESETS}/{id}/delete", form(version="1"))
    later(seconds=85)
    administrator.post(f"{PRESETS}/new", sent)
    assert outcomes() == [("create", "done"), ("delete", "done"), ("create", "done")]
    later(seconds=-85)
    assert rows_now()[:1] == before


def test_a_person_whose_invitation_was_refused_first_is_recorded_by_each_try(administrator, upstream):
    ada = {"row": "0", "row-0-name": "Ada", "row-0-email": "ada@clinic.example", "row-0-user_type": "STAFF", **form()}
    upstream.answers("POST", "/v1/bizUsers", {}, status=429)
    administrator.post("/user-manage/clinic/g-1/user/new", ada)
    upstream.answers("POST", "/v1/bizUsers", {"id": "u-9"})
    for _time in range(2):
        administrator.post("/user-manage/clinic/g-1/user/new", ada)
        later(seconds=85)
    assert outcomes() == [("invite", "not_done"), ("invite", "done")]


def test_a_corrected_form_of_several_people_records_no_one_twice(administrator, upstream):
    """The service repeats its answer for the person who was invited before."""
    made: dict[str, str] = {}

    def create(request):
        made.setdefault(request.headers["Idempotency-Key"], f"u-{len(made) + 10}")
        body = json.loads(request.body)
        if body["email"] == "bad@clinic.example":
            return 422, {}, json.dumps(factories.refusal(10002))
        return 200, {}, json.dumps({"id": made[request.headers["Idempotency-Key"]]})

    upstream.remove("POST", "/v1/bizUsers")
    upstream.callback("POST", "/v1/bizUsers", create)
    people = {"row": ["0", "1"], "row-0-name": "Ada", "row-0-email": "ada@clinic.example", "row-0-user_type": "STAFF"}
    people |= {"row-1-name": "Bo", "row-1-email": "bad@clinic.example", "row-1-user_type": "STAFF", **form()}
    administrator.post("/user-manage/clinic/g-1/user/new", people)
    later(seconds=85)
    administrator.post("/user-manage/clinic/g-1/user/new", people | {"row-1-email": "bo@clinic.example"})
    assert sorted(outcomes(is_bulk=False)) == [("invite", "done"), ("invite", "done"), ("invite", "refused")]
