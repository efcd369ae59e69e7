"""Storage of expected serial numbers: encryption, isolation, concurrency and retention."""

import threading
from datetime import timedelta

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from console.config import encryption
from console.config.encryption import decrypt_text
from console.errors import LimitReached, ObjectNotFound, Rejected, VersionConflict
from console.sessions.crypto import StoredSession
from console.sessions.identity import identity_key, organization_identity
from console.sessions.models import Grant
from scanners.models import ExpectedList, ExpectedSerial, NewExpected
from scanners.storage import changes
from scanners.storage.changes import ExpectedSerials
from upstream.bulk import RowUpdate
from upstream.errors import Code
from upstream.listing import PAGE_SIZES, ListParams

pytestmark = [pytest.mark.django_db, pytest.mark.req("DM-43"), pytest.mark.sql]

SERIALS = ExpectedSerials("ours", "me")


def numbers(serials=SERIALS, **params):
    return [
        row.serial_number for row in ExpectedSerials(serials._organization, "me").read(ListParams(**params)).results
    ]


def add(*serial_numbers, to=SERIALS, **more):
    return to.add([NewExpected(number, **more) for number in serial_numbers])


def test_all_spellings_of_a_serial_number_are_one_row():
    assert [row.ok for row in add("ABC-123").rows] == [True]
    repeated = add("abc 123", "ａｂｃ‑１２３", "ABC124").rows
    assert [(row.ok, row.code) for row in repeated[:2]] == [(False, Code.NAME_IN_USE)] * 2
    assert repeated[2].ok
    assert set(SERIALS.among(["Abc—123", "x"])) == {"abc123"}
    assert SERIALS.among(["aBC123"])["abc123"].serial_number == "ABC-123", "it stays as it was typed"


@pytest.mark.req("SEC-39")
def test_another_organization_can_neither_read_nor_change_it():
    add("ABC-123", note="ours")
    foreign = ExpectedSerials("theirs", "me")
    (row,) = SERIALS.read(ListParams()).results
    assert foreign.read(ListParams()).results == []
    assert foreign.among(["ABC-123"]) == {}
    with pytest.raises(ObjectNotFound):
        foreign.get(row.id)
    with pytest.raises(ObjectNotFound):
        foreign.update(row.id, version=None, note="theirs")
    assert [outcome.ok for outcome in foreign.delete([row.id]).rows] == [False]
    foreign.delete_all(count=0, newest=int(row.id))
    assert SERIALS.get(row.id).note == "ours"
    add("ABC-123", to=foreign)
    keys = ExpectedSerial.objects.values_list("serial_key", flat=True)
    assert len(set(keys)) == 2, "nobody can tell that two organizations expect the same"


@pytest.mark.req("SEC-39")
def test_nothing_is_stored_in_clear_text():
    add("Serial number 1", clinic_id="g-secret", note="for the new room")
    with connection.cursor() as cursor:
        for table in ("expected_serial", "expected_list"):
            cursor.execute(f"SELECT * FROM {table}")  # noqa: S608 - ours
            stored = repr(cursor.fetchall()).casefold()
            # The words are long or quoted, because a hash may contain any three characters by chance.
            for words in ("serial number", "g-secret", "new room", "'o-1'"):
                assert words not in stored


def test_a_stale_change_overwrites_nothing():
    add("ABC-123", note="first")
    (row,) = SERIALS.read(ListParams()).results
    assert SERIALS.update(row.id, version=row.version, note="second") == row.version + 1
    with pytest.raises(VersionConflict):
        SERIALS.update(row.id, version=row.version, note="third")
    assert SERIALS.get(row.id).note == "second"
    rows = SERIALS.update_each(
        [RowUpdate(row.id, row.version, {"note": "x"}), RowUpdate("999999", 1, {"note": "x"})]
    ).rows
    assert [outcome.code for outcome in rows] == [Code.CHANGED_MEANWHILE, Code.NOT_FOUND]


def test_a_deletion_reports_rows_that_were_already_gone():
    add("A-1", "A-2")
    first, second = SERIALS.read(ListParams()).results
    SERIALS.delete([first.id])
    outcomes = SERIALS.delete([first.id, second.id, "no number", "9" * 30]).rows
    assert [(row.ok, row.code) for row in outcomes] == [(False, 10004), (True, None), (False, 10004), (False, 10004)]


