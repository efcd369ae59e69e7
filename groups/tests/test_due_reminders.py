"""A due reminder is a pending decision: it is counted, and completed there; nothing else changes automatically."""

from datetime import UTC, datetime, timedelta
from html import unescape
from types import SimpleNamespace

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.db import OperationalError, connection
from django.utils import timezone

from console.sessions.identity import identity_key
from console.sessions.models import Grant
from groups.models import StoredReminder, Subject
from groups.tests.stored_reminders import my_reminders, remind, today
from tests.support import factories
from upstream.listing import PAGE_LIMIT

PAGE = "/decisions"
CLINICS = "/v1/bizMainGroups"
USERS = "/v1/bizUsers"

pytestmark = [pytest.mark.req("DM-47", "DM-44"), pytest.mark.sql]


def page(client):
    response = client.get(PAGE)
    assert response.status_code == 200
    return unescape(response.content.decode())


def section(html):
    return html.partition('id="waits-reminders"')[2].partition("</section>")[0]


def at(monkeypatch, moment):
    monkeypatch.setattr("groups.reading.timezone", SimpleNamespace(now=lambda: moment))


@pytest.mark.parametrize(
    ("zone", "hour", "is_due"),
    [("UTC", 23, False), ("Pacific/Auckland", 12, True), ("America/Los_Angeles", 23, False)],
)
def test_a_reminder_is_due_from_its_day_on_in_the_administrators_time_zone(
    administrator, monkeypatch, zone, hour, is_due
):
    row = remind(10)
    administrator.cookies["tz"] = zone
    eve = datetime(row.day.year, row.day.month, row.day.day, tzinfo=UTC) - timedelta(days=1)
    at(monkeypatch, eve + timedelta(hours=hour))
    assert ("Back from leave?" in section(page(administrator))) == is_due
    for days in (2, 40):
        at(monkeypatch, eve + timedelta(days=days))
        assert "Back from leave?" in section(page(administrator))


def test_a_due_reminder_shows_its_facts_and_links(administrator, visit):
    remind(-3, about="allow_export")
    remind(0, subject=Subject("clinic", "g-1", "Clinic 1"), note="Still ordering abroad?")
    remind(1, about="allow_order", note="Not yet")
    html = section(unescape(visit(PAGE).response.content.decode()))
    assert html.index("Back from leave?") < html.index("Still ordering abroad?")
    assert "Not yet" not in html
    for part in ("Allow exports", 'href="user-manage/clinic/g-1/user/u-1"', 'class="count">2<'):
        assert part in html
    assert 'href="user-manage/clinic/g-1/permissions"' in html
    assert "Choose another date" in html


def test_due_reminders_are_added_to_the_counts_of_the_service_with_one_statement(administrator, upstream):
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary(scannerCounts={"PENDING": 12}))
    remind(0)
    remind(5, about="allow_export")
    assert 'Approvals<span class="count">13</span>' in page(administrator)
    with connection.execute_wrapper(counting := Counting()):
        administrator.get("/user-manage/clinic")
    assert counting.reminder_queries == 1


def test_a_service_without_counts_hides_no_reminder(administrator, upstream):
    upstream.answers("GET", "/v1/bizDashboards/summary", {}, status=404)
    remind(0)
    page(administrator)
    assert 'Approvals<span class="count">1</span>' in page(administrator)


class Counting:
    def __init__(self):
        self.reminder_queries = 0

    def __call__(self, execute, sql, params, many, context):
        self.reminder_queries += '"reminder"' in sql
        return execute(sql, params, many, context)


def test_done_removes_a_reminder_and_returns_to_the_page(administrator):
    row = remind(0)
    assert f'formaction="user-manage/reminder/{row.id}/delete"' in section(page(administrator))
    response = administrator.post(f"/user-manage/reminder/{row.id}/delete", {"back": PAGE, "version": "1"})
    assert (response.status_code, response["Location"]) == (303, PAGE)
    assert "No reminders due today." in section(page(administrator))


def test_done_in_place_stays_in_the_list(administrator):
    row = remind(0)
    headers = {"Accept": "application/json"}
    answer = administrator.post(f"/user-manage/reminder/{row.id}/delete", {"back": PAGE}, headers=headers)
    assert answer.status_code == 200, answer.content
    assert answer.json()["item"]["id"] == row.id
    assert not StoredReminder.objects.exists()


def test_done_does_not_remove_a_date_that_another_administrator_has_set(administrator):
    row = remind(0)
    my_reminders().update(row, version=1, day=today() + timedelta(days=30), note="Theirs", by="Kim")
    for sent in ({"back": PAGE}, {"back": PAGE, "version": "1"}):
        response = administrator.post(f"/user-manage/reminder/{row.id}/delete", sent)
        assert response.status_code == 412
    assert my_reminders().get(row.id).content.note == "Theirs"


