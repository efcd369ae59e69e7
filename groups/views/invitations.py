"""People invited, one or several at once, to a clinic or to one that is chosen in the form."""

import itertools
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.access import private
from console.forms.blockers import reason_texts
from console.forms.drafts import restore, typed
from console.forms.errors import in_use
from console.forms.idempotency import key_of, may_be_done, note_may_be_done, once
from console.forms.return_url import return_url
from console.forms.write import INVALID, Problem, WriteTexts, add_problem, carry_out, of_repeat, problem_of
from console.http import ConsoleRequest, wants_json
from console.lists.view import Link
from console.respond import Answer, done, json, show
from console.text.bidi import isolated
from console.text.countries import listed
from console.text.names import told_apart
from console.upstream.errors import NotDone, NotFound
from console.upstream.listing import ListParams
from console.upstream.nouns import Named
from console.upstream.resources.clinics import Clinic
from console.upstream.resources.users import User
from groups import links
from groups.forms.pasted import people_in
from groups.forms.teams import Choices
from groups.forms.users import InvitationForm, SharedForm
from groups.islands import teams_answer, teams_told
from groups.reading import every_clinic, every_team

MOST_INVITED = 20
NAMED = 3
"""So many people are named in the message after they were invited."""
CARRIED = ("user_type", "team_id")
"""What the next one to be invited most likely has in common with the last."""


@dataclass(frozen=True)
class Place:
    """Where people are invited to: the clinic of the page, or one of `clinics` (None: not yet chosen); its teams."""

    clinic: Clinic | None
    teams: Choices
    clinics: Choices | None = None

    @property
    def page_clinic(self) -> Clinic | None:
        """The clinic whose page this is."""
        return self.clinic if self.clinics is None else None

    @property
    def clinic_name(self) -> str:
        return self.clinic.name if self.clinic else ""

    @property
    def back(self) -> str:
        """The list that leads here, and back."""
        return links.user_list_url(self.page_clinic.id if self.page_clinic else "")

    @property
    def action(self) -> str:
        clinic = self.page_clinic
        return reverse("groups:user-invite", args=[clinic.id]) if clinic else reverse("groups:all-user-invite")


@private(methods=("GET", "POST"))
def user_invite(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, teams = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: every_team(upstream, clinic_id),
    )
    return _answer(request, Place(clinic, _as_choices(teams)), typed(request))


@private(methods=("GET", "POST"))
def all_user_invite(request: ConsoleRequest) -> HttpResponse:
    upstream, data = request.upstream, typed(request)
    clinics = every_clinic(upstream, request.admin.organization_id)
    chosen = (request.GET if data is None else data).get("clinic_id", "")
    found = [clinic for clinic in clinics if len(clinics) == 1 or clinic.id == chosen]
    clinic = found[0] if found else None
    teams = every_team(upstream, clinic.id) if clinic else []
    return _answer(request, Place(clinic, _as_choices(teams), _as_choices(clinics)), data)


def _shared(place: Place, data: QueryDict | None = None) -> SharedForm:
    chosen = place.clinic.id if place.clinic else ""
    return SharedForm(data, clinics=place.clinics, teams=place.teams, initial={"clinic_id": chosen})


def _as_choices(rows: Iterable[Named]) -> Choices:
    return [(row.id, row.name) for row in rows]


def _answer(request: ConsoleRequest, place: Place, data: QueryDict | None) -> HttpResponse:
    """Answer the request of the form: draw it, prepare its rows, or invite them."""
    if data is None:
        return _page(request, place, _shared(place), _empty_rows(request, place.teams))
    shared, numbers = _shared(place, data), _numbers(data)
    if request.method != "POST":
        rows = [InvitationForm(data, number=number, teams=place.teams) for number in numbers]
        restore(request, shared, *rows, carries=("row",))
        return _page(request, place, shared, rows)
    if "show_teams" in data and wants_json(request):
        return json(request, teams_answer(place.clinic_name, shared.team_choices))
    if not wants_json(request) and ("show_teams" in data or "add_row" in data or "remove" in data):
        return _page(request, place, shared.unchecked(), _other_rows(request, place, data, numbers))
    if data.get("people", "").strip():
        return _rows_to_check(request, place, shared, data, numbers)
    return _send(request, place, shared, data, numbers)


