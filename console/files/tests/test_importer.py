"""The rows of an import: reasons, references, and rows whose calls fail."""

import dataclasses
import time
from types import SimpleNamespace

import pytest
from django import forms

from console.audit.record import AuditAction
from console.files.importer import Line, StaleImport, check, find_lines, import_lines, pack, rejected, unpack
from console.files.read import Table
from console.files.spec import ColumnValues, Existing, ImportSpec, Reference, RowForm
from upstream.bulk import BulkResult, RowOutcome, RowUpdate
from upstream.errors import Code, Failed, Maintenance, TimedOut, Unreachable

UNKNOWN = ["We couldn't confirm whether this worked."]


class Row(RowForm):
    name = forms.CharField(label="Name", max_length=5)
    city = forms.IntegerField(label="Place", required=False)


def answering(*rows):
    """Return a function that returns these outcomes, or raises the error."""

    def answer(*_arguments):
        if isinstance(rows[0], Exception):
            raise rows[0]
        return BulkResult(rows)

    return answer


SPEC = ImportSpec(
    Row,
    key="name",
    create=answering(RowOutcome(ok=True)),
    create_failed="Failed to create it.",
    find=lambda rows: [None for _row in rows],
    update=answering(RowOutcome(ok=True)),
    update_failed="Failed to update it.",
    kind="thing",
    audit_entry=lambda _values, _existing: AuditAction("thing", "create"),
    references={"city": Reference(missing="No such place", ambiguous="Several such places")},
)
NEW = Line(2, ["New", "1"])
OLD = Line(3, ["Old", "2"], existing=Existing(RowUpdate("x-1", 1, {"city": 2}), ["Place: 1 → 2"]))


def spec(**values):
    return dataclasses.replace(SPEC, **values)


@pytest.mark.req("LS-11")
def test_several_reasons_are_several_sentences():
    lines = find_lines(Table([["name", "city"], ["Abcdef", "x"], ["Ann", "1"]], [1, 2, 3]), [(0,), (1,)])
    bad, good = check(SPEC, lines)
    assert bad.reasons == ["Name is too long", "Enter a whole number."]
    assert good.reasons == []
    assert rejected(SPEC, [bad, good])[1:] == [["Abcdef", "x", "Name is too long; Enter a whole number."]]


@pytest.mark.req("LS-12")
def test_a_repeated_key_in_a_file_is_reported_at_the_second_row():
    lines = find_lines(Table([["name"], ["Ann"], ["ANN"]], [1, 2, 4]), [(0,), ()])
    assert [line.reasons for line in check(SPEC, lines)] == [[], ["Row 2 has the same name."]]


@pytest.mark.req("LS-12")
def test_a_row_that_is_left_out_makes_no_other_row_a_repetition():
    """The service isn't asked about it, either: it could refuse one of two rows with the same name."""
    checked: list[str] = []
    cities = ColumnValues(
        options=lambda _scope: [("1", "1")],
        find=lambda _scope, text: "1" if text == "1" else "",
        suggest=lambda _scope, _text: "",
    )

    def create(rows, _is_dry, _key):
        checked.extend(row["name"] for row in rows)
        return BulkResult(tuple(RowOutcome(ok=True) for _row in rows))

    lines = [Line(2, ["Ann", "x"]), Line(3, ["ANN", "1"]), Line(4, ["ann", "1"]), Line(5, ["Bob", "x"])]
    importing = spec(create=create, values={"city": cities}, stand_ins={"city": None})
    results = [line.reasons for line in check(importing, lines)]
    assert results == [
        ["Enter a whole number.", "Row 3 has the same name."],
        [],
        ["Row 3 has the same name."],
        ["Enter a whole number."],
    ]
    assert checked == ["ANN", "Bob"]


@pytest.mark.req("LS-11", "UC-06")
@pytest.mark.parametrize(
    ("code", "message"),
    [
        (Code.NOT_FOUND, "No such place"),
        (Code.PARAMETER_INVALID, "Several such places"),
        (Code.PARAMETER_MISSING, "Enter place"),
    ],
)
def test_a_missing_or_ambiguous_reference_has_the_message_of_the_import(code, message):
    refusing = spec(create=answering(RowOutcome(ok=False, code=code, field="city")))
    assert check(refusing, [NEW])[0].reasons == [message]


@pytest.mark.req("LS-11")
def test_a_row_that_the_check_left_out_is_no_unknown_import():
    (line,) = check(spec(create=answering(RowOutcome(ok=False, maybe_applied=True))), [NEW])
    assert line.reasons == ["The service couldn't check this row or didn't accept it."]
    assert not line.is_unknown


@pytest.mark.req("LS-11")
def test_a_timeout_before_the_updates_keeps_the_creation():
    new, old = import_lines(spec(update=answering(TimedOut(sent=False))), [NEW, OLD], "key")
    assert (new.reasons, new.is_unknown) == ([], False)
    assert (old.reasons, old.is_unknown) == (["Failed to update it."], False)


@pytest.mark.req("LS-11")
@pytest.mark.parametrize("error", [Failed(status=502), Unreachable(), Maintenance()])
def test_updates_that_ended_in_an_error_are_unknown(error):
    """The error may come from the last of several calls."""
    new, old = import_lines(spec(update=answering(error)), [NEW, OLD], "key")
    assert (new.reasons, new.is_unknown) == ([], False)
    assert (old.reasons, old.is_unknown) == (UNKNOWN, True)


@pytest.mark.req("LS-11", "LS-17")
@pytest.mark.parametrize(
    ("row", "message"),
    [
        (RowOutcome(ok=False, code=Code.CHANGED_MEANWHILE), "Someone else changed this in the meantime."),
        (RowOutcome(ok=False, code=Code.NOT_FOUND), "This item no longer exists."),
        (RowOutcome(ok=False, code=19999), "Failed to update it."),
        (RowOutcome(ok=False, maybe_applied=True), UNKNOWN[0]),
    ],
)
def test_an_update_that_was_refused_says_why(row, message):
    (old,) = import_lines(spec(update=answering(row)), [OLD], "key")
    assert old.reasons == [message]


@pytest.mark.req("LS-11")
def test_a_name_in_use_is_a_refusal_unless_the_row_was_sent_before():
    refusing = spec(create=answering(RowOutcome(ok=False, code=Code.NAME_IN_USE)))
    (once,) = import_lines(refusing, [NEW], "key")
    (repeated,) = import_lines(refusing, [NEW], "key", was_sent=True)
    assert (once.reasons, once.is_unknown) == (["This name is already in use"], False)
    assert (repeated.reasons, repeated.is_unknown) == (["This now exists, so the row was probably imported."], True)


@pytest.mark.req("PM-20")
def test_lines_of_another_administrator_or_path_are_refused():
    packed = pack([NEW, OLD], "o-1:a-1:/path")
    assert unpack(packed, "o-1:a-1:/path")[0] == [NEW, OLD]
    for other in ("o-2:a-1:/path", "o-1:a-2:/path", "o-1:a-1:/other"):
        with pytest.raises(StaleImport):
            unpack(packed, other)


@pytest.mark.parametrize(("later", "is_good"), [(3590, True), (3610, False)])
def test_lines_can_be_imported_for_an_hour(monkeypatch, later, is_good):
    packed = pack([NEW], "o-1")
    now = time.time() + later
    monkeypatch.setattr("django.core.signing.time", SimpleNamespace(time=lambda: now))
    if is_good:
        assert unpack(packed, "o-1")[0] == [NEW]
    else:
        with pytest.raises(StaleImport):
            unpack(packed, "o-1")
