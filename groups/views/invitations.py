"""Invitations: one person or several invited at once, an invitation sent again, and one taken back."""

from dataclasses import replace
from datetime import datetime
from functools import partial

from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.access import private
from console.forms.blockers import reason_texts
from console.forms.confirm import Question, confirm
from console.forms.drafts import restore, typed
from console.forms.errors import in_use
from console.forms.idempotency import key_of, may_be_done, note_may_be_done, once
from console.forms.return_url import return_url
from console.forms.write import INVALID, Problem, WriteTexts, add_problem, carry_out, deleted, of_repeat, problem_of
from console.http import ConsoleRequest, wants_json, zone_of
from console.lists.view import Fact
from console.respond import Answer, done, json, show
from console.text.bidi import isolated
from console.text.dates import date_text
from console.upstream.errors import Code, NotDone, NotFound
from console.upstream.resources.clinics import Clinic
from groups import links
from groups.forms.teams import Choices
from groups.forms.users import InvitationForm
from groups.reading import ClinicUser, every_team, find_clinic_user
from groups.tables.users import subject_facts

MOST_ROWS = 20
CARRIED = ("user_type", "team_id")
"""What the next one to be invited most likely has in common with the last."""


@private(methods=("GET", "POST"))
def user_invite(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, teams = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: every_team(upstream, clinic_id),
    )
    choices = [(team.id, team.name) for team in teams]
    if (data := typed(request)) is None:
        return _page(request, clinic, _empty_rows(request, choices))
    numbers = _numbers(data)
    if request.method != "POST":
        rows = [InvitationForm(data, number=number, teams=choices) for number in numbers]
        restore(request, *rows, carries=("row",))
        return _page(request, clinic, rows)
    if not wants_json(request) and ("add_row" in data or "remove" in data):
        return _page(request, clinic, _other_rows(data, numbers, choices))
    rows = [InvitationForm(data, number=number, teams=choices) for number in numbers]
    filled = [row for row in rows if not row.is_blank] or rows[:1]
    if any(row.errors for row in filled):
        return _page(request, clinic, filled, problem=of_repeat(request, Problem(INVALID, _texts().failed), _texts()))

    def not_carried_out(error: NotDone) -> HttpResponse:
        problem = of_repeat(request, problem_of(error, _texts()), _texts())
        for row in filled:
            add_problem(row, problem)
        return _page(request, clinic, filled, problem=problem)

    return once(request, lambda _key: _invite(request, clinic, filled), not_carried_out)


def _invite(request: ConsoleRequest, clinic: Clinic, rows: list[InvitationForm]) -> HttpResponse:
    """Invite row by row; who can't be invited stays in the page with the reason, and stops nobody else."""
    left: list[InvitationForm] = []
    invited: list[str] = []
    problem: Problem | None = None
    taken = _taken(request, rows)
    for row in rows:
        if row.cleaned_data["email"] in taken:
            row.add_error("email", in_use(row, "email"))
            problem = problem or Problem(INVALID, _texts().failed)
            left.append(row)
            continue
        _result, found = carry_out(partial(_create, request, clinic, row), _texts())
        if found is None:
            invited.append(row.cleaned_data["email"])
            continue
        found = of_repeat(request, found, _texts())
        add_problem(row, found)
        for text in reason_texts(found.reasons):
            row.add_error(None, text)
        if found.is_unknown:
            note_may_be_done(request)
        problem = problem if problem and problem.is_unknown else found
        left.append(row)
    if problem:
        if len(left) > 1:
            _leave_to_fields(left)
        return _page(request, clinic, left, invited=invited, problem=problem)
    count = len(invited)
    message = ngettext("%(count)s invitation sent.", "%(count)s invitations sent.", count) % {"count": count}
    return done(request, goto=_next(request, clinic, rows[-1]), message=message)


def _texts() -> WriteTexts:
    return WriteTexts(
        done="",
        failed=_("Failed to send the invitation."),
        unknown=_("It is not known whether the invitation was sent. Look at the list before you try again."),
        missing=_("The clinic or the team no longer exists. Load the page again."),
    )


def _taken(request: ConsoleRequest, rows: list[InvitationForm]) -> set[str]:
    """The addresses that somebody has already, as far as the service says; those sent before may be its own work."""
    if may_be_done(request):
        return set()
    emails = [row.cleaned_data["email"] for row in rows]
    try:
        found = request.upstream.together(*(partial(request.upstream.users.exists, email) for email in emails))
    except (NotDone, NotFound):
        return set()
    return {email for email, is_taken in zip(emails, found, strict=True) if is_taken}


def _leave_to_fields(rows: list[InvitationForm]) -> None:
    """Above several rows a row whose fields tell what is wrong needs no general sentence as well."""
    for row in rows:
        if any(field.errors for field in row) and NON_FIELD_ERRORS in row.errors:
            del row.errors[NON_FIELD_ERRORS][0]


def _create(request: ConsoleRequest, clinic: Clinic, row: InvitationForm) -> None:
    """Create the user of a row. The same row sent again has the same key, whatever became of the others."""
    person = row.cleaned_data
    request.upstream.users.create(
        clinic_id=clinic.id,
        team_id=person["team_id"] or None,
        name=person["name"],
        user_type=person["user_type"],
        email=person["email"],
        language=request.lng,
        idempotency_key=key_of(request, str(row.number), *(str(person[name] or "") for name in sorted(person))),
    )


def _next(request: ConsoleRequest, clinic: Clinic, last: InvitationForm) -> str:
    """Back to the list, or on to the next one, who most likely has the same type and team."""
    back = return_url(request, links.user_list_url(clinic.id))
    if "another" not in request.POST:
        return back
    query = {"back": back, **{name: last.cleaned_data[name] for name in CARRIED if last.cleaned_data[name]}}
    return f"{reverse('groups:user-invite', args=[clinic.id])}?{urlencode(query)}"


