"""What an import makes of a file: its columns found by their names, each row checked, none written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django import forms
from django.core import signing
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from console.bidi import isolated
from console.csv import Unreadable
from console.fields import BIDI_CONTROLS
from console.form_errors import field_message
from console.lists import Label
from console.places import listed, sort_key
from console.upstream.bulk import LARGEST, BulkResult, BulkRow, Change
from console.upstream.errors import Code

MOST_BYTES = 1024 * 1024
MOST_ROWS = LARGEST
"""Rows of one file: as many as one call takes (conformance CO-17)."""
SALT = "csv-import"
_UNCHECKED = gettext_lazy("The service could not check this row, or does not take it.")
LIVES = 3600
"""Seconds for which a checked file can be imported."""

Values = dict[str, Any]
"""One row, by the names of its form's fields."""
Run = Callable[[list[Values], bool, str], BulkResult]
"""Makes objects of the rows, or only tells what would be (True); the text is the Idempotency-Key."""
IN_USE = frozenset({Code.NAME_IN_USE, Code.USER_EMAIL_IN_USE})
PLACES = frozenset({"clinic_name", "team_name"})
"""Columns that name something which must be there, and be the only one of its name."""


class RowForm(forms.Form):
    """The rules of one row; its fields are the columns, in their order."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # There is no field to stand beside, so each message names its column.
        for column in self.fields.values():
            column.error_messages["required"] = _("Enter %(field)s") % {"field": column.label}
            column.error_messages["max_length"] = _("%(label)s is too long") % {"label": column.label}

    def reason(self) -> str:
        """Why the row can't be imported; empty when it can."""
        return "; ".join(str(text) for texts in self.errors.values() for text in texts)


class Present(msgspec.Struct, frozen=True, array_like=True):
    """What a row would change of the object that has its key already, and how that reads."""

    change: Change
    texts: list[str]


@dataclass(frozen=True)
class Kind:
    """One kind of import: its rules, the column that no two rows may share, and what becomes of the good rows.

    `find` tells of rows whose key is in use what they would change, or why they can't; nothing where it is not ours.
    """

    form: type[RowForm]
    key: str
    run: Run
    failure: str
    find: Callable[[list[Values]], list[Present | BulkRow | str]]
    update: Callable[[list[Change]], BulkResult]
    update_failure: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """What the form wants to know beside the row."""

    def labels(self) -> list[str]:
        return [str(field.label) for field in self.form.base_fields.values()]


class Line(msgspec.Struct, frozen=True, array_like=True):
    """One row of a file: its number as spreadsheets count, its cells by the columns, and why it can't be imported.

    A cell is None when the file has no such column. With `present` the row changes what exists already.
    """

    number: int
    cells: list[str | None]
    reason: str = ""
    present: Present | None = None

    @property
    def is_due(self) -> bool:
        """Whether there is anything to do for it."""
        return not self.reason and (self.present is None or bool(self.present.change.fields))


class Unknown(Exception):
    """What was sent is no checked file of ours, or an old one."""


def pack(lines: Sequence[Line], owner: str) -> str:
    """Write lines into a field of a form; `owner` says whose import of what it is."""
    return signing.dumps(msgspec.to_builtins(lines), salt=f"{SALT}:{owner}", compress=True)


def unpack(text: str, owner: str) -> list[Line]:
    """Read lines that a page carried. Raises Unknown."""
    try:
        return msgspec.convert(signing.loads(text, salt=f"{SALT}:{owner}", max_age=LIVES), list[Line])
    except (signing.BadSignature, msgspec.ValidationError) as error:
        raise Unknown from error


def find_lines(kind: Kind, rows: Sequence[Sequence[str]]) -> list[Line]:
    """Find the columns by the header and cut the rows to them; others are left out. Raises Unreadable."""
    header = rows[0] if rows else []
    places = _places(kind, header)
    lines = [
        Line(number, [None if place is None else row[place] if place < len(row) else "" for place in places])
        for number, row in enumerate(rows[1:], start=2)
        if any(cell.strip() for cell in row)
    ]
    if not lines:
        raise Unreadable(_("The file has a header, but no rows."))
    if len(lines) > MOST_ROWS:
        text = _("The file has %(count)s rows. At most %(most)s can be imported at once: split it.")
        raise Unreadable(text % {"count": len(lines), "most": MOST_ROWS})
    return lines


def check(kind: Kind, lines: Sequence[Line]) -> list[Line]:
    """Tell of each line why it can't be imported: by our rules, by the lines above it, then by the service."""
    forms = [_form(kind, line) for line in lines]
    reasons = [form.reason() for form in forms]
    first: dict[str, int] = {}
    for place, form in enumerate(forms):
        if value := str(form.cleaned_data.get(kind.key) or "").casefold():
            above = first.setdefault(value, lines[place].number)
            if above != lines[place].number:
                same = _("The same %(label)s as in row %(row)s") % {"label": form.fields[kind.key].label, "row": above}
                reasons[place] = "; ".join(filter(None, [reasons[place], same]))
    checked = [replace(line, reason=reason) for line, reason in zip(lines, reasons, strict=True)]
    return _create(kind, checked, is_dry=True)


def overwriting(lines: Sequence[Line]) -> list[Line]:
    """The same lines, of which those of what exists already are to be imported as well."""
    return [replace(line, reason="") if line.present else line for line in lines]