def _rows_to_check(
    request: ConsoleRequest, place: Place, shared: SharedForm, data: QueryDict, numbers: list[int]
) -> HttpResponse:
    """Show the people who were pasted as rows, with the type and the team for all, before anybody is invited.

    JSON has no rows to check, so it is told to.
    """
    typed_rows = _typed_rows(data, numbers, place.teams)
    kept = [row for row in typed_rows if row.initial["name"] or row.initial["email"]]
    filled = [row.number for row in kept]
    people = people_in(data.get("people", ""))
    if "people" in shared.errors:
        pass
    elif not people:
        shared.add_error("people", _("No name or address was found."))
    elif len(kept) + len(people) > MOST_INVITED:
        told = ngettext(
            "At most %(count)s person can be invited at once. Import a file for more.",
            "At most %(count)s people can be invited at once. Import a file for more.",
            MOST_INVITED,
        )
        shared.add_error("people", told % {"count": MOST_INVITED})
    elif wants_json(request):
        shared.add_error("people", _("Show the pasted people as rows and check them first."))
    if wants_json(request):
        problem = of_repeat(request, Problem(INVALID, sending_texts().failed), sending_texts())
        return _page(request, place, shared, typed_rows, problem=problem)
    if "people" in shared.errors:
        return _page(request, place, shared, kept or typed_rows, status=INVALID)
    shown = data.copy()
    for number, person in zip(_free_numbers(numbers), people, strict=False):
        of_person = {**{name: data.get(name, "") for name in CARRIED}, **person._asdict()}
        shown.update({f"row-{number}-{name}": value for name, value in of_person.items()})
        filled.append(number)
    rows = _checked_rows(request, place, shown, filled)
    needs_type = not all(row["user_type"].value() or data.get("user_type") for row in rows)
    return _page(request, place, shared.unchecked(people=""), rows, pasted=len(people), needs_type=needs_type)


def _checked_rows(request: ConsoleRequest, place: Place, data: QueryDict, numbers: list[int]) -> list[InvitationForm]:
    """The rows with what is wrong with them, as far as it is known before anybody is invited.

    Empty rows are left out in the end, and a row without a type has that for all.
    """
    rows = [InvitationForm(data, number=number, teams=place.teams) for number in numbers]
    _tell_doubles(rows)
    taken = _taken(request, rows)
    for row in rows:
        if told := taken.get(_email(row)):
            row.add_error("email", told)
        if row.is_blank:
            row.errors.clear()
        row.errors.pop("user_type", None)
    return rows


def _send(
    request: ConsoleRequest, place: Place, shared: SharedForm, data: QueryDict, numbers: list[int]
) -> HttpResponse:
    """Invite the people of the rows; a row without a type has that for all."""
    sent = data.copy()
    for number in numbers:
        if not sent.get(f"row-{number}-user_type"):
            sent[f"row-{number}-user_type"] = data.get("user_type", "")
    rows = [InvitationForm(sent, number=number, teams=place.teams) for number in numbers]
    filled = [row for row in rows if not row.is_blank] or rows[:1]
    clinic = place.clinic
    _tell_doubles(filled)
    if not shared.is_valid() or any(row.errors for row in filled) or clinic is None:
        return _page(
            request,
            place,
            shared,
            filled,
            problem=of_repeat(request, Problem(INVALID, sending_texts().failed), sending_texts()),
        )

    def not_carried_out(error: NotDone) -> HttpResponse:
        problem = of_repeat(request, problem_of(error, sending_texts()), sending_texts())
        for row in filled:
            add_problem(row, problem)
        return _page(request, place, shared, filled, problem=problem)

    return once(request, lambda _key: _invite(request, place, clinic, shared, filled), not_carried_out)


