"""The entry of an action: stored before its call, completed after it, once per form, and never a cause of failure."""

import json
import logging
import uuid

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from console.audit.content import Change, Content, Ref, thing_key
from console.config import metrics
from console.config.encryption import decrypt_text
from console.config.logging import JsonFormatter
from console.models import Activity, Submission
from console.sessions.models import Grant
from tests.support import factories
from tests.support.bulk import ALL_USERS, CALL, answer_bulk_call, has_users, next_step

pytestmark = pytest.mark.sql

TEAM = "/user-manage/clinic/g-1/team/t-1/edit"
NEW_TEAM = "/user-manage/clinic/g-1/team/new"
ONE = "/v1/bizSubGroups/t-1"


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("PUT", ONE, {"version": 2})
    upstream.answers("POST", "/v1/bizSubGroups", {"id": "t-9"})
    return administrator


def decrypt_content(entry):
    return Content.decrypt(entry.content)


def outcomes():
    return list(Activity.objects.order_by("id").values_list("outcome", flat=True))


def form(**values):
    return {"form_id": str(uuid.uuid4()), "version": "1", "name": "Front", "team_type": "GENERAL", **values}


@pytest.mark.req("SEC-110", "DM-45")
def test_an_entry_has_administrator_action_target_and_both_values(administrator):
    administrator.post(TEAM, form())
    entry = Activity.objects.get()
    assert (entry.kind, entry.act, entry.outcome) == ("team", "edit", "done")
    content = decrypt_content(entry)
    assert (content.who, content.who_id) == ("Dana Admin", "a-1")
    assert (content.target, content.clinic) == (Ref("t-1", "Team 1"), Ref("g-1", "Clinic 1"))
    assert content.changes == [Change("name", "Team 1", "Front")]
    organization = entry.organization
    assert entry.target == thing_key(organization, "team", "t-1")
    assert entry.clinic == thing_key(organization, "clinic", "g-1")
    assert entry.who == Grant.objects.get().admin_id_hash


@pytest.mark.req("SEC-114")
def test_another_organization_has_other_keys(db):
    assert thing_key("ours", "clinic", "g-1") != thing_key("theirs", "clinic", "g-1")


def test_a_created_object_is_found_by_its_id(administrator):
    administrator.post(NEW_TEAM, form())
    entry = Activity.objects.get()
    assert decrypt_content(entry).target == Ref("t-9", "Front")
    assert entry.target == thing_key(entry.organization, "team", "t-9")


def test_a_form_that_changes_nothing_is_not_recorded(administrator):
    assert administrator.post(TEAM, form(name="Team 1")).status_code == 303
    assert not Activity.objects.exists()


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (409, factories.refusal(13007), "refused"),
        (404, factories.refusal(10004), "refused"),
        (429, {}, "not_done"),
        (503, {}, "not_done"),
        (500, {}, "unknown"),
    ],
)
def test_the_outcome_follows_the_answer_of_the_service(administrator, upstream, status, body, outcome):
    upstream.answers("POST", "/v1/bizSubGroups", body, status=status)
    administrator.post(NEW_TEAM, form())
    assert Activity.objects.get().outcome == outcome


@pytest.mark.req("SEC-112")
def test_the_entry_is_stored_before_the_call_with_an_unknown_outcome(administrator, upstream):
    entries: list[tuple[str, str, str]] = []

    def answer(_request):
        entries.extend(Activity.objects.values_list("kind", "act", "outcome"))
        return 200, {}, json.dumps({"id": "t-9"})

    upstream.remove("POST", "/v1/bizSubGroups")
    upstream.callback("POST", "/v1/bizSubGroups", answer)
    administrator.post(NEW_TEAM, form())
    assert entries == [("team", "create", "unknown")]
    assert Activity.objects.get().outcome == "done"


@pytest.mark.req("SEC-112")
def test_a_form_that_is_sent_again_completes_the_entry_of_a_process_that_ended(administrator):
    sent = form()
    administrator.post(NEW_TEAM, sent)
    Activity.objects.update(outcome="unknown")  # as the process left it
    Submission.objects.all().delete()
    assert administrator.post(NEW_TEAM, sent).status_code == 303
    assert Activity.objects.get().outcome == "done"


def test_a_repeat_does_not_change_a_complete_entry(administrator, upstream):
    sent = form()
    administrator.post(NEW_TEAM, sent)
    administrator.post(NEW_TEAM, sent)
    Submission.objects.all().delete()  # much later
    first = Activity.objects.values().get()
    upstream.answers("POST", "/v1/bizSubGroups", factories.refusal(13007), status=409)
    administrator.post(NEW_TEAM, sent)
    assert Activity.objects.values().first() == first
    assert outcomes() == ["done", "refused"]


