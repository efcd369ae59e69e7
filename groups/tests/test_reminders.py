"""Reminders to review a user, a clinic or a permission: set, changed, removed."""

from datetime import UTC, datetime, timedelta
from html import unescape
from types import SimpleNamespace

import pytest
from django.utils import timezone

from console.errors import StorageUnavailable
from console.models import Activity
from groups.models import StoredReminder, Subject
from groups.storage import reminders as storage
from groups.storage.reminders import Reminders
from groups.tests.stored_reminders import my_reminders, remind, today
from tests.support import factories
from tests.support.reading import one_line

USER = "/user-manage/clinic/g-1/user/u-1"
CLINIC = "/user-manage/clinic/g-1"
NEW = f"{USER}/reminder/new"
NOTHING_CHANGES = "Access and permissions won't change automatically."

pytestmark = [pytest.mark.req("DM-47", "SEC-117"), pytest.mark.sql]


def soon(days=30):
    return (today() + timedelta(days=days)).isoformat()


def get_text(response):
    return unescape(response.content.decode())


def stored():
    return [
        (row.content.about, row.day.isoformat(), row.content.note) for row in my_reminders().for_subject("user", "u-1")
    ]


@pytest.mark.parametrize("page", [USER, f"{USER}/permissions"])
def test_a_date_is_set_and_shown_on_the_page_of_a_user_and_of_the_permissions(administrator, visit, page):
    html = unescape(visit(page).response.content.decode())
    assert f'action="{NEW}"' in html
    assert '<dialog class="dialog" id="reminders" popover' in html
    assert 'popovertarget="reminders"' in html, "it opens without a script, too"
    assert "Reminder on " not in html
    assert NOTHING_CHANGES in html
    sent = {"about": "allow_export", "day": soon(), "note": " After the project ", "back": page}
    response = administrator.post(NEW, sent)
    assert (response.status_code, response["Location"]) == (303, page)
    assert stored() == [("allow_export", soon(), "After the project")]
    html = unescape(visit(page).response.content.decode())
    for part in (
        "Reminder saved.",
        "Reminder on ",
        "After the project",
        "Set by \u2068Dana Admin\u2069",
        "Remove reminder",
    ):
        assert part in html
    assert '<option value="allow_export"' not in html, "there is one for this"
    assert ">Due" not in html


def test_a_clinic_has_its_own_dates(administrator, visit):
    page = f"{CLINIC}/permissions"
    assert f'action="{CLINIC}/reminder/new"' in visit(page).response.content.decode()
    response = administrator.post(f"{CLINIC}/reminder/new", {"about": "clinic", "day": soon(), "back": page})
    assert response["Location"] == page
    (row,) = my_reminders().for_subject("clinic", "g-1")
    assert row.content.subject.name == "Clinic 1"
    for action in ("edit", "delete"):
        html = one_line(visit(f"/user-manage/reminder/{row.id}/{action}").response.content.decode())
        assert '<ol><li><a href="/user-manage/clinic"><bdi translate=no>Clinics</bdi></a></li>' in html, (
            "it is none of the users"
        )
    assert stored() == []


@pytest.mark.parametrize(
    "day",
    ["", "2026-02-30", "tomorrow", "25.12.2099", "0001-01-01", "9999-12-31", "x" * 5000, "\x00", "２０９９-01-01"],
)
def test_an_invalid_day_is_reported_and_the_input_stays(administrator, day):
    response = administrator.post(NEW, {"about": "allow_export", "day": day, "note": "typed"})
    html = get_text(response)
    assert response.status_code == 422
    assert "Choose a date between " in html
    assert 'value="typed"' in html
    assert '<option value="allow_export" selected>' in html
    assert not StoredReminder.objects.exists()


@pytest.mark.parametrize(
    "odd", [{"about": "allow_everything"}, {"about": ""}, {"about": "clinic"}, {"note": "a\x07b"}, {"note": "x" * 201}]
)
def test_odd_values_are_rejected(administrator, odd):
    assert administrator.post(NEW, {"about": "user", "day": soon(), **odd}).status_code == 422
    assert not StoredReminder.objects.exists()


