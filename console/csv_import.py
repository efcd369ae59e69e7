"""What an import makes of a file: its columns found by their names, each row checked, none written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django import forms
from django.core import signing
from django.utils import translation
from django.utils.translation import gettext as _

from console.csv import Unreadable
from console.form_errors import field_message
from console.places import listed, sort_key
from console.upstream.bulk import LARGEST, BulkResult, BulkRow
from console.upstream.errors import Code

MOST_BYTES = 1024 * 1024
MOST_ROWS = LARGEST
"""Rows of one file: as many as one call takes (conformance CO-17)."""
SALT = "csv-import"
LIVES = 3600
"""Seconds for which a checked file can be imported."""

Run = Callable[[list[dict[str, Any]], bool, str], BulkResult]
"""Makes objects of the rows' values, or only tells what would be (True); the text is the Idempotency-Key."""


class RowForm(forms.Form):
    """The rules of one row; its fields are the columns, in their order."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # There is no field to stand beside, so each message names its column.
        for field in self.fields.values():
            field.error_messages["required"] = _("Enter %(field)s") % {"field": field.label}
            field.error_messages["max_length"] = _("%(label)s is too long") % {"label": field.label}

    def reason(self) -> str:
        """Why the row can't be imported; empty when it can."""
        return "; ".join(str(text) for texts in self.errors.values() for text in texts)


@dataclass(frozen=True)
class Kind:
    """One kind of import: its rules, the column that no two rows may share, and what is made of the good rows."""

    form: type[RowForm]
    key: str
    run: Run
    failure: str

    def labels(self) -> list[str]:
        return [str(field.label) for field in self.form.base_fields.values()]


class Line(msgspec.Struct, frozen=True, array_like=True):
    """One row of a file: its number as spreadsheets count, its cells by the columns, and why it can't be imported."""

    number: int
    cells: list[str]
    reason: str = ""


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
        Line(number, [row[place] if place is not None and place < len(row) else "" for place in places])
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
    checked = [msgspec.structs.replace(line, reason=reason) for line, reason in zip(lines, reasons, strict=True)]
    return _run(kind, checked, is_dry=True)


def carry_out(kind: Kind, lines: Sequence[Line], key: str) -> list[Line]:
    """Import the good lines; return all, of which those that were not imported have a reason."""
    return _run(kind, lines, is_dry=False, key=key)


def _run(kind: Kind, lines: Sequence[Line], *, is_dry: bool, key: str = "") -> list[Line]:
    found, good = list(lines), {}
    for place, line in enumerate(lines):
        if line.reason:
            continue
        form = _form(kind, line)
        if reason := form.reason():  # it was good in another language, which the reader has left since
            found[place] = msgspec.structs.replace(line, reason=reason)
        else:
            good[place] = form
    if good:
        result = kind.run([form.cleaned_data for form in good.values()], is_dry, key)
        for (place, form), row in zip(good.items(), result.rows, strict=True):
            if not row.ok:
                found[place] = msgspec.structs.replace(lines[place], reason=_reason(kind, form, row, is_dry=is_dry))
    return found


def _reason(kind: Kind, form: RowForm, row: BulkRow, *, is_dry: bool) -> str:
    if row.unsure:
        return _("The service did not say whether it was done.")
    field = row.field
    if row.code in (Code.NAME_IN_USE, Code.USER_EMAIL_IN_USE):
        field = field or kind.key
    if field not in form.fields:
        return _("The service could not check this row, or does not take it.") if is_dry else kind.failure
    if row.code == Code.NOT_FOUND:
        return _("There is no %(label)s of this name") % {"label": form.fields[field].label}
    return field_message(row.code, form, field)


def _form(kind: Kind, line: Line) -> RowForm:
    form = kind.form(dict(zip(kind.form.base_fields, line.cells, strict=True)))
    form.full_clean()
    return form


def _places(kind: Kind, header: Sequence[str]) -> list[int | None]:
    """The place of each column; None for one that may be missing and is. Names are ours, English, or the reader's."""
    written = [sort_key(name.strip()) for name in header]
    places: list[int | None] = []
    for names, field in zip(_names(kind), kind.form.base_fields.values(), strict=True):
        found = [place for place, name in enumerate(written) if name in names]
        if len(found) > 1 or (field.required and not found):
            raise Unreadable(_wrong_header(kind, header))
        places.append(found[0] if found else None)
    return places


def _names(kind: Kind) -> list[set[str]]:
    shown = kind.labels()
    with translation.override("en"):
        english = kind.labels()
    return [{sort_key(name) for name in names} for names in zip(kind.form.base_fields, shown, english, strict=True)]


def _wrong_header(kind: Kind, header: Sequence[str]) -> str:
    expected = _("The first row must name the columns %(expected)s, each once.") % {"expected": listed(kind.labels())}
    names = [name.strip()[:40] for name in header if name.strip()][:10]
    if not names:
        return expected
    return f"{expected} {_('In this file it is: %(found)s') % {'found': ', '.join(names)}}"


def rejected(kind: Kind, lines: Sequence[Line]) -> list[list[str]]:
    """The rows of a file that holds the bad lines, to be corrected and sent again; the reason is the last column."""
    return [[*kind.labels(), _("Reason")], *([*line.cells, line.reason] for line in lines if line.reason)]


def template(kind: Kind, example: Mapping[str, str]) -> list[list[str]]:
    """The rows of a file to begin with."""
    return [kind.labels(), [example.get(name, "") for name in kind.form.base_fields]]
