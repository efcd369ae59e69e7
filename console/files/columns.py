"""Match the columns of a file to those of an import: by their heads, else by the user's choice.

The choice is suggested by heads in other languages, and by what the cells contain.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.utils.choices import flatten_choices
from django.utils.translation import gettext as _

from console.files.read import Table
from console.files.spec import ImportSpec
from console.l10n.bidi import BIDI_CONTROLS, isolated
from console.l10n.word_matching import all_written_keys, written_key, written_keys
from console.lists.query import Label

_SECOND = "-2"
_SAME = "="
"""Prefix of choices that are a value for all rows instead of a column."""
_EXAMPLES = 2
_MAX_LABEL_LENGTH = 30
"""Maximum characters of a head or a cell that are shown."""
_MAX_TITLES = 10
"""Maximum rows above the names of the columns, such as a title and a date."""
_MIN_RECOGNIZED = 0.5
"""Minimum share of the different cells of a column that show what it contains."""


Source = tuple[int, ...] | str
"""The source of a column: indexes of columns of the file, whose cells are joined, or one value for all rows.

Without any index, the file does not have the column.
"""


class ColumnsForm(forms.Form):
    """Choose the columns of a file for those of the import, each at most once.

    Columns that match by their heads or cells are preselected, unless others were `chosen` before, by field. `is_clear`
    is True if there is nothing to ask.
    """

    prefix = "column"

    def __init__(
        self, spec: ImportSpec, table: Table, data: Any = None, *, chosen: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(data, initial=dict(chosen or {}))
        matches = dict(_matches(spec, table.header))
        self.is_clear = all(match.is_clear for match in matches.values())
        self.matches = matches if self.is_clear else _with_suggestions(spec, table, matches)
        heads = _heads(table)
        for name, match in self.matches.items():
            column, same = spec.form.base_fields[name], spec.for_all.get(name, tuple)()
            self._add(name, column.label, heads, match.first, required=column.required, same=same)
            if parts := spec.form.parts.get(name):
                self._add(f"{name}{_SECOND}", parts.label, heads, match.second, help_text=parts.hint)

    def _add(
        self,
        name: str,
        label: Any,
        heads: list[tuple[int, str]],
        preselected: list[int],
        *,
        required: bool = False,
        same: Sequence[Label] = (),
        help_text: Label = "",
    ) -> None:
        # Translators: label: a column that is needed, such as “Name”.
        missing = _("Choose the file column for “%(label)s”.") % {"label": label}
        # Translators: the first option of a choice: nothing is chosen yet.
        choose = _("Choose a column or one value for all rows") if same else _("Choose a column")
        values = [(f"{_SAME}{word}", str(word)) for word in same]
        self.fields[name] = forms.TypedChoiceField(
            label=label,
            required=required,
            help_text=help_text,
            choices=[
                # Translators: the first option for a column that may be missing: the file doesn't have it.
                ("", choose if required else _("Not in this file")),
                *heads,
                *([(_("Same for all rows"), values)] if values else []),
            ],
            coerce=_source,
            initial=preselected[0] if preselected else "",
            widget=forms.Select(attrs={"class": "select"}),
            error_messages={"required": missing, "invalid_choice": missing},
        )

    def clean(self) -> None:
        used: set[int] = set()
        for name, source in list(self.cleaned_data.items()):
            columns = source if isinstance(source, tuple) else ()
            if not used.isdisjoint(columns):
                # Translators: label: a column, such as “Name”; the same one of the file is chosen for another.
                text = _("The column you chose for “%(label)s” is already in use. Choose another one.") % {
                    "label": self.fields[name].label
                }
                self.add_error(name, text)
            used.update(columns)

    def columns(self) -> list[Source]:
        """Return the source of each column, as chosen or by the heads."""
        if self.is_bound:
            return [self._chosen(name) for name in self.matches]
        return [(*match.first[:1], *match.second[:1]) for match in self.matches.values()]

    def chosen(self) -> dict[str, str]:
        """Return the valid choices as they were sent, by field."""
        return {name: str(self[name].value() or "") for name in self.fields}

    def _chosen(self, name: str) -> Source:
        first, second = self.cleaned_data[name], self.cleaned_data.get(f"{name}{_SECOND}")
        return first if first and isinstance(first, str) else (*first, *(second or ()))

    def offers(self) -> dict[str, dict[str, str]]:
        """Return the choices of each column: their labels by value, by field name."""
        return {field.html_name: dict(flatten_choices(field.field.widget.choices)) for field in self}


def header_index(spec: ImportSpec, rows: Sequence[Sequence[str]]) -> int:
    """Return the index of the row with the names of the columns: the first one, or below a title the best match."""
    first = rows[: _MAX_TITLES + 1]
    matches = [[match for _name, match in _matches(spec, row)] for row in first]
    named = [sum(bool(match.first or match.second) for match in row) for row in matches]
    scores = [(all(match.is_clear for match in row), count) for row, count in zip(matches, named, strict=True)]
    best = max(scores)
    if best > scores[0] and (best[0] or best[1] > 1):
        return scores.index(best)
    widths = [sum(bool(cell.strip()) for cell in row) for row in first]
    is_title = named[0] == 0 and widths[0] == 1
    return next((index for index, width in enumerate(widths) if width > 1), 0) if is_title else 0


def _source(chosen: str) -> Source:
    return chosen.removeprefix(_SAME) if chosen.startswith(_SAME) else (int(chosen),)


def _heads(table: Table) -> list[tuple[int, str]]:
    """Return the columns of a file that have a head, as choices with some example cells."""
    heads = []
    for index, head in enumerate(table.header):
        if not head.strip():
            continue
        cells = (row[index].strip() for row in table.rows[1:] if index < len(row))
        examples = list(dict.fromkeys(cell for cell in cells if cell))[:_EXAMPLES]
        # Typing the first letters selects a choice, so there must be no bidi mark before them.
        names = {"head": _short(head), "examples": ", ".join(isolated(_short(cell)) for cell in examples)}
        # Translators: a column of a file, and some of its cells, such as “Name: Dental North, Dental South”.
        heads.append((index, _("%(head)s: %(examples)s") % names if examples else names["head"]))
    return heads


def _short(text: str) -> str:
    text = " ".join(text.translate(BIDI_CONTROLS).split())
    return f"{text[:_MAX_LABEL_LENGTH]}…" if len(text) > _MAX_LABEL_LENGTH else text


@dataclass(frozen=True)
class _Match:
    """The columns of a file that match one of the import, or its two parts, by their heads."""

    first: list[int]
    second: list[int]
    is_clear: bool


def _with_suggestions(spec: ImportSpec, table: Table, matches: Mapping[str, _Match]) -> dict[str, _Match]:
    """Return the matches with suggestions for columns without any: by a head in another language, else by cells."""
    suggested = dict(matches)

    def available(indexes: list[int]) -> list[int]:
        used = {index for match in suggested.values() for index in (*match.first, *match.second)}
        return [index for index in indexes if index not in used]

    for name, match in _matches(spec, table.header, all_written_keys):
        if not suggested[name].first and not suggested[name].second:
            suggested[name] = _Match(available(match.first)[:1], available(match.second)[:1], is_clear=False)
    cells = {
        index: {row[index].strip() for row in table.rows[1:] if index < len(row)} - {""}
        for index, head in enumerate(table.header)
        if head.strip()
    }
    for name, recognizes in spec.recognizers.items():
        if suggested[name].first:
            continue
        shares = {
            index: sum(map(recognizes, cells[index])) / len(cells[index])
            for index in available(list(cells))
            if cells[index]
        }
        best = max(shares, key=lambda index: shares[index], default=None)
        if best is not None and shares[best] >= _MIN_RECOGNIZED:
            suggested[name] = replace(suggested[name], first=[best])
    return suggested


def _matches(
    spec: ImportSpec, header: Sequence[str], get_keys: Callable[..., set[str]] = written_keys
) -> Iterator[tuple[str, _Match]]:
    """Yield the matches of each column of the import: by its own name, else by its alternative names."""
    written = [written_key(head) for head in header]

    def called(*names: object) -> list[int]:
        keys = get_keys(*names)
        return [index for index, head in enumerate(written) if head in keys]

    for name, column in spec.form.base_fields.items():
        whole = called(name, column.label) or called(spec.form.heads.get(name, ""))
        first, second = whole, list[int]()
        is_clear = True
        if parts := spec.form.parts.get(name):
            one, other = called(parts.first), called(parts.second)
            if (one or other) and not (whole and one and other):
                # If there is only one part, the column with the name of the whole is most likely the other one.
                first, second = one or whole, other or (whole if one else [])
                is_clear = bool(one and other)
        is_one = len(first) == 1 or not (first or column.required)
        yield name, _Match(first, second, is_clear and is_one and len(second) < 2)
