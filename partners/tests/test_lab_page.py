"""The page of a lab: every field, safe links, opening hours, and the state for each clinic."""

import re
from datetime import UTC, datetime

import pytest
from django.utils import translation

from console.l10n.countries import countries
from partners.tables.lab_page import lab_page
from partners.tests.test_addresses import HOSTILE
from tests.support import factories
from tests.support.factories import lab
from tests.support.reading import one_line
from upstream.resources.labs import Lab, Opening

PAGE = "/partner-manage/lab/l-1"
CALL = "/v1/bizLabs/l-1"
PARTNERSHIPS = "/v1/bizPartnerships"


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.answers("GET", CALL, lab())
    upstream.answers("GET", PARTNERSHIPS, factories.listing([]))
    return admin_client


def partnership(number=1, status="ACCEPTED", **values):
    return {
        "id": f"p-{number}", "labId": "l-1", "labName": "Lab 1", "status": status, "requestedBy": "LAB",
        "owner": {"type": "MAIN_GROUP", "id": f"g-{number}", "name": f"Clinic {number}"},
        "requestedDate": "2026-01-05T08:30:00Z", "contractDate": "2026-02-05T08:30:00Z", **values,
    }  # fmt: skip


@pytest.mark.req("EN-53", "EN-54", "EN-55", "EN-56", "EN-57", "EN-58", "EN-59", "EN-60", "EN-61", "EN-62", "EN-63")
def test_every_field_of_a_lab_is_shown(administrator, visit):
    html = one_line(visit(PAGE).response.content.decode())
    for part in (
        *("Lab 1", "1 Main Street", "12345", "1998", "Monday", "9:00", "6:00", "Asia/Seoul"),
        *(
            "<bdi translate=no>Clear aligners</bdi>",
            "<bdi translate=no>Korean</bdi>",
            "<bdi translate=no>English</bdi>",
            "<bdi translate=no>United States</bdi>",
        ),
        '<a href="tel:+8225550100"><bdi translate=no dir="ltr">+82 2 555 0100</bdi></a>',
        '<a href="mailto:lab@labs.example"><bdi translate=no dir="ltr">lab@labs.example</bdi></a>',
        '<a href="https://lab.labs.example" rel="noopener noreferrer" target="_blank">',
    ):
        assert part in html, part


@pytest.mark.req("EN-56")
def test_the_phone_number_is_left_to_right_in_arabic(administrator, visit):
    html = one_line(visit(PAGE, lng="ar-EG").response.content.decode())
    assert '<a href="tel:+8225550100"><bdi translate=no dir="ltr">+82 2 555 0100</bdi></a>' in html
    assert "الكورية" in html
    assert "الاثنين" in html


@pytest.mark.req("EN-63")
def test_a_hostile_website_is_not_linked(administrator, upstream):
    upstream.answers("GET", CALL, lab(websites=list(HOSTILE)))
    html = administrator.get(PAGE).content.decode()
    assert 'rel="noopener' not in html
    assert "javascript:alert(1)" in html, "it is told as text"
    assert 'href="javascript' not in html


@pytest.mark.req("EN-56", "EN-62")
@pytest.mark.parametrize(
    ("phone", "mail"),
    [
        ("call me", "no address"),
        ("+82;ext=1", "a@b.example?bcc=c@d.example"),
        ("1", "a@b"),
        ("0" * 60, "x\ny@b.example"),
        ("javascript:1234", "a b@c.example"),
    ],
)
def test_an_invalid_number_or_address_is_plain_text(administrator, upstream, phone, mail):
    upstream.answers("GET", CALL, lab(officePhone=phone, contactEmail=mail))
    html = administrator.get(PAGE).content.decode()
    assert "tel:" not in html
    assert "mailto:a" not in html
    assert "mailto:x" not in html


def hours_at(moment, zone="Asia/Seoul", hours=(("MON", "09:00", "18:00"),)):
    """Return the opening hours shown at a moment (UTC)."""
    openings = [Opening(day=day, open=opens, close=closes) for day, opens, closes in hours]
    now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    with translation.override("en"):
        return lab_page(Lab(id="l-1", business_hours=openings, time_zone=zone), now=now).hours


@pytest.mark.req("EN-58")
@pytest.mark.parametrize(
    ("moment", "hours", "is_open"),
    [
        ("2026-11-23T00:00", [("MON", "09:00", "18:00")], True),
        ("2026-11-22T23:59", [("MON", "09:00", "18:00")], False),
        ("2026-11-23T09:00", [("MON", "09:00", "18:00")], False),
        ("2026-11-23T03:30", [("MON", "09:00", "12:00"), ("MON", "13:00", "18:00")], False),
        ("2026-11-23T12:00", [("MON", "20:00", "04:00")], True),
        ("2026-11-23T18:00", [("MON", "20:00", "04:00")], True),
        ("2026-11-22T18:00", [("MON", "20:00", "04:00")], False),
        ("2026-11-22T18:00", [("SUN", "20:00", "24:00"), ("SUN", "20:00", "04:00")], True),
    ],
)
def test_open_or_closed_is_shown_in_the_labs_own_time(moment, hours, is_open):
    result = hours_at(moment, hours=hours)
    assert result.is_open == is_open
    assert result.now.startswith("Open now." if is_open else "Closed now.")


