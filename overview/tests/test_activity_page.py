"""The page of an entry, the rows of a bulk action with their export, and the histories on other pages."""

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from console.audit.content import DONE, REFUSED, Change, Ref
from console.audit.query import StoredActivity
from console.models import Activity
from overview.tests.stored_entries import NORTH, create_entry
from overview.tests.test_activity_list import bulk, lines, rows
from tests.support.reading import as_read

PAGES = {
    "clinic": ("/user-manage/clinic/g-1/edit", Ref("g-1", "Clinic 1")),
    "team": ("/user-manage/clinic/g-1/team/t-1/edit", Ref("t-1", "Team 1")),
    "user": ("/user-manage/clinic/g-1/user/u-1", Ref("u-1", "User 1")),
    "scanner": ("/scanner-manage/s-1", Ref("s-1", "ABC-1")),
    "lab": ("/partner-manage/lab/l-1", Ref("l-1", "Lab 1")),
}

pytestmark = [pytest.mark.req("DM-45"), pytest.mark.sql]


@pytest.fixture
def administrator(administrator, upstream):
    upstream.has_lab()
    return administrator


def html(client, path):
    response = client.get(path)
    assert response.status_code == 200, path
    return as_read(response.content.decode())


@pytest.mark.parametrize("stored", [{"reasons": ["PRESET_LIMIT"]}, {"code": -4}])
def test_an_entry_says_which_limit_of_the_console_was_reached(administrator, stored):
    """Also covers entries of earlier releases, which have a number."""
    entry = create_entry("create", "preset", outcome=REFUSED, **stored)
    content = administrator.get(f"/activity/{entry.pk}").content.decode()
    assert "You can have up to 50 presets." in content


@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_an_entry_has_its_fields_with_both_values_and_links_to_its_object(administrator, visit, lng):
    entry = create_entry(
        changes=[Change("name", "Kim", None), Change("allow_export", "inherit", "off")], outcome=REFUSED
    )
    page = visit(f"/activity/{entry.pk}", lng=lng).response.content.decode().replace("<wbr>", "")
    assert 'href="/user-manage/clinic/g-1/user/u-1"' in page
    if lng == "en-US":
        for part in ("Allow exports", "Clinic setting", "Off", "Declined", "Dana Admin", "user1@clinic.example"):
            assert part in page


def test_a_bulk_action_shows_its_rows_and_its_result_can_be_exported_again(administrator, visit):
    entry = bulk(12)
    path = f"/activity/{entry.pk}"
    page = as_read(visit(path).response.content.decode())
    assert "Lock user: \u206812 users\u2069" in page
    assert rows(administrator, path)[0][1] == "Person 0"
    second_page = rows(administrator, f"{path}?size=10&page=2")
    assert [name in row for name, row in zip(("Person 10", "Person 11"), second_page, strict=True)] == [True, True]
    head, *exported = lines(administrator, f"{path}/export")
    assert [(row[head.index("Name")], row[head.index("Result")]) for row in exported][:2] == [
        ("Person 0", "Declined"),
        ("Person 1", "Completed"),
    ]
    assert len(exported) == 12
    (refused,) = rows(administrator, f"{path}?outcome=refused")
    assert "Person 0" in refused
    assert len(lines(administrator, f"{path}/export?outcome=refused")) == 2
    workbook = administrator.get(f"{path}/export/xlsx")
    assert workbook.getvalue().startswith(b"PK")


def test_a_row_of_a_bulk_action_links_to_the_whole(administrator):
    entry = bulk(2)
    for number in (1, 2):
        page = administrator.get(f"/activity/{entry.pk + number}").content.decode()
        assert f'href="/activity/{entry.pk}"' in page


