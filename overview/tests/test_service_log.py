"""The service's own log, in a second tab with the same columns; without a log there is no tab."""

import re
from itertools import product

import pytest

from overview.tests.test_activity_list import lines, rows
from tests.support import factories
from tests.support.reading import as_read

LIST = "/activity/service"
CALL = "/v1/bizAuditLogs"

pytestmark = pytest.mark.req("DM-20", "DM-45")


@pytest.fixture
def has(upstream):
    def answer(*entries, **more):
        upstream.remove("GET", CALL)
        upstream.answers("GET", CALL, factories.listing(list(entries)), **more)

    return answer


@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_the_log_has_the_columns_and_terms_of_this_console(administrator, visit, lng):
    page = as_read(visit(LIST, lng=lng).response.content.decode())
    assert "Grace Kim" in page
    if lng == "en-US":
        assert "\u2068User 1\u2069" in page
        assert "Edit user" in page
        assert "Type: \u2068Staff\u2069 → \u2068Doctor\u2069" in page
        assert "Clinic 1" in page
        assert "Includes changes made outside this console" in page
        assert 'href="/activity"' in page


def test_an_entry_has_a_page(administrator, visit):
    page = visit(f"{LIST}/e-1").response.content.decode()
    assert 'href="/user-manage/clinic/g-1/user/u-1"' in page
    assert "Staff" in page
    assert "Doctor" in page
    assert administrator.get(f"{LIST}/e-2").status_code == 404


def test_the_filters_are_sent_to_the_service(administrator, upstream):
    administrator.get(f"{LIST}?kind=lab&clinic=g-1&from=2026-03-09&to=2026-03-10&keyword=kim")
    params = upstream.calls("GET", CALL)[-1].params
    assert (params["targetType"], params["mainGroupId"]) == (["LAB", "PARTNERSHIP"], "g-1")
    assert (params["keyword"], params["organizationId"], params["order"]) == ("kim", "o-1", "desc")
    assert (params["from"], params["to"]) == ("2026-03-09T00:00:00Z", "2026-03-11T00:00:00Z")


def test_codes_are_shown_as_the_terms_of_this_console(administrator, has):
    codes = (("PARTNERSHIP", "PENDING", "REJECTED"), ("USER", "ACTIVE", "LOCKED"))
    has(
        *(
            factories.log_entry(number, targetType=kind, changes=[{"field": "status", "old": old, "new": new}])
            for number, (kind, old, new) in enumerate(codes, 1)
        ),
        factories.log_entry(3, targetType="ORGANIZATION", targetName=None, targetId="o-1", changes=[]),
    )
    request, user, organization = rows(administrator, LIST)
    assert "Status: \u2068Request received\u2069 → \u2068Rejected\u2069" in request
    assert "Status: \u2068Active\u2069 → \u2068Locked\u2069" in user
    assert organization[3] == "Organization"


def test_an_open_request_is_named_from_the_side_of_who_sent_it(administrator, has):
    codes = (("CREATE", None, "PENDING"), ("CANCEL", "PENDING", "CANCELLED"), ("ACCEPT", "PENDING", "ACCEPTED"))
    has(
        *(
            factories.log_entry(
                number,
                targetType="PARTNERSHIP",
                action=action,
                changes=[{"field": "status", "old": old, "new": new}],
            )
            for number, (action, old, new) in enumerate(codes, 1)
        )
    )
    sent, canceled, accepted = rows(administrator, LIST)
    assert {"Send request", "Status: \u2068Request sent\u2069"} <= set(sent)
    assert "Status: \u2068Request sent\u2069 → \u2068Canceled\u2069" in canceled
    assert "Status: \u2068Request received\u2069 → \u2068Accepted\u2069" in accepted


def test_unknown_codes_are_shown_unchanged(administrator, has):
    has(
        factories.log_entry(action="SOLD", targetType="CHAIR", targetName=None, result="PERHAPS", changes=None),
        factories.log_entry(2, targetType="PARTNERSHIP", action="ACCEPT", targetName="Smile Lab", actorName=None),
        factories.log_entry(3, changes=[{"field": "colorOfDoor", "old": True, "new": {"x": 1}}], date=None),
    )
    first, second, third = rows(administrator, LIST)
    assert {"sold", "perhaps"} <= set(first)
    assert {"Smile Lab", "Accept request", "a-7"} <= set(second)
    assert "color_of_door: \u2068on\u2069 → \u2068{'x': 1}\u2069" in third
    for number in (1, 2, 3):
        assert administrator.get(f"{LIST}/e-{number}").status_code == 200


def test_a_value_of_any_kind_is_shown(administrator, has):
    odd = [["DOCTOR", "x"], {"x": 1}, "soon", 7, 1.5, True, None]
    names = ("userType", "decision", "about", "lookAgain", "countryCode", "language", "timeZone", "name")
    entries = [
        factories.log_entry(number, targetType=kind, changes=[{"field": name, "old": value, "new": value}])
        for number, (kind, name, value) in enumerate(product(("USER", "ORGANIZATION"), names, odd), 1)
    ]
    for start in range(0, len(entries), 10):
        has(*entries[start : start + 10])
        assert administrator.get(LIST).status_code == 200


@pytest.mark.req("LN-32")
def test_moments_and_days_are_shown_as_dates_in_the_time_zone_of_the_reader(administrator, has):
    changes = [
        {"field": "decidedOn", "old": None, "new": "2026-11-28T23:42:17.852455+00:00"},
        {"field": "expirationDate", "old": "2026-11-28", "new": "2026-11-28T23:42:17Z"},
        {"field": "name", "old": "2026-11-28", "new": "2026-11-28 North"},
        {"field": "until", "old": "9999-12-31T23:59:59Z", "new": "2026-11-28T23:42:17"},
    ]
    has(factories.log_entry(changes=changes))
    administrator.cookies["tz"] = "Asia/Kathmandu"
    moment = "Nov 29, 2026, 5:27 AM"
    expected = [
        *("–", moment, "Nov 28, 2026", moment),
        *("2026-11-28", "2026-11-28 North", "9999-12-31T23:59:59Z", "2026-11-28T23:42:17"),
    ]
    page = plain(administrator.get(f"{LIST}/e-1").content.decode())
    assert re.findall(r"<td data-label[^>]*><[^>]+>([^<]*)", page) == expected
    assert f"Decision date: {moment}" in plain(" ".join(rows(administrator, LIST)[0]))
    assert moment in [plain(line[9]) for line in lines(administrator, f"{LIST}/export")]


def plain(text):
    return text.replace("\u202f", " ")


def test_an_export_has_both_values(administrator):
    _head, row = lines(administrator, f"{LIST}/export")
    assert row == [
        *("2026-01-05T08:30:00+00:00", "Grace Kim", "Edit user", "User", "User 1", "user1@clinic.example", "Clinic 1"),
        *("Type", "Staff", "Doctor", "Completed", ""),
    ]


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_service_without_a_log_says_so_once_and_has_no_tab(administrator, has, upstream, status):
    assert f'href="{LIST}"' in administrator.get("/activity").content.decode()
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, {}, status=status)
    page = administrator.get(LIST)
    assert page.status_code == 200
    assert "This isn&#39;t available here." in page.content.decode()
    call_count = len(upstream.calls("GET", CALL))
    assert f'href="{LIST}"' not in administrator.get("/activity").content.decode()
    assert len(upstream.calls("GET", CALL)) == call_count


def test_the_console_works_if_the_log_cannot_be_read(administrator, upstream):
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, {}, status=500)
    assert administrator.get(LIST).status_code == 502
    assert administrator.get("/activity").status_code == 200
