"""Check the rows of a file, and import the valid ones."""

from collections.abc import Collection, Mapping, Sequence
from uuid import uuid4

import msgspec
from django.core import signing
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from console.errors import ActionFailed
from console.files.columns import Source
from console.files.origin import Origin
from console.files.read import Table, Unreadable
from console.files.spec import Existing, ImportSpec, Match, NewValue, RowForm, Values
from console.forms.errors import field_message
from console.forms.submit import UNCONFIRMED
from console.l10n.bidi import BIDI_CONTROLS
from console.l10n.sentences import in_sentence
from console.lists.query import Label
from console.web.failures import ITEM_GONE, changed_by_others
from upstream.bulk import RowOutcome
from upstream.errors import IN_USE, Code, Maintenance, NotDone, TimedOut

DEFAULT_ORIGIN = Origin()
LIFETIME = 3600
"""Seconds for which a checked file can be imported."""

_NOT_CHECKED = gettext_lazy("The service couldn't check this row or didn't accept it.")


class Line(msgspec.Struct, frozen=True, array_like=True):
    """One row of a file: its number in the spreadsheet, its cells by column, and the reasons why it can't be imported.

    A cell is None if the file has no such column. With `existing` the row changes an existing object. `is_unknown` is
    True if its outcome is unknown. `id` is that of the created object, `code` the service's code for a refusal; for an
    unknown row it is that of the last try. `new` are the values that must be created before the row.
    """

    number: int
    cells: list[str | None]
    reasons: list[str] = []
    existing: Existing | None = None
    is_unknown: bool = False
    id: str = ""
    code: int | None = None
    new: list[NewValue] = []

    @property
    def is_effective(self) -> bool:
        """True if the row can be, or was, imported, and changes something."""
        return not self.reasons and (self.existing is None or bool(self.existing.change.fields))


class StaleImport(Exception):
    """A checked file without our signature, or one that is too old."""


def pack(lines: Sequence[Line], salt: str, origin: Origin = DEFAULT_ORIGIN) -> str:
    """Return lines as a signed form value; `salt` identifies the administrator and the import.

    A file that is checked again is another import, even with the same lines.
    """
    content = [str(uuid4()), msgspec.to_builtins(lines), msgspec.to_builtins(origin)]
    return signing.dumps(content, salt=salt, compress=True)


def unpack(text: str, salt: str) -> tuple[list[Line], Origin]:
    """Read lines and their origin from a form value. Raises StaleImport."""
    try:
        content = signing.loads(text, salt=salt, max_age=LIFETIME)
        _id, lines, origin = msgspec.convert(content, tuple[str, list[Line], Origin])
    except (signing.BadSignature, msgspec.ValidationError) as error:
        raise StaleImport from error
    return lines, origin


def check_has_rows(table: Table) -> None:
    """Raise Unreadable if there is only a header."""
    if len(table.rows) == 1:
        raise Unreadable(_("The file has column names but no rows."))


def find_lines(table: Table, columns: Sequence[Source]) -> list[Line]:
    """Return the rows with these columns only."""
    return [
        Line(number, [_cell(row, source) for source in columns], _unknown_results(table, number, columns))
        for number, row in zip(table.numbers[1:], table.rows[1:], strict=True)
    ]


def _unknown_results(table: Table, number: int, columns: Sequence[Source]) -> list[str]:
    """Return the reasons why a row can't be imported if it has formulas without a result."""
    if not (table.sheet and table.sheet.unknown):
        return []
    from openpyxl.utils import get_column_letter

    # Translators: %(cell)s: a cell of a workbook, such as B7.
    text = _("Cell %(cell)s has a formula without a result. Open the file in your spreadsheet app and save it again.")
    indexes = [index for source in columns if isinstance(source, tuple) for index in source]
    unknown = [index + 1 for index in indexes if (number, index + 1) in table.sheet.unknown]
    return [text % {"cell": f"{get_column_letter(column)}{number}"} for column in unknown]