def test_another_date_hides_a_reminder_until_then(administrator):
    row = remind(0)
    later = (today() + timedelta(days=30)).isoformat()
    sent = {"day": later, "note": "", "version": "1", "back": PAGE}
    assert administrator.post(f"/user-manage/reminder/{row.id}/edit", sent)["Location"] == PAGE
    assert "User 1" not in section(page(administrator))
    assert my_reminders().get(row.id).day.isoformat() == later


def test_a_clinic_that_no_longer_exists_is_reported_without_a_link(administrator, upstream, visit):
    remind(0, subject=Subject("clinic", "g-9", "Clinic 9", "g-9", "Clinic 9"))
    upstream.answers("GET", CLINICS, factories.listing([]))
    html = section(unescape(visit(PAGE).response.content.decode()))
    assert "Clinic 9" in html
    assert "This item no longer exists." in html
    assert "g-9/permissions" not in html


def test_a_moved_user_is_linked_and_one_who_no_longer_exists_is_reported(administrator, upstream, visit):
    remind(0)
    moved = factories.user(mainGroupId="g-2", mainGroupName="Clinic 2")
    upstream.answers("GET", USERS, factories.listing([moved]))
    html = section(page(administrator))
    assert 'href="user-manage/clinic/g-2/user/u-1"' in html
    assert "Clinic 2" in html
    upstream.answers("GET", USERS, factories.listing([]))
    html = section(unescape(visit(PAGE).response.content.decode()))
    assert "This user no longer exists." in html
    assert "User 1" in html
    assert "/user/u-1" not in html
    calls = [call for call in upstream.calls("GET", USERS) if "ids" in call.params]
    assert calls[-1].params["ids"] == "u-1"


@pytest.mark.parametrize("status", [404, 429, 500, 501])
def test_a_failure_of_the_service_hides_no_reminder(administrator, upstream, status):
    remind(0)
    upstream.answers("GET", USERS, {}, status=status)
    html = section(page(administrator))
    assert "Back from leave?" in html
    assert 'href="user-manage/clinic/g-1/user/u-1"' in html


def test_without_a_due_reminder_no_user_is_read(administrator, upstream):
    remind(5)
    page(administrator)
    assert [call for call in upstream.calls("GET", USERS) if "ids" in call.params] == []


def test_reminders_beyond_the_page_are_counted_and_appear_as_others_are_done(administrator, upstream):
    identity_key()
    for number in range(PAGE_LIMIT + 2):
        remind(0, subject=Subject("clinic", f"g-{number}", f"Clinic {number}"))
    html = section(page(administrator))
    assert f'class="count">{PAGE_LIMIT + 2}<' in html
    assert "Show all" not in html


@pytest.mark.req("SEC-41")
def test_a_database_that_can_not_be_read_breaks_no_page(administrator):
    def refuse(execute, sql, params, many, context):
        if '"reminder"' in sql:
            raise OperationalError("no such table")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        assert (
            "Couldn't load this." in page(administrator).partition('id="waits-reminders"')[2].partition("</section>")[0]
        )
        html = unescape(administrator.get("/user-manage/clinic/g-1/user/u-1").content.decode())
    assert "Couldn't load this. Try again in a moment." in html


def test_a_reminder_expires_a_year_after_its_day_while_the_console_is_in_use(administrator):
    remind(0)
    StoredReminder.objects.update(day=today() - StoredReminder.RETENTION)
    call_command("clearsessions")
    assert StoredReminder.objects.count() == 1
    StoredReminder.objects.update(day=today() - StoredReminder.RETENTION - timedelta(days=1))
    Grant.objects.update(last_seen_at=timezone.now() - timedelta(days=8))
    call_command("clearsessions")
    assert StoredReminder.objects.count() == 1, "the clock may be a year ahead"
    Grant.objects.create(payload="", persistent=True, admin_id_hash="somebody")
    call_command("clearsessions")
    assert StoredReminder.objects.count() == 0


def test_an_operator_deletes_the_reminders_of_one_organization_only(administrator, capsys):
    remind(0)
    call_command("forget_reminders", "o-1", "8")
    call_command("forget_reminders", "o-1", "7")
    assert capsys.readouterr().out.splitlines()[-2:] == ["0 reminders removed", "1 reminders removed"]
    assert not StoredReminder.objects.exists()


def test_a_rotation_of_the_keys_loses_no_note(administrator, settings):
    row, (former, new) = remind(0), (Fernet.generate_key().decode() for _ in range(2))
    reminders = my_reminders()
    settings.GRANT_KEYS = [former]
    call_command("clearsessions")
    settings.GRANT_KEYS = [new, former]
    call_command("clearsessions")
    settings.GRANT_KEYS = [new]
    assert reminders.get(row.id).content.note == "Back from leave?"