def _tell_doubles(rows: list[InvitationForm]) -> None:
    """Tell at its row an address that stands in an earlier one, too."""
    first: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        email = _email(row).casefold()
        if email and first.setdefault(email, number) != number:
            row.add_error("email", _("User %(number)s has the same email.") % {"number": first[email]})


def _email(row: InvitationForm) -> str:
    """The address of a row, empty if it is none."""
    row.is_valid()
    return str(row.cleaned_data.get("email", ""))


def _invite(
    request: ConsoleRequest, place: Place, clinic: Clinic, shared: SharedForm, rows: list[InvitationForm]
) -> HttpResponse:
    """Invite row by row; who can't be invited stays in the page with the reason, and stops nobody else."""
    left: list[InvitationForm] = []
    invited: list[str] = []
    people: list[Link] = []
    problem: Problem | None = None
    taken = _taken(request, rows)
    for row in rows:
        if told := taken.get(_email(row)):
            row.add_error("email", told)
            problem = problem or Problem(INVALID, sending_texts().failed)
            left.append(row)
            continue
        created, found = carry_out(partial(_create, request, clinic, row), sending_texts())
        if found is None:
            person = row.cleaned_data
            invited.append(person["email"])
            people.append(Link(person["name"], links.user_pages(clinic.id, created) if created else ""))
            continue
        found = of_repeat(request, found, sending_texts())
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
        return _page(request, place, shared, left, invited=invited, problem=problem)
    return done(request, goto=_next(request, place, rows[-1]), **_said(people, invited))


def _said(people: list[Link], emails: list[str]) -> dict[str, Any]:
    """The message that names who was invited, of many the first ones, and the links in it."""
    names = [told_apart(person.label, email) for person, email in zip(people, emails, strict=True)]
    if len(people) == 1:
        return {"message": _("Invitation sent to %(name)s.") % {"name": names[0]}, "about": people}
    count, named = len(people), names[:NAMED]
    text = ngettext("Invitation sent to %(names)s.", "Invitations sent to %(names)s.", count)
    about = [Link(name, person.href) for name, person in zip(named, people, strict=False)]
    return {"message": text % {"names": listed(named, of=count)}, "about": about}


def sending_texts() -> WriteTexts:
    return WriteTexts(
        done="",
        failed=_("Failed to send the invitation."),
        unknown=_("It is not known whether the invitation was sent. Look at the list before you try again."),
        missing=_("The clinic or the team no longer exists. Load the page again."),
    )


def _taken(request: ConsoleRequest, rows: list[InvitationForm]) -> dict[str, str]:
    """Who has these addresses already, in words, as far as the service says; those sent before may be its own work."""
    if may_be_done(request):
        return {}
    users, together = request.upstream.users, request.upstream.together
    by_email = {email: row for row in rows if (email := _email(row))}
    try:
        found = together(*(partial(users.exists, email) for email in by_email))
    except (NotDone, NotFound):
        return {}
    told = {email: in_use(by_email[email], "email") for email, taken in zip(by_email, found, strict=True) if taken}
    try:
        known = together(*(partial(_user_of, request, email) for email in told))
    except (NotDone, NotFound):
        return told
    return {email: _is_there(user) if user else text for (email, text), user in zip(told.items(), known, strict=True)}


def _user_of(request: ConsoleRequest, email: str) -> User | None:
    """Read who has this address in the organization; None where it is somebody else's, or of an unnamed clinic."""
    params = ListParams(search_field="email", keyword=email)
    found = request.upstream.users.list(params, organization_id=request.admin.organization_id).results
    return next((user for user in found if user.email.casefold() == email.casefold() and user.clinic_name), None)


def _is_there(user: User) -> str:
    clinic = {"clinic": isolated(user.clinic_name)}
    if user.is_invited:
        return _("This person was invited to %(clinic)s already.") % clinic
    return _("This person is a user of %(clinic)s already.") % clinic


