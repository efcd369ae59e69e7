"""Invitations: one person or several invited at once, an invitation sent again, and one taken back."""

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.access import private
from console.bidi import isolated
from console.http import ConsoleRequest, wants_json
from console.once import once
from console.reasons import Blocker
from console.respond import Answer, done, json
from console.returning import way_back
from console.timezone import shown, zone_of
from console.upstream.clinics import Clinic
from console.upstream.errors import Code, Conflict, NotDone, NotFound
from console.upstream.users import User
from groups.blockers import refusal
from groups.choices import every_team
from groups.forms.users import Choices, InvitationForm
from groups.tables.clinics import users_url
from groups.views.user_changes import Place, Question, ask, clinic_crumbs, find_place, tell

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
    if request.method != "POST":
        return _page(request, clinic, _empty_rows(request, choices))
    numbers = _numbers(request)
    if "add_row" in request.POST or "remove" in request.POST:
        return _page(request, clinic, _other_rows(request, numbers, choices))
    rows = [InvitationForm(request.POST, number=number, teams=choices) for number in numbers]
    filled = [row for row in rows if not row.is_blank] or rows[:1]
    if any(row.errors for row in filled):
        return _page(request, clinic, filled, status=422)
    return once(request, lambda key: _invite(request, clinic, filled, key))


def _invite(request: ConsoleRequest, clinic: Clinic, rows: list[InvitationForm], key: str) -> HttpResponse:
    """Invite row by row; who can't be invited stays in the page with the reason, and stops nobody else."""
    failed: list[InvitationForm] = []
    invited: list[str] = []
    status = 200
    for row in rows:
        try:
            _create(request, clinic, row, key)
            invited.append(row.cleaned_data["email"])
        except (NotDone, NotFound) as error:
            status = tell(row, error, _("Failed to send the invitation."))
            failed.append(row)
    if failed:
        if len(failed) > 1:
            _leave_to_fields(failed)
        return _page(request, clinic, failed, invited=invited, status=status)
    count = len(invited)
    message = ngettext("%(count)s invitation sent.", "%(count)s invitations sent.", count) % {"count": count}
    if not wants_json(request):
        messages.success(request, message)
    return done(request, goto=_next(request, clinic, rows[-1]), message=message)


def _leave_to_fields(rows: list[InvitationForm]) -> None:
    """Above several rows a row whose fields tell what is wrong needs no general sentence as well."""
    for row in rows:
        if any(field.errors for field in row):
            del row.errors[NON_FIELD_ERRORS][0]


def _create(request: ConsoleRequest, clinic: Clinic, row: InvitationForm, key: str) -> None:
    """Create the user of a row. The same row sent again has the same key, so that nobody is invited twice."""
    person = row.cleaned_data
    own_key = uuid.uuid5(uuid.UUID(key), f"{row.number} {person['email']}")
    request.upstream.users.create(
        clinic_id=clinic.id,
        team_id=person["team_id"] or None,
        name=person["name"],
        user_type=person["user_type"],
        email=person["email"],
        language=request.lng,
        idempotency_key=str(own_key),
    )


def _next(request: ConsoleRequest, clinic: Clinic, last: InvitationForm) -> str:
    """Back to the list, or on to the next one, who most likely has the same type and team."""
    back = way_back(request, users_url(clinic.id))
    if "another" not in request.POST:
        return back
    query = {"back": back, **{name: last.cleaned_data[name] for name in CARRIED if last.cleaned_data[name]}}
    return f"{reverse('groups:user-invite', args=[clinic.id])}?{urlencode(query)}"


def _numbers(request: ConsoleRequest) -> list[int]:
    """The numbers of the rows that were sent."""
    sent = [text for text in request.POST.getlist("row") if text.isascii() and text.isdigit() and len(text) < 4]
    return list(dict.fromkeys(int(text) for text in sent))[:MOST_ROWS] or [0]


def _empty_rows(request: ConsoleRequest, teams: Choices) -> list[InvitationForm]:
    carried = {name: request.GET[name] for name in CARRIED if name in request.GET}
    row = InvitationForm(number=0, teams=teams, initial=carried)
    if carried:
        row.type_at_once()
    return [row]


def _other_rows(request: ConsoleRequest, numbers: list[int], teams: Choices) -> list[InvitationForm]:
    """One row more, or one less; one types on in the new one, or in that which took the place of the other."""
    place = len(numbers)
    if "add_row" in request.POST and place < MOST_ROWS:
        numbers = [*numbers, max(numbers) + 1]
    for position, number in enumerate(numbers[1:], start=1):
        if str(number) == request.POST.get("remove"):
            place, numbers = position, [n for n in numbers if n != number]
    rows = _typed_rows(request, numbers, teams)
    rows[min(place, len(rows) - 1)].type_at_once()
    return rows


