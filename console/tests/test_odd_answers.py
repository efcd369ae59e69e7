"""Whatever the service puts into a field, each list, page, JSON response and file works, without invalid values."""

import csv
import importlib
import io
import json
import os
import pkgutil
import re
from html import unescape
from typing import Any
from urllib.parse import unquote_plus, urljoin

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.web.paths import WORDS
from tests.support import factories
from tests.support.cases import faults, rolled_back
from tests.support.page import Page
from tests.support.routes import ROUTES
from upstream import resources
from upstream.resources.audit_logs import LogEntry
from upstream.resources.clinics import Clinic, ClinicSettings
from upstream.resources.dashboards import Summary
from upstream.resources.labs import Lab
from upstream.resources.notifications import Notification
from upstream.resources.partner_lists import ListedLab
from upstream.resources.partnerships import Partnership
from upstream.resources.scanners import Scanner
from upstream.resources.teams import Team
from upstream.resources.users import User

CLINICS, USERS, TEAMS = "/user-manage/clinic", "/user-manage/clinic/g-1/user", "/user-manage/clinic/g-1/team"
ALL_USERS, ALL_TEAMS = "/user-manage/user", "/user-manage/team"
PERMISSIONS = "/user-manage/permissions"
SCANNERS, LABS, PARTNERS, NOTIFICATIONS, SERVICE_LOG = (
    "/scanner-manage",
    "/partner-manage/search",
    "/partner-manage/list",
    "/notifications",
    "/activity/service",
)
LISTED = f"{PARTNERS}/mine"
LISTS = {
    CLINICS: Clinic,
    PERMISSIONS: ClinicSettings,
    USERS: User,
    TEAMS: Team,
    ALL_USERS: User,
    ALL_TEAMS: Team,
    SCANNERS: Scanner,
    LABS: Lab,
    LISTED: ListedLab,
    NOTIFICATIONS: Notification,
    SERVICE_LOG: LogEntry,
    **{f"{PARTNERS}{tab}": Partnership for tab in ("", "/partners", "/sent", "/history")},
}
SELECTABLE = (CLINICS, PERMISSIONS, USERS, ALL_USERS, SCANNERS, LABS, LISTED, PARTNERS, f"{PARTNERS}/sent")
_EXPORTED = (CLINICS, PERMISSIONS, USERS, ALL_USERS, SCANNERS, PARTNERS, f"{PARTNERS}/history", LISTED, SERVICE_LOG)
EXPORTS = {path: LISTS[path] for path in _EXPORTED}
UPSTREAM = {
    Clinic: "/v1/bizMainGroups",
    ClinicSettings: "/v1/bizMainGroups",
    User: "/v1/bizUsers",
    Team: "/v1/bizSubGroups",
    Scanner: "/v1/bizScanners",
    Lab: "/v1/bizLabs",
    ListedLab: "/v1/bizPartnerLists",
    Partnership: "/v1/bizPartnerships",
    Notification: "/v1/bizNotifications",
    LogEntry: "/v1/bizAuditLogs",
}


def listed(number=1, **values):
    """Return a row of the partner list: its ID and its name are those of the lab."""
    lab_values = {name: values.pop(name) for name in ("id", "name") if name in values}
    return {
        "lab": factories.lab(number, **lab_values),
        "addedDate": "2026-01-05T08:30:00Z",
        "partnerships": [factories.partnership()],
        "orderAllowedMainGroupCount": 1,
        **values,
    }


def notification(number=1, *, name="Dana", **values):
    return factories.notification(number, **{"params": {"name": name, "email": "d@e.example"}, **values})


def scanner(number=1, *, name=None, **values):
    return factories.scanner(number, **({"serialNumber": name} if name else {}), **values)


def partnership(number=1, *, name=None, **values):
    return factories.partnership(number, **({"labName": name} if name else {}), **values)


def logged(number=1, **values):
    """Return an entry of the log, which has the name of its object."""
    named = {"targetName": values.pop("name")} if "name" in values else {}
    return factories.log_entry(number, **named, **values)


