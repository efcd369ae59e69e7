"""The console's activity is listed, filtered and exported; each organization sees its own."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from console.audit.content import REFUSED, UNKNOWN, Change, Ref
from console.models import Activity
from overview.tables.activity import activity_definition
from overview.tests.stored_entries import NORTH, create_entry, me
from tests.support import factories
from tests.support.reading import as_read

LIST = "/activity"
SOUTH = Ref("g-2", "Clinic South")

pytestmark = [pytest.mark.req("DM-20"), pytest.mark.sql]


def rows(client, path=LIST):
    answer = client.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == 200, answer.content[:500]
    return [[cell["text"] for cell in row["cells"]] for row in answer.json()["item"]["list"]["rows"]]


def names(client, path=LIST):
    """Return the action and object of each row."""
    return [f"{row[2]}: {row[3]}" for row in rows(client, path)]


def lines(client, path):
    response = client.get(path)
    assert response.status_code == 200, response.content[:500]
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_an_empty_list_says_what_it_contains_and_what_it_does_not(administrator, visit, lng):
    html = as_read(visit(LIST, lng=lng).response.content.decode())
    if lng == "en-US":
        assert "No activity yet." in html
        assert "Only changes made in this console" in html


@pytest.mark.req("DM-45")
def test_an_entry_shows_person_action_changes_and_outcome(administrator, visit):
    entry = create_entry()
    content = visit(LIST).response.content.decode()
    html = as_read(content)
    for part in ("\u2068Kim Park\u2069", "Edit user", "Dana Admin", "Clinic North", "Completed"):
        assert part in html
    assert "Type: \u2068Staff\u2069 → \u2068Doctor\u2069" in html
    assert f'href="activity/{entry.pk}"' in content


def test_an_entry_of_a_cleared_decision_and_of_the_labs_of_a_clinic_are_in_words(administrator):
    create_entry("reopen", changes=[Change("decision", "2026-01-05", "open")])
    create_entry("labs", "clinic", NORTH, changes=(), refs={})
    html = as_read(administrator.get(LIST).content.decode())
    assert "Decision: \u2068No decision\u2069" in html, "its old value, a day, is no decision"
    assert "Change labs to order from" in html


def test_the_newest_entries_come_first_and_pages_are_complete(administrator):
    for number in range(12):
        create_entry(target=Ref(f"u-{number}", f"Person {number}"))
    assert names(administrator, f"{LIST}?size=10")[0] == "Edit user: Person 11"
    assert names(administrator, f"{LIST}?size=10&page=2") == ["Edit user: Person 1", "Edit user: Person 0"]


def test_entries_are_filtered_by_person_action_kind_clinic_outcome_and_days(administrator):
    organization, _me = me()
    create_entry()
    create_entry("approve", "scanner", Ref("s-1", "ABC-1"), refs={"clinic": SOUTH}, outcome=REFUSED)
    create_entry(
        "delete",
        owner=(organization, "other" * 8),
        actor="Robin",
        outcome=UNKNOWN,
        at=timezone.now() - timedelta(days=9),
    )
    expected = {
        f"person={'other' * 8}": ["Delete user: Kim Park"],
        "act=scanner.approve": ["Approve scanner: ABC-1"],
        "kind=scanner": ["Approve scanner: ABC-1"],
        "clinic=g-2": ["Approve scanner: ABC-1"],
        "outcome=unknown&outcome=refused": ["Delete user: Kim Park", "Approve scanner: ABC-1"],
        "days=7": ["Approve scanner: ABC-1", "Edit user: Kim Park"],
        "days=today": ["Approve scanner: ABC-1", "Edit user: Kim Park"],
        "days=30&kind=user": ["Delete user: Kim Park", "Edit user: Kim Park"],
    }
    assert {query: names(administrator, f"{LIST}?{query}") for query in expected} == expected


def test_the_people_filter_has_administrators_with_entries_by_newest_name(administrator):
    create_entry(actor="Dana Old")
    create_entry(actor="Dana New")
    html = administrator.get(LIST).content.decode()
    assert "Dana New</span>" in html
    assert "Dana Old</span>" not in html


def columns(client, path):
    view = client.get(path, headers={"Accept": "application/json"}).json()["item"]["list"]
    return [column["label"] for column in view["columns"]]


def test_each_action_of_the_filter_has_a_distinct_name():
    (actions,) = (f for f in activity_definition({}).filters if f.name == "act")
    labels = [str(choice.label) for choice in actions.choices]
    assert len(set(labels)) == len(labels)
    assert "Resend" not in labels


@pytest.mark.parametrize("path", [LIST, f"{LIST}/service"])
def test_when_who_and_what_come_first_even_if_they_are_the_same_in_all_rows(administrator, path):
    create_entry()
    create_entry()
    assert columns(administrator, path) == ["Date", "Person", "Action", "Item", "Clinic", "Changes", "Result"]


def test_days_are_those_of_the_time_zone_of_the_page(administrator, monkeypatch):
    administrator.cookies["tz"] = "Asia/Tokyo"  # where the 10th begins at 15:00 UTC on the 9th
    for number, at in enumerate(("2026-03-09T14:59:59", "2026-03-09T15:00:00", "2026-03-10T15:00:00"), 9):
        create_entry(target=Ref(f"u-{number}", f"On the {number}th"), at=datetime.fromisoformat(f"{at}+00:00"))
    monkeypatch.setattr("overview.views.activity.timezone.now", lambda: datetime(2026, 3, 11, 1, tzinfo=UTC))
    days = {
        "days=today": ["11th"],
        "days=yesterday": ["10th"],
        "from=2026-03-10": ["11th", "10th"],
        "to=2026-03-10": ["10th", "9th"],
        "from=2026-03-10&to=2026-03-10": ["10th"],
        "from=2026-03-10&to=2026-03-10&clinic=g-1": ["10th"],
        "days=7&to=2026-03-09": ["9th"],
        "from=2026-03-11&to=2026-03-10": [],
    }
    for query, expected in days.items():
        assert [row[3].removeprefix("On the ") for row in rows(administrator, f"{LIST}?{query}")] == expected, query
    assert "Times in \u2068Tokyo, Japan\u2069" in as_read(administrator.get(LIST).content.decode())


def test_a_day_is_a_date_field_and_a_chip_with_the_written_date(administrator):
    html = as_read(administrator.get(f"{LIST}?from=2026-03-10").content.decode())
    assert re.search(r'<input [^>]*type="date" name="from"[^>]*value="2026-03-10"', html)
    assert "From: Mar 10, 2026" in html


@pytest.mark.parametrize("day", ["2026-02-30", "yesterday", "0002-01-01", "2026-W01-1", "20260310"])
def test_what_is_no_day_is_reported_and_nothing_is_listed(administrator, day):
    create_entry()
    html = as_read(administrator.get(f"{LIST}?from={day}").content.decode())
    assert f"From {day}" in html
    assert "Kim Park" not in html


@pytest.mark.req("DM-45")
def test_a_move_is_found_in_both_clinics(administrator):
    create_entry("move", refs={"clinic": SOUTH, "other_clinic": NORTH}, changes=())
    for clinic in ("g-1", "g-2"):
        (row,) = rows(administrator, f"{LIST}?clinic={clinic}")
        assert "Clinic: \u2068Clinic North\u2069 → \u2068Clinic South\u2069" in row


def bulk(count=3):
    entry = create_entry("lock", is_bulk=True, target=Ref(), counts={"done": count - 1, "refused": 1}, outcome=REFUSED)
    for number in range(count):
        about = Ref(f"u-{number}", f"Person {number}")
        create_entry("lock", target=about, parent=entry.key, changes=(), outcome="done" if number else REFUSED)
    return entry


@pytest.mark.req("DM-02")
def test_a_bulk_action_is_one_entry_and_filters_find_its_rows(administrator):
    bulk()
    assert names(administrator) == ["Lock user: 3 users"]
    assert names(administrator, f"{LIST}?clinic=g-1") == [f"Lock user: Person {number}" for number in (2, 1, 0)]


@pytest.mark.req("DM-45")
def test_a_search_finds_names_in_any_order_of_words(administrator):
    bulk()
    create_entry(target=Ref("u-8", "Zoë Ünal"), actor="Robin", refs={"clinic": SOUTH})
    create_entry("move", refs={"clinic": SOUTH, "other_clinic": NORTH}, changes=())
    create_entry(changes=[Change("email", "old@kim.example", "new@kim.example")], refs={})
    create_entry("approve", "scanner", Ref("s-1", "ABC-1"), refs={}, content="nothing that a key fits")
    expected = {
        "unal zoe": ["Edit user: Zoë Ünal"],
        "robin": ["Edit user: Zoë Ünal"],
        "north kim": ["Move user: Kim Park"],
        "NEW@kim.example": ["Edit user: Kim Park"],
        "person 2": ["Lock user: Person 2"],
        "doctor": [],
        "none": [],
    }
    assert {keyword: names(administrator, f"{LIST}?keyword={keyword}") for keyword in expected} == expected
    assert names(administrator, f"{LIST}?keyword=person&clinic=g-1&outcome=refused") == ["Lock user: Person 0"]
    assert names(administrator, f"{LIST}?keyword=south&size=10&page=9") == [
        "Move user: Kim Park",
        "Edit user: Zoë Ünal",
    ]
    assert [line[4] for line in lines(administrator, f"{LIST}/export?keyword=person")[1:]] == [
        *("Person 2", "Person 1", "Person 0"),
    ]


def test_a_search_says_if_older_entries_were_not_searched(administrator, monkeypatch):
    monkeypatch.setattr("console.audit.query.MAX_SEARCHED_ENTRIES", 2)
    note = "Only the most recent changes were searched. Choose dates to search earlier ones."
    create_entry(target=Ref("u-1", "Oldest"), at=timezone.now() - timedelta(days=9))
    create_entry()
    assert note not in administrator.get(f"{LIST}?keyword=kim").content.decode()
    create_entry()
    assert note in administrator.get(f"{LIST}?keyword=kim").content.decode()
    assert note not in administrator.get(LIST).content.decode()
    assert note in administrator.get(f"{LIST}?keyword=kim&clinic=g-1").content.decode()
    assert names(administrator, f"{LIST}?keyword=oldest") == []
    day = (timezone.now() - timedelta(days=8)).date()
    assert names(administrator, f"{LIST}?keyword=oldest&to={day}") == ["Edit user: Oldest"]


def test_the_tabs_name_their_source_and_keep_the_search(administrator):
    for path in (LIST, f"{LIST}/service"):
        page = administrator.get(f"{path}?keyword=kim").content.decode()
        tabs = re.findall(r'<a href="(/activity[^"]*)"[^>]*>([^<]+)', page[page.index('class="tabs"') :])[:2]
        assert tabs == [("/activity?keyword=kim", "In this console"), ("/activity/service?keyword=kim", "All sources")]


def test_the_tabs_keep_the_filters_that_both_lists_have(administrator):
    shared = "keyword=kim&days=90&from=2026-11-27&to=2026-11-28&kind=user&clinic=g-1"
    for path, other in ((LIST, f"{LIST}/service"), (f"{LIST}/service", LIST)):
        assert f"{other}?{shared}" in tab_links(administrator, f"{path}?{shared}")
    assert f"{LIST}/service?from=2026-11-27" in tab_links(administrator, f"{LIST}?from=2026-11-27&outcome=done")


@pytest.mark.req("LS-14")
@pytest.mark.parametrize(
    ("path", "label", "other"),
    [(LIST, "Search all sources", f"{LIST}/service"), (f"{LIST}/service", "Search in this console", LIST)],
)
def test_a_search_or_filter_without_matches_offers_the_other_tab(administrator, upstream, path, label, other):
    upstream.remove("GET", "/v1/bizAuditLogs")
    upstream.answers("GET", "/v1/bizAuditLogs", factories.listing([]))
    steps = empty_steps(administrator, f"{path}?keyword=hana+park")
    assert steps == [{"label": label, "href": f"{other}?keyword=hana+park"}]
    filtered = empty_steps(administrator, f"{path}?keyword=hana&kind=user")
    assert [step["href"] for step in filtered] == [f"{path}?keyword=hana", f"{other}?keyword=hana&kind=user"]
    assert empty_steps(administrator, f"{path}?to=2020-01-01")[-1]["href"] == f"{other}?to=2020-01-01"
    for other_address in ("", f"?keyword={'x' * 101}"):
        assert label not in administrator.get(path + other_address).content.decode()


def test_a_search_without_matches_offers_no_log_that_the_service_does_not_have(administrator, upstream):
    upstream.remove("GET", "/v1/bizAuditLogs")
    upstream.answers("GET", "/v1/bizAuditLogs", {}, status=404)
    administrator.get(f"{LIST}/service")
    assert empty_steps(administrator, f"{LIST}?keyword=hana") == []


def empty_steps(client, path):
    return client.get(path, headers={"Accept": "application/json"}).json()["item"]["list"]["empty"]["first_steps"]


def tab_links(client, path):
    page = client.get(path).content.decode()
    tabs = page[page.index('class="tabs"') :].split("</nav>")[0]
    return [unescape(href) for href in re.findall('href="([^"]*)"', tabs)]


@pytest.mark.req("DM-45")
def test_an_export_has_both_values_of_each_field_and_each_row_of_a_bulk_action(administrator):
    create_entry(changes=[Change("name", "=1+1", "Kim Park"), Change("user_type", "STAFF", "DOCTOR")])
    bulk(2)
    create_entry("edit", outcome=REFUSED, code=10006, reasons=["ONGOING_ORDERED_CASE"])
    administrator.cookies["tz"] = "Asia/Kathmandu"
    email = "user1@clinic.example"  # of u-1; u-0 no longer exists
    head, *rows = lines(administrator, f"{LIST}/export")
    assert head == [
        *("Date", "Person", "Action", "Type", "Name", "Email", "Clinic", "Field", "Before", "After"),
        *("Result", "Reason"),
    ]
    assert all(re.fullmatch(r"[\d-]{10}T[\d:]{8}\+05:45", row[0]) for row in rows)
    assert [row[4:11] for row in rows] == [
        ["Kim Park", email, "Clinic North", "Type", "Staff", "Doctor", "Declined"],
        ["Person 1", email, "Clinic North", "", "", "", "Completed"],
        ["Person 0", "", "Clinic North", "", "", "", "Declined"],
        ["Kim Park", email, "Clinic North", "Name", "'=1+1", "Kim Park", "Completed"],
        ["Kim Park", email, "Clinic North", "Type", "Staff", "Doctor", "Completed"],
    ]
    assert rows[0][11] == "1 ordered case is still in progress."
    assert lines(administrator, f"{LIST}/export?outcome=refused")[1:] == [rows[0], rows[2]]


def test_an_export_is_complete_if_the_email_addresses_can_not_be_read(administrator, upstream):
    create_entry()
    upstream.remove("GET", "/v1/bizUsers")
    upstream.answers("GET", "/v1/bizUsers", {}, status=500)
    (row,) = lines(administrator, f"{LIST}/export")[1:]
    assert row[4:7] == ["Kim Park", "", "Clinic North"]


@pytest.mark.req("DM-45")
def test_several_changes_have_their_values(administrator):
    create_entry(
        "permissions",
        changes=[Change("preset", None, "Interns"), Change("allow_export", None, "on"), Change("note", "Old", None)],
    )
    (row,) = rows(administrator)
    assert re.sub("[\u2068\u2069]", "", row[5]) == "Preset: Interns, Allow exports: On, and Note: Old → –"


@pytest.mark.req("PM-20")
def test_no_route_shows_entries_of_another_organization(administrator):
    _organization, administrator_key = me()
    foreign = ("theirs" * 8, administrator_key)
    mine, foreign_entry = (
        create_entry(),
        create_entry(owner=foreign, actor="Their Admin", target=Ref("u-1", "Their Person"), is_bulk=True),
    )
    create_entry(owner=foreign, parent=foreign_entry.key, actor="Their Admin", target=Ref("u-1", "Their Person"))
    for path in (
        *(
            LIST,
            f"{LIST}?clinic=g-1",
            f"{LIST}?thing={foreign_entry.target}",
            f"{LIST}?thing={mine.target}",
            f"{LIST}/export",
        ),
        *(f"{LIST}/{mine.pk}", f"{LIST}/{mine.pk}/export", "/user-manage/clinic/g-1/user/u-1"),
        *("/user-manage/clinic/g-1/edit", "/user-manage/clinic/g-1/permissions"),
    ):
        response = administrator.get(path)
        content = b"".join(response.streaming_content) if response.streaming else response.content
        assert response.status_code == 200, path
        assert b"Their " not in content, path
    for path in (
        f"{LIST}/{foreign_entry.pk}",
        f"{LIST}/{foreign_entry.pk}/export",
        f"{LIST}/{foreign_entry.pk + 1}",
        f"{LIST}/999999",
    ):
        assert administrator.get(path).status_code == 404, path


@pytest.mark.req("PM-20")
def test_actions_on_an_account_are_shown_to_its_own_administrator_only(administrator):
    organization, _me = me()
    create_entry("password", "administrator", Ref("a-1", "Me"), changes=(), refs={})
    other = create_entry(
        "password", "administrator", Ref("a-2", "Robin"), changes=(), refs={}, owner=(organization, "x" * 64)
    )
    assert names(administrator) == ["Change password: Me"]
    assert len(lines(administrator, f"{LIST}/export")) == 2
    assert administrator.get(f"{LIST}/{other.pk}").status_code == 404
    assert names(administrator, f"{LIST}?thing={other.target}") == []


def test_an_unreadable_entry_says_so(administrator):
    create_entry(content="nothing that a key fits")
    assert names(administrator) == ["Edit user: Unreadable"]


def test_an_odd_query_gets_a_page(administrator):
    create_entry()
    for query in (
        "person=x&act=user.edit.x&days=-1&thing=%00&clinic=../x",
        "page=999999&size=7",
        "keyword=kim&sort=id",
    ):
        assert administrator.get(f"{LIST}?{query}").status_code == 200
    assert names(administrator, f"{LIST}?sort=nothing") == ["Edit user: Kim Park"]


def many(count):
    sample = create_entry()
    fields = {f.attname: getattr(sample, f.attname) for f in Activity._meta.concrete_fields if not f.primary_key}
    Activity.objects.bulk_create(
        (Activity(**{**fields, "key": f"{sample.pk} {n}"}) for n in range(count - 1)), batch_size=500
    )


def cost(client, path):
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path)
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return [query["sql"].split(" WHERE ")[0] for query in queries], len(content)


def test_a_page_and_a_filter_cost_the_same_whatever_the_number_of_entries(administrator):
    queries = (
        "",
        "?keyword=kim",
        "?keyword=kim&clinic=g-1",
        "?kind=user",
        "?clinic=g-1",
        "?outcome=refused",
        "?act=user.edit&days=30",
    )
    many(200)
    before = {query: cost(administrator, LIST + query) for query in queries}
    many(2_000)
    for query, (statements, size) in before.items():
        now, bytes_now = cost(administrator, LIST + query)
        assert now == statements, query
        assert abs(bytes_now - size) < 1000, query  # the pager has longer numbers


def test_an_export_needs_the_same_number_of_statements_for_each_thousand(administrator):
    many(1_000)
    few, _size = cost(administrator, f"{LIST}/export")
    many(1_000)
    more, _size = cost(administrator, f"{LIST}/export")
    assert len(more) - len(few) <= 10


def test_entries_beyond_the_last_page_are_announced_and_exported(administrator, monkeypatch):
    monkeypatch.setattr("console.audit.query.MAX_LISTED_ENTRIES", 20)
    monkeypatch.setattr("overview.views.activity.MAX_LISTED_ENTRIES", 20)
    many(30)
    html = administrator.get(LIST).content.decode()
    assert "Only the most recent changes are listed. Export the log to get them all." in html
    assert names(administrator, f"{LIST}?size=10&page=9") == names(administrator, f"{LIST}?size=10&page=2")
    assert len(lines(administrator, f"{LIST}/export")) == 31
