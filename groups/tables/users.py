"""The list of users: what can be asked of it, and how a user becomes a row."""

from collections.abc import Iterable
from datetime import tzinfo

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from console.fields import is_email
from console.lists import Choice, Filter, Label, ListDefinition, ListQuery, SearchField
from console.tables import Action, Cell, Column, ListView, Texts, Tone, date_cell, list_view
from console.upstream.listing import Listing
from console.upstream.users import User

USER_TYPES = {"DOCTOR": gettext_lazy("Doctor"), "STAFF": pgettext_lazy("a person", "Staff")}
USER_STATUSES: dict[str, tuple[Label, Tone]] = {
    "ACTIVE": (gettext_lazy("Active"), "success"),
    "INVITED": (gettext_lazy("Invited"), "info"),
    "INVITATION_EXPIRED": (gettext_lazy("Invitation ended"), "warning"),
    "LOCKED": (gettext_lazy("Locked"), "danger"),
}


def email_keyword(keyword: str) -> Label | None:
    """A search by e-mail needs a whole address (specification, section 5)."""
    return None if is_email(keyword) else _("Invalid %(label)s") % {"label": _("Email")}


USERS = ListDefinition(
    name="users",
    search_fields=(
        SearchField("all", gettext_lazy("All fields")),
        SearchField("name", gettext_lazy("Name")),
        SearchField("team", gettext_lazy("Team")),
        SearchField("email", gettext_lazy("Email"), check=email_keyword),
    ),
    filters=(
        Filter("user_type", gettext_lazy("Type"), tuple(Choice(k, v) for k, v in USER_TYPES.items())),
        Filter("team", gettext_lazy("Team"), (), is_open=True),
        Filter("status", gettext_lazy("Status"), tuple(Choice(k, v[0]) for k, v in USER_STATUSES.items())),
    ),
    sorts=("name", "user_type", "team_name", "email", "status", "last_login_date"),
    default_sort="name",
)


def user_list(query: ListQuery, listing: Listing[User], *, path: str, clinic_id: str, where: tzinfo) -> ListView:
    """The users of one clinic. Labels are looked up once: in a row each look-up would take a process-wide lock."""
    types = {code: str(label) for code, label in USER_TYPES.items()}
    statuses = {code: (str(label), tone) for code, (label, tone) in USER_STATUSES.items()}
    never = _("Never")
    # One reverse for the page: the row's id takes the place of the last part.
    pattern = reverse("groups:user-permissions", args=[clinic_id, "-"])

    def href(user: User) -> str:
        return pattern.replace("/user/-/", f"/user/{user.id}/")

    def status(user: User) -> Cell:
        label, tone = statuses.get(user.status, (user.status, "neutral"))
        return Cell(label, tone=tone)

    columns: tuple[Column[User], ...] = (
        Column("name", _("Name"), "person", lambda u: Cell(u.name), sort="name"),
        Column("type", _("Type"), "text", lambda u: Cell(types.get(u.user_type, u.user_type)), sort="user_type"),
        Column("team", _("Team"), "text", lambda u: Cell(u.team_name or ""), sort="team_name"),
        Column("email", _("Email"), "email", lambda u: Cell(u.email), sort="email"),
        Column("status", _("Status"), "badge", status, sort="status"),
        Column(
            "last_login",
            _("Last login"),
            "date",
            lambda u: date_cell(u.last_login_date, where) if u.last_login_date else Cell(never),
            sort="last_login_date",
        ),
    )
    label, name = _("Permissions"), _("Permissions of %(name)s")

    def actions(user: User) -> Iterable[Action]:
        return [Action(label=label, name=name % {"name": user.name}, href=href(user))]

    texts = Texts(
        caption=_("Users"),
        search=_("Search by name, team or email"),
        nothing_yet_title=_("No users yet."),
        nothing_yet_text=_("Users of this clinic are shown here."),
    )
    return list_view(
        query,
        listing.results,
        total=listing.result_count,
        path=path,
        columns=columns,
        row_id=lambda u: u.id,
        actions=actions,
        texts=texts,
    )
