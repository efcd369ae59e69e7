"""Expired invitations for the page of pending decisions: the oldest first, with their age."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.lists.query import empty_query
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, RowAction, age_cell, list_view
from groups.links.users import user_pages
from upstream.listing import Listing
from upstream.resources.users import User


def ended_table(listing: Listing[User], *, path: str, now: datetime) -> ListView:
    """Return the users whose invitation expired, and how long ago; resending needs no confirmation, canceling does."""

    def href(user: User) -> str:
        return user_pages(user.clinic_id, user.id)

    columns: tuple[Column[User], ...] = (
        Column("name", pgettext("person", "Name"), "person", lambda user: Cell(user.name), href=href),
        Column("clinic", _("Clinic"), "text", lambda user: Cell(user.clinic_name or "")),
        Column("email", _("Email"), "email", lambda user: Cell(user.email)),
        # Translators: column head: how long ago an invitation expired. Keep short.
        Column("ended", pgettext("date", "Expired"), "date", lambda user: age_cell(user.invitation_expires_date, now)),
    )
    return list_view(
        empty_query("invitations"),
        listing,
        ListTable(
            columns=columns,
            row_href=href,
            actions=(
                RowAction(_("Resend invitation"), "/invitation/resend", is_act=True),
                RowAction(_("Cancel invitation"), "/invitation/cancel"),
            ),
            texts=ListTexts(caption=_("Expired invitations")),
            selection="bulk-users",
            second_line="email",
            detail=lambda user: user.email,
        ),
        path=path,
    )
