"""Forms that add and change expected serial numbers: pasted, imported, or one at a time."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.files.importer import Line
from console.files.spec import RowForm
from console.forms.fields import NameField, NoteField, is_printable
from console.forms.pasted import Row, open_quotes, parse_rows
from console.forms.spreadsheet_values import refuse_spreadsheet_faults
from console.forms.versioned import VersionedForm
from console.l10n.numbers import ngettext, number_text
from console.l10n.sentences import in_sentence
from console.l10n.word_matching import matches_input, written_key, written_keys
from console.lists.query import Choice
from scanners.models import Expected
from upstream.characters import folded
from upstream.nouns import plain_serial

SERIAL_LENGTH = 64
MAX_ROWS = 1000
"""Maximum number of lines pasted at once and of rows in a file: a page shows the result of each."""
MAX_PASTED_LENGTH = 200_000
"""Characters in the pasted text."""


class SerialNumberField(forms.CharField):
    """A serial number as it is printed on the scanner; comparisons ignore spaces, dashes and case."""

    default_validators = [refuse_spreadsheet_faults]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=SERIAL_LENGTH, **kwargs)

    def clean(self, value: object) -> str:
        number = str(super().clean(value))
        text = folded(number)
        if number and not (is_printable(number) and plain_serial(text)):
            raise ValidationError(_("Invalid %(label)s") % {"label": in_sentence(self.label)}, code="invalid")
        return text


class ExpectedRow(RowForm):
    """A row with an expected serial number; the clinic is given by name."""

    heads = {
        # Translators: names that people give to the column of serial numbers in their files, separated by |.
        "serial_number": gettext_lazy("Serial|Serial no.|S/N|SN|Scanner"),
        # Translators: names that people give to the column of the scanners' clinics in their files, separated by |.
        "clinic_name": gettext_lazy("Clinic name|Practice|Practice name|Location"),
        # Translators: names that people give to the column of notes in their files, separated by |.
        "note": gettext_lazy("Notes|Comment|Remark"),
    }

    serial_number = SerialNumberField(label=gettext_lazy("Serial number"))
    clinic_name = NameField(label=gettext_lazy("Clinic"), required=False)
    note = NoteField()


class PasteForm(forms.Form):
    """Lines of a spreadsheet or an email, one for each scanner; a valid form has them as `lines`."""

    pasted = forms.CharField(
        label=gettext_lazy("Serial numbers"),
        help_text=gettext_lazy(
            "Enter one scanner per line: serial number, clinic, note. Clinic and note are optional. Paste from a "
            "spreadsheet, or separate values with commas or semicolons."
        ),
        max_length=MAX_PASTED_LENGTH,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto", "spellcheck": "false", "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Enter at least one serial number.")},
    )
    overwrite = forms.BooleanField(
        label=gettext_lazy("Update serial numbers that are already listed"),
        help_text=gettext_lazy(
            "If you don't select this, listed serial numbers stay unchanged. A missing clinic or "
            "note doesn't change anything."
        ),
        required=False,
    )

    @property
    def mark(self) -> str:
        """A hash of a valid form's data, which changes with any of its values."""
        values = [self.cleaned_data["pasted"], self.cleaned_data["overwrite"]]
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]

    def clean_pasted(self) -> str:
        if error := open_quotes(parse_rows(self.cleaned_data["pasted"], has_other_delimiters=True)):
            raise ValidationError(error, code="open_quote")
        self.lines = parse_lines(self.cleaned_data["pasted"])
        if not self.lines:
            raise ValidationError(self.fields["pasted"].error_messages["required"], code="required")
        if len(self.lines) > MAX_ROWS:
            count = len(self.lines)
            # Translators: %(most)s: how many lines are allowed, such as 1,000.
            text = ngettext(
                "You entered %(count)s line. You can add up to %(most)s at a time.",
                "You entered %(count)s lines. You can add up to %(most)s at a time.",
                count,
            )
            raise ValidationError(text % {"count": count, "most": number_text(MAX_ROWS)}, code="too_many")
        return str(self.cleaned_data["pasted"])


