"""Invitations for one or several people, to a clinic or to one that is chosen in the form."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from console.forms.drafts import form_data_or_draft, restore
from console.forms.form_page import INVALID
from console.forms.idempotency import idempotent
from console.forms.return_url import return_url
from console.forms.submit import Problem, add_problem, as_resubmission, problem_from
from console.l10n.numbers import ngettext
from console.lists.filters import Tab
from console.web.access import private
from console.web.badges import start_unknown_counts
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import Answer, done, json, show
from groups.forms.pasted import people_in
from groups.forms.teams import Choices
from groups.forms.users import FOR_ALL, InvitationForm, SharedForm
from groups.islands.teams import teams_answer, teams_hint
from groups.links.clinics import clinic_crumbs
from groups.links.users import first_clinic_url, user_list_url, users_crumb
from groups.models import Preset
from groups.reading import every_clinic, every_preset, every_team
from groups.views.invitation_rows import (
    CARRIED,
    MAX_INVITATIONS,
    apply_to_rows,
    checked_rows,
    first_row,
    free_numbers,
    other_rows,
    report_duplicates,
    report_email_conflicts,
    row_numbers,
    unchecked_rows,
)
from groups.views.invitation_sending import invite, sending_texts, success_message
from upstream.nouns import Named
from upstream.resources.clinics import Clinic


@dataclass(frozen=True)
class InvitationTarget:
    """The clinic that people are invited to, of the page or one of `clinics` (None: not yet chosen), and its teams."""

    clinic: Clinic | None
    teams: Choices
    clinics: Choices | None = None

    @property
    def page_clinic(self) -> Clinic | None:
        """The clinic whose page this is; None if the clinic is chosen in the form."""
        return self.clinic if self.clinics is None else None

    @property
    def clinic_name(self) -> str:
        return self.clinic.called if self.clinic else ""

    @property
    def back(self) -> str:
        """The list that links to this page, and that it returns to."""
        return user_list_url(self.page_clinic.id if self.page_clinic else "")

    @property
    def action(self) -> str:
        clinic = self.page_clinic
        return reverse("groups:user-invite", args=[clinic.id]) if clinic else reverse("groups:all-user-invite")


def sends_invitations(request: ConsoleRequest) -> bool:
    """Return True if a POST invites the people of the rows; otherwise it only prepares rows."""
    buttons = {"show_teams"} if wants_json(request) else {"show_teams", "add_row", "remove"}
    return buttons.isdisjoint(request.POST) and not request.POST.get("people", "").strip()


@private(methods=("GET", "POST"))
@idempotent(writes=sends_invitations)
def user_invite(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, teams = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: every_team(upstream, clinic_id),
    )
    return _answer(request, InvitationTarget(clinic, _as_choices(teams)), form_data_or_draft(request))


@private(methods=("GET", "POST"))
@idempotent(writes=sends_invitations)
def all_user_invite(request: ConsoleRequest) -> HttpResponse:
    upstream, data = request.upstream, form_data_or_draft(request)
    clinics = every_clinic(upstream, request.admin.organization_id)
    if not clinics and request.method == "GET":
        return show(request, "groups/user_invite_no_clinic.html", crumbs=[users_crumb()], clinic_url=first_clinic_url())
    chosen = (request.GET if data is None else data).get("clinic_id", "")
    selected = [clinic for clinic in clinics if len(clinics) == 1 or clinic.id == chosen]
    clinic = selected[0] if selected else None
    teams = every_team(upstream, clinic.id) if clinic else []
    return _answer(request, InvitationTarget(clinic, _as_choices(teams), _as_choices(clinics)), data)


def _shared(request: ConsoleRequest, target: InvitationTarget, data: QueryDict | None = None) -> SharedForm:
    chosen = {name: request.GET.get(name, "") for name in ("preset", "several")}
    chosen["clinic_id"] = target.clinic.id if target.clinic else ""
    presets = every_preset(request)
    return SharedForm(data, clinics=target.clinics, teams=target.teams, presets=presets, initial=chosen)


def _as_choices(rows: Iterable[Named]) -> Choices:
    return [(row.id, row.called) for row in rows]


def _answer(request: ConsoleRequest, target: InvitationTarget, data: QueryDict | None) -> HttpResponse:
    """Respond to a request of the form: show it, prepare its rows, or invite them."""
    if data is None:
        shared = _shared(request, target)
        row = first_row(request, target.teams, has_clinic=target.clinic is not None)
        return _page(request, target, shared, [] if shared.is_for_several else [row])
    shared, numbers = _shared(request, target, data), row_numbers(data)
    submitted, data = data, apply_to_rows(data, numbers)
    if request.method != "POST":
        rows = [InvitationForm(data, number=number, teams=target.teams) for number in numbers]
        restore(request, shared, *rows, extra_fields=("row", "checked", *shared.applied_values))
        return _page(request, target, shared, rows)
    if sends_invitations(request):
        return _send(request, target, shared, data, numbers, needs_review=data != submitted)
    if "show_teams" in data and wants_json(request):
        return json(request, teams_answer(target.clinic_name, shared.team_choices))
    if not wants_json(request) and ("show_teams" in data or "add_row" in data or "remove" in data):
        rows = other_rows(request, target.teams, data, numbers)
        return _page(
            request, target, shared.unchecked(), rows, needs_type="checked" in data and _needs_type(rows, data)
        )
    return _rows_to_check(request, target, shared, data, numbers)


def _rows_to_check(
    request: ConsoleRequest, target: InvitationTarget, shared: SharedForm, data: QueryDict, numbers: list[int]
) -> HttpResponse:
    """Show the pasted people as rows, with the type and the team for all, before anyone is invited.

    JSON has no rows to check, so it gets an error.
    """
    unchecked = unchecked_rows(data, numbers, target.teams)
    nonempty = [row for row in unchecked if row.initial["name"] or row.initial["email"]]
    filled = [row.number for row in nonempty]
    people = people_in(data.get("people", ""))
    if "people" in shared.errors or "preset" in shared.errors:
        pass
    elif not people:
        shared.add_error("people", _("No names or email addresses found."))
    elif len(nonempty) + len(people) > MAX_INVITATIONS:
        message = ngettext(
            "You can invite up to %(count)s user at a time. To add more, import a file.",
            "You can invite up to %(count)s users at a time. To add more, import a file.",
            MAX_INVITATIONS,
        )
        shared.add_error("people", message % {"count": MAX_INVITATIONS})
    elif wants_json(request):
        shared.add_error("people", _("Review the list before you send the invitations."))
    if wants_json(request):
        problem = as_resubmission(request, Problem(INVALID, sending_texts().failed), sending_texts())
        return _page(request, target, shared, unchecked, problem=problem)
    if "people" in shared.errors or "preset" in shared.errors:
        return _page(request, target, shared, nonempty, status=INVALID)
    row_data = data.copy()
    for number, person in zip(free_numbers(numbers), people, strict=False):
        values = {**{name: data.get(name, "") for name in FOR_ALL}, **person._asdict()}
        values["user_type"] = person.user_type or data.get("user_type", "")
        row_data.update({f"row-{number}-{name}": value for name, value in values.items()})
        filled.append(number)
    rows = checked_rows(request, target.teams, row_data, filled)
    shared = shared.unchecked(people="")
    return _page(request, target, shared, rows, pasted=len(people), needs_type=_needs_type(rows, data))


def _needs_type(rows: list[InvitationForm], data: QueryDict) -> bool:
    """Return True if a row without an error has no type, and none is chosen for all."""
    filled = [row for row in rows if not row.is_blank and "user_type" not in row.errors]
    return not data.get("user_type") and not all(row["user_type"].value() for row in filled)


def _send(
    request: ConsoleRequest,
    target: InvitationTarget,
    shared: SharedForm,
    data: QueryDict,
    numbers: list[int],
    *,
    needs_review: bool,
) -> HttpResponse:
    """Invite the people of the rows; rows that fail stay on the page. A row without a type gets the type for all.

    Rows that differ from those on the page need a review: they are shown first.
    """
    sent = data.copy()
    for number in numbers:
        if not sent.get(f"row-{number}-user_type"):
            sent[f"row-{number}-user_type"] = data.get("user_type", "")
    rows = [InvitationForm(sent, number=number, teams=target.teams) for number in numbers]
    filled = [row for row in rows if not row.is_blank] or rows[:1]
    clinic = target.clinic
    report_duplicates(filled)
    needs_review = needs_review and not wants_json(request)
    if needs_review or not shared.is_valid() or any(row.errors for row in filled) or clinic is None:
        report_email_conflicts(request, filled)
        if needs_review and not shared.errors and not any(row.errors for row in filled):
            return _page(request, target, shared, filled, needs_review=True)
        problem = as_resubmission(request, Problem(INVALID, sending_texts().failed), sending_texts())
        return _page(request, target, shared, filled, problem=problem)
    if (error := request.submission.error) is not None:
        problem = as_resubmission(request, problem_from(error, sending_texts()), sending_texts())
        for row in filled:
            add_problem(row, problem)
        return _page(request, target, shared, filled, problem=problem)
    request.submission.is_started = True
    result = invite(request, clinic, filled, request.submission.key, shared.chosen_preset)
    if result.problem:
        return _page(request, target, shared, result.remaining, invited=result.emails, problem=result.problem)
    url = _next(request, target, filled[-1], shared.chosen_preset)
    return done(request, goto=url, **success_message(result.people, result.emails))


def _next(request: ConsoleRequest, target: InvitationTarget, last: InvitationForm, preset: Preset | None) -> str:
    """Return the list, or the form for the next person, who most likely has the same clinic, type, team and preset."""
    back = return_url(request, target.back)
    if "another" not in request.POST:
        return back
    query = {"back": back, **{name: last.cleaned_data[name] for name in CARRIED if last.cleaned_data[name]}}
    if target.clinic and not target.page_clinic:
        query["clinic_id"] = target.clinic.id
    if preset:
        query["preset"] = preset.id
    return _address(target, query)


def _page(
    request: ConsoleRequest,
    target: InvitationTarget,
    shared: SharedForm,
    rows: list[InvitationForm],
    *,
    invited: list[str] | None = None,
    problem: Problem | None = None,
    status: int = 200,
    pasted: int = 0,
    needs_type: bool = False,
    needs_review: bool = False,
) -> HttpResponse:
    if problem and wants_json(request):
        errors = {
            form.add_prefix(n): [str(e) for e in messages]
            for form in (shared, *rows)
            for n, messages in form.errors.items()
        }
        return json(request, Answer(ok=False, message=problem.text, errors=errors), status=problem.status)
    if request.method == "POST" and invited is None:  # no failure of the counts may hide that someone was invited
        start_unknown_counts(request)
    back = return_url(request, target.back)
    if not rows:
        shared.fields["people"].required = True
    is_several = len(rows) != 1 or bool(pasted) or shared.is_for_several
    if problem and problem.is_unknown:
        problem = replace(problem, status_url=back)
    return show(
        request,
        "groups/user_invite.html",
        status=problem.status if problem else status,
        clinic=target.page_clinic,
        shared=shared,
        rows=rows,
        is_several=is_several,
        tabs=_tabs(target, back, is_several=is_several),
        invited=invited or [],
        pasted=pasted,
        needs_type=needs_type,
        needs_review=needs_review,
        teams_hint=teams_hint(target.clinic_name),
        can_add_row=len(rows) < MAX_INVITATIONS,
        crumbs=clinic_crumbs(target.page_clinic) if target.page_clinic else [users_crumb()],
        action=target.action,
        back=back,
        problem=problem,
    )


def _tabs(target: InvitationTarget, back: str, *, is_several: bool) -> list[Tab]:
    """Return the two pages of the form, for the same clinic."""
    query = {} if back == target.back else {"back": back}
    if target.clinic and not target.page_clinic:
        query["clinic_id"] = target.clinic.id
    # Translators: tab of the form that invites users: it invites one of them.
    # Translators: a tab of the form that invites users: it invites more than one.
    one, several = _("One user"), _("Several users")
    return [
        Tab(one, _address(target, query), "", is_current=not is_several),
        Tab(several, _address(target, {**query, "several": "1"}), "", is_current=is_several),
    ]


def _address(target: InvitationTarget, query: dict[str, str]) -> str:
    return f"{target.action}?{urlencode(query)}" if query else target.action
