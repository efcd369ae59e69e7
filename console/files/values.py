"""Map the values of a file to those that a column may have: "Zahnarzt" to Doctor, or a team that doesn't exist yet."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.choices import flatten_choices
from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.files.importer import Line, cell
from console.files.spec import ImportSpec, NewValue
from console.l10n.bidi import isolated
from console.l10n.numbers import ngettext

CREATE, EMPTY = "+", "-"
"""Choices that are no value of the column. The values themselves are prefixed, so that none of them is the same."""
_VALUE = "="


@dataclass
class UnknownValue:
    """A value of a file that a column can't have, and the rows that have it; `scope` is the value it belongs to."""

    column: str
    scope: str
    text: str
    rows: list[int] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The name of its form field, and of its stored answer."""
        parts = json.dumps([self.column, _same(self.scope), _same(self.text)])
        return f"value-{hashlib.sha256(parts.encode()).hexdigest()[:16]}"


class ValuesForm(forms.Form):
    """Choose what each unknown value means. Without a choice its rows are not imported."""

    def __init__(
        self, spec: ImportSpec, unknown: Sequence[UnknownValue], data: Any = None, *, chosen: Mapping[str, str]
    ) -> None:
        super().__init__(data)
        self.groups: list[tuple[str, list[str]]] = []
        for value in unknown:
            self._add(spec, value, chosen)

    def _add(self, spec: ImportSpec, value: UnknownValue, chosen: Mapping[str, str]) -> None:
        values = spec.values[value.column]
        options = [(f"{_VALUE}{option}", str(label)) for option, label in values.options(value.scope)]
        extra = [(EMPTY, str(values.empty_label))] if values.can_be_empty else []
        if values.create:
            extra.insert(0, (CREATE, str(values.create_label)))
        suggested = values.suggest(value.scope, value.text)
        initial = f"{_VALUE}{suggested}" if suggested else CREATE if values.create else ""
        choices = [("", _("Don't import these rows")), *extra, *options]
        text = isolated(value.text)
        # Translators: %(value)s: a value in a file, such as “Dentist”; %(scope)s: the clinic that it belongs to.
        label = _("%(value)s in %(scope)s") % {"value": text, "scope": isolated(value.scope)} if value.scope else text
        self.fields[value.key] = forms.ChoiceField(
            label=label,
            required=False,
            choices=choices,
            initial=chosen.get(value.key, initial),
            help_text=ngettext("%(count)s row", "%(count)s rows", len(value.rows)) % {"count": len(value.rows)},
            widget=forms.Select(attrs={"class": "select"}),
            error_messages={"invalid_choice": _("Choose one of these values")},
        )
        column = str(spec.form.base_fields[value.column].label)
        if not self.groups or self.groups[-1][0] != column:
            self.groups.append((column, []))
        self.groups[-1][1].append(value.key)

    def offers(self) -> dict[str, object]:
        """Return the choices for each value: their labels by value, by field name."""
        return {field.html_name: dict(flatten_choices(field.field.widget.choices)) for field in self}

    def by_column(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields by the label of their column."""
        return [(column, [self[key] for key in keys]) for column, keys in self.groups]


def map_values(
    spec: ImportSpec, lines: Sequence[Line], chosen: Mapping[str, str]
) -> tuple[list[Line], list[UnknownValue]]:
    """Return the lines with the chosen values, and all values that their columns can't have, answered or not."""
    mapped, unknown = list(lines), dict[str, UnknownValue]()
    unresolved = set[tuple[int, str]]()
    for name, values in spec.values.items():
        for index, line in enumerate(mapped):
            text, scope = cell(spec, line, name), cell(spec, line, values.scope)
            if not text or (index, values.scope) in unresolved or values.find(scope, text) != "":
                continue
            value = UnknownValue(name, scope, text)
            value = unknown.setdefault(value.key, value)
            value.rows.append(line.number)
            mapped[index], is_resolved = _mapped(spec, line, value, chosen.get(value.key, ""))
            if not is_resolved:
                unresolved.add((index, name))
    return mapped, list(unknown.values())


def new_values(lines: Iterable[Line]) -> list[NewValue]:
    """Return the new values that lines without problems need, each once."""
    needed = [new for line in lines if not line.reasons for new in line.new]
    return list({_key(new): new for new in reversed(needed)}.values())[::-1]


def create_values(spec: ImportSpec, lines: Sequence[Line], key: str) -> list[Line]:
    """Create the new values of lines; return the lines, with a reason for those whose value was not created.

    Raises Maintenance and NotDone.
    """
    wanted, failures = new_values(lines), dict[NewValue, str]()
    for name, values in spec.values.items():
        new = [value for value in wanted if value.field == name]
        if new and values.create:
            reasons = values.create(new, key)
            failures |= {_key(value): reason for value, reason in zip(new, reasons, strict=True) if reason}
    results = []
    for line in lines:
        failed = [failures[_key(value)] for value in line.new if _key(value) in failures]
        results.append(replace(line, reasons=failed) if failed and not line.reasons else line)
    return results


def created_texts(spec: ImportSpec, lines: Iterable[Line]) -> list[str]:
    """Return the sentences that say which values will be created."""
    wanted = new_values(lines)
    by_column = {name: [new for new in wanted if new.field == name] for name in spec.values}
    return [spec.values[name].created(new) for name, new in by_column.items() if new]


def _mapped(spec: ImportSpec, line: Line, value: UnknownValue, choice: str) -> tuple[Line, bool]:
    """Return a line with the chosen value, and whether there is one."""
    values, column = spec.values[value.column], list(spec.form.base_fields).index(value.column)

    def with_cell(text: str) -> Line:
        return replace(line, cells=[*line.cells[:column], text, *line.cells[column + 1 :]])

    if choice == EMPTY and values.can_be_empty:
        return with_cell(""), True
    if choice == CREATE and values.create:
        new = NewValue(value.column, value.scope, value.text)
        return replace(with_cell(value.text), new=[*line.new, new]), True
    labels = {f"{_VALUE}{option}": str(label) for option, label in values.options(value.scope)}
    return (with_cell(labels[choice]), True) if choice in labels else (line, False)


def _key(value: NewValue) -> NewValue:
    """Return what all spellings of a new value have in common."""
    return NewValue(value.field, _same(value.scope), _same(value.text))


def _same(text: str) -> str:
    return " ".join(text.split()).casefold()