def test_rows_above_the_limit_are_refused_before_anything_is_stored(monkeypatch):
    monkeypatch.setattr(changes, "MAX_SERIALS", 3)
    add("A-1", "A-2")
    for dry_run in (True, False):
        with pytest.raises(LimitReached):
            SERIALS.add([NewExpected("A-3"), NewExpected("A-4")], dry_run=dry_run)
    assert numbers() == ["A-1", "A-2"]
    assert all(row.ok for row in SERIALS.add([NewExpected("A-3")], dry_run=True).rows)
    add("A-3", "a3")
    assert len(numbers()) == 3


def test_rows_added_together_keep_their_order_and_the_newest_come_first():
    add("B-2", "B-1", "B-3")
    add("A-1")
    assert numbers(sort="added_date", order="desc") == ["A-1", "B-2", "B-1", "B-3"]
    assert numbers(sort="added_date", order="asc") == ["B-2", "B-1", "B-3", "A-1"]
    assert numbers(sort="serial_number", order="asc") == ["A-1", "B-1", "B-2", "B-3"]
    assert numbers(sort="serial_number", order="desc", size=2, page=2) == ["B-1", "A-1"]


@pytest.mark.parametrize(
    ("field", "keyword", "expected"),
    [
        ("all", "b c12", ["ABC-123"]),
        ("serial_number", "ROOM", []),
        ("note", "röom", ["ABC-123"]),
        ("clinic", "seoul", ["XYZ-9"]),
        ("all", "SEOUL", ["XYZ-9"]),
        ("serial_number", "--", []),
        ("all", "nothing", []),
    ],
)
def test_a_keyword_is_found_in_serial_number_note_and_clinic(field, keyword, expected):
    add("ABC-123", note="Room 4")
    add("XYZ-9", clinic_id="g-1")
    listing = SERIALS.read(ListParams(keyword=keyword, search_field=field), lambda _rows: {"g-1": "Seoul Central"})
    assert [row.serial_number for row in listing.results] == expected
    assert listing.result_count == len(expected)


def test_clinic_and_connection_are_filters():
    add("A-1", clinic_id="g-1")
    add("A-2", clinic_id="g-2")
    add("A-3")
    ids = {row.serial_number: row.id for row in SERIALS.read(ListParams()).results}
    SERIALS.note_checks({ids["A-1"]: True, ids["A-2"]: False})
    assert sorted(numbers(filters={"clinic": ("g-1", "g-2")})) == ["A-1", "A-2"]
    assert numbers(filters={"state": ("never",)}) == ["A-2"]
    assert sorted(numbers(filters={"state": ("connected", "unchecked")})) == ["A-1", "A-3"]
    assert numbers(filters={"state": ("never",), "clinic": ("g-1",)}) == []
    totals = SERIALS.totals()
    assert (totals.total, totals.unchecked) == (3, 1)


def test_a_page_costs_the_same_queries_and_decryptions_however_long_the_list_is(django_assert_num_queries, monkeypatch):
    read: list[str] = []

    def decrypt(text):
        read.append(text)
        return decrypt_text(text)

    monkeypatch.setattr(encryption, "decrypt_text", decrypt)
    for stop in (30, 400):
        add(*(f"A-{number}" for number in range(stop)))
        read.clear()
        with django_assert_num_queries(2):
            ExpectedSerials("ours", "me").read(ListParams(sort="added_date", order="desc", size=PAGE_SIZES[1]))
        assert len(read) == PAGE_SIZES[1]
    serials = [f"A-{number}" for number in range(100)]
    with django_assert_num_queries(1):
        assert len(SERIALS.among(serials)) == 100
    with django_assert_num_queries(0):
        assert SERIALS.among([]) == {}


def test_a_search_is_not_decrypted_again_for_the_next_page_of_a_file(django_assert_num_queries):
    add(*(f"A-{number}" for number in range(300)))
    serials = ExpectedSerials("ours", "me")
    with django_assert_num_queries(1):
        pages = [serials.read(ListParams(keyword="a", size=100, page=page)).results for page in (1, 2, 3)]
    assert len({row.id for page in pages for row in page}) == 300


def test_a_row_whose_key_is_lost_is_shown_as_unreadable_and_can_be_deleted(settings):
    settings.GRANT_KEYS = [Fernet.generate_key().decode()]
    identity_key()
    add("ABC-123", note="lost")
    settings.GRANT_KEYS = [Fernet.generate_key().decode()]
    (row,) = SERIALS.read(ListParams()).results
    assert (row.is_readable, row.serial_number, row.note) == (False, "", "")
    assert SERIALS.read(ListParams(sort="serial_number")).results == [row]
    assert SERIALS.among(["ABC-123"]) == {}
    with pytest.raises(Rejected):
        SERIALS.update(row.id, version=None, note="x")
    assert [outcome.ok for outcome in SERIALS.delete([row.id]).rows] == [True]


