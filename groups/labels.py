"""Labels of user management for the service's codes, reasons and permissions."""

from collections.abc import Callable, Iterable, Sequence

from django.utils.translation import gettext_lazy, pgettext_lazy

from console.l10n.names import disambiguate
from console.l10n.numbers import ngettext
from console.l10n.word_matching import meant
from console.lists.query import Label
from console.lists.view import Tone
from groups.storage import presets, reminders
from upstream.errors import Code
from upstream.resources.teams import TeamType
from upstream.resources.users import User

USER_TYPES: dict[str, Label] = {
    # Translators: type of a user: a dentist, of any gender.
    "DOCTOR": gettext_lazy("Doctor"),
    # Translators: type of one user, of any gender: one who works in a clinic and is no dentist.
    "STAFF": gettext_lazy("Staff"),
}

USER_TYPE_WORDS: dict[str, Label] = {
    # Translators: words that people write for a doctor in the column "Type" of their files, separated by |.
    "DOCTOR": gettext_lazy("Dentist|Physician|Dr"),
    # Translators: words that people write for one of the staff in the column "Type" of their files, separated by |.
    "STAFF": gettext_lazy("Employee|Staff member|Personnel|Assistant"),
}


def user_type_in(text: str) -> str:
    """Return the code of the user type that a text means; "" if it is none."""
    return meant(text, {code: (label, USER_TYPE_WORDS[code]) for code, label in USER_TYPES.items()})


ROLES: dict[int, Label] = {
    # Translators: role of a user, of any gender: one who manages a group, which is a clinic or a team.
    2: gettext_lazy("Group admin"),
    # Translators: role of a user, of any gender: one who belongs to a group, which is a clinic or a team.
    3: gettext_lazy("Group member"),
}
"""The roles of a clinic's users, by account type."""

USER_STATUSES: dict[str, tuple[Label, Tone]] = {
    # Translators: state of a user whose gender is unknown: a neutral form. Keep short.
    "ACTIVE": (pgettext_lazy("state", "Active"), "success"),
    # Translators: state of a user whose gender is unknown: a neutral form. Keep short.
    "INVITED": (pgettext_lazy("state", "Invited"), "info"),
    # Translators: state of a user who did not accept in time. Keep short.
    "INVITATION_EXPIRED": (pgettext_lazy("state", "Invitation expired"), "warning"),
    # Translators: state of a user who can't log in, gender unknown: a neutral form. Keep short.
    "LOCKED": (pgettext_lazy("state", "Locked"), "danger"),
}

PERMISSIONS: dict[str, Label] = {
    # Translators: name of a permission, which is on or off: to order from the labs that are chosen for the clinic.
    "allow_order": gettext_lazy("Allow orders to listed labs"),
    # Translators: name of a permission, which is on or off: to export data.
    "allow_export": gettext_lazy("Allow exports"),
    # Translators: name of a permission, which is on or off: to convert dental cases into another format.
    "allow_case_converting": gettext_lazy("Allow case conversion"),
    # Translators: name of a permission, which is on or off: to share the talk (chat) about a dental case.
    "allow_case_talk": gettext_lazy("Allow Case Talk"),
    # Translators: name of a permission, which is on or off: to download files of cases from the case box.
    "allow_download": gettext_lazy("Allow downloads"),
}

PERMISSION_HEADS: dict[str, Label] = {
    # Translators: column head: the permission to order from the labs that are chosen for the clinic. Keep short.
    "allow_order": pgettext_lazy("permission", "Orders"),
    # Translators: column head: the permission to export data. Keep short.
    "allow_export": pgettext_lazy("permission", "Exports"),
    # Translators: column head: the permission to convert dental cases into another format. Keep short.
    "allow_case_converting": pgettext_lazy("permission", "Conversion"),
    # Translators: column head: the permission to share the talk (chat) about a dental case. Keep short.
    "allow_case_talk": pgettext_lazy("permission", "Case Talk"),
    # Translators: column head: the permission to download files of cases from the case box. Keep short.
    "allow_download": pgettext_lazy("permission", "Downloads"),
}
"""Short names for the heads of columns."""

