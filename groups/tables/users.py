"""The list of users: its definition, and its rows."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, tzinfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from msgspec import UNSET
from msgspec.structs import replace

from console.forms.fields import EMAIL_LENGTH, is_email
from console.l10n.sentences import in_sentence
from console.lists.choices import CLINIC
from console.lists.query import Choice, Filter, Label, ListDefinition, SearchField
from console.lists.view import Cell, Column, Fact, ListTable, ListTexts, RowAction, date_cell
from console.web.links import Link
from console.web.paths import get_path
from groups.labels import PERMISSIONS, ROLES, USER_STATUSES, USER_TYPES
from groups.links.users import first_clinic_url, user_pages
from upstream.client import Upstream
from upstream.listing import PAGE_LIMIT, ListParams
from upstream.resources.users import NEVER, User


def email_keyword(keyword: str) -> Label | None:
    """Return an error unless the keyword is a whole address, as searches by email need (specification, section 5)."""
    return None if is_email(keyword) else _("Invalid %(label)s") % {"label": in_sentence(_("Email"))}


def _existing_teams(upstream: Upstream, ids: Collection[str]) -> set[str]:
    params = ListParams(size=PAGE_LIMIT, ids=tuple(ids))
    return {team.id for team in upstream.teams.list(params, organization_id=upstream.organization_id).results}


_TEAM = Filter("team", gettext_lazy("Team"), (), is_open=True, existing=_existing_teams, has_names=True)

USERS = ListDefinition(
    name="users",
    search_fields=(
        SearchField("all", gettext_lazy("All fields")),
        SearchField("name", pgettext_lazy("person", "Name")),
        SearchField("team", gettext_lazy("Team")),
        SearchField(
            "email",
            gettext_lazy("Email"),
            check=email_keyword,
            hint=gettext_lazy("Enter a complete email address."),
            max_length=EMAIL_LENGTH,
        ),
    ),
    filters=(
        _TEAM,
        Filter("user_type", gettext_lazy("Type"), tuple(Choice(k, v) for k, v in USER_TYPES.items())),
        # Translators: noun: of a user: Group admin or Group member; label and filter.
        Filter("account_type", gettext_lazy("Role"), tuple(Choice(str(k), v) for k, v in ROLES.items())),
        # Translators: noun: such as Active, Approved or Accepted; column head, label and filter.
        Filter("status", gettext_lazy("Status"), tuple(Choice(k, v[0]) for k, v in USER_STATUSES.items())),
        Filter(
            "last_login",
            gettext_lazy("Last login"),
            (
                Choice("30", gettext_lazy("Not in the last 30 days, or never")),
                Choice("90", gettext_lazy("Not in the last 90 days, or never")),
                # Translators: a choice of the filter “Last scan” or “Last login”.
                Choice("180", gettext_lazy("Not in the last 180 days, or never")),
                Choice(NEVER, gettext_lazy("Never")),
            ),
            is_single=True,
        ),
        # Only a service that counts own settings knows this filter; the page with the counts links here.
        Filter(
            "own_permission",
            # Translators: filter by permission: users for whom it is set themselves, not by their clinic.
            gettext_lazy("Own setting"),
            tuple(Choice(name, label) for name, label in PERMISSIONS.items()),
            is_offered=False,
        ),
    ),
    sorts=("name", "user_type", "team_name", "email", "status", "last_login_date", "created_date"),
    default_sort="name",
    columns=("type", "clinic", "team", "email", "status", "last_login"),
    hidden=("type",),
)


ALL_USERS = replace(
    USERS,
    filters=(CLINIC, *(f for f in USERS.filters if f is not _TEAM), replace(_TEAM, depends_on="clinic")),
)
"""The list of all users filters by team only if one clinic is chosen: all clinics may have thousands of teams.

