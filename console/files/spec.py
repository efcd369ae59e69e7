"""The definition of an import: the rules of its rows, and the texts and addresses of its pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import msgspec
from django import forms
from django.utils.translation import gettext as _

from console.audit.record import AuditAction
from console.l10n.bidi import isolated
from console.l10n.sentences import in_sentence
from console.lists.query import Label
from upstream.bulk import BulkResult, RowOutcome, RowUpdate
from upstream.listing import PAGE_LIMIT

Values = dict[str, Any]
"""One row, by the names of its form's fields."""


@dataclass(frozen=True)
class Parts:
    """A column that files may split in two: both names, as in `RowForm.heads`, and the second one's label and hint."""

    first: Label
    second: Label
    label: Label
    hint: Label


class RowForm(forms.Form):
    """The rules of one row; its fields are the columns, in their order.

    `heads` are alternative names of columns by field, in English and in the reader's language: texts with one or more
    names, separated by |. `parts` are the columns that files may split in two.
    """

    heads: ClassVar[Mapping[str, Label]] = {}
    parts: ClassVar[Mapping[str, Parts]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The messages are not shown next to a field, so each names its column.
        for column in self.fields.values():
            column.error_messages["required"] = _("Enter %(field)s") % {"field": in_sentence(column.label)}
            # Translators: label: a column, such as “Name”, of any gender.
            column.error_messages["max_length"] = _("%(label)s is too long") % {"label": column.label}

    def reasons(self) -> list[str]:
        """Return the reasons why the row can't be imported; none if it can."""
        return [str(text) for texts in self.errors.values() for text in texts]


def difference(form: type[RowForm], name: str, old: str, new: str) -> str:
    """Return the text for the change of one field."""
    label = form.base_fields[name].label
    # Translators: how a value changes, such as “Country: Germany → France”; in Arabic the arrow points to the left.
    return _("%(label)s: %(old)s → %(new)s") % {"label": label, "old": isolated(old or "–"), "new": isolated(new)}


class Existing(msgspec.Struct, frozen=True, array_like=True):
    """The change of a row to the object that has its key, as data and texts, and the previous values (`was`)."""

    change: RowUpdate
    texts: list[str]
    was: dict[str, Any] = {}


Match = Existing | RowOutcome | str | None
"""The match of a row whose key is in use: the object, or the service's or our own reason why it can't be changed.

None if no object of this organization has the key.
"""


@dataclass(frozen=True)
class Reference:
    """The messages of a column that refers to an object by name, if none or several have the name."""

    missing: Label
    ambiguous: Label


class NewValue(msgspec.Struct, frozen=True, array_like=True):
    """A value of a column that doesn't exist yet, such as a team; `scope` is the value that it belongs to."""

    field: str
    scope: str
    text: str


@dataclass(frozen=True)
class ColumnValues:
    """The values that a column may have, to which other values of a file can be mapped.

    Values may depend on that of the column `scope`: the teams on the clinic. `options` returns them with their labels,
    which are written into the rows. `find` returns the value that a text means, "" for none, and None if that is
    unknown. `suggest` does so for texts in other languages and with typing errors. With `create` a new value can be
    created: it gets the new values and the Idempotency-Key, and returns the reason why each was not created, or "".
    """

    options: Callable[[str], Sequence[tuple[str, Label]]]
    find: Callable[[str, str], str | None]
    suggest: Callable[[str, str], str]
    scope: str = ""
    can_be_empty: bool = False
    empty_label: Label = ""
    create_label: Label = ""
    create: Callable[[Sequence[NewValue], str], Sequence[str]] | None = None
    created: Callable[[Sequence[NewValue]], str] = lambda _values: ""
    """Returns the sentence that says which values will be created."""


@dataclass(frozen=True)
class ImportSpec:
    """The rules of one kind of import: the form of a row, and the calls for the valid rows.

    No two rows may have the same value in the column `key`. `create` creates objects from rows, or only checks them
    (True); its last argument is the Idempotency-Key. `find` reads the objects that have the keys of rows. `references`
    are the columns that refer to other objects. `for_all` reads the values that a column missing in the file may have
    in all rows. `values` are the columns whose values can be mapped, in order: a scope before what depends on it.
    `recognizers` say whether a cell is likely to be of a column. `stand_ins` are values with which the service checks a
    row whose own are invalid, so that all of its problems are reported at once. `options` are extra arguments of the
    form. `kind` is the activity's code for the rows, and `audit_entry` returns the entry for the creation of a row, or
    for its change.
    """

    form: type[RowForm]
    key: str
    create: Callable[[list[Values], bool, str], BulkResult]
    create_failed: Label
    find: Callable[[list[Values]], list[Match]]
    update: Callable[[list[RowUpdate]], BulkResult]
    update_failed: Label
    kind: str
    audit_entry: Callable[[Values, Existing | None], AuditAction]
    references: Mapping[str, Reference] = field(default_factory=dict)
    for_all: Mapping[str, Callable[[], Sequence[Label]]] = field(default_factory=dict)
    values: Mapping[str, ColumnValues] = field(default_factory=dict)
    recognizers: Mapping[str, Callable[[str], bool]] = field(default_factory=dict)
    stand_ins: Values = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    same: Callable[[str], str] = str.casefold
    """The function whose results are equal for values of the column `key` that count as the same."""
    max_rows: int = PAGE_LIMIT
    """Maximum rows of one file: as many as one call takes (conformance CO-17), unless the console stores the rows."""

    def labels(self) -> list[str]:
        """Return the names of all columns."""
        return [str(column.label) for column in self.form.base_fields.values()]


@dataclass(frozen=True)
class Import:
    """One import as its pages show it: its rules, texts and links.

    `name` is the prefix of its file names. `overwrite_label` says what is updated if rows already exist. `note` is
    shown before the import, and explains its other effects. `next` is the label and address of a follow-up. `plan`
    returns the label of a button and the address of a bulk action for all created objects, given their number.
    """

    spec: ImportSpec
    name: str
    title: Label
    overwrite_label: Label
    crumbs: Sequence[Mapping[str, str]]
    example: Mapping[str, str]
    template_url: str
    back: str
    hints: Sequence[Label] = field(default_factory=list)
    note: Label = ""
    next: tuple[Label, str] | None = None
    plan: Callable[[int], tuple[Label, str]] | None = None

    @property
    def url(self) -> str:
        """The address of its first page, below which its steps and its template are."""
        return self.template_url.removesuffix("/template")