def test_rotating_the_keys_loses_no_note(settings):
    former, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.GRANT_KEYS = [former]
    add("ABC-123", note="kept")
    settings.GRANT_KEYS = [new, former]
    call_command("clearsessions")
    settings.GRANT_KEYS = [new]
    (row,) = SERIALS.read(ListParams()).results
    assert (row.serial_number, row.note, row.version) == ("ABC-123", "kept", 1)


def test_an_operator_deletes_the_list_of_one_organization_and_no_other(capsys):
    stored = StoredSession(
        accessToken="a",
        refreshToken="r",
        adminAuthDetail={"organizationId": "o-1"},
        adminId="a-1",
        isLoggedIn=True,
        isAuthPersist=False,
        serviceDomainId=7,
    )
    foreign = ExpectedSerials(organization_identity(stored), "me")
    add("A-1", "A-2", to=foreign)
    add("A-1")
    call_command("forget_expected", "o-1", "8")
    call_command("forget_expected", "o-1", "7")
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "0 expected serial numbers removed",
        "2 expected serial numbers removed",
    ]
    assert numbers() == ["A-1"]
    assert numbers(foreign) == []


def test_administrators_without_an_organization_share_no_list():
    def identity(admin, **detail):
        session = StoredSession(
            accessToken="a",
            refreshToken="r",
            adminAuthDetail=detail,
            adminId=admin,
            isLoggedIn=True,
            isAuthPersist=False,
        )
        return organization_identity(session)

    assert identity("a-1") != identity("a-2")
    assert (
        identity("a-1", organizationId="o-1")
        == identity("a-2", organizationId="o-1")
        != identity("a-1", organizationId="o-2")
    )


def test_a_list_unused_for_a_year_is_deleted_and_one_that_is_read_is_not():
    Grant.objects.create(payload="", persistent=True, admin_id_hash="somebody")
    used = ExpectedSerials("used", "me")
    add("A-1")
    add("A-1", to=used)
    ExpectedList.objects.update(used_at=timezone.now() - ExpectedList.RETENTION + timedelta(hours=1))
    call_command("clearsessions")
    used.among(["A-1"])
    ExpectedList.objects.filter(pk="ours").update(used_at=timezone.now() - ExpectedList.RETENTION - timedelta(hours=1))
    call_command("clearsessions")
    assert [row.pk for row in ExpectedList.objects.all()] == ["used"]
    assert ExpectedSerial.objects.count() == 1


@pytest.mark.req("SEC-64")
def test_no_list_is_deleted_without_sessions_because_the_clock_may_be_a_year_ahead():
    Grant.objects.create(payload="", persistent=True, admin_id_hash="somebody")
    add("A-1")
    past = timezone.now() - ExpectedList.RETENTION - timedelta(hours=1)
    Grant.objects.update(last_seen_at=past)
    ExpectedList.objects.update(used_at=past)
    call_command("clearsessions")
    assert ExpectedSerial.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_additions_store_each_serial_number_once_and_respect_the_limit(monkeypatch):
    monkeypatch.setattr(changes, "MAX_SERIALS", 25)
    identity_key()
    start = threading.Barrier(4)
    results: list[list[bool]] = []

    def run(editor):
        try:
            start.wait(10)
            for number in range(10):
                try:
                    row = ExpectedSerials("ours", editor).add(
                        [NewExpected(f"A-{number}"), NewExpected(f"{editor}-{number}")]
                    )
                    results.append([outcome.ok for outcome in row.rows])
                except LimitReached:
                    results.append([])
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[f"e{n}"]) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(results) == 40
    rows = numbers(size=100)
    assert len(rows) == len(set(rows)) == 25
    added = sum(sum(outcome) for outcome in results)
    assert added == 25, "who was told that it was added added it"


@pytest.mark.django_db(transaction=True)
def test_one_of_two_concurrent_changes_or_deletions_is_refused(monkeypatch):
    identity_key()
    add("A-1", "A-2")
    first, second = SERIALS.read(ListParams()).results
    start = threading.Barrier(2)
    changed: list[str] = []
    gone: list[bool] = []

    def run(editor):
        try:
            start.wait(10)
            try:
                ExpectedSerials("ours", editor).update(first.id, version=1, note=editor)
                changed.append(editor)
            except VersionConflict:
                changed.append("told")
            gone.append(ExpectedSerials("ours", editor).delete([second.id]).rows[0].ok)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[name]) for name in ("ann", "ben")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(gone) == [False, True]
    winner = next(name for name in changed if name != "told")
    assert sorted(changed) == sorted([winner, "told"])
    assert SERIALS.get(first.id).note == winner