def _numbers(data: QueryDict) -> list[int]:
    """The numbers of the rows that were sent."""
    sent = [text for text in data.getlist("row") if text.isascii() and text.isdigit() and len(text) < 4]
    return list(dict.fromkeys(int(text) for text in sent))[:MOST_ROWS] or [0]


def _empty_rows(request: ConsoleRequest, teams: Choices) -> list[InvitationForm]:
    carried = {name: request.GET[name] for name in CARRIED if name in request.GET}
    row = InvitationForm(number=0, teams=teams, initial=carried)
    if carried:
        row.type_at_once()
    return [row]


def _other_rows(data: QueryDict, numbers: list[int], teams: Choices) -> list[InvitationForm]:
    """One row more, or one less; one types on in the new one, or in that which took the place of the other."""
    index = len(numbers)
    if "add_row" in data and index < MOST_ROWS:
        numbers = [*numbers, max(numbers) + 1]
    for position, number in enumerate(numbers[1:], start=1):
        if str(number) == data.get("remove"):
            index, numbers = position, [n for n in numbers if n != number]
    rows = _typed_rows(data, numbers, teams)
    rows[min(index, len(rows) - 1)].type_at_once()
    return rows


def _typed_rows(data: QueryDict, numbers: list[int], teams: Choices) -> list[InvitationForm]:
    """The rows as they were typed, not checked yet."""
    rows = []
    for number in numbers:
        row = InvitationForm(number=number, teams=teams)
        row.initial = {name: data.get(row.add_prefix(name), "") for name in row.fields}
        rows.append(row)
    return rows


def _page(
    request: ConsoleRequest,
    clinic: Clinic,
    rows: list[InvitationForm],
    *,
    invited: list[str] | None = None,
    problem: Problem | None = None,
) -> HttpResponse:
    if problem and wants_json(request):
        errors = {row.add_prefix(name): [str(e) for e in found] for row in rows for name, found in row.errors.items()}
        return json(request, Answer(ok=False, message=problem.text, errors=errors), status=problem.status)
    back = return_url(request, links.user_list_url(clinic.id))
    if problem and problem.is_unknown:
        problem = replace(problem, look=back)
    return show(
        request,
        "groups/user_invite.html",
        status=problem.status if problem else 200,
        clinic=clinic,
        rows=rows,
        invited=invited or [],
        can_add_row=len(rows) < MOST_ROWS,
        crumbs=links.clinic_crumbs(clinic),
        action=reverse("groups:user-invite", args=[clinic.id]),
        back=back,
        problem=problem,
    )


@private(methods=("GET", "POST"))
def invitation_resend(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    subject, users = find_clinic_user(request, clinic_id, user_id), request.upstream.users

    def said(expires: datetime) -> str:
        return _("Invitation sent. It expires %(date)s.") % {"date": date_text(expires, zone_of(request))}

    return confirm(
        request,
        lambda problem: _resending(subject, problem),
        act=lambda key, _version: users.resend_invitation(user_id, idempotency_key=key),
        said=said,
        item=lambda _problem: {"id": user_id},
        texts=replace(_texts(), done=_("Invitation sent.")),
        back=subject.back,
        goto=subject.links["show"] if "stay" in request.POST else subject.back,
        crumbs=subject.crumbs,
    )


@private(methods=("GET", "POST"))
def invitation_cancel(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    subject, users = find_clinic_user(request, clinic_id, user_id), request.upstream.users
    return confirm(
        request,
        lambda problem: _canceling(subject, problem),
        act=lambda _key, _version: users.cancel_invitation(user_id),
        check=lambda: deleted(lambda: users.get(user_id)),
        texts=WriteTexts(
            done=_("Invitation canceled."),
            failed=_("Failed to cancel the invitation."),
            unknown=_("It is not known whether the invitation was canceled. Look at the list before you try again."),
        ),
        back=subject.back,
        crumbs=subject.crumbs,
    )


def _resending(subject: ClinicUser, problem: Problem | None) -> Question:
    title = _("Resend invitation to %(name)s?") % {"name": isolated(subject.user.name)}
    if _has_accepted(subject, problem):
        return _accepted(subject, title)
    email = {"email": isolated(subject.user.email)}
    text = _("A new email is sent to %(email)s. The link in the earlier one no longer works.") % email
    return Question(
        title,
        [text],
        _("Resend invitation"),
        is_danger=False,
        facts=_facts(subject),
    )


def _canceling(subject: ClinicUser, problem: Problem | None) -> Question:
    name = {"name": isolated(subject.user.name)}
    title = _("Cancel the invitation of %(name)s?") % name
    if _has_accepted(subject, problem):
        return _accepted(subject, title)
    return Question(
        title,
        [_("%(name)s is removed from the clinic, and the link in the email no longer works.") % name],
        _("Cancel invitation"),
        facts=_facts(subject),
        blockers=links.blocker_links(problem.reasons if problem else (), clinic_id=subject.clinic.id),
        blocked=_("You can't cancel this invitation yet."),
    )


def _has_accepted(subject: ClinicUser, problem: Problem | None) -> bool:
    """Who has accepted in the meantime has no invitation left to ask about."""
    told = problem is not None and problem.error is not None and problem.error.code == Code.NOT_INVITED
    return told or not subject.user.is_invited


def _accepted(subject: ClinicUser, title: str) -> Question:
    name = {"name": isolated(subject.user.name)}
    return Question(
        title,
        [_("%(name)s has already accepted the invitation.") % name],
        facts=_facts(subject),
    )


def _facts(subject: ClinicUser) -> list[Fact]:
    return subject_facts(subject.user, clinic_name=subject.clinic.name)