def test_another_try_after_a_refusal_is_an_action_of_its_own(administrator, upstream):
    sent = form()
    upstream.answers("POST", "/v1/bizSubGroups", factories.refusal(13007), status=409)
    administrator.post(NEW_TEAM, sent)
    upstream.answers("POST", "/v1/bizSubGroups", {"id": "t-9"})
    administrator.post(NEW_TEAM, sent)
    assert outcomes() == ["refused", "done"]


def test_an_unknown_outcome_is_done_if_the_stored_values_match(administrator, upstream):
    upstream.answers("PUT", ONE, {}, status=500)
    upstream.remove("GET", ONE)
    upstream.answers_in_order("GET", ONE, (200, factories.team()), (200, factories.team(name="Front")))
    assert administrator.post(TEAM, form()).status_code == 303
    assert Activity.objects.get().outcome == "done"


def test_an_action_that_was_not_sent_as_the_session_has_ended_is_not_done(administrator, upstream):
    upstream.answers("POST", "/v1/bizSubGroups", {}, status=401)
    upstream.answers("POST", "/v2/oauth/refreshToken", {}, status=401)
    administrator.post(NEW_TEAM, form())
    assert Activity.objects.get().outcome == "not_done"


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-113")
@pytest.mark.parametrize("statement", ["INSERT", "UPDATE"])
def test_an_entry_that_can_not_be_stored_fails_nothing_and_is_counted(administrator, caplog, statement):
    before = metrics.activity_not_stored._value.get()

    def refuse(execute, sql, *args):
        if sql.startswith(statement) and '"activity"' in sql:
            raise DatabaseError("disk full")
        return execute(sql, *args)

    with connection.execute_wrapper(refuse):
        assert administrator.post(NEW_TEAM, form()).status_code == 303
    assert metrics.activity_not_stored._value.get() > before
    assert "the activity could not be stored: DatabaseError" in caplog.text
    assert [entry.outcome for entry in Activity.objects.all()] == (["unknown"] if statement == "UPDATE" else [])


def test_an_entry_that_could_not_be_stored_before_the_call_is_stored_after_it(administrator):
    refused = []

    def refuse_once(execute, sql, *args):
        if sql.startswith("INSERT") and '"activity"' in sql:
            refused.append(sql)
            if len(refused) == 1:
                raise DatabaseError("locked")
        return execute(sql, *args)

    with connection.execute_wrapper(refuse_once):
        administrator.post(NEW_TEAM, form())
    entry = Activity.objects.get()
    assert (entry.outcome, decrypt_content(entry).target.id) == ("done", "t-9")


def activity_statements(captured):
    return [query["sql"] for query in captured if '"activity"' in query["sql"]]


def test_a_write_takes_two_statements_and_its_page_one_for_the_history(administrator):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        administrator.get(TEAM)
    assert len(activity_statements(queries)) == 1
    with CaptureQueriesContext(connection) as queries:
        administrator.post(TEAM, form())
    assert len(activity_statements(queries)) == 2


def run(administrator, action, ids, **options):
    plan = administrator.post(f"{ALL_USERS}/bulk/{action}", {"id": ids}).content.decode()
    return administrator.post(
        f"{ALL_USERS}/bulk/{action}", {**next_step(plan), **options}, follow=True
    ).content.decode()


@pytest.fixture
def users(administrator, upstream):
    has_users(upstream, 100)
    answer_bulk_call(upstream, f"{CALL}/bulkUpdate", refused={"u-2"}, reasons=[{"reason": "ONGOING_ORDERED_CASE"}])
    return [f"u-{number}" for number in range(1, 101)]


def test_a_bulk_action_of_a_hundred_rows_is_stored_by_few_statements(administrator, users):
    with CaptureQueriesContext(connection) as queries:
        run(administrator, "type", users, user_type="STAFF")
    assert 0 < len(activity_statements(queries)) <= 6, "SQLite takes 58 rows of 17 columns in one"
    parent = Activity.objects.get(parent="")
    assert (parent.is_bulk, parent.kind, parent.act, parent.outcome) == (True, "user", "edit", "refused")
    assert decrypt_content(parent).counts == {"done": 99, "refused": 1}
    rows = Activity.objects.filter(parent=parent.key)
    assert rows.count() == 100
    assert not rows.exclude(outcome="done").exclude(outcome="refused").exists()
    refused = rows.get(outcome="refused")
    assert decrypt_content(refused).target.id == "u-2"
    assert decrypt_content(refused).reasons == ["ONGOING_ORDERED_CASE"]
    assert decrypt_content(refused).changes == [Change("user_type", "DOCTOR", "STAFF")]
    assert refused.clinic == thing_key(parent.organization, "clinic", "g-1")