def _leave_to_fields(rows: list[InvitationForm]) -> None:
    """Above several rows a row whose fields tell what is wrong needs no general sentence as well."""
    for row in rows:
        if any(field.errors for field in row) and NON_FIELD_ERRORS in row.errors:
            del row.errors[NON_FIELD_ERRORS][0]


def _create(request: ConsoleRequest, clinic: Clinic, row: InvitationForm) -> str:
    """Create the user of a row; return the ID, empty if unknown.

    The same row sent again has the same key, whatever became of the others.
    """
    person = row.cleaned_data
    return request.upstream.users.create(
        clinic_id=clinic.id,
        team_id=person["team_id"] or None,
        name=person["name"],
        user_type=person["user_type"],
        email=person["email"],
        language=request.lng,
        idempotency_key=key_of(
            request, clinic.id, str(row.number), *(str(person[name] or "") for name in sorted(person))
        ),
    )


def _next(request: ConsoleRequest, place: Place, last: InvitationForm) -> str:
    """Back to the list, or on to the next one, who most likely has the same clinic, type and team."""
    back = return_url(request, place.back)
    if "another" not in request.POST:
        return back
    query = {"back": back, **{name: last.cleaned_data[name] for name in CARRIED if last.cleaned_data[name]}}
    if place.clinic and not place.page_clinic:
        query["clinic_id"] = place.clinic.id
    return f"{place.action}?{urlencode(query)}"


def _numbers(data: QueryDict) -> list[int]:
    """The numbers of the rows that were sent."""
    sent = [text for text in data.getlist("row") if text.isascii() and text.isdigit() and len(text) < 4]
    return list(dict.fromkeys(int(text) for text in sent))[:MOST_INVITED] or [0]


def _free_numbers(numbers: Container[int]) -> Iterator[int]:
    """The numbers of further rows: however often rows are added, they stay as short as those that are read."""
    return (number for number in itertools.count() if number not in numbers)


def _empty_rows(request: ConsoleRequest, teams: Choices) -> list[InvitationForm]:
    carried = {name: request.GET[name] for name in CARRIED if name in request.GET}
    row = InvitationForm(number=0, teams=teams, initial=carried)
    if carried:
        row.type_at_once()
    return [row]


def _other_rows(request: ConsoleRequest, place: Place, data: QueryDict, numbers: list[int]) -> list[InvitationForm]:
    """One row more, or one less; one types on in the new one, or in that which took the place of the other."""
    index = len(numbers)
    if "add_row" in data and index < MOST_INVITED:
        numbers = [*numbers, next(_free_numbers(numbers))]
    if len(numbers) > 1 and (removed := [n for n in numbers if str(n) == data.get("remove")]):
        index, numbers = numbers.index(removed[0]), [n for n in numbers if n not in removed]
    # What was checked when it was shown stays marked.
    is_checked = "checked" in data
    rows = _checked_rows(request, place, data, numbers) if is_checked else _typed_rows(data, numbers, place.teams)
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
    place: Place,
    shared: SharedForm,
    rows: list[InvitationForm],
    *,
    invited: list[str] | None = None,
    problem: Problem | None = None,
    status: int = 200,
    pasted: int = 0,
    needs_type: bool = False,
) -> HttpResponse:
    if problem and wants_json(request):
        errors = {
            form.add_prefix(n): [str(e) for e in found] for form in (shared, *rows) for n, found in form.errors.items()
        }
        return json(request, Answer(ok=False, message=problem.text, errors=errors), status=problem.status)
    back = return_url(request, place.back)
    if problem and problem.is_unknown:
        problem = replace(problem, look=back)
    return show(
        request,
        "groups/user_invite.html",
        status=problem.status if problem else status,
        clinic=place.page_clinic,
        shared=shared,
        rows=rows,
        invited=invited or [],
        pasted=pasted,
        needs_type=needs_type,
        teams_told=teams_told(place.clinic_name),
        can_add_row=len(rows) < MOST_INVITED,
        crumbs=links.clinic_crumbs(place.page_clinic) if place.page_clinic else [links.users_crumb()],
        action=place.action,
        back=back,
        problem=problem,
    )
