"""One user: edited, moved to another team or clinic, and deleted."""

from dataclasses import replace
from functools import partial

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from msgspec import UNSET

from console.audit.record import form_changes
from console.errors import VersionConflict
from console.forms.blockers import reason_texts, refusal_texts
from console.forms.confirm import ConfirmPage, Question
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.submit import CHECK_VALUES, Problem, State, WriteTexts, deleted, edited, submit
from console.l10n.bidi import isolated
from console.l10n.names import disambiguate
from console.lists.query import ID
from console.web.access import private
from console.web.badges import start_unknown_counts
from console.web.links import Link
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import done, json, show
from groups.audit.users import user_action, user_change
from groups.forms.users import UserEditForm, UserMoveForm, user_values
from groups.islands.teams import teams_answer, teams_hint
from groups.labels import person
from groups.links.blockers import blocker_links
from groups.links.users import back_to_users, user_links, user_pages
from groups.reading import ClinicUser, clinic_user, every_clinic, every_team, find_clinic_user
from groups.tables.users import subject_facts
from upstream.client import Upstream
from upstream.errors import NotFound, Refused
from upstream.resources.teams import Team
from upstream.resources.users import User


@private(methods=("GET", "POST"))
@idempotent
def user_edit(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    return _change(request, clinic_id, user_id, UserEditForm)


@private(methods=("GET", "POST"))
@idempotent
def user_move(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    return _change(request, clinic_id, user_id, UserMoveForm)


def _change(request: ConsoleRequest, clinic_id: str, user_id: str, form_class: type[UserEditForm]) -> HttpResponse:
    """Change a user. The teams offered are those of the clinic that is chosen in the form."""
    upstream, data = request.upstream, form_data_or_draft(request)
    chosen = (data.get("clinic_id") if data else "") or clinic_id
    clinic, user, clinics, teams = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.users.get(user_id),
        lambda: every_clinic(upstream, request.admin.organization_id),
        lambda: _read_teams(upstream, chosen),
    )
    offered = {clinic.id: clinic.called} | {c.id: c.called for c in clinics}
    if request.method == "POST" and user.clinic_id in offered:
        subject = ClinicUser(clinic, user, back_to_users(request, clinic.id))  # `update` reports a moved user
    else:
        subject = clinic_user(request, clinic, user)
    stays = " ".join(reason_texts(user.move_blockers)) if user.clinic_id == clinic.id else ""
    if stays and chosen != clinic.id:  # the page was rendered before
        chosen, teams = clinic.id, every_team(upstream, clinic.id)
    is_known = chosen in offered  # otherwise the form reports it
    # Always offer the current team, even if the clinic has too many: saving must not remove the user from it silently.
    current_team = {user.team_id: user.team_name or ""} if user.team_id and chosen == clinic.id else {}
    choices = (current_team | {t.id: t.called for t in teams if is_known}).items()
    form = form_class(data, user=user, clinics=offered.items(), teams=choices, stays=stays)
    is_other = not stays and chosen != request.POST.get("teams_of", clinic.id)
    if (
        request.method == "POST"
        and is_known
        and ("show_teams" in request.POST or (is_other and not wants_json(request)))
    ):
        # Another clinic has other teams: show them before anything is saved if the administrator has not seen them.
        if wants_json(request):
            return json(request, teams_answer(offered[chosen], form.team_choices))
        start_unknown_counts(request)
        return _edit_page(
            request, subject, form.unchecked(), teams_clinic_id=chosen, moves_to=offered[chosen] if is_other else ""
        )

    page = partial(_edit_page, request, subject, form, teams_clinic_id=chosen if is_known else "")
    texts = WriteTexts(
        action=_("Edit user"),
        failed=_("Failed to update the user."),
        unknown=CHECK_VALUES,
        missing=_("The clinic or team no longer exists. Reload the page."),
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts, extra_fields=("teams_of",))

    def update(_key: str) -> None:
        """Save the input; the clinic is sent only if it changes."""
        if user.clinic_id != clinic.id:
            raise VersionConflict("the user was moved")
        values = {**form.cleaned_data}  # add_error removes the value of a field, which is compared later
        moves = values["clinic_id"] != user.clinic_id
        try:
            upstream.users.update(
                user.id,
                version=form.sent_version,
                name=values.get("name", UNSET),
                user_type=values.get("user_type", UNSET),
                team_id=values["team_id"] or None,
                clinic_id=values["clinic_id"] if moves else UNSET,
            )
        except Refused as error:
            for text in refusal_texts(error) if moves else ():
                form.add_error("clinic_id", text)
            form.cleaned_data = values
            raise

    def read_stored() -> State[User]:
        newest = upstream.users.get(user.id)
        form.offer_team(newest.team_id, newest.team_name)
        return edited(form, newest, user_values(newest))

    entry = user_change(clinic, user, form_changes(form, "user"), clinics=offered, teams=dict(choices))
    outcome = submit(request, form, update, texts=texts, entry=entry, verify=read_stored)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=subject.back)
    name = form.cleaned_data.get("name") or user.name
    return done(
        request,
        goto=subject.back,
        message=_changed(form, user)
        % {
            "name": disambiguate(name, user.email),
            "clinic": isolated(offered[chosen]),
            "team": isolated(dict(choices).get(form.cleaned_data["team_id"] or user.team_id or "", "")),
        },
        about=[Link(name, user_pages(form.cleaned_data["clinic_id"], user.id))],
    )


