"""The rows of an import for pages and JSON, with their planned or actual outcomes."""

from collections.abc import Sequence
from typing import Literal

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.files.importer import DEFAULT_ORIGIN, Line, pack, used_columns
from console.files.origin import Origin
from console.files.spec import ImportSpec
from console.forms.submit import unconfirmed_rows
from console.l10n.numbers import ngettext
from console.lists.view import Tone

Stage = Literal["plan", "unknown", "done"]
"""Planned rows; rows that may have been imported; imported rows."""


class ImportRowView(msgspec.Struct, frozen=True):
    """One row: its number in the spreadsheet, its cells, its outcome, and the reasons or changes."""

    number: int
    cells: list[str]
    result: str
    tone: Tone
    details: list[str]


class ImportView(msgspec.Struct, frozen=True):
    """The rows of a file, those that need attention first, and a summary.

    `count` rows were imported, or would be. `lines` is the form value to import them ("" if there are none), `rejected`
    the one for a file of rows that can't be, or were not imported. `exist` rows would be updated on request.
    """

    stage: Stage
    labels: list[str]
    rows: list[ImportRowView]
    summary: list[str]
    tone: Tone
    count: int
    exist: int
    button: str
    lines: str
    rejected: str


def import_view(
    spec: ImportSpec,
    lines: Sequence[Line],
    stage: Stage,
    salt: str,
    *,
    resent: Sequence[Line] = (),
    packed: str = "",
    origin: Origin = DEFAULT_ORIGIN,
    created: Sequence[str] = (),
    is_file: bool = True,
) -> ImportView:
    """Return the view of lines; `resent` are those that its form sends, which are `packed` if they were sent before.

    `created` are sentences about other objects that will be created. Rows of a file are imported, others are added.
    """
    is_over = stage != "plan"
    bad = [line for line in lines if line.reasons and (is_over or not line.existing)]
    refused = [line for line in bad if not line.is_unknown]
    exist = 0 if is_over else sum(line.existing is not None and bool(line.reasons) for line in lines)
    count = sum(line.is_effective for line in resent or lines)
    summary = _summary(lines, stage, bad=bad, exist=exist, is_file=is_file)
    in_order = sorted(lines, key=lambda line: (not line.reasons, line.existing is None))
    labels, cells = used_columns(spec, in_order)
    return ImportView(
        stage=stage,
        labels=labels,
        rows=[_row(line, row, is_over=is_over, is_file=is_file) for line, row in zip(in_order, cells, strict=True)],
        summary=[*summary, *created, *origin.sentences()],
        tone="warning" if bad or exist else "success" if is_over else "info",
        count=count,
        exist=exist,
        button=ngettext("Import %(count)s row", "Import %(count)s rows", count) % {"count": count},
        lines=(packed or pack(resent, salt, origin)) if resent and count else "",
        rejected=pack(refused, salt) if refused else "",
    )


def _summary(lines: Sequence[Line], stage: Stage, *, bad: Sequence[Line], exist: int, is_file: bool) -> list[str]:
    good = sum(line.is_effective for line in lines)
    if stage == "plan":
        can = (
            ngettext("%(count)s row can be imported.", "%(count)s rows can be imported.", good)
            if is_file
            else ngettext("%(count)s row can be added.", "%(count)s rows can be added.", good)
        )
        texts = [can % {"count": good}]
        if bad:
            text = (
                ngettext("%(count)s row can't be imported.", "%(count)s rows can't be imported.", len(bad))
                if is_file
                else ngettext("%(count)s row can't be added.", "%(count)s rows can't be added.", len(bad))
            )
            texts.append(text % {"count": len(bad)})
        if exist:
            text = ngettext("%(count)s row already exists.", "%(count)s rows already exist.", exist)
            texts.append(text % {"count": exist})
        return texts
    unknown = sum(line.is_unknown for line in bad)
    refused = len(bad) - unknown
    texts = []
    if stage == "done":
        text = ngettext("%(count)s row was imported.", "%(count)s rows were imported.", good)
        texts.append(text % {"count": good})
    if refused:
        text = (
            ngettext("%(count)s row wasn't imported.", "%(count)s rows weren't imported.", refused)
            if is_file
            else ngettext("%(count)s row wasn't added.", "%(count)s rows weren't added.", refused)
        )
        texts.append(text % {"count": refused})
    if unknown:
        texts += [unconfirmed_rows(unknown), _("Check the list before you try again.")]
    return texts


def _row(line: Line, cells: list[str], *, is_over: bool, is_file: bool) -> ImportRowView:
    result, tone = _result(line, is_over=is_over, is_file=is_file)
    return ImportRowView(line.number, cells, result, tone, _details(line, is_over=is_over))


def _result(line: Line, *, is_over: bool, is_file: bool) -> tuple[str, Tone]:
    if line.is_unknown:
        return pgettext("state", "Unknown"), "warning"
    if line.reasons and is_over:
        # Translators: the state of a row of a file to import; neutral form. Keep short.
        # Translators: the state of a line that was typed; neutral form. Keep short.
        return _("Not imported") if is_file else _("Not added"), "danger"
    if line.existing and line.reasons:
        # Translators: the state of a row of a file to import; neutral form. Keep short.
        return _("Already exists"), "warning"
    if line.reasons:
        # Translators: the state of a row of a file to import; neutral form. Keep short.
        # Translators: the state of a line that was typed; neutral form. Keep short.
        return _("Can't be imported") if is_file else _("Can't be added"), "danger"
    if not line.is_effective:
        # Translators: the state of a row of a file to import: nothing needs to change; neutral form. Keep short.
        return _("Up to date"), "neutral"
    if line.existing:
        # Translators: the state of a row of a file to import; neutral form. Keep short.
        # Translators: the state of a row of a file to import; neutral form. Keep short.
        return (pgettext("state", "Updated"), "success") if is_over else (_("Will be updated"), "info")
    # Translators: the state of a row of a file to import; neutral form. Keep short.
    # Translators: the state of a row of a file to import; neutral form. Keep short.
    return (pgettext("state", "Created"), "success") if is_over else (_("Will be created"), "info")


def _details(line: Line, *, is_over: bool) -> list[str]:
    """Return the reasons why a row is not imported, or its actual or planned changes."""
    if line.existing and not (is_over and line.reasons):
        return line.existing.texts or [_("This already exists. Nothing to change.")]
    return line.reasons