def parse_lines(text: str) -> list[Line]:
    """Return the lines of a pasted text as serial number, clinic and note, without a header line."""
    written = [(row.number, _cells(row)) for row in parse_rows(text, has_other_delimiters=True)]
    columns = _heads(written[0][1]) if written else []
    if columns:
        written = [(number, [_cell(cells, column) for column in columns]) for number, cells in written[1:]]
    return [Line(number, [cells[0], _cell(cells, 1), ", ".join(filter(None, cells[2:]))]) for number, cells in written]


def format_lines(lines: Sequence[Line]) -> str:
    """Format lines as text that is parsed into the same lines."""
    return "\n".join("\t".join(_as_cell(cell or "") for cell in line.cells) for line in lines)


def _as_cell(text: str) -> str:
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if text.startswith('"') else text


def _cells(row: Row) -> list[str]:
    """Return the cells of a row of a spreadsheet, which are separated by tabs, or of a line with other separators."""
    try:
        refuse_spreadsheet_faults(row.text)
    except ValidationError:  # the comma is part of a number, which is reported for this row
        return [folded(row.text)]
    return row.cells


def _cell(cells: Sequence[str], column: int | None) -> str:
    return cells[column] if column is not None and column < len(cells) else ""


def _heads(cells: Sequence[str]) -> list[int | None]:
    """Return the column of each field if the first line is a header, or else an empty list."""
    written, columns = [written_key(cell) for cell in cells], []
    for name, column in ExpectedRow.base_fields.items():
        keys = written_keys(name, column.label, ExpectedRow.heads[name])
        columns.append(next((index for index, key in enumerate(written) if key in keys), None))
    return columns if columns[0] is not None else []


class ExpectedForm(VersionedForm):
    """The clinic in which a scanner is expected, and the note about it."""

    clinic_id = forms.ChoiceField(
        widget=forms.Select(attrs={"translate": "no"}),
        label=gettext_lazy("Clinic"),
        required=False,
        error_messages={"invalid_choice": gettext_lazy("This item no longer exists. Choose another one.")},
    )
    note = NoteField()

    def __init__(self, data: Any = None, *, row: Expected, clinics: Sequence[Choice]) -> None:
        super().__init__(data, initial=initial_values(row), stored=row.version)
        offered = [(clinic.value, clinic.label) for clinic in clinics]
        cast(forms.ChoiceField, self.fields["clinic_id"]).choices = [("", _("Any clinic")), *offered]

    def changes(self) -> dict[str, str]:
        """Return the values that differ from the stored ones."""
        return {name: self.cleaned_data[name] for name, now in self.initial.items() if self.cleaned_data[name] != now}


def initial_values(row: Expected) -> dict[str, str]:
    """Return the values of a row as the form shows them."""
    return {"clinic_id": row.clinic_id, "note": row.note}


class DeleteAllForm(VersionedForm):
    """The number of rows to delete, which has to be typed: Enter alone deletes nothing (conformance LS-15).

    The version is the ID of the newest row: rows added later were not counted.
    """

    has_initial_focus = False
    """The consequences are read first."""

    typed = forms.CharField(
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )

    def __init__(self, data: Any = None, *, count: int, newest: int) -> None:
        super().__init__(data, stored=newest)
        self.count = count
        self.fields["typed"].label = _("Type “%(to_type)s” to confirm") % {"to_type": count}
        self.fields["typed"].error_messages["required"] = self._not_it()

    def clean_typed(self) -> str:
        number = str(self.cleaned_data["typed"])
        if not matches_input(number, str(self.count)):
            raise ValidationError(self._not_it(), code="invalid")
        return number

    def _not_it(self) -> str:
        return _("This doesn't match. Type “%(text)s” to delete.") % {"text": self.count}