@pytest.mark.req("EN-58")
@pytest.mark.parametrize("zone", [None, "", "Mars/Olympus", "../../etc/passwd", "x" * 400])
def test_without_a_known_time_zone_only_the_hours_are_shown(zone):
    result = hours_at("2026-11-23T00:00", zone=zone)
    assert (result.now, result.zone) == ("", "")
    assert result.days[0].spans == ["9:00\u202fAM to 6:00\u202fPM"]
    assert result.days[1].spans == []


@pytest.mark.req("EN-58")
def test_if_some_hours_can_not_be_parsed_open_or_closed_is_not_shown():
    result = hours_at("2026-11-23T00:00", hours=[("MON", "09:00", "18:00"), ("TUE", "9", "late")])
    assert result.now == "Local time: 9:00\u202fAM."
    assert not result.is_open


@pytest.mark.req("EN-58")
def test_hours_in_a_labs_own_words_are_shown_unchanged(administrator, upstream):
    upstream.answers("GET", CALL, lab(businessHours="By appointment <b>only</b>"))
    html = administrator.get(PAGE).content.decode()
    assert "By appointment &lt;b&gt;only&lt;/b&gt;" in html
    assert "Open now" not in html
    assert "Closed now" not in html


@pytest.mark.req("UC-09")
def test_the_state_of_the_lab_for_each_clinic_is_shown(administrator, upstream):
    upstream.answers("GET", PARTNERSHIPS, factories.listing([partnership(1), partnership(2, "ENDED")]))
    html = administrator.get(PAGE).content.decode()
    back = "?back=%2Fpartner-manage%2Flab%2Fl-1"
    for part in (
        *("Clinic 1", "Clinic 2", "Accepted", "Ended", 'datetime="2026-02-05T08:30:00Z"'),
        f'href="/partner-manage/partnership/p-1/end{back}"',
        f'href="/partner-manage/partnership/p-2/send-again{back}"',
        f'href="/partner-manage/partnership/p-2{back}"',
    ):
        assert part in html, part
    (call,) = upstream.calls("GET", PARTNERSHIPS)
    assert "labId=l-1" in call.url


@pytest.mark.parametrize("status", [404, 500, 501])
def test_the_lab_is_shown_if_its_partnerships_can_not_be_read(administrator, upstream, status):
    upstream.answers("GET", PARTNERSHIPS, {}, status=status)
    html = administrator.get(PAGE).content.decode()
    assert "1 Main Street" in html
    assert "t load this." in html


@pytest.mark.req("EN-53")
def test_a_lab_that_left_the_service_has_a_page_that_says_so(administrator, upstream, visit):
    upstream.answers("GET", CALL, factories.refusal(16009), status=409)
    upstream.answers("GET", PARTNERSHIPS, factories.listing([partnership(1)]))
    html = visit(PAGE, status=410).response.content.decode()
    assert "Lab no longer available</h1>" in html
    assert "Clinic 1" in html
    assert "raw words" not in html


def test_a_lab_that_does_not_exist_is_not_found(administrator, upstream, visit):
    upstream.answers("GET", CALL, factories.refusal(10004), status=404)
    visit(PAGE, status=404)


def test_a_lab_without_any_data_has_a_page(administrator, upstream, visit):
    upstream.answers("GET", CALL, {"id": "l-1", "name": "Lab 1"})
    html = visit(PAGE).response.content.decode()
    assert "This lab hasn&#39;t listed its business hours." in html


@pytest.mark.parametrize("path", ["", "/add", "/remove"])
def test_a_lab_without_a_name_is_called_by_its_id(administrator, upstream, path):
    upstream.answers("GET", "/v1/bizLabs/l-1", factories.lab(name=""))
    upstream.answers(
        "GET", "/v1/bizPartnerLists", factories.listing([{"lab": factories.lab(name="", inPartnerList=True)}])
    )
    html = administrator.get(f"/partner-manage/lab/l-1{path}", headers={"Accept": "text/html"}).content.decode()
    assert re.search(r"<h1>[^/]*l-1", html)


MANY = [f"odd-{n}" for n in range(10_000)]
FIELDS = ("services", "communicationLanguages", "servedCountries", "websites")


@pytest.mark.req("SEC-12")
def test_a_lab_with_ten_thousand_values_has_a_short_page(administrator, upstream):
    hours = [{"day": "MON", "open": f"{n // 60:02}:{n % 60:02}", "close": "23:59"} for n in range(1_400)]
    upstream.answers("GET", CALL, {**lab(), **dict.fromkeys(FIELDS, MANY), "businessHours": hours})
    html = administrator.get(PAGE).content.decode()
    assert len(html) < 150_000
    assert html.count("and 9700 more") + html.count("and 9,700 more") == len(FIELDS)
    assert "1,100 more" in html or "1100 more" in html
    assert "odd-299<" in html
    assert "odd-300<" not in html
    assert "Open now" not in html
    assert "Closed now" not in html


def test_all_countries_are_shown_and_duplicates_only_once(administrator, upstream):
    codes = [code for code, _name in countries()]
    upstream.answers("GET", CALL, lab(servedCountries=codes * 2, services=["CLEAR_ALIGNERS"] * 500))
    html = administrator.get(PAGE).content.decode()
    assert html.count("<bdi translate=no>Clear aligners</bdi>") == 1
    assert "<bdi translate=no>Zimbabwe</bdi>" in html
    assert " more</li>" not in html