def cell(spec: ImportSpec, line: Line, name: str) -> str:
    """Return the text of a row in a column; "" without one."""
    names = list(spec.form.base_fields)
    return (line.cells[names.index(name)] or "").strip() if name else ""


def _cell(row: Sequence[str], source: Source) -> str | None:
    if isinstance(source, str):
        return source
    parts = [row[index] if index < len(row) else "" for index in source]
    return " ".join(filter(None, parts)) if parts else None


def check(spec: ImportSpec, lines: Sequence[Line]) -> list[Line]:
    """Return the lines with all reasons why they can't be imported: by our rules, lines above, or the service.

    Nothing is written. Raises NotDone and Maintenance.
    """
    checked_forms = [build_form(spec, line) for line in lines]
    unknown = [_unknown_fields(spec, line) for line in lines]
    repetitions = _repetitions(spec, lines, checked_forms, unknown)
    checked = [
        replace(line, reasons=line.reasons or [*form.reasons(), *repeated, *_missing(spec, form, fields)])
        for line, form, repeated, fields in zip(lines, checked_forms, repetitions, unknown, strict=True)
    ]
    rows: dict[int, Values] = {}
    for index, (line, form) in enumerate(zip(lines, checked_forms, strict=True)):
        values = _checkable(spec, form, {*unknown[index], *(new.field for new in line.new)})
        if values and not line.reasons and not repetitions[index]:
            rows[index] = values
    if not rows:
        return checked
    results, in_use = spec.create(list(rows.values()), True, "").rows, dict[int, RowOutcome]()
    for index, row in zip(rows, results, strict=True):
        if not row.ok and row.code in IN_USE and row.field in ("", spec.key):
            in_use[index] = row
        elif not row.ok:
            checked[index] = _refused(spec, checked[index], checked_forms[index], row)
    matches = spec.find([rows[index] for index in in_use]) if in_use else []
    for (index, row), match in zip(in_use.items(), matches, strict=True):
        checked[index] = _matched(spec, checked[index], checked_forms[index], row, match)
    return checked


