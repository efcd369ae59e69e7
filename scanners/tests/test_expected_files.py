"""Purchase lists are pasted and imported: every line is checked before anything is stored."""

import re
from html import unescape

import pytest

from console.errors import StorageUnavailable
from scanners.models import ExpectedSerial
from scanners.storage import changes
from scanners.storage.changes import ExpectedSerials
from scanners.tests.stored_serials import expect, my_list
from tests.support import factories
from tests.support.audit import audit
from tests.support.bulk import field
from tests.support.imports import upload
from tests.support.page import Page
from tests.support.reading import one_line
from upstream.listing import ListParams

LIST = "/scanner-manage/expected"
NEW, IMPORT = f"{LIST}/new", f"{LIST}/import"

LINES = "\r\n".join(
    [
        "A-1\tClinic 1\tRoom 4",
        "A-2",
        "a 1\t\tagain",
        "---",
        "A-3\tNowhere",
        "OLD-1\tClinic 1\tmoved",
        "OLD-2",
        "A-4\tTwin",
    ]
)

pytestmark = [pytest.mark.req("DM-43"), pytest.mark.sql]


@pytest.fixture
def administrator(administrator, upstream):
    names = ["Clinic 1", "Twin", "TWIN"]
    clinics = [factories.clinic(number, name=name) for number, name in enumerate(names, start=1)]
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing(clinics))
    upstream.answers("GET", "/v1/bizScanners", factories.listing([]))
    return administrator


def get_rows(html):
    """Return result and details by serial number, as the table shows them."""
    rows = re.findall(
        r'<th scope="row">(.*?)</th>.*?<span class="badge"[^>]*>(.*?)</span>.*?csv-details[^>]*>(.*?)</td>',
        one_line(html),
    )
    texts = ([unescape(re.sub("<.*?>|[\u2068\u2069]", "", cell)) for cell in row] for row in rows)
    return {name: (result, details) for name, result, details in texts}


def get_pasted_text(html):
    return unescape(re.findall(r"<textarea[^>]*>(.*?)</textarea>", html, re.S)[0])


def paste(client, text, **more):
    response = client.post(NEW, {"pasted": text, **more})
    html = response.content.decode()
    if response.status_code != 303:
        audit(html, lng="en-US")
    return response, html


def stored():
    return {row.serial_number: (row.clinic_id, row.note) for row in my_list().read(ListParams(size=100)).results}


@pytest.mark.req("DM-42")
def test_pasted_spreadsheet_errors_and_shortened_numbers_are_refused(administrator):
    _response, html = paste(administrator, "1,23457E+11\t\t\nA-1\t\t#NV\nA-2\t#REF!\t\nA-3\t\t")
    assert {name: result for name, (result, _details) in get_rows(html).items()} == {
        "1,23457E+11": "Can't be added",
        "A-1": "Can't be added",
        "A-2": "Can't be added",
        "A-3": "Will be created",
    }


def test_lines_are_shown_as_rows_before_anything_is_stored(administrator, visit):
    visit(NEW)
    expect("OLD-1", note="before")
    expect("OLD-2")
    _response, html = paste(administrator, LINES)
    assert get_rows(html) == {
        "A-1": ("Will be created", "–"),
        "A-2": ("Will be created", "–"),
        "a 1": ("Can't be added", "Row 1 has the same serial number."),
        "---": ("Can't be added", "Invalid serial number"),
        "A-3": ("Can't be added", "No clinic has this name."),
        "OLD-1": ("Already exists", "Clinic: – → Clinic 1Note: before → moved"),
        "OLD-2": ("Up to date", "This already exists. Nothing to change."),
        "A-4": ("Can't be added", "Several clinics have this name."),
    }
    assert "Add 2 serial numbers" in html
    assert get_pasted_text(html).strip() == LINES
    assert set(stored()) == {"OLD-1", "OLD-2"}


