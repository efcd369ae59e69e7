"""The scanners waiting for approval, for the page of decisions: oldest first, with their age."""

from collections.abc import Mapping
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.lists.query import empty_query
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, age_cell, list_view
from scanners.links import scanner_page
from scanners.models import Expected
from scanners.tables.scanners import expected_columns, scanner_actions
from upstream.listing import Listing
from upstream.resources.scanners import APPROVE, DISAPPROVE, Scanner


def waiting_table(
    listing: Listing[Scanner], *, path: str, now: datetime, expected: Mapping[str, Expected] | None
) -> ListView:
    """Return the table of waiting scanners: clinic, expectation and waiting time."""

    actions = scanner_actions()
    columns: tuple[Column[Scanner], ...] = (
        Column(
            "serial_number",
            _("Serial number"),
            "name",
            lambda s: Cell(s.serial_number),
            href=lambda s: scanner_page(s.id),
        ),
        Column("model", _("Model"), "text", lambda s: Cell(s.model or "")),
        Column("clinic", _("Clinic"), "text", lambda s: Cell(s.clinic_name)),
        Column("user", _("Connected by"), "text", lambda s: Cell(s.user_name or "")),
        *expected_columns(expected),
        Column("connected", pgettext("date", "Last connected"), "date", lambda s: age_cell(s.connected_date, now)),
    )
    return list_view(
        empty_query("waiting-scanners"),
        listing,
        ListTable(
            columns=columns,
            row_href=lambda scanner: scanner_page(scanner.id),
            actions=(actions[APPROVE], actions[DISAPPROVE]),
            texts=ListTexts(caption=_("Scanners waiting for approval")),
            selection="bulk-scanners",
            detail=lambda scanner: scanner.clinic_name,
            in_sight=lambda _scanner: True,
        ),
        path=path,
    )