def overwriting(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with updates of existing objects enabled."""
    return [replace(line, reasons=[]) if line.existing else line for line in lines]


def import_lines(spec: ImportSpec, lines: Sequence[Line], key: str, *, was_sent: bool = False) -> list[Line]:
    """Import the valid lines; return all lines, with reasons for those that were not imported.

    `was_sent` says that the lines were sent before with an unknown outcome. Raises NotDone and Maintenance if the
    creation failed as a whole; then nothing was updated.
    """
    results, good = list(lines), {}
    for index in _to_create(lines):
        form = build_form(spec, lines[index])
        if reasons := form.reasons():  # it was valid in the language of the check, which the reader has changed
            results[index] = replace(lines[index], reasons=reasons)
        else:
            good[index] = form
    created = spec.create([form.cleaned_data for form in good.values()], False, key).rows if good else ()
    for (index, form), row in zip(good.items(), created, strict=True):
        if _is_unknown(row, was_sent=was_sent):
            results[index] = _not_known(lines[index])
        elif was_sent and row.code in IN_USE and row.field in ("", spec.key):
            probably = _not_known(lines[index], _("This now exists, so the row was probably imported."))
            results[index] = replace(probably, code=row.code)
        elif not row.ok:
            results[index] = replace(
                lines[index], reasons=[_reason(spec, form, row, spec.create_failed)], code=row.code
            )
        else:
            results[index] = replace(lines[index], id=row.id)
    for index, line in _updated(spec, lines, was_sent=was_sent).items():
        results[index] = line
    return results


def not_known(spec: ImportSpec, lines: Sequence[Line], *, was_sent: bool) -> list[Line]:
    """Return the lines with an unknown outcome for all creations, and with `was_sent` also for updates.

    Without `was_sent` nothing was updated, because updates follow the creation.
    """
    return [
        line
        if not line.is_effective
        else replace(line, reasons=[str(spec.update_failed)])
        if line.existing and not was_sent
        else _not_known(line)
        for line in lines
    ]


def build_form(spec: ImportSpec, line: Line) -> RowForm:
    """Return the checked form of a row."""
    form = spec.form(dict(zip(spec.form.base_fields, line.cells, strict=True)), **spec.options)
    form.full_clean()
    return form


def _to_create(lines: Sequence[Line]) -> list[int]:
    return [index for index, line in enumerate(lines) if not line.reasons and not line.existing]


def _updated(spec: ImportSpec, lines: Sequence[Line], *, was_sent: bool) -> dict[int, Line]:
    """Perform the updates; return the lines that failed or have an unknown outcome, by index."""
    changes = {index: line.existing.change for index, line in enumerate(lines) if line.existing and line.is_effective}
    if not changes:
        return {}
    try:
        rows = spec.update(list(changes.values())).rows
    except (NotDone, Maintenance, ActionFailed) as error:
        # The creation before it is done. Only a call that was not sent for lack of time has certainly changed nothing;
        # any other error may be that of the last of several calls.
        if isinstance(error, TimedOut) and not error.sent and not was_sent:
            return {index: replace(lines[index], reasons=[str(spec.update_failed)]) for index in changes}
        return {index: _not_known(lines[index]) for index in changes}
    results = {}
    for index, row in zip(changes, rows, strict=True):
        # If the object has changed since the check, the first try may have changed it.
        if _is_unknown(row, was_sent=was_sent):
            results[index] = _not_known(lines[index])
        elif was_sent and row.code == Code.CHANGED_MEANWHILE:
            results[index] = replace(_not_known(lines[index]), code=row.code)
        elif not row.ok:
            failed = ITEM_GONE if row.code == Code.NOT_FOUND else spec.update_failed
            reason = _reason(spec, build_form(spec, lines[index]), row, failed)
            results[index] = replace(lines[index], reasons=[reason], code=row.code)
    return results


def _is_unknown(row: RowOutcome, *, was_sent: bool) -> bool:
    """Return whether a row may have been imported, by this call or by an earlier one."""
    return not row.ok and (row.maybe_applied or row.code == Code.ALREADY_DONE or (was_sent and not row.is_verdict))


def _not_known(line: Line, reason: str = "") -> Line:
    return replace(line, reasons=[reason or str(UNCONFIRMED)], is_unknown=True)


def _repetitions(
    spec: ImportSpec, lines: Sequence[Line], checked: Sequence[RowForm], unknown: Sequence[Sequence[str]]
) -> list[list[str]]:
    """Return the messages for each line whose key is that of a line above.

    Lines with `unknown` values are left out, so they count as if they were below all others.
    """
    keys = [spec.same(str(form.cleaned_data.get(spec.key) or "")) for form in checked]
    first: dict[str, int] = {}
    for key, line, _fields in sorted(zip(keys, lines, unknown, strict=True), key=lambda row: bool(row[2])):
        first.setdefault(key, line.number)
    messages: list[list[str]] = []
    for key, line, form in zip(keys, lines, checked, strict=True):
        label = in_sentence(form.fields[spec.key].label)
        # Translators: label: a column of a file, such as “name”; row: a number.
        text = _("Row %(row)s has the same %(label)s.") % {"label": label, "row": first[key]}
        messages.append([text] if key and first[key] != line.number else [])
    return messages


def _unknown_fields(spec: ImportSpec, line: Line) -> list[str]:
    """Return the columns of a line whose values don't exist, and are not created."""
    unknown = list[str]()
    for name, values in spec.values.items():
        text, scope = cell(spec, line, name), cell(spec, line, values.scope)
        is_new = any(new.field == name for new in line.new)
        if text and not is_new and values.scope not in unknown and values.find(scope, text) == "":
            unknown.append(name)
    return unknown


def _missing(spec: ImportSpec, form: RowForm, fields: Sequence[str]) -> list[str]:
    """Return the messages for references that don't exist; other invalid values have an error in the form."""
    return [
        str(spec.references[name].missing) for name in fields if name in spec.references and name not in form.errors
    ]


def _checkable(spec: ImportSpec, form: RowForm, replaced: Collection[str]) -> Values:
    """Return the values with which the service can check a row; empty if it can't.

    Those that are invalid or `replaced` have stand-ins.
    """
    needed = {name for name in form.fields if name in form.errors or name in replaced}
    if not needed <= spec.stand_ins.keys():
        return {}
    return {name: spec.stand_ins[name] if name in needed else form.cleaned_data[name] for name in form.fields}


def _refused(spec: ImportSpec, line: Line, form: RowForm, row: RowOutcome) -> Line:
    """Return a line with the service's reason, in addition to others only if that is another problem."""
    if line.reasons and (row.field not in form.fields or row.field in form.errors):
        return line
    return _with_reason(line, _reason(spec, form, row, _NOT_CHECKED))


def _with_reason(line: Line, reason: str) -> Line:
    return line if reason in line.reasons else replace(line, reasons=[*line.reasons, reason])


def _matched(spec: ImportSpec, line: Line, form: RowForm, row: RowOutcome, match: Match) -> Line:
    """Return a line whose key is in use, as `row` says, with the result of `ImportSpec.find`."""
    match match:
        case Existing():
            if line.reasons:
                return line
            if line.new:
                later = _("This value doesn't exist yet. After it's created, import the file again to set it.")
                match = replace(match, texts=[*match.texts, later])
            reasons = [_("This already exists and stays unchanged.")] if match.change.fields else []
            return replace(line, reasons=reasons, existing=match)
        case RowOutcome():
            return _refused(spec, line, form, match)
        case str():
            return _with_reason(line, match)
    return _refused(spec, line, form, row)


def _reason(spec: ImportSpec, form: RowForm, row: RowOutcome, failed: Label) -> str:
    """Return the reason of a refused row, by its code and column; `failed` if the service names no column."""
    if row.code == Code.CHANGED_MEANWHILE:
        return changed_by_others()
    name = row.field or (spec.key if row.code in IN_USE else "")
    if name not in form.fields:
        return str(failed)
    if reference := spec.references.get(name):
        match row.code:
            case Code.NOT_FOUND:
                return str(reference.missing)
            case Code.PARAMETER_INVALID:
                return str(reference.ambiguous)
    return field_message(row.code, form, name)


def used_columns(spec: ImportSpec, lines: Sequence[Line]) -> tuple[list[str], list[list[str]]]:
    """Return the labels of the columns that the file has, and the cells of each line in them."""
    columns = [
        (index, label)
        for index, label in enumerate(spec.labels())
        if any(line.cells[index] is not None for line in lines)
    ]
    return [label for _index, label in columns], [
        [line.cells[index] or "" for index, _label in columns] for line in lines
    ]


def rejected(spec: ImportSpec, lines: Sequence[Line]) -> list[list[str]]:
    """Return the rows of a file with the invalid lines, to be corrected and sent again; the last column has reasons."""
    bad = [line for line in lines if line.reasons]
    labels, cells = used_columns(spec, bad)
    return [
        # Translators: the head of a column, next to rows of a file that could not be imported: the reason.
        [*labels, _("Reason")],
        *([*row, "; ".join(line.reasons).translate(BIDI_CONTROLS)] for row, line in zip(cells, bad, strict=True)),
    ]


def template(spec: ImportSpec, example: Mapping[str, str]) -> list[list[str]]:
    """Return the rows of a template file with the columns of the example."""
    fields = {name: str(column.label) for name, column in spec.form.base_fields.items() if name in example}
    return [list(fields.values()), [example[name] for name in fields]]