def test_the_valid_lines_are_added_and_the_others_stay_as_typed(administrator):
    expect("OLD-1", note="before")
    expect("OLD-2")
    _response, html = paste(administrator, LINES)
    response, html = paste(administrator, LINES, checked=field(html, "checked"), form_id=field(html, "form_id"))
    assert response.status_code == 200
    assert "2 expected serial numbers added." in html
    assert stored()["A-1"] == ("g-1", "Room 4")
    assert stored()["OLD-1"] == ("", "before")
    remaining = [line.split("\t")[0] for line in get_pasted_text(html).strip().splitlines()]
    assert remaining == ["a 1", "---", "A-3", "OLD-1", "A-4"]
    assert "moved" in get_pasted_text(html)
    assert 'name="checked"' not in html


def test_if_all_lines_are_valid_the_list_says_how_many_were_added(administrator):
    _response, html = paste(administrator, "A-1\nA-2", back=f"{LIST}?state=never")
    sent = {"checked": field(html, "checked"), "form_id": field(html, "form_id"), "back": f"{LIST}?state=never"}
    for _time in range(2):  # a double click
        response, _html = paste(administrator, "A-1\nA-2", **sent)
        assert response.headers["Location"] == f"{LIST}?state=never"
    assert "2 expected serial numbers added." in administrator.get(LIST).content.decode()
    assert ExpectedSerial.objects.count() == 2


def test_a_text_changed_after_the_check_is_checked_again(administrator):
    _response, html = paste(administrator, "A-1")
    response, html = paste(administrator, "A-1\nA-2", checked=field(html, "checked"))
    assert response.status_code == 200
    assert "Add 2 serial numbers" in html
    assert "You changed the lines, so they were checked again." in html
    assert not ExpectedSerial.objects.exists()


@pytest.mark.parametrize(
    ("clinic", "cell", "result"),
    [
        ("TULÍP", "Tulip Tandartsen", ("Will be created", "–")),
        ("tulip tand", "Tulip Tandartsen", ("Will be created", "–")),
        ("Clinic", "Clinic", ("Can't be added", "No clinic has this name.Did you mean Clinic 1 or Clinic 10?")),
        ("Clinic 2", "Clinic 2", ("Can't be added", "No clinic has this name.Did you mean Clinic 20?")),
        (
            "Tilup Tandarts",
            "Tilup Tandarts",
            ("Can't be added", "No clinic has this name.Did you mean Tulip Tandartsen?"),
        ),
        ("Улыбка", "Улыбка", ("Can't be added", "No clinic has this name.")),
    ],
)
def test_a_clinic_can_be_typed_in_part_and_similar_ones_are_suggested(administrator, upstream, clinic, cell, result):
    names = ["Clinic 1", "Clinic 10", "Tulip Tandartsen"] if clinic == "Clinic" else ["Clinic 20", "Tulip Tandartsen"]
    clinics = [factories.clinic(number, name=name) for number, name in enumerate(names, start=1)]
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing(clinics))
    _response, html = paste(administrator, f"A-1, {clinic}")
    assert get_rows(html)["A-1"] == result
    assert cell in Page(html).text
    if result[0] == "Will be created":
        paste(administrator, f"A-1, {clinic}", checked=field(html, "checked"))
        assert stored() == {"A-1": ("g-2", "")}


def test_listed_serial_numbers_are_updated_if_requested(administrator):
    expect("OLD-1", note="before")
    _response, html = paste(administrator, "old 1\tClinic 1", overwrite="on")
    assert get_rows(html)["old 1"] == ("Will be updated", "Clinic: – → Clinic 1")
    paste(administrator, "old 1\tClinic 1", overwrite="on", checked=field(html, "checked"))
    assert stored() == {"OLD-1": ("g-1", "before")}


def test_lines_above_the_limit_are_refused_and_the_text_stays(administrator, monkeypatch):
    monkeypatch.setattr(changes, "MAX_SERIALS", 1)
    response, html = paste(administrator, "A-1\nA-2")
    assert response.status_code == 422
    assert "You can have up to 10,000 expected serial numbers." in html
    assert get_pasted_text(html).strip() == "A-1\nA-2"
    assert not ExpectedSerial.objects.exists()


