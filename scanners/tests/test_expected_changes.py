"""Expected serial numbers are changed and deleted: one, many, all."""

import pytest

from scanners.models import ExpectedSerial
from scanners.tests.stored_serials import expect, my_list
from tests.support import factories
from tests.support.bulk import field, get_list_query, next_step

LIST = "/scanner-manage/expected"

pytestmark = [pytest.mark.req("DM-43"), pytest.mark.sql]


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", "/v1/bizScanners", factories.listing([]))
    return administrator


@pytest.fixture
def row(administrator):
    (row,) = expect("ABC-123", clinic="g-1", note="Room 4")
    return row


def page_path(row, what):
    return f"{LIST}/{row.id}/{what}"


def test_clinic_and_note_are_changed(administrator, upstream, visit, row):
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(1), factories.clinic(2)]))
    html = visit(page_path(row, "edit")).response.content.decode()
    assert "ABC-123" in html
    assert "By you" in html
    sent = {"clinic_id": "g-2", "note": " Room 5 ", "version": row.version, "back": f"{LIST}?keyword=abc"}
    response = administrator.post(page_path(row, "edit"), sent)
    assert response.headers["Location"] == f"{LIST}?keyword=abc"
    now = my_list().get(row.id)
    assert (now.clinic_id, now.note, now.version) == ("g-2", "Room 5", row.version + 1)


@pytest.mark.req("SEC-38")
@pytest.mark.parametrize("version", ["1", ""])
def test_a_stale_change_is_refused_and_shows_both_notes(administrator, row, version):
    my_list().update(row.id, version=row.version, note="Theirs")
    response = administrator.post(page_path(row, "edit"), {"clinic_id": "g-1", "note": "Mine", "version": version})
    html = response.content.decode()
    assert response.status_code == 412
    for part in ("Theirs", "Mine", 'name="version" value="2"'):
        assert part in html
    assert my_list().get(row.id).note == "Theirs"


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"note": "x" * 201}, "200"),
        ({"note": "a\x07b"}, "Invalid note"),
        ({"clinic_id": "g-99"}, "This item no longer exists. Choose another one."),
    ],
)
def test_a_wrong_value_is_reported_and_no_input_is_lost(administrator, row, sent, message):
    response = administrator.post(page_path(row, "edit"), {"clinic_id": "g-1", "note": "typed", "version": "1", **sent})
    html = response.content.decode()
    assert response.status_code == 422
    assert message in html
    assert sent.get("note", "typed").replace("\x07", "\x07") in html
    assert my_list().get(row.id).version == 1


def test_a_clinic_that_is_gone_can_stay_selected(administrator, upstream):
    (row,) = expect("XYZ-9", clinic="g-7")
    html = administrator.get(page_path(row, "edit")).content.decode()
    assert "A clinic that no longer exists" in html
    assert (
        administrator.post(page_path(row, "edit"), {"clinic_id": "g-7", "note": "x", "version": "1"}).status_code == 303
    )


@pytest.mark.parametrize("id", ["999999", "abc", "0", "-1", "１", "9" * 30])
@pytest.mark.parametrize("what", ["edit", "delete"])
def test_a_missing_serial_number_is_not_found(administrator, id, what):
    assert administrator.get(f"{LIST}/{id}/{what}").status_code == 404


def test_one_is_deleted_after_a_confirmation(administrator, visit, row):
    html = visit(page_path(row, "delete")).response.content.decode()
    assert "Scanners that have already connected won&#39;t change." in html
    response = administrator.post(page_path(row, "delete"), {"version": row.version})
    assert response.headers["Location"] == LIST
    assert not ExpectedSerial.objects.exists()
    assert administrator.post(page_path(row, "delete"), {"version": row.version}).status_code == 404


@pytest.mark.req("LS-15")
def test_many_are_deleted_as_in_every_list(administrator):
    rows = expect("A-1", "A-2", "A-3")
    plan = administrator.post(f"{LIST}/bulk/delete", {"id": [row.id for row in rows[:2]]}).content.decode()
    assert "2 serial numbers selected" in plan
    my_list().delete([rows[0].id])
    result = administrator.post(f"{LIST}/bulk/delete", next_step(plan), follow=True).content.decode()
    assert "2 serial numbers deleted." in result
    assert [row.serial_number for row in my_list().among(["A-1", "A-2", "A-3"]).values()] == ["A-3"]


def test_all_matching_rows_are_deleted_by_the_hundred(administrator):
    expect(*(f"A-{number}" for number in range(230)))
    expect("B-1")
    query = get_list_query(administrator, f"{LIST}?keyword=a")
    html = administrator.post(f"{LIST}/bulk/delete", {"all": "1", "query": query}).content.decode()
    sent = next_step(html) | {"typed": "230"}
    for _hundred in range(2):
        html = administrator.post(f"{LIST}/bulk/delete", sent).content.decode()
        sent = next_step(html)
    html = administrator.post(f"{LIST}/bulk/delete", sent, follow=True).content.decode()
    assert "230 serial numbers deleted." in html
    assert ExpectedSerial.objects.count() == 1


@pytest.mark.req("LS-15")
@pytest.mark.parametrize(
    ("number", "status"), [("3", 303), ("٣", 303), (" 3 ", 303), ("2", 422), ("", 422), ("all", 422)]
)
def test_all_are_deleted_when_their_number_is_typed(administrator, visit, number, status):
    expect("A-1", "A-2", "A-3")
    html = visit(f"{LIST}/clear").response.content.decode()
    sent = {"typed": number, "version": field(html, "version")}
    response = administrator.post(f"{LIST}/clear", sent)
    assert response.status_code == status
    assert ExpectedSerial.objects.count() == (0 if status == 303 else 3)


def test_rows_added_after_the_count_are_not_deleted_with_all(administrator, visit):
    expect("A-1", "A-2")
    html = visit(f"{LIST}/clear").response.content.decode()
    my_list().delete([expect("A-1")[0].id])
    expect("A-3")
    response = administrator.post(f"{LIST}/clear", {"typed": "2", "version": field(html, "version")})
    assert response.status_code == 412
    assert "changed" in response.content.decode()
    assert ExpectedSerial.objects.count() == 2
    retry = {"typed": "2", "version": field(response.content.decode(), "version")}
    assert administrator.post(f"{LIST}/clear", retry).status_code == 303
    assert not ExpectedSerial.objects.exists()


def test_an_empty_list_has_nothing_to_delete(administrator, visit):
    assert "No expected serial numbers." in visit(f"{LIST}/clear").response.content.decode()
    assert administrator.post(f"{LIST}/clear", {"typed": "0", "version": "0"}).status_code in (303, 412)


@pytest.mark.req("SEC-39")
def test_another_organization_finds_nothing(administrator, client, log_in, upstream, row):
    client.post("/logout")
    log_in(organizationId="o-2", id="a-2")
    assert "ABC-123" not in client.get(LIST).content.decode()
    assert client.get(page_path(row, "edit")).status_code == 404
    assert client.post(page_path(row, "delete"), {"version": "1"}).status_code == 404
    assert ExpectedSerial.objects.count() == 1
