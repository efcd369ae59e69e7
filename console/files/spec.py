"""What an import is: the rules of its rows, and the words and addresses of its pages."""

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
    """A column that files may have in two: the names of both as in `RowForm.heads`, and how the second is asked for."""

    first: Label
    second: Label
    label: Label
    hint: Label


class RowForm(forms.Form):
    """The rules of one row; its fields are the columns, in their order.

    `heads` are further names that people give to a column, by its field, in English and in the reader's language:
    texts that hold one or more, separated by |. `parts` are the columns that files may have in two.
    """

    heads: ClassVar[Mapping[str, Label]] = {}
    parts: ClassVar[Mapping[str, Parts]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # There is no field to stand beside, so each message names its column.
        for column in self.fields.values():
            column.error_messages["required"] = _("Enter %(field)s") % {"field": in_sentence(column.label)}
            # Translators: label: a column, such as “Name”, of any gender.
            column.error_messages["max_length"] = _("%(label)s is too long") % {"label": column.label}

    def reasons(self) -> list[str]:
        """Return why the row can't be imported; none when it can."""
        return [str(text) for texts in self.errors.values() for text in texts]


def difference(form: type[RowForm], name: str, old: str, new: str) -> str:
    """What a row changes in one field, as it is read."""
    label = form.base_fields[name].label
    # Translators: how a value changes, such as “Country: Germany → France”; in Arabic the arrow points to the left.
    return _("%(label)s: %(old)s → %(new)s") % {"label": label, "old": isolated(old or "–"), "new": isolated(new)}


class Existing(msgspec.Struct, frozen=True, array_like=True):
    """What a row would change of the object that has its key already, how that reads, and what `was` there before."""

    change: RowUpdate
    texts: list[str]
    was: dict[str, Any] = {}


Match = Existing | RowOutcome | str | None
"""What was found for a row whose key is in use: the object, the service's or our own reason why it can't be changed,
or None when nothing of this organization has the key."""


@dataclass(frozen=True)
class Reference:
    """A column that names something which must exist, and be the only one of its name: what is said where it is not."""

    missing: Label
    ambiguous: Label


@dataclass(frozen=True)
class ImportSpec:
    """The rules of one kind of import: what a row must be, and what becomes of the good rows.

    No two rows may have the same value in the column `key`. `create` makes objects of rows, or only tells what would be
    (True); its text is the Idempotency-Key. `find` looks for what has the keys of rows that are in use. `references`
    are the columns that name something else. `for_all` reads what a column may say in all rows of a file that does not
    have it. `options` is what the form needs to know beside the row. `kind` is the activity's code for what is
    imported, and `noted` returns what is noted of the creation of a row, or of its change.
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
    options: Mapping[str, Any] = field(default_factory=dict)
    same: Callable[[str], str] = str.casefold
    """What two values of the column `key` have in common that count as one."""
    max_rows: int = PAGE_LIMIT
    """Rows of one file: as many as one call takes (conformance CO-17), unless they go elsewhere."""

    def labels(self) -> list[str]:
        """Return the names of all columns."""
        return [str(column.label) for column in self.form.base_fields.values()]


@dataclass(frozen=True)
class Import:
    """One import as its pages show it: its rules, its words, and where it leads.

    `name` begins the names of its files. `overwrite_label` says what is updated when rows exist already. `note` is
    what the import does beside writing, told before it is done; `next` is what people do after it, and where. `plan` is
    what can be done next to all that was made, given how many: the words of a button, and the address of that plan.
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