@pytest.mark.parametrize(
    ("zone", "hour", "first"),
    [("Pacific/Kiritimati", 12, "2026-03-11"), ("Pacific/Pago_Pago", 5, "2026-03-09"), ("nowhere", 23, "2026-03-10")],
)
def test_yesterday_is_past_in_the_administrators_time_zone_and_today_is_not(
    administrator, monkeypatch, zone, hour, first
):
    administrator.cookies["tz"] = zone
    now = datetime(2026, 3, 10, hour, tzinfo=UTC)
    monkeypatch.setattr("groups.reading.timezone", SimpleNamespace(now=lambda: now))
    before = (datetime.fromisoformat(first) - timedelta(days=1)).date().isoformat()
    assert administrator.post(NEW, {"about": "user", "day": before}).status_code == 422
    assert f'min="{first}"' in get_text(administrator.get(NEW))
    assert administrator.post(NEW, {"about": "user", "day": first}).status_code == 303


def test_the_same_form_sent_twice_sets_one_date_and_has_one_entry(administrator):
    sent = {"about": "user", "day": soon(), "form_id": "7b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11"}
    assert [administrator.post(NEW, sent).status_code for _ in range(2)] == [303, 303]
    assert len(stored()) == 1
    assert Activity.objects.filter(act="remind").count() == 1
    repeated = {"about": "user", "day": soon(), "form_id": "7b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a12"}
    assert administrator.post(NEW, repeated).status_code == 303, "it is there as it was sent"
    assert len(stored()) == 1


def test_a_second_date_for_the_same_is_refused_and_says_what_to_do(administrator):
    remind(30, about="allow_export")
    response = administrator.post(NEW, {"about": "allow_export", "day": soon(60), "note": "typed"})
    assert response.status_code == 422
    assert "A reminder is already set. Edit that one instead." in get_text(response)
    assert 'value="typed"' in get_text(response)
    assert stored() == [("allow_export", soon(), "Back from leave?")]


def test_no_more_dates_than_an_organization_may_have(administrator, monkeypatch):
    monkeypatch.setattr(storage, "MAX_REMINDERS", 1)
    remind(30)
    response = administrator.post(NEW, {"about": "allow_export", "day": soon()})
    assert response.status_code == 422
    assert "You've reached the limit for reminders." in get_text(response)


def test_a_date_is_changed_and_its_history_has_both(administrator, visit):
    row = remind(30, about="allow_export")
    page = f"/user-manage/reminder/{row.id}/edit"
    html = visit(f"{page}?back={USER}").response.content.decode()
    assert f'value="{soon()}"' in html
    assert "Allow exports" in html
    sent = {"day": soon(60), "note": "Later", "version": "1", "back": USER}
    assert administrator.post(page, sent)["Location"] == USER
    assert stored() == [("allow_export", soon(60), "Later")]
    html = get_text(administrator.get(USER))
    assert "Set reminder" in html
    assert Activity.objects.get(act="remind").outcome == "done"


@pytest.mark.req("SEC-38")
@pytest.mark.parametrize("version", ["1", ""])
def test_a_stale_edit_shows_both_dates(administrator, version):
    row = remind(30)
    my_reminders().update(row, version=1, day=today() + timedelta(days=40), note="Theirs", by="Kim")
    page = f"/user-manage/reminder/{row.id}/edit"
    response = administrator.post(page, {"day": soon(60), "note": "Mine", "version": version})
    assert response.status_code == 412
    for part in ("Theirs", "Mine", 'name="version" value="2"'):
        assert part in get_text(response)
    assert stored() == [("user", soon(40), "Theirs")]


def test_a_date_is_removed_with_or_without_confirmation_and_only_once(administrator, visit):
    row = remind(30)
    page = f"/user-manage/reminder/{row.id}/delete"
    html = unescape(visit(f"{page}?back={USER}").response.content.decode())
    assert "Remove the reminder for \u2068User 1\u2069?" in html
    assert "Access and permissions stay the same." in html
    sent = {"version": "1", "back": USER, "form_id": "7b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11"}
    for _ in range(2):
        response = administrator.post(page, sent)
        assert (response.status_code, response["Location"]) == (303, USER)
    assert not StoredReminder.objects.exists()
    assert Activity.objects.filter(act="remind").count() == 1
    assert administrator.post(page, {"version": "1"}).status_code == 404


