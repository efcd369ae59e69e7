"""The users whose permissions can be copied: the list of users again, where a name leads to the form."""

from django.utils.translation import gettext as _

from console.lists import ListQuery
from console.tables import Cell, Column, ListView, Texts, list_view
from console.upstream.listing import Listing
from console.upstream.users import User
from groups.tables.users import USER_TYPES


def source_list(query: ListQuery, listing: Listing[User], *, path: str, target: str, not_id: str) -> ListView:
    """The users of a clinic; each name but the user's own leads to the form at `target`, filled with the settings."""

    def name(user: User) -> Cell:
        return Cell(user.name) if user.id == not_id else Cell(user.name, href=f"{target}?copy_from={user.id}")

    columns: tuple[Column[User], ...] = (
        Column("name", _("Name"), "name", name, sort="name"),
        Column(
            "type", _("Type"), "text", lambda u: Cell(str(USER_TYPES.get(u.user_type, u.user_type))), sort="user_type"
        ),
        Column("team", _("Team"), "text", lambda u: Cell(u.team_name or ""), sort="team_name"),
        Column("email", _("Email"), "email", lambda u: Cell(u.email), sort="email"),
    )
    texts = Texts(
        caption=_("Users to copy from"),
        search=_("Search by name, team or email"),
        nothing_yet_title=_("No users yet."),
        nothing_yet_text=_("There is nobody to copy from."),
    )
    return list_view(
        query,
        listing.results,
        total=listing.result_count,
        path=path,
        columns=columns,
        row_id=lambda u: u.id,
        row_href=lambda u: f"{target}?copy_from={u.id}",
        actions=(),
        texts=texts,
    )
