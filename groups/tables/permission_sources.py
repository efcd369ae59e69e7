"""The users whose permissions can be copied: the list of users, with names that link to the form."""

from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.forms.return_url import query_with_return_url
from console.lists.query import ID, ListQuery
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, list_view
from groups.labels import USER_TYPES
from upstream.listing import Listing
from upstream.resources.users import User


def source_table(
    query: ListQuery, listing: Listing[User], *, path: str, target: str, back: str, scope: str
) -> ListView:
    """Return the users of a clinic; each name links to the form at `target` with these settings.

    `back` is the list that the user was opened from, empty for the clinic's own list; `scope` says whose users these
    are.
    """
    query = query_with_return_url(query, back)

    def form(user: User) -> str:
        if not ID.fullmatch(user.id):
            return ""
        return f"{target}?{urlencode([('copy_from', user.id), *query.extra_pairs])}"

    columns: tuple[Column[User], ...] = (
        Column("name", pgettext("person", "Name"), "name", lambda u: Cell(u.name), sort="name", href=form),
        Column(
            "type", _("Type"), "word", lambda u: Cell(str(USER_TYPES.get(u.user_type, u.user_type))), sort="user_type"
        ),
        Column("team", _("Team"), "text", lambda u: Cell(u.team_name or ""), sort="team_name"),
        Column("email", _("Email"), "email", lambda u: Cell(u.email), sort="email"),
    )
    texts = ListTexts(
        # Translators: a heading: users whose permissions can be copied.
        caption=_("Users to copy from"),
        # Translators: a hint in the field of the search.
        search=_("Search by name, team, or email"),
        nothing_yet_title=_("No users yet."),
        nothing_yet_text=_("There are no users to copy from."),
        search_scope=scope,
    )
    return list_view(
        query,
        listing,
        ListTable(
            columns=columns,
            row_href=form,
            texts=texts,
            detail=lambda user: user.email,
        ),
        path=path,
    )
