"""The requests waiting for an answer, for the page of decisions: oldest first, with their age."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.lists.query import empty_query
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, age_cell, list_view
from partners.labels import lab_name
from partners.links import partnership_pages
from partners.tables.partnerships import answers, message_cell, owner_cell, owner_page
from upstream.listing import Listing
from upstream.resources.partnerships import Partnership


def waiting_table(listing: Listing[Partnership], *, path: str, now: datetime) -> ListView:
    """Return the table of waiting requests: lab, clinic, message and waiting time."""
    columns: tuple[Column[Partnership], ...] = (
        Column("lab", _("Lab"), "name", lambda p: Cell(lab_name(p.lab)), href=lambda p: partnership_pages(p.id)),
        # Translators: column head: for whom a lab is a partner, a clinic or a user of one.
        Column("clinic", _("Clinic or user"), "text", owner_cell, href=owner_page),
        Column("message", _("Message"), "text", message_cell),
        Column("requested", pgettext("date", "Requested"), "date", lambda p: age_cell(p.requested_date, now)),
    )
    return list_view(
        empty_query("waiting-requests"),
        listing,
        ListTable(
            columns=columns,
            row_href=lambda partnership: partnership_pages(partnership.id),
            actions=answers(),
            texts=ListTexts(caption=_("Requests from labs")),
            selection="bulk-asking",
            detail=lambda partnership: partnership.owner.name,
            in_sight=lambda _partnership: True,
        ),
        path=path,
    )