def test_a_failed_write_adds_nothing_and_is_reported(administrator, monkeypatch):
    _response, html = paste(administrator, "A-1")

    def fail(_self, _items, *, dry_run=False, real=ExpectedSerials.add):
        if dry_run:
            return real(_self, _items, dry_run=True)
        raise StorageUnavailable("locked")

    monkeypatch.setattr(ExpectedSerials, "add", fail)
    response, html = paste(administrator, "A-1", checked=field(html, "checked"))
    assert response.status_code == 503
    assert "Failed to add the serial numbers." in html
    assert get_pasted_text(html).strip() == "A-1"


def test_no_input_is_lost_if_the_clinics_can_not_be_read(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups", {}, status=500)
    response, html = paste(administrator, "A-1\tClinic 1")
    assert response.status_code == 502
    assert "Failed to check the serial numbers." in html
    assert get_pasted_text(html).strip() == "A-1\tClinic 1"


@pytest.mark.parametrize("text", ["", "\x00", "<script>alert(1)</script>\t<b>", "\u202eABC", "x" * 400, "A\n" * 1001])
def test_odd_texts_cause_no_error(administrator, text):
    response, html = paste(administrator, text)
    assert response.status_code in (200, 422)
    assert "<script>alert" not in html


@pytest.mark.parametrize("text", ["", "A-1"])
def test_the_review_shows_the_counts_even_if_none_are_known(administrator, upstream, text):
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary(unreadNotificationCount=2))
    assert 'aria-label="Notifications, 2 unread"' in paste(administrator, text)[1]


def test_json_has_the_rows_and_the_fields_to_send_next(administrator):
    headers = {"Accept": "application/json"}
    answer = administrator.post(NEW, {"pasted": "A-1\n---"}, headers=headers)
    assert answer.status_code == 422
    item = answer.json()["item"]
    assert [row["result"] for row in item["view"]["rows"]] == ["Can't be added", "Will be created"]
    answer = administrator.post(NEW, {"pasted": "A-1\n---", "checked": item["checked"]}, headers=headers).json()
    assert (answer["ok"], "1 expected serial number added." in answer["message"]) == (False, True)


FILE = "Practice;S/N;Comment\r\nClinic 1;A-1;Room 4\r\n;A-2;\r\nNowhere;A-3;\r\n;a1;\r\n"


def test_a_purchase_list_with_other_headers_is_imported(administrator, visit):
    assert "up to 1,000 rows" in visit(IMPORT).response.content.decode()
    html = upload(administrator, IMPORT, FILE).content.decode()
    assert get_rows(html)["A-3"] == ("Can't be imported", "No clinic has this name.")
    assert get_rows(html)["a1"] == ("Can't be imported", "Row 2 has the same serial number.")
    result = administrator.post(IMPORT, {"lines": field(html, "lines")}, follow=True).content.decode()
    assert "2 rows were imported." in result
    assert stored() == {"A-1": ("g-1", "Room 4"), "A-2": ("", "")}


def test_a_file_of_a_thousand_rows_is_imported_and_a_longer_one_is_not(administrator):
    def send(count):
        lines = "\r\n".join(f"A-{number}" for number in range(count))
        return upload(administrator, IMPORT, f"Serial number\r\n{lines}\r\n")

    assert "The file has 1,001 rows. You can import up to 1,000 at a time." in send(1001).content.decode()
    html = send(1000).content.decode()
    administrator.post(IMPORT, {"lines": field(html, "lines")})
    assert ExpectedSerial.objects.count() == 1000


def test_an_export_can_be_imported_again(administrator):
    expect("A-1", clinic="g-1", note="Room 4")
    before = stored()
    content = administrator.get(f"{LIST}/export").getvalue()
    my_list().delete([row.id for row in my_list().among(["A-1"]).values()])
    html = upload(administrator, IMPORT, content).content.decode()
    administrator.post(IMPORT, {"lines": field(html, "lines")})
    assert stored() == before


def test_the_template_can_be_imported_except_for_its_clinic(administrator):
    content = administrator.get(f"{LIST}/import/template").getvalue()
    html = upload(administrator, IMPORT, content).content.decode()
    assert get_rows(html) == {"EA1-48271": ("Can't be imported", "No clinic has this name.")}
