"""The rows of the form that invites people: their input, their errors, and adding or removing one."""

import itertools
from collections.abc import Container, Iterator
from functools import partial

from django.http import QueryDict
from django.utils.translation import gettext as _

from console.forms.errors import in_use
from console.forms.idempotency import may_be_done
from console.l10n.bidi import isolated
from console.web.request import ConsoleRequest
from groups.forms.teams import Choices
from groups.forms.users import FOR_ALL, InvitationForm
from upstream.emails import email_key
from upstream.errors import NotDone, NotFound
from upstream.listing import ListParams
from upstream.resources.users import User

MAX_INVITATIONS = 20
SENT = "sent"
"""The value of the field `checked` if the errors of the rows were found when the form was sent."""
CARRIED = ("user_type", "team_id")
"""The values that the next person to invite most likely shares with the last."""


def row_numbers(data: QueryDict) -> list[int]:
    """Return the numbers of the rows that were sent."""
    sent = [text for text in data.getlist("row") if text.isascii() and text.isdigit() and len(text) < 4]
    return list(dict.fromkeys(int(text) for text in sent))[:MAX_INVITATIONS] or [0]


def free_numbers(numbers: Container[int]) -> Iterator[int]:
    """Return the numbers for further rows, the lowest first: `row_numbers` reads short numbers only."""
    return (number for number in itertools.count() if number not in numbers)


def apply_to_rows(data: QueryDict, numbers: list[int]) -> QueryDict:
    """Return the data with each changed value for all also in the rows that have the previous one.

    With scripts they have it already (behaviors/apply-to-all.ts).
    """
    applied = data.copy()
    for name in FOR_ALL:
        previous, value = data.get(f"applied_{name}"), data.get(name, "")
        for field in (f"row-{number}-{name}" for number in numbers):
            if previous not in (None, value) and data.get(field, "") == previous:
                applied[field] = value
    return applied


def first_row(request: ConsoleRequest, teams: Choices, *, has_clinic: bool) -> InvitationForm:
    """Return an empty row, which has the focus unless a clinic has to be chosen before."""
    carried = {name: request.GET[name] for name in CARRIED if name in request.GET}
    row = InvitationForm(number=0, teams=teams, initial=carried)
    if has_clinic:
        row.type_at_once()
    return row


def other_rows(request: ConsoleRequest, teams: Choices, data: QueryDict, numbers: list[int]) -> list[InvitationForm]:
    """Return the rows with one added or removed; the focus is in the new one, or in the one after the removed one."""
    numbers = numbers if "row" in data else []
    index = len(numbers)
    if "add_row" in data and index < MAX_INVITATIONS:
        added, data = next(free_numbers(numbers)), data.copy()
        data.update({f"row-{added}-{name}": data.get(name, "") for name in FOR_ALL})
        numbers = [*numbers, added]
    if len(numbers) > 1 and (removed := [n for n in numbers if str(n) == data.get("remove")]):
        index, numbers = numbers.index(removed[0]), [n for n in numbers if n not in removed]
    # Rows whose errors were shown keep them.
    is_checked = "checked" in data
    rows = checked_rows(request, teams, data, numbers) if is_checked else unchecked_rows(data, numbers, teams)
    if rows:
        rows[min(index, len(rows) - 1)].type_at_once()
    return rows


def unchecked_rows(data: QueryDict, numbers: list[int], teams: Choices) -> list[InvitationForm]:
    """Return the rows with their input, not checked yet."""
    rows = []
    for number in numbers:
        row = InvitationForm(number=number, teams=teams)
        row.initial = {name: data.get(row.add_prefix(name), "") for name in row.fields}
        rows.append(row)
    return rows


def checked_rows(request: ConsoleRequest, teams: Choices, data: QueryDict, numbers: list[int]) -> list[InvitationForm]:
    """Return the rows with the errors that can be found before anyone is invited.

    Empty rows are dropped when the form is sent: they have no errors. A missing type is an error only if the form was
    sent: until then, one can be chosen for all.
    """
    rows = [InvitationForm(data, number=number, teams=teams) for number in numbers]
    report_duplicates(rows)
    report_email_conflicts(request, rows)
    for row in rows:
        if row.is_blank:
            row.errors.clear()
        if data.get("checked") != SENT:
            row.errors.pop("user_type", None)
    return rows


def report_email_conflicts(request: ConsoleRequest, rows: list[InvitationForm]) -> None:
    """Add an error to each row whose address the service knows."""
    conflicts = find_email_conflicts(request, rows)
    for row in rows:
        if error := conflicts.get(get_email(row)):
            row.add_error("email", error)


def report_duplicates(rows: list[InvitationForm]) -> None:
    """Add an error to each row whose address is also in an earlier one."""
    first: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        email = email_key(get_email(row))
        if email and first.setdefault(email, number) != number:
            # Translators: %(number)s: the number of a row of a form that invites users, such as 2.
            row.add_error("email", _("User %(number)s has the same email address.") % {"number": first[email]})


def get_email(row: InvitationForm) -> str:
    """Return the address of a row; "" if it is invalid."""
    row.is_valid()
    return str(row.cleaned_data.get("email", ""))


def find_email_conflicts(request: ConsoleRequest, rows: list[InvitationForm]) -> dict[str, str]:
    """Return an error for each address that the service knows; none for a form that may have been sent already.

    The users may then be those that the first try has invited.
    """
    if may_be_done(request):
        return {}
    users, together = request.upstream.users, request.upstream.together
    by_email = {email: row for row in rows if (email := get_email(row))}
    try:
        results = together(*(partial(users.exists, email) for email in by_email))
    except (NotDone, NotFound):
        return {}
    errors = {
        email: in_use(by_email[email], "email") for email, exists in zip(by_email, results, strict=True) if exists
    }
    try:
        known = together(*(partial(_find_user, request, email) for email in errors))
    except (NotDone, NotFound):
        return errors
    return {
        email: _membership_text(user) if user else text
        for (email, text), user in zip(errors.items(), known, strict=True)
    }


def _find_user(request: ConsoleRequest, email: str) -> User | None:
    """Read the organization's user with this address; None if there is none, or if their clinic has no name."""
    params = ListParams(search_field="email", keyword=email)
    users = request.upstream.users.list(params, organization_id=request.admin.organization_id).results
    return next((user for user in users if email_key(user.email) == email_key(email) and user.clinic_name), None)


def _membership_text(user: User) -> str:
    clinic = {"clinic": isolated(user.clinic_name)}
    if user.is_invitation_expired:
        # Translators: %(clinic)s: name of a clinic.
        return _("This user was already invited to %(clinic)s. The invitation has expired. Resend it.") % clinic
    if user.is_locked:
        # Translators: %(clinic)s: name of a clinic.
        return _("This user already belongs to %(clinic)s and is locked. Unlock the user instead.") % clinic
    if user.is_invited:
        # Translators: %(clinic)s: name of a clinic.
        return _("This user was already invited to %(clinic)s.") % clinic
    # Translators: %(clinic)s: name of a clinic.
    return _("This user already belongs to %(clinic)s.") % clinic