def carry_out(kind: Kind, lines: Sequence[Line], key: str) -> list[Line]:
    """Import the good lines; return all, of which those that were not imported have a reason."""
    return _update(kind, _create(kind, lines, is_dry=False, key=key))


def _create(kind: Kind, lines: Sequence[Line], *, is_dry: bool, key: str = "") -> list[Line]:
    found, good = list(lines), {}
    for place, line in enumerate(lines):
        if line.reason or line.present:
            continue
        form = _form(kind, line)
        if reason := form.reason():  # it was good in another language, which the reader has left since
            found[place] = replace(line, reason=reason)
        else:
            good[place] = form
    if not good:
        return found
    result, taken = kind.run([form.cleaned_data for form in good.values()], is_dry, key), []
    for (place, form), row in zip(good.items(), result.rows, strict=True):
        if row.ok:
            continue
        found[place] = replace(lines[place], reason=_reason(kind, form, row, _UNCHECKED if is_dry else kind.failure))
        if is_dry and row.code in IN_USE and row.field in ("", kind.key):
            taken.append(place)
    if taken:
        for place, told in zip(taken, kind.find([good[place].cleaned_data for place in taken]), strict=True):
            found[place] = _known(kind, found[place], good[place], told)
    return found


def _known(kind: Kind, line: Line, form: RowForm, told: Present | BulkRow | str) -> Line:
    """A line whose key is in use, after a look at what has it."""
    match told:
        case Present():
            reason = _("Exists already. It is left as it is.") if told.change.fields else ""
            return replace(line, reason=reason, present=told)
        case BulkRow():
            return replace(line, reason=_reason(kind, form, told, _UNCHECKED))
    return replace(line, reason=told or line.reason)


def _update(kind: Kind, lines: Sequence[Line]) -> list[Line]:
    found = list(lines)
    changes = {place: line.present.change for place, line in enumerate(lines) if line.present and line.is_due}
    if changes:
        result = kind.update(list(changes.values()))
        for place, row in zip(changes, result.rows, strict=True):
            if not row.ok:
                reason = _reason(kind, _form(kind, lines[place]), row, kind.update_failure)
                found[place] = replace(lines[place], reason=reason)
    return found


def _reason(kind: Kind, form: RowForm, row: BulkRow, failure: Label) -> str:
    if row.unsure:
        return _("The service did not say whether it was done.")
    if row.code == Code.CHANGED_MEANWHILE:
        return _("Somebody else changed this meanwhile.")
    name = row.field or (kind.key if row.code in IN_USE else "")
    if name not in form.fields:
        return str(failure)
    label = {"label": form.fields[name].label}
    if row.code == Code.NOT_FOUND:
        return _("There is no %(label)s of this name") % label
    if row.code == Code.PARAMETER_INVALID and name in PLACES:
        return _("There is more than one %(label)s of this name") % label
    return field_message(row.code, form, name)


def _form(kind: Kind, line: Line) -> RowForm:
    form = kind.form(dict(zip(kind.form.base_fields, line.cells, strict=True)), **kind.options)
    form.full_clean()
    return form


def _places(kind: Kind, header: Sequence[str]) -> list[int | None]:
    """The place of each column; None for one that may be missing and is. Names are ours, English, or the reader's."""
    written = [sort_key(name.translate(BIDI_CONTROLS).strip()) for name in header]
    places: list[int | None] = []
    for names, column in zip(_names(kind), kind.form.base_fields.values(), strict=True):
        found = [place for place, name in enumerate(written) if name in names]
        if len(found) > 1 or (column.required and not found):
            raise Unreadable(_wrong_header(kind, header))
        places.append(found[0] if found else None)
    return places


def _names(kind: Kind) -> list[set[str]]:
    shown = kind.labels()
    with translation.override("en"):
        english = kind.labels()
    return [{sort_key(name) for name in names} for names in zip(kind.form.base_fields, shown, english, strict=True)]


def _wrong_header(kind: Kind, header: Sequence[str]) -> str:
    needed = [str(column.label) for column in kind.form.base_fields.values() if column.required]
    expected = _("The first row must name the columns %(expected)s, each once.") % {"expected": listed(needed)}
    names = [name.strip()[:40] for name in header if name.strip()][:10]
    if not names:
        return expected
    return f"{expected} {_('In this file it is: %(found)s') % {'found': ', '.join(map(isolated, names))}}"


def shown(kind: Kind, lines: Sequence[Line]) -> tuple[list[str], list[list[str]]]:
    """The labels of the columns that the file has, and the cells of each line in them."""
    columns = [
        (place, label)
        for place, label in enumerate(kind.labels())
        if any(line.cells[place] is not None for line in lines)
    ]
    return [label for _place, label in columns], [
        [line.cells[place] or "" for place, _label in columns] for line in lines
    ]


def rejected(kind: Kind, lines: Sequence[Line]) -> list[list[str]]:
    """The rows of a file that holds the bad lines, to be corrected and sent again; the reason is the last column."""
    bad = [line for line in lines if line.reason]
    labels, cells = shown(kind, bad)
    return [
        [*labels, _("Reason")],
        *([*row, line.reason.translate(BIDI_CONTROLS)] for row, line in zip(cells, bad, strict=True)),
    ]


def template(kind: Kind, example: Mapping[str, str]) -> list[list[str]]:
    """The rows of a file to begin with: the columns that the example knows."""
    fields = {name: str(column.label) for name, column in kind.form.base_fields.items() if name in example}
    return [list(fields.values()), [example[name] for name in fields]]