MADE = {
    Clinic: factories.clinic,
    ClinicSettings: factories.compared,
    User: factories.user,
    Team: factories.team,
    Scanner: scanner,
    Lab: factories.lab,
    ListedLab: listed,
    Partnership: partnership,
    Notification: notification,
    LogEntry: logged,
}

DATES = [
    f"{year}T{time}{zone}"
    for year in ("0001-01-01", "0001-12-31", "0002-01-01", "9998-12-31", "9999-12-31")
    for time in ("00:00:00", "23:59:59.999999")
    for zone in ("Z", "", "+14:00", "-12:00")
]
UNUSABLE = ["a/b", "/", "..", ".", " ", " .. ", "", "a\ufffd", "a\x00", "i" * 201, *WORDS]
USABLE = ["a?b", "a#b", "a%b", "%2F", "a b", "é", "a\\b", "a:b", "a&b=c", "+", "newer"]
IDS = [*UNUSABLE, *USABLE]
AS_IT_IS = {"id", "organizationId", "mainGroupId", "subGroupId", "labId", "status", "reason", "type", "source"}
ENDLESS = "a number of 5,000 digits"
ODD: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 2**53 + 1, 10**400, ENDLESS, 1e308, [], {}, [None], {"x": 1}, [[1]], {"": {}}),
    *(
        "",
        " ",
        "x",
        "UNKNOWN_CODE",
        "\ud800",
        "a\udc00b",
        "\x00\r\n\t\x1b",
        "\u202e\u2066",
        "<b>&\"'",
        "%(count)s %s {}",
    ),
    *("n" * 10_000, "2026-01-01", "-1", "1e9"),
    *DATES,
    *IDS,
]
many = settings(
    max_examples=int(os.environ.get("EXAMPLES", "20")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)
JSON = st.recursive(
    st.one_of(st.sampled_from(ODD), st.text(st.characters(), max_size=20), st.integers(), st.floats()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=4,
)


def build_body(noun, **values):
    """Return an object with every field of its Struct."""
    reason = {"reason": "NOT_EMPTY", "count": 2, "refs": [{"type": "USER", "id": "u-2", "label": "User 2"}]}
    empty = {field.encode_name: None for field in msgspec.structs.fields(noun)}
    return empty | MADE[noun](**values) | {"deleteBlockers": [reason], "endBlockers": [reason], "info": "text"}


def facts():
    lab = {"labId": "l-1", "labName": "Lab", "partnershipId": "p-1", "status": "ACCEPTED", "allowed": True}
    return factories.permissions() | {"orderLabs": [lab], "ownSettings": {"allowExport": {"on": 1, "off": 2}}}


def build_listing(noun):
    facets = {field.encode_name: {"x": 1} for field in msgspec.structs.fields(noun)}
    return factories.listing([build_body(noun)]) | {"facets": facets}


ANSWERS = {
    "/v1/bizMainGroups": build_listing(ClinicSettings),
    "/v1/bizMainGroups/g-1": build_body(Clinic),
    "/v1/bizMainGroups/g-1/permissions": facts(),
    "/v1/bizSubGroups": build_listing(Team),
    "/v1/bizSubGroups/t-1": build_body(Team),
    "/v1/bizSubGroups/teamTypes": factories.team_types(),
    "/v1/bizUsers": build_listing(User),
    "/v1/bizUsers/u-1": build_body(User),
    "/v1/bizUsers/u-1/permissions": facts(),
    "/v1/bizScanners": build_listing(Scanner),
    "/v1/bizScanners/s-1/history": factories.listing([factories.scanner_event()]),
    "/v1/bizLabs": build_listing(Lab),
    "/v1/bizLabs/l-1": build_body(Lab, inPartnerList=True),
    "/v1/bizPartnerLists": build_listing(ListedLab),
    "/v1/bizPartnerships": build_listing(Partnership),
    "/v1/bizPartnerships/p-1": build_body(Partnership),
    "/v1/bizNotifications": build_listing(Notification),
    "/v1/bizAuditLogs": build_listing(LogEntry),
    "/v1/bizDashboards/url": {"url": "https://usage.example/x"},
    "/v1/bizDashboards/summary": dict.fromkeys((f.encode_name for f in msgspec.structs.fields(Summary)), 1),
}
ALSO = {"/v1/maintenance", "/v1/bizOrganizations/o-1", "/v2/oauth/checkToken"}


APP_ROUTES = [route for route in ROUTES if route.app in ("groups", "scanners", "partners", "overview", "notifications")]
STORED_IDS = {"expected_id", "reminder_id", "preset_id", "review_id"}
"""The ids of the console's own rows."""


def screens():
    """Return the addresses of all pages and files of the apps that answer a GET and are about the service's objects."""
    for route in APP_ROUTES:
        if "GET" in route.methods and not STORED_IDS & set(route.parameters) and "activity/<" not in route.pattern:
            yield route.path()


SCREENS = [
    *screens(),
    f"{USERS}?user=u-1",
    f"{ALL_USERS}?user=u-1",
    f"{ALL_USERS}?clinic=g-1",
    f"{USERS}/u-1/permissions?copy_from=u-1",
]


@pytest.fixture
def administrator(admin_client, upstream):
    for path, body in ANSWERS.items():
        upstream.answers("GET", path, body)
    return admin_client


def send(upstream, path, body):
    """Answer with this body; characters that UTF-8 can't encode are escaped."""
    text = json.dumps(body).replace(f'"{ENDLESS}"', "9" * 5000)
    upstream.raw("GET", path, body=text, content_type="application/json")


def build_rows(noun):
    """Return a row for each field and odd value, one for each value that is not an object, and a normal one."""
    names = [field.encode_name for field in msgspec.structs.fields(noun)]
    rows = [
        build_body(noun, id=f"i-{n}-{m}") | {name: odd} for n, name in enumerate(names) for m, odd in enumerate(ODD)
    ]
    return [*rows, {}, 5, None, "x", [], build_body(noun, id="good-1", name="Good row")]


def in_hundreds(rows):
    return [rows[start : start + 100] for start in range(0, len(rows), 100)]


def visible_count(path, rows):
    """Return the number of rows of a page; one that compares all rows has each ID once, `-1` and `"-1"` too."""
    ids = [row.get("id") for row in rows if isinstance(row, dict)]
    known = [str(id) for id in ids if isinstance(id, str | int) and not isinstance(id, bool) and id != ""]
    return len(rows) - (len(known) - len(set(known)) if path == PERMISSIONS else 0)


def find_links(html):
    return {unescape(href) for href in re.findall(r'(?:href|formaction)="([^"]*)"', html)}


@pytest.mark.req("SEC-10")
def test_every_object_of_the_client_is_in_a_screen_of_this_test_or_exempt():
    elsewhere = {
        *("Admin", "PendingEmail", "Organization"),  # of accounts/tests
        *("TokenInfo", "TokenCheck", "_Nothing", "Region", "_DomainUrl", "_SearchResult", "_Invitation"),
        *("NewClinic", "NewUser"),  # sent, never read
        "_Named",  # of a row of a file
        "_Marked",  # of an answer to a change
        *("NewAccount", "ServerLocation", "_Locations", "ServiceSession", "_Sessions"),  # of accounts/tests
    }
    in_screens = {
        "Clinic",
        "ClinicSettings",
        "Team",
        "TeamType",
        "_TeamTypes",
        "User",
        "Summary",
        "PermissionSet",
        "Permission",
        "Owner",
    }
    in_screens |= {
        "OrderLab",
        "OverrideCounts",
        "Scanner",
        "ScannerEvent",
        "Lab",
        "Opening",
        "ListedLab",
        "Partnership",
        "Party",
    }
    in_screens |= {"Notification", "Target", "_Url", "LogEntry", "LoggedChange"}
    names = set()
    for module in pkgutil.iter_modules(resources.__path__, f"{resources.__name__}."):
        for name, kind in vars(importlib.import_module(module.name)).items():
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.name:
                names.add(name)
    assert names == elsewhere | in_screens


@pytest.mark.slow
@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("path", LISTS)
def test_no_value_of_a_row_breaks_the_list(administrator, upstream, path):
    noun = LISTS[path]
    for rows in in_hundreds(build_rows(noun)):
        send(upstream, UPSTREAM[noun], factories.listing(rows))
        page = administrator.get(path, {"size": 100}, headers={"Accept": "text/html"})
        assert page.status_code == 200
        html = page.content.decode()
        assert html.count("<th scope=row") == visible_count(path, rows)
        assert "<b>&" not in html
        answer = administrator.get(path, {"size": 100}, headers={"Accept": "application/json"})
        assert answer.status_code == 200
        assert len(answer.json()["item"]["list"]["rows"]) == visible_count(path, rows)
        assert ("Good row" in html) == ("good-1" in json.dumps(rows))


@pytest.mark.slow
@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("path", EXPORTS)
def test_no_value_of_a_row_breaks_the_file(administrator, upstream, path):
    noun = EXPORTS[path]
    for rows in in_hundreds(build_rows(noun)):
        # A repeated ID, also as a number and as its digits, is the same row.
        rows = list(
            {str(row["id"]) if isinstance(row, dict) and row.get("id") else id(row): row for row in rows}.values()
        )
        send(upstream, UPSTREAM[noun], factories.listing(rows))
        response = administrator.get(f"{path}/export")
        assert response.status_code == 200
        written = csv.reader(io.StringIO(response.getvalue().decode("utf-8-sig"), newline=""))
        assert len(list(written)) == 1 + len(rows)


@pytest.mark.slow
@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("path", ANSWERS)
def test_no_value_of_a_response_causes_an_internal_error(administrator, upstream, path):
    paths = list(value_paths(ANSWERS[path]))

    @many
    @given(st.sampled_from(paths), JSON, st.sampled_from(SCREENS), st.sampled_from(["text/html", "application/json"]))
    def ask(path_to_value, odd, screen, accept):
        send(upstream, path, replaced(ANSWERS[path], path_to_value, odd))
        response = administrator.get(screen, headers={"Accept": accept})
        assert response.status_code < 500, (path_to_value, odd, screen)
        response.getvalue()  # including the later parts of an export

    ask()
    send(upstream, path, ANSWERS[path])


def value_paths(body, before=()):
    """Yield the path of each value within a response."""
    items = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in items:
        if (*before, key) != ("results",):
            yield (*before, key)
        yield from value_paths(value, (*before, key))


def replaced(body, keys, value):
    key, *remaining = keys
    copy = dict(body) if isinstance(body, dict) else list(body)
    copy[key] = replaced(copy[key], remaining, value) if remaining else value
    return copy


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("body", ["", "nothing", "[]", "5", "null", "{}", '{"results": 5}', '{"results": {}}'])
def test_a_list_without_readable_rows_is_our_own_page_with_its_request_id(administrator, upstream, body):
    upstream.raw("GET", "/v1/bizMainGroups", body=body)
    response = administrator.get(CLINICS, headers={"Accept": "text/html"})
    assert response.status_code == 502
    assert response.headers["X-Request-Id"] in response.content.decode()


@pytest.mark.req("SEC-11")
@pytest.mark.parametrize("path", LISTS)
def test_a_row_whose_id_fits_in_no_path_has_no_links_and_no_actions(administrator, upstream, path):
    lists = ("/user-manage/clinic/g-1/user?team=", "/scanner-manage?clinic=", "/partner-manage/list/partners?clinic=")

    def check(id):
        row = odd_row(administrator, upstream, path, id)
        assert find_row_links(path, row) <= ({f"{address}{id}" for address in lists} if id in WORDS else set())
        assert "popover" not in row
        assert "formaction" not in row
        assert ("checkbox" in row) == (path in SELECTABLE and id in WORDS), "they can be done many at once"

    assert faults(UNUSABLE, check, at_least=14) == {}


@pytest.mark.req("SEC-11")
@pytest.mark.parametrize("path", LISTS)
def test_each_link_of_a_row_leads_to_its_object(administrator, upstream, path):
    """Links are followed like in a browser: the service is asked for exactly this ID."""
    upstream.callback("GET", r"/v1/biz\w+/(?![gut]-1|teamTypes).*", lambda _request: (404, {}, "{}"))

    def check(id):
        links = find_row_links(path, odd_row(administrator, upstream, path, id))
        assert len(links) >= (1 if path == SERVICE_LOG else 2)
        for href in links:
            upstream.clear_calls()
            with rolled_back(administrator):
                administrator.get(href, headers={"Accept": "application/json"})
            urls = {unquote_plus(call.url) for call in upstream.calls()}
            assert any(f"/{id}" in url or f"={id}" in url for url in urls), (href, urls)

    assert faults(USABLE, check, at_least=11) == {}


def odd_row(administrator, upstream, path, id):
    """Return the HTML of the row of an object with this ID."""
    noun = LISTS[path]
    send(upstream, UPSTREAM[noun], factories.listing([MADE[noun](id=id, name="Odd one"), MADE[noun](2)]))
    page = Page.from_response(administrator.get(path, headers={"Accept": "text/html"}))
    (row,) = (row.html for row in page.all("tr") if "Odd one" in (row.html or ""))
    return row


def find_row_links(path, row):
    """Return the links of the row, except the one to its clinic."""
    links = {urljoin(path, href) for href in find_links(row)}
    return {href for href in links if not href.endswith(("/clinic/g-1/user", "/clinic/g-1/team"))}


@pytest.mark.req("SEC-11")
def test_words_of_our_paths_are_not_ids():
    """Each word of our paths at the position of an ID must be known (console.web.paths)."""
    parts = [route.pattern.split("/") for route in APP_ROUTES]
    words = {
        other[index]
        for mine in parts
        for index, part in enumerate(mine)
        if part.startswith("<id:")
        for other in parts
        if other[:index] == mine[:index] and len(other) > index and not other[index].startswith("<")
    }
    # The first three are replaced by numbers of our own, and the others have no page of one notification.
    assert words - {"check", "clear", "service", "read", "unread"} == set(WORDS)


@pytest.mark.req("SEC-11")
@pytest.mark.parametrize("id", ["read", "unread", "open"])
def test_a_notification_may_have_the_name_of_one_of_our_paths(administrator, upstream, id):
    send(upstream, "/v1/bizNotifications", factories.listing([factories.notification(id=id)]))
    for action in ("open", "read", "unread"):
        assert administrator.get(f"/notifications/{id}/{action}").status_code == 200


@pytest.mark.req("SEC-11")
def test_all_are_marked_up_to_a_notification_of_any_year(administrator, upstream):
    """A year has four digits in an address, even the first ones."""
    send(
        upstream,
        "/v1/bizNotifications",
        factories.listing([factories.notification(createdDate="0002-01-01T00:00:00Z")]),
    )
    html = administrator.get(NOTIFICATIONS, headers={"Accept": "text/html"}).content.decode()
    (address,) = set(re.findall(r'(?:href|action)="(/notifications/read/[^"?]*)', html))
    assert administrator.get(address).status_code == 200


@pytest.mark.req("SEC-11")
def test_rows_without_an_id_are_never_selected_by_all_that_match(administrator, upstream):
    def check(id):
        send(upstream, "/v1/bizUsers", factories.listing([factories.user(id=id, name="Odd one"), factories.user()]))
        page = Page.from_response(administrator.get(USERS, headers={"Accept": "text/html"}))
        signed = [field.attributes["value"] for field in page.all("input[name=query]")]
        with rolled_back(administrator):
            plan = administrator.post(f"{USERS}/bulk/delete", {"all": "1", "query": signed})
        assert plan.status_code == 200
        assert ("Odd one" in plan.content.decode()) == bool(id)

    assert faults(UNUSABLE, check, at_least=14) == {}


@pytest.mark.req("SEC-11")
@pytest.mark.parametrize("id", ["", [], "a/b"])
def test_a_row_without_an_id_can_not_be_selected(administrator, upstream, id):
    rows = [factories.team(id=id, name="Odd one"), factories.team(2, name="Other")]
    send(upstream, "/v1/bizSubGroups", factories.listing(rows))
    html = administrator.get(f"{USERS}/new", headers={"Accept": "text/html"}).content.decode()
    assert "Other" in html
    assert ("Odd one" in html) == (id == "a/b")
    assert "Odd one" not in administrator.get(USERS, headers={"Accept": "text/html"}).content.decode()


@pytest.mark.req("SEC-12")
@pytest.mark.parametrize("path", LISTS)
def test_a_list_works_whatever_its_count(administrator, upstream, path):
    noun = LISTS[path]

    def check(count):
        send(upstream, UPSTREAM[noun], factories.listing([MADE[noun](), MADE[noun](2)]) | {"resultCount": count})
        page = administrator.get(path, headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert ("1 to 2 of 2" in page.content.decode()) == (count != 2**53 or path == PERMISSIONS)

    assert faults([10**400, -5, 0, "x", None, 2**53], check, at_least=6) == {}


@pytest.mark.req("SEC-12")
def test_a_thousand_rows_instead_of_a_hundred_are_shown(administrator, upstream):
    send(upstream, "/v1/bizUsers", factories.listing([factories.user(n) for n in range(1000)]))
    page = administrator.get(USERS, {"size": 100}, headers={"Accept": "text/html"})
    assert page.content.count(b"<th scope=row") == 1000


@pytest.mark.req("SEC-12")
@pytest.mark.parametrize("reasons", [(1, 10_000), (10_000, 1)], ids=["one of many", "many of one"])
@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/v1/bizMainGroups/g-1", f"{CLINICS}/g-1/delete"),
        ("/v1/bizSubGroups/t-1", f"{TEAMS}/t-1/delete"),
        ("/v1/bizUsers/u-1", f"{USERS}/u-1"),
        ("/v1/bizUsers/u-1", f"{USERS}/u-1/delete"),
    ],
)
def test_thousands_of_blocking_objects_are_counted_and_the_first_are_named(
    administrator, upstream, path, page, reasons
):
    count, things = reasons
    refs = [{"type": "USER", "id": f"u-{n}", "label": f"Thing {n}"} for n in range(things)]
    body = ANSWERS[path] | {"deleteBlockers": [{"reason": "NOT_EMPTY", "count": things, "refs": refs}] * count}
    send(upstream, path, body)
    html = administrator.get(page, headers={"Accept": "text/html"}).content.decode()
    assert "Thing 0" in html
    assert len(html) < 100_000
    assert ("9,950 more" in html or "9950 more" in html) == (things > 1)


@pytest.mark.req("SEC-12")
@pytest.mark.parametrize("path", [CLINICS, SCANNERS, LABS])
def test_the_most_frequent_of_thousands_of_counted_values_can_be_selected(administrator, upstream, path):
    noun = LISTS[path]
    counts = {f"odd-{n}": n for n in range(10_000)}
    facets = dict.fromkeys(("countryCode", "model", "service", "labType", "communicationLanguage"), counts)
    send(upstream, UPSTREAM[noun], build_listing(noun) | {"facets": facets})
    html = administrator.get(path, headers={"Accept": "text/html"}).content.decode()
    assert len(html) < 250_000
    assert "odd-9999" in html
    assert "odd-1<" not in html


@pytest.mark.req("SEC-13")
def test_no_text_of_the_service_is_markup(administrator, upstream):
    """Each text of each response has markup and placeholders; none of it is rendered as markup or filled in."""
    for path, body in ANSWERS.items():
        send(upstream, path, marked(body))

    def check(screen):
        with rolled_back(administrator):
            response = administrator.get(screen, headers={"Accept": "text/html"})
            content = response.getvalue()
        assert response.status_code < 500
        assert not response.headers.get("Location", "").startswith("/login")
        assert b"<i>&" not in content or "export" in screen

    assert faults(SCREENS, check, at_least=120) == {}


def marked(body):
    """Return the response with markup after each text that is not an ID, code or date."""
    if isinstance(body, dict):
        return {key: value if key in AS_IT_IS else marked(value) for key, value in body.items()}
    if isinstance(body, list):
        return [marked(item) for item in body]
    return f"{body}<i>&\"'%(count)s%s" if isinstance(body, str) else body