def _typed_rows(request: ConsoleRequest, numbers: list[int], teams: Choices) -> list[InvitationForm]:
    """The rows as they were typed, not checked yet."""
    rows = []
    for number in numbers:
        row = InvitationForm(number=number, teams=teams)
        row.initial = {name: request.POST.get(row.add_prefix(name), "") for name in row.fields}
        rows.append(row)
    return rows


def _page(
    request: ConsoleRequest,
    clinic: Clinic,
    rows: list[InvitationForm],
    *,
    invited: list[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    if status != 200 and wants_json(request):
        errors = {row.add_prefix(name): [str(e) for e in found] for row in rows for name, found in row.errors.items()}
        return json(
            request, Answer(ok=False, message=_("Failed to send the invitation."), errors=errors), status=status
        )
    context = {
        "clinic": clinic,
        "rows": rows,
        "invited": invited or [],
        "can_add_row": len(rows) < MOST_ROWS,
        "crumbs": clinic_crumbs(clinic),
        "action": reverse("groups:user-invite", args=[clinic.id]),
        "back": way_back(request, users_url(clinic.id)),
        "request_id": request.request_id,
        "has_errors": status != 200,
        "is_refused": status not in (200, 422),
    }
    return render(request, "groups/user_invite.html", context, status=status)


@private(methods=("GET", "POST"))
def user_resend(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    return _asked(request, find_place(request, clinic_id, user_id), _sending, _resend)


def _resend(request: ConsoleRequest, place: Place) -> HttpResponse:
    try:
        ends = request.upstream.users.resend_invitation(place.user.id)
    except NotDone as error:
        return _refused(request, place, _sending(place.user), error, _("Failed to send the invitation."))
    day, _exact = shown(ends, zone_of(request))
    sentence = _("Invitation sent. It ends %(date)s.") % {"date": day} if day else _("Invitation sent.")
    return _finished(request, place.hrefs["detail"] if "stay" in request.POST else place.back, sentence)


@private(methods=("GET", "POST"))
def user_cancel(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    return _asked(request, find_place(request, clinic_id, user_id), _taking_back, _cancel)


def _cancel(request: ConsoleRequest, place: Place) -> HttpResponse:
    try:
        request.upstream.users.cancel_invitation(place.user.id)
    except NotDone as error:
        question = _taking_back(place.user, refusal(error, clinic_id=place.clinic.id))
        return _refused(request, place, question, error, _("Failed to cancel the invitation."))
    return _finished(request, place.back, _("Invitation canceled."))


def _asked(
    request: ConsoleRequest,
    place: Place,
    question: Callable[[User], Question],
    act: Callable[[ConsoleRequest, Place], HttpResponse],
) -> HttpResponse:
    """The question about this user, and once it is answered, the act."""
    if request.method != "POST":
        return ask(request, place, question(place.user))
    return once(request, lambda _key: act(request, place))


def _finished(request: ConsoleRequest, goto: str, message: str) -> HttpResponse:
    if not wants_json(request):
        messages.success(request, message)
    return done(request, goto=goto, message=message)


def _refused(request: ConsoleRequest, place: Place, question: Question, error: NotDone, message: str) -> HttpResponse:
    """The question again with the reason; who has accepted meanwhile has no invitation left to ask about."""
    if isinstance(error, Conflict) and error.code == Code.NOT_INVITED:
        return ask(request, place, _accepted(place.user, question.title), error=error, message=message)
    return ask(request, place, question, error=error, message=message)


def _sending(user: User) -> Question:
    title = _("Send the invitation of %(name)s again?") % {"name": isolated(user.name)}
    if not user.is_invited:
        return _accepted(user, title)
    email = {"email": isolated(user.email)}
    text = _("A new mail goes to %(email)s. The link of the earlier one no longer works.") % email
    return Question(title=title, texts=[text], button=_("Resend invitation"), is_danger=False)


def _taking_back(user: User, blockers: list[Blocker] | None = None) -> Question:
    title = _("Cancel the invitation of %(name)s?") % {"name": isolated(user.name)}
    if not user.is_invited:
        return _accepted(user, title)
    name = {"name": isolated(user.name)}
    text = _("%(name)s is removed from the clinic, and the link in the mail no longer works.") % name
    return Question(title=title, texts=[text], button=_("Cancel invitation"), blockers=blockers or [])


def _accepted(user: User, title: str) -> Question:
    name = {"name": isolated(user.name)}
    return Question(title=title, texts=[_("%(name)s has accepted the invitation already.") % name])