def test_an_aborted_bulk_action_leaves_all_rows_with_an_unknown_outcome(administrator, users, upstream):
    def end(_request):
        raise SystemExit("the worker is aborted")

    upstream.remove("POST", f"{CALL}/bulkUpdate")
    upstream.callback("POST", f"{CALL}/bulkUpdate", end)
    with pytest.raises(SystemExit):
        run(administrator, "type", users, user_type="STAFF")
    assert set(Activity.objects.values_list("outcome", flat=True)) == {"unknown"}
    assert Activity.objects.count() == 101


def test_rows_that_are_tried_again_are_rows_of_another_action(administrator, users, upstream):
    upstream.answers("POST", f"{CALL}/bulkUpdate", {}, status=503)
    failed = run(administrator, "type", users[:3], user_type="STAFF")
    assert {entry.outcome for entry in Activity.objects.all()} == {"not_done"}
    answer_bulk_call(upstream, f"{CALL}/bulkUpdate")
    administrator.post(f"{ALL_USERS}/bulk/type", next_step(failed))
    assert outcomes() == ["not_done"] * 4 + ["done"] * 4
    first, second = Activity.objects.filter(parent="").order_by("id")
    assert decrypt_content(first).counts == {"not_done": 3}
    assert decrypt_content(second).counts == {"done": 3}


@pytest.mark.req("DM-45")
def test_a_move_is_an_entry_of_both_clinics(administrator, upstream, users):
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(), factories.clinic(2)]))
    run(administrator, "move-to-clinic", users[:2], clinic="g-2")
    rows = Activity.objects.exclude(parent="")
    organization = rows[0].organization
    assert {row.clinic for row in rows} == {thing_key(organization, "clinic", "g-2")}
    assert {row.other_clinic for row in rows} == {thing_key(organization, "clinic", "g-1")}
    assert decrypt_content(rows.order_by("id")[0]).changes == [Change("clinic_id", "Clinic 1", "Clinic 2")]


def test_the_move_of_a_user_has_both_clinics_and_both_teams(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(), factories.clinic(2)]))
    upstream.answers("PUT", "/v1/bizUsers/u-1", {"version": 2})
    move = {"clinic_id": "g-2", "teams_of": "g-2", "team_id": "", "version": "1"}
    assert administrator.post("/user-manage/clinic/g-1/user/u-1/move", move).status_code == 303
    entry = Activity.objects.get()
    content = decrypt_content(entry)
    assert (entry.kind, entry.act, entry.outcome) == ("user", "move", "done")
    assert (content.clinic, content.other_clinic) == (Ref("g-2", "Clinic 2"), Ref("g-1", "Clinic 1"))
    assert (content.team, content.other_team) == (Ref(), Ref("t-1", "Team 1"))
    assert content.changes == [Change("clinic_id", "Clinic 1", "Clinic 2"), Change("team_id", "Team 1", None)]


@pytest.mark.req("SEC-111")
def test_operators_get_a_line_with_ids_and_names_of_fields_only(administrator, caplog):
    with caplog.at_level(logging.INFO, "audit"):
        administrator.post(TEAM, form())
    (line,) = [JsonFormatter().format(record) for record in caplog.records if record.name == "audit"]
    assert json.loads(line)["audit"] == {
        "act": "team.edit",
        "outcome": "done",
        "administrator": "a-1",
        "organization": "o-1",
        "target": "t-1",
        "clinic": "g-1",
        "fields": ["name"],
    }
    assert not any(word in line for word in ("Team 1", "Front", "Clinic 1", "Dana"))


@pytest.mark.req("SEC-110")
def test_nothing_of_an_entry_can_be_read_without_the_key(administrator):
    administrator.post(TEAM, form())
    entry = Activity.objects.get()
    stored = {field.name: str(getattr(entry, field.name)) for field in Activity._meta.concrete_fields}
    assert not any(word in json.dumps(stored) for word in ("Team 1", "Front", "Clinic 1", "Dana"))
    assert "Front" in decrypt_text(stored.pop("content"))
    # Ciphertext can have these few letters by chance.
    assert not any(id in json.dumps(stored) for id in ("t-1", "g-1", "a-1"))