def test_the_form_returns_to_the_page_of_a_moved_user_and_nowhere_else(administrator):
    row = remind(30)
    page = f"/user-manage/reminder/{row.id}/edit"
    for back, expected in (
        ("/user-manage/clinic/g-2/user/u-1", "/user-manage/clinic/g-2/user/u-1"),
        ("/user-manage/clinic/g-2/permissions", "/user-manage/clinic/g-2/permissions"),
        ("/decisions", "/decisions"),
        ("//evil.example/decisions/x", "/user-manage/user"),
        ("/my-account", "/user-manage/user"),
    ):
        sent = {"day": soon(30), "note": back, "version": str(my_reminders().get(row.id).version), "back": back}
        assert administrator.post(page, sent)["Location"] == expected


@pytest.mark.req("SEC-116")
def test_another_organization_neither_sees_nor_changes_it(administrator, log_in, upstream):
    row = remind(0)
    log_in(organizationId="o-2")
    upstream.has_clinic(organizationId="o-2")
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.clinic(organizationId="o-2"))
    assert "Back from leave?" not in get_text(administrator.get(USER))
    assert "Back from leave?" not in get_text(administrator.get("/decisions"))
    for name in ("edit", "delete"):
        path = f"/user-manage/reminder/{row.id}/{name}"
        assert administrator.get(path).status_code == 404
        assert administrator.post(path, {"day": soon(), "version": "1"}).status_code == 404
    administrator.post(NEW, {"about": "user", "day": soon()})
    assert StoredReminder.objects.count() == 2
    assert len(set(StoredReminder.objects.values_list("thing", flat=True))) == 2, "nobody can tell that it is the same"


@pytest.mark.parametrize("id", ["0", "999999", "9" * 40, "x", "１"])
def test_a_reminder_that_does_not_exist_is_not_found(administrator, id):
    for name in ("edit", "delete"):
        assert administrator.get(f"/user-manage/reminder/{id}/{name}").status_code == 404


def test_an_unreadable_reminder_can_only_be_removed(administrator, visit):
    row = remind(0)
    StoredReminder.objects.update(content="broken")
    assert "Unreadable" in unescape(visit(USER).response.content.decode())
    assert "Unreadable" in unescape(visit("/decisions").response.content.decode())
    assert administrator.get(f"/user-manage/reminder/{row.id}/edit")["Location"].endswith("/delete")
    assert administrator.post(f"/user-manage/reminder/{row.id}/delete", {"version": "1"}).status_code == 303
    assert not StoredReminder.objects.exists()


@pytest.mark.req("SEC-41")
def test_a_date_that_the_database_did_not_store_is_reported_as_not_set(administrator, monkeypatch):
    def fail(*_args):
        raise StorageUnavailable("locked")

    monkeypatch.setattr(Reminders, "add", fail)
    response = administrator.post(NEW, {"about": "user", "day": soon(), "note": "typed"})
    assert response.status_code == 503
    assert "Failed to save the reminder." in get_text(response)
    assert 'value="typed"' in get_text(response)


def test_a_user_of_another_clinic_or_an_unknown_one_gets_no_date(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(mainGroupId="g-2"))
    assert administrator.post(NEW, {"about": "user", "day": soon()}).status_code == 404
    upstream.answers("GET", "/v1/bizUsers/u-1", {}, status=404)
    assert administrator.post(NEW, {"about": "user", "day": soon()}).status_code == 404
    assert not StoredReminder.objects.exists()


def test_a_subject_is_named_as_it_was_then(administrator):
    assert remind(1).content.subject == Subject("user", "u-1", "User 1", "g-1", "Clinic 1")
    assert timezone.now().date() <= remind(1, about="allow_export").day