def _changed(form: UserEditForm, user: User) -> str:
    """Return the sentence about the change, with placeholders."""
    team_id = form.cleaned_data["team_id"]
    if form.cleaned_data["clinic_id"] != user.clinic_id:
        if team_id:
            # Translators: %(name)s: a user, of any gender; %(clinic)s: a clinic; %(team)s: a team of it.
            return _("%(name)s was moved to the “%(team)s” team in %(clinic)s.")
        # Translators: %(name)s: a user, of any gender; %(clinic)s: name of a clinic.
        return _("%(name)s was moved to %(clinic)s (no team).")
    if isinstance(form, UserMoveForm) and team_id != (user.team_id or ""):
        if team_id:
            # Translators: %(name)s: a user, of any gender; %(team)s: name of a team.
            return _("%(name)s was moved to the “%(team)s” team.")
        # Translators: %(name)s: a user, of any gender; %(team)s: name of a team.
        return _("%(name)s was removed from the “%(team)s” team.")
    # Translators: %(name)s: a user, of any gender, maybe with the email address.
    return pgettext("user", "%(name)s was updated.")


def _read_teams(upstream: Upstream, clinic_id: str) -> list[Team]:
    """Return the teams of the chosen clinic; none if there is no such clinic."""
    try:
        return every_team(upstream, clinic_id) if ID.fullmatch(clinic_id) else []
    except (NotFound, Refused):
        return []


@private(methods=("GET", "POST"))
@idempotent
def user_delete(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    subject, users = find_clinic_user(request, clinic_id, user_id), request.upstream.users
    texts = WriteTexts(
        action=_("Delete user"),
        failed=_("Failed to delete the user."),
    )
    page = ConfirmPage(
        request,
        lambda problem: _deletion(subject, problem),
        texts,
        back=subject.back,
        crumbs=subject.crumbs,
        version=subject.user.version,
    )
    if not page.is_confirmed:
        return page.show()

    outcome = submit(
        request,
        page.form,
        lambda _key: users.delete(user_id, version=page.form.sent_version),
        texts=texts,
        entry=user_action("delete", subject.clinic, subject.user),
        verify=lambda: deleted(lambda: users.get(user_id)),
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    # Translators: %(name)s: a user, of any gender, maybe with the email address.
    message = pgettext("user", "%(name)s was deleted.") % {"name": person(subject.user)}
    return done(request, goto=subject.back, message=message, about=[Link(subject.user.called, "")])


def _deletion(subject: ClinicUser, problem: Problem | None) -> Question:
    if problem and problem.newest:
        subject = replace(subject, user=problem.newest)
    name = {"name": isolated(subject.user.called)}
    reasons = (problem.reasons if problem else ()) or ([] if problem else subject.user.delete_blockers)
    return Question(
        # Translators: a question, and a heading; %(name)s: a user or a serial number.
        title=_("Delete %(name)s?") % name,
        # Translators: text of a confirmation page; %(name)s: name of a user.
        texts=[_("%(name)s will no longer be able to log in. This can't be undone.") % name],
        button=_("Delete user"),
        facts=subject_facts(subject.user, clinic_name=subject.clinic.called),
        blockers=blocker_links(
            reasons, clinic_id=subject.clinic.id, back=subject.links["delete"], user_name=subject.user.name
        ),
        blocked=_("You can't delete this user yet."),
        # Translators: button: lock the user instead of deleting them.
        instead=Link(_("Lock instead"), subject.lock.href) if subject.lock and subject.user.is_active else None,
    )


def _edit_page(
    request: ConsoleRequest,
    subject: ClinicUser,
    form: UserEditForm,
    *,
    teams_clinic_id: str,
    moves_to: str = "",
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    """Show the form with its input."""
    newest: User = problem.newest if problem and problem.newest else subject.user
    is_move = isinstance(form, UserMoveForm)
    reasons = problem.reasons if problem else newest.move_blockers if is_move else ()
    return show(
        request,
        "groups/user_edit.html",
        status=status,
        problem=problem,
        form=form,
        subject=subject,
        crumbs=subject.crumbs,
        back=subject.back,
        is_move=is_move,
        teams_clinic_id=teams_clinic_id,
        teams_hint=teams_hint(dict(form.clinic_choices).get(teams_clinic_id, "")),
        moves_to=moves_to,
        blockers=blocker_links(reasons, clinic_id=subject.clinic.id, user_name=subject.user.name),
        stored_href=user_links(newest.clinic_id, newest.id, back=subject.back)["move" if is_move else "edit"],
    )