That filter comes last, because choosing a clinic must not move the others away from the pointer.
"""


def user_columns(
    tz: tzinfo, *, clinic_id: str = "", clinic_names: Mapping[str, str] | None = None, is_file: bool = False
) -> Sequence[Column[User]]:
    """Return the columns of the users of a clinic, or of all clinics, which have one for the clinic.

    `clinic_names` has the names that the service leaves out of the users, by the clinics' IDs. A file has a column for
    the expiry of invitations, which a page has below the status. Labels are looked up once, because in a row each
    look-up would take a lock of the process.
    """
    known_names = clinic_names or {}
    types = {code: str(label) for code, label in USER_TYPES.items()}
    statuses = {code: (str(label), tone) for code, (label, tone) in USER_STATUSES.items()}
    # Translators: instead of the date of the last login, or of the last connection of a scanner: there was none.
    never = _("Never")
    # Translators: an invitation to a user; below the word Invited. %(date)s: a day, such as Nov 25, 2026. Keep short.
    ends = _("Expires %(date)s")
    # Translators: an invitation that was not accepted in time; %(date)s: a day, such as Nov 25, 2026. Keep short.
    ended = _("Expired %(date)s")

    def clinic(user: User) -> Cell:
        return Cell(user.clinic_name or known_names.get(user.clinic_id, ""))

    def clinic_page(user: User) -> str:
        return get_path("groups:user-list", user.clinic_id)

    def status(user: User) -> Cell:
        label, tone = statuses.get(user.status, (user.status, "neutral"))
        day = expiry(user).text
        note = (ended if user.is_invitation_expired else ends) % {"date": day} if day else UNSET
        return Cell(label, tone=tone, note=note)

    def expiry(user: User) -> Cell:
        return date_cell(user.invitation_expires_date if user.is_invited else None, tz)

    return (
        Column(
            "name",
            pgettext("person", "Name"),
            "person",
            lambda u: Cell(u.name),
            sort="name",
            href=lambda u: user_pages(clinic_id or u.clinic_id, u.id),
        ),
        Column("type", _("Type"), "word", lambda u: Cell(types.get(u.user_type, u.user_type)), sort="user_type"),
        *(() if clinic_id else (Column("clinic", _("Clinic"), "text", clinic, href=clinic_page),)),
        Column("team", _("Team"), "text", lambda u: Cell(u.team_name or ""), sort="team_name"),
        Column("email", _("Email"), "email", lambda u: Cell(u.email), sort="email"),
        Column("status", _("Status"), "badge", status, sort="status"),
        *((Column("expiry", _("Invitation expires"), "date", expiry),) if is_file else ()),
        Column(
            "last_login",
            _("Last login"),
            "date",
            lambda u: _date(u.last_login_date, tz, never),
            sort="last_login_date",
        ),
    )


def user_table(
    tz: tzinfo,
    *,
    clinic_id: str = "",
    clinic_names: Mapping[str, str] | None = None,
    can_lock: bool = False,
    has_clinics: bool = True,
) -> ListTable[User]:
    """Return the table of the users of a clinic, or of all.

    `can_lock` is true if the service can lock users; without `has_clinics` the first step is to add one.
    """
    texts = ListTexts(
        caption=_("Users"),
        search=_("Search by name, team, or email"),
        nothing_yet_title=_("No users yet."),
        nothing_yet_text=_nothing_yet(clinic_id, has_clinics),
        first_steps=_first_steps(clinic_id, has_clinics),
    )
    return ListTable(
        columns=user_columns(tz, clinic_id=clinic_id, clinic_names=clinic_names),
        row_href=lambda user: user_pages(clinic_id or user.clinic_id, user.id),
        actions=_actions(can_lock),
        texts=texts,
        selection="bulk-users",
        second_line="email",
        detail=lambda user: user.email,
    )


def _nothing_yet(clinic_id: str, has_clinics: bool) -> str:
    if not has_clinics:
        return _("Each user belongs to a clinic.")
    return _("Invite the clinic's first user.") if clinic_id else _("Invite your first user.")


def _first_steps(clinic_id: str, has_clinics: bool) -> tuple[Link, ...]:
    if not has_clinics:
        return (Link(_("Add a clinic first"), first_clinic_url()),)
    if clinic_id:
        return (
            Link(_("Invite user"), get_path("groups:user-invite", clinic_id)),
            Link(_("Import from a file"), get_path("groups:user-import", clinic_id)),
        )
    return (
        Link(_("Invite user"), get_path("groups:all-user-invite")),
        Link(_("Import from a file"), get_path("groups:all-user-import")),
    )


def user_facts(user: User, *, clinic_name: str, tz: tzinfo) -> list[Fact]:
    """Return the facts of a user except the name, without those that don't apply."""
    status, tone = USER_STATUSES.get(user.status, (user.status, "neutral"))
    facts = [
        Fact(_("Status"), Cell(str(status), tone=tone), "badge"),
        Fact(_("Type"), Cell(str(USER_TYPES.get(user.user_type, user.user_type)))),
        *_role(user),
        Fact(_("Email"), Cell(user.email), "email"),
        Fact(_("Clinic"), Cell(clinic_name)),
        Fact(_("Team"), Cell(user.team_name or _("No team"))),
        Fact(_("Last login"), _date(user.last_login_date, tz, _("Never")), "date"),
    ]
    if user.is_invited:
        ending = (
            # Translators: label of the day when an invitation ended.
            pgettext("date", "Invitation expired")
            if user.is_invitation_expired
            # Translators: label and column head of the day when an invitation will end.
            else _("Invitation expires")
        )
        facts += [
            # Translators: label of the day on which a user was invited.
            Fact(pgettext("date", "Invited"), date_cell(user.invited_date, tz), "date"),
            Fact(ending, date_cell(user.invitation_expires_date, tz), "date"),
        ]
    return [*facts, Fact(pgettext("date", "Created"), date_cell(user.created_date, tz), "date")]


def subject_facts(user: User, *, clinic_name: str) -> list[Fact]:
    """Return the facts that identify a user on a page that asks for confirmation."""
    return [
        Fact(pgettext("person", "Name"), Cell(user.called)),
        Fact(_("Email"), Cell(user.email), "email"),
        Fact(_("Clinic"), Cell(clinic_name)),
    ]


def _role(user: User) -> list[Fact]:
    role = user.account_type
    return [] if role is None else [Fact(_("Role"), Cell(str(ROLES.get(role, role))))]


def _date(moment: datetime | None, tz: tzinfo, otherwise: str) -> Cell:
    return date_cell(moment, tz) if moment else Cell(otherwise)


def _actions(can_lock: bool) -> list[RowAction[User]]:
    """Return the actions: a pending invitation can be resent or canceled, every other user can be deleted."""

    def is_invited(user: User) -> bool:
        return user.is_invited

    locks = [
        RowAction[User](_("Lock"), "/lock", lambda user: user.is_active),
        RowAction[User](_("Unlock"), "/unlock", lambda user: user.is_locked),
    ]
    return [
        # Translators: noun: what users may do; heading, tab and button that leads there.
        RowAction(_("Permissions"), "/permissions"),
        RowAction(_("Edit"), "/edit"),
        # Translators: button and title of a page, a verb: take a user to another team or clinic.
        RowAction(_("Move"), "/move"),
        RowAction(_("Resend invitation"), "/invitation/resend", is_invited, is_act=True),
        RowAction(_("Cancel invitation"), "/invitation/cancel", is_invited),
        *(locks if can_lock else ()),
        RowAction(_("Delete"), "/delete", lambda user: not user.is_invited),
    ]