@pytest.mark.parametrize("kind", PAGES)
def test_the_history_on_a_page_costs_two_statements_and_no_further_call(administrator, upstream, kind):
    path, thing = PAGES[kind]
    html(administrator, path)  # fills the caches of the process
    calls = len(upstream.calls())
    before = html(administrator, path)
    calls = len(upstream.calls()) - calls
    # The link to all sources may find more.
    assert ("No activity yet." in before, "Changes that administrators make appear here." in before) == (False, True)
    entry = create_entry("delete", kind, thing, changes=())
    upto = len(upstream.calls())
    with CaptureQueriesContext(connection) as queries:
        after = html(administrator, path)
    assert len(upstream.calls()) - upto == calls
    assert f'href="/activity/{entry.pk}"' in after
    assert f'href="/activity?thing={entry.target}"' in after
    read = [query for query in queries if 'FROM "activity"' in query["sql"]]
    # The IDs of the newest entries, then the entries. A user's page also reads the last change of each permission.
    assert len(read) == (3 if kind == "user" else 2)


@pytest.mark.parametrize("kind", PAGES)
def test_the_history_on_a_page_leads_to_the_changes_of_all_sources(administrator, upstream, visit, kind):
    path, _thing = PAGES[kind]
    (link,) = visit(path).all('#activity a[href*="/activity/service"]')
    assert link.text() == "Search all sources"
    administrator.get(link.attributes["href"])
    assert upstream.query("/v1/bizAuditLogs")["keyword"][0] in visit(path).text


def test_the_history_on_a_page_leads_to_no_log_that_the_service_does_not_have(administrator, upstream, visit):
    upstream.remove("GET", "/v1/bizAuditLogs")
    upstream.answers("GET", "/v1/bizAuditLogs", {}, status=404)
    administrator.get("/activity/service")
    assert not visit(PAGES["user"][0]).all('#activity a[href*="/activity/service"]')


def test_the_history_of_a_clinic_has_moves_from_both_sides_and_a_link_to_all(administrator):
    create_entry("move", refs={"clinic": Ref("g-2", "Clinic South"), "other_clinic": NORTH}, changes=())
    page = html(administrator, PAGES["clinic"][0])
    assert "Move user: \u2068Kim Park\u2069" in page
    assert "Clinic: \u2068Clinic North\u2069 → \u2068Clinic South\u2069" in page


@pytest.mark.parametrize("path", [*(path for path, _ in PAGES.values()), "/user-manage/clinic/g-1/permissions"])
def test_a_page_is_shown_if_its_history_can_not_be_read(administrator, monkeypatch, path):
    def broken(*_args, **_more):
        raise DatabaseError

    monkeypatch.setattr(StoredActivity, "newest", broken)
    page = html(administrator, path)
    if path != "/user-manage/clinic/g-1/permissions":
        assert "t load this. Try again in a moment." in page


@pytest.mark.req("PM-12")
def test_each_permission_shows_who_set_it_last(administrator, upstream):
    create_entry("permissions", changes=[Change("allow_export", "on", "off"), Change("allow_order", "on", "inherit")])
    entry = create_entry("permissions", changes=[Change("allow_export", "off", "on")], actor="Robin")
    create_entry("permissions", changes=[Change("allow_export", "on", "off")], outcome=REFUSED)
    create_entry("permissions", "clinic", NORTH, changes=[Change("allow_export", "on", "off")], refs={})
    page = html(administrator, "/user-manage/clinic/g-1/user/u-1/permissions")
    assert "Turned on by \u2068Robin\u2069 on" in page
    assert f'href="/activity/{entry.pk}"' in page
    assert "Reset to the clinic setting by \u2068Dana Admin\u2069 on" in page
    assert "Turned off by" not in page
    assert "Turned off by \u2068Dana Admin\u2069 on" in html(administrator, "/user-manage/clinic/g-1/permissions")
    answer = administrator.get("/user-manage/clinic/g-1/user/u-1")
    assert "Turned on by" in answer.content.decode()


@pytest.mark.req("PM-12")
@pytest.mark.parametrize(("outcome", "is_known"), [(DONE, False), (REFUSED, True)])
def test_the_last_person_is_not_shown_if_a_later_change_can_not_be_decrypted(administrator, outcome, is_known):
    create_entry("permissions", changes=[Change("allow_export", "off", "on")], actor="Robin")
    later = create_entry("permissions", changes=[Change("allow_export", "on", "off")], outcome=outcome)
    Activity.objects.filter(pk=later.pk).update(content="of another key")
    page = html(administrator, "/user-manage/clinic/g-1/user/u-1/permissions")
    assert ("Turned on by" in page) is is_known
