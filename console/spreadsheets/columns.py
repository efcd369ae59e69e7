"""Which column of a file is which of an import: told by its head, else asked."""

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from console.spreadsheets.read import Table
from console.spreadsheets.spec import ImportSpec
from console.text.bidi import isolated
from console.text.written import written_key, written_keys

_EXAMPLES = 2
_SHOWN = 30
"""Characters of a head or a cell that are shown."""


class ColumnsForm(forms.Form):
    """The columns of a file for those of the import, each at most once.

    What the heads tell is chosen already; `is_clear` says that they tell all that is needed.
    """

    prefix = "column"

    def __init__(self, spec: ImportSpec, table: Table, data: Any = None) -> None:
        super().__init__(data)
        found = list(_matches(spec, table.header))
        columns = spec.form.base_fields.items()
        self.is_clear = all(
            len(indexes) == 1 or not (indexes or column.required)
            for indexes, (_name, column) in zip(found, columns, strict=True)
        )
        heads = _heads(table)
        for indexes, (name, column) in zip(found, columns, strict=True):
            missing = _("Choose the column of the file for “%(label)s”.") % {"label": column.label}
            self.fields[name] = forms.TypedChoiceField(
                label=column.label,
                required=column.required,
                choices=[("", _("Choose a column") if column.required else _("Not in this file")), *heads],
                coerce=int,
                empty_value=None,
                initial=indexes[0] if indexes else "",
                widget=forms.Select(attrs={"class": "select"}),
                error_messages={"required": missing, "invalid_choice": missing},
            )

    def clean(self) -> None:
        taken = set()
        for name, index in list(self.cleaned_data.items()):
            if index is not None and index in taken:
                text = _("The column for “%(label)s” is chosen already.") % {"label": self.fields[name].label}
                self.add_error(name, text)
            taken.add(index)

    def columns(self) -> list[int | None]:
        """Return the index of each column in the file, as chosen or as the heads tell; None for one that is missing."""
        if self.is_bound:
            return [self.cleaned_data[name] for name in self.fields]
        return [None if field.initial == "" else field.initial for field in self.fields.values()]


def _heads(table: Table) -> list[tuple[int, str]]:
    """The columns of a file that have a head, each with some of its cells."""
    heads = []
    for index, head in enumerate(table.header):
        if not head.strip():
            continue
        cells = (row[index].strip() for row in table.rows[1:] if index < len(row))
        examples = list(dict.fromkeys(cell for cell in cells if cell))[:_EXAMPLES]
        names = {"head": _short(head), "examples": ", ".join(map(_short, examples))}
        heads.append((index, _("%(head)s: %(examples)s") % names if examples else names["head"]))
    return heads


def _short(text: str) -> str:
    text = " ".join(text.split())
    return isolated(f"{text[:_SHOWN]}…" if len(text) > _SHOWN else text)


def _matches(spec: ImportSpec, header: Sequence[str]) -> Iterator[list[int]]:
    """For each column of the import, where the file has it: by its own name, else by another that people give it."""
    written = [written_key(head) for head in header]
    for name, column in spec.form.base_fields.items():
        for keys in (written_keys(name, column.label), written_keys(spec.form.heads.get(name, ""))):
            found = [index for index, head in enumerate(written) if head in keys]
            if found:
                break
        yield found