PERMISSION_EFFECTS: dict[str, Label] = {
    "allow_order": gettext_lazy("Users can order only from the labs selected for their clinic."),
    # Translators: the desktop app: for scanning, on a computer of the clinic.
    "allow_export": gettext_lazy("Takes effect the next time users log in to the desktop app."),
    "allow_case_converting": gettext_lazy("Takes effect the next time users log in to the desktop app."),
    "allow_case_talk": gettext_lazy(
        "Takes effect immediately on the web, and in the desktop app the next time users log in."
    ),
    "allow_download": gettext_lazy("Takes effect on the web immediately."),
}
"""The effect of a change to a permission, and when it starts (specification, section 6)."""

REMINDER_TOPICS: dict[str, dict[str, Label]] = {
    "user": {"user": gettext_lazy("User"), **PERMISSIONS},
    "clinic": {"clinic": gettext_lazy("Clinic"), **PERMISSIONS},
}
"""The topics of a reminder, by the kind of its subject: the subject as a whole, or one of its permissions."""


def type_choices(types: Sequence[TeamType], *, also: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return the team types as code and name, in the service's order; a type without a name is shown as its code."""
    named = {known.code: known.name or known.code for known in types}
    return list((named | {code: code for code in also if code not in named}).items())


def _ongoing_case(count: int) -> str:
    return ngettext(
        "%(count)s ordered case is still in progress.", "%(count)s ordered cases are still in progress.", count
    ) % {"count": count}


def _partner_with_lab(count: int) -> str:
    return ngettext(
        "The user has a partnership with %(count)s lab.", "The user has partnerships with %(count)s labs.", count
    ) % {"count": count}


def _clinic_has_partner(count: int) -> str:
    return ngettext(
        "End the clinic's %(count)s partnership first.", "End the clinic's %(count)s partnerships first.", count
    ) % {"count": count}


def _pending_case(count: int) -> str:
    return ngettext("%(count)s order is pending at the lab.", "%(count)s orders are pending at the lab.", count) % {
        "count": count
    }


def _not_empty(count: int) -> str:
    return ngettext(
        "%(count)s user still belongs to this clinic.", "%(count)s users still belong to this clinic.", count
    ) % {"count": count}


def _team_not_empty(count: int) -> str:
    return ngettext(
        "%(count)s user still belongs to this team.", "%(count)s users still belong to this team.", count
    ) % {"count": count}


REASONS: dict[str, Callable[[int], str]] = {
    "ONGOING_ORDERED_CASE": _ongoing_case,
    "PARTNER_WITH_LAB": _partner_with_lab,
    "CLINIC_HAS_PARTNER": _clinic_has_partner,
    "PENDING_ORDERED_CASE_WITH_LAB": _pending_case,
    "NOT_EMPTY": _not_empty,
    "TEAM_NOT_EMPTY": _team_not_empty,
}
"""The reasons why something can't be deleted or moved (specification, section 8)."""

TEAM_REASONS = {"NOT_EMPTY": "TEAM_NOT_EMPTY"}
"""The reasons that have a different text for a team."""

REFUSALS: dict[int | str, Label] = {
    Code.NOT_INVITED: gettext_lazy("This user has no pending invitation."),
    Code.USER_STATE: gettext_lazy("This isn't possible with the user's current status."),
    presets.LIMIT: gettext_lazy("You can have up to 50 presets. Delete one you no longer need."),
    Code.LAB_IS_NOT_A_PARTNER: gettext_lazy("You can choose partner labs only."),
    reminders.LIMIT: gettext_lazy("You've reached the limit for reminders. Remove one you no longer need."),
    reminders.EXISTS: gettext_lazy("A reminder is already set. Edit that one instead."),
}


# The service's contract doesn't promise it.
OPEN_SESSIONS = gettext_lazy("Active sessions may continue until they expire.")
"""The consequence of locking a user for their sessions."""


def person(user: User) -> str:
    """Return the name of a user for a sentence, with the address because several users may have the same name."""
    return disambiguate(user.name, user.email)
