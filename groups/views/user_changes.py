"""One user: changed, moved to another team or clinic, and deleted."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import UNSET

from console.access import private
from console.bidi import isolated
from console.failures import describe
from console.form_errors import add_upstream_errors, differences, upstream_message
from console.http import ConsoleRequest, wants_json
from console.once import once
from console.reasons import Blocker, refusal_texts
from console.respond import Answer, done, json
from console.returning import way_back, with_way_back
from console.upstream.clinics import Clinic
from console.upstream.errors import Code, Conflict, NotDone, NotFound
from console.upstream.users import User
from groups.blockers import blockers, refusal
from groups.choices import every_clinic, every_team
from groups.forms.users import UserEditForm
from groups.forms.versioned import VersionedForm
from groups.tables.clinics import users_url

USER_PAGES = ("detail", "edit", "permissions", "delete", "resend", "cancel")


@dataclass(frozen=True)
class Place:
    """A user of a clinic, and what every page about them needs."""

    clinic: Clinic
    user: User
    back: str

    @property
    def hrefs(self) -> dict[str, str]:
        """The addresses of the user's pages, which know the way back to the list as it was."""
        return user_hrefs(self.clinic.id, self.user.id, back=self.back)

    def crumbs(self) -> list[dict[str, str]]:
        """The way from the list of clinics to this user's own page."""
        return [*clinic_crumbs(self.clinic), {"label": self.user.name, "href": self.hrefs["detail"]}]


@dataclass(frozen=True)
class Question:
    """What is asked before something is done to a user. Without a button it can't be done."""

    title: str
    texts: list[str]
    button: str = ""
    is_danger: bool = True
    blockers: list[Blocker] = field(default_factory=list)
    version: int | None = None


@private(methods=("GET", "POST"))
def user_edit(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    upstream = request.upstream
    chosen = request.POST.get("clinic_id") or clinic_id
    clinic, user, clinics, teams = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.users.get(user_id),
        lambda: every_clinic(upstream, request.admin.organization_id),
        lambda: every_team(upstream, chosen),
    )
    offered = {clinic.id: clinic.name} | {c.id: c.name for c in clinics}
    if request.method == "POST" and user.clinic_id in offered:
        place = Place(clinic, user, back_to_users(request, clinic.id))  # who was moved meanwhile is told below
    else:
        place = place_of(request, clinic, user)
    if chosen not in offered:
        raise NotFound("a clinic of another organization")
    # The own team is always there, however many there are: saving must not take anybody out of it unseen.
    own_team = {user.team_id: user.team_name or ""} if user.team_id and chosen == clinic.id else {}
    choices = {"clinics": offered.items(), "teams": (own_team | {t.id: t.name for t in teams}).items()}
    stored = _stored(user) | {"version": user.version}
    if request.method != "POST":
        return _edit_page(request, place, UserEditForm(initial=stored, **choices), teams_of=chosen)
    if chosen != request.POST.get("teams_of", clinic.id):
        # The first of two steps: another clinic has other teams.
        typed = {**{name: request.POST.get(name, "") for name in stored}, "team_id": ""}
        form = UserEditForm(initial=typed, **choices)
        return _edit_page(request, place, form, teams_of=chosen, moves_to=offered[chosen])
    form = UserEditForm(request.POST, **choices)
    if not form.is_valid():
        return _edit_page(request, place, form, teams_of=chosen, status=422)
    if user.clinic_id != clinic.id:
        return _changed_meanwhile(request, place, form)
    return once(request, lambda _key: _update(request, place, form))


def _update(request: ConsoleRequest, place: Place, form: UserEditForm) -> HttpResponse:
    """Save what was typed; the service is told of a clinic only when it is another one."""
    typed = form.cleaned_data
    moves = typed["clinic_id"] != place.user.clinic_id
    try:
        request.upstream.users.update(
            place.user.id,
            version=typed["version"],
            name=typed["name"],
            user_type=typed["user_type"],
            team_id=typed["team_id"] or None,
            clinic_id=typed["clinic_id"] if moves else UNSET,
        )
    except (NotDone, NotFound) as error:
        if isinstance(error, Conflict) and error.code == Code.CHANGED_MEANWHILE:
            return _changed_meanwhile(request, place, form)
        if isinstance(error, NotFound) and _is_gone(request, place.user):
            form.add_error(None, _("This user is no longer there."))
            return _edit_page(request, place, form, teams_of=typed["clinic_id"], status=409)
        status = tell(form, error, _("Failed to update the user."))
        return _edit_page(request, place, form, teams_of=typed["clinic_id"], status=status)
    clinic = {"clinic": isolated(_chosen_clinic(form))}
    message = _("User moved to %(clinic)s.") % clinic if moves else _("User updated.")
    if not wants_json(request):
        messages.success(request, message)
    return done(request, goto=place.back, message=message)


def _is_gone(request: ConsoleRequest, user: User) -> bool:
    try:
        request.upstream.users.get(user.id)
    except NotFound:
        return True
    return False


def _chosen_clinic(form: UserEditForm) -> str:
    return dict(form.fields["clinic_id"].choices)[form.cleaned_data["clinic_id"]]  # type: ignore[attr-defined, no-any-return]


def _changed_meanwhile(request: ConsoleRequest, place: Place, form: UserEditForm) -> HttpResponse:
    """Show both values and ask: nobody's change is lost unseen."""
    newest = request.upstream.users.get(place.user.id)
    known = dict(form.fields["team_id"].choices)  # type: ignore[attr-defined]
    if newest.team_id and newest.team_id not in known:
        form.fields["team_id"].choices = [*known.items(), (newest.team_id, newest.team_name or "")]  # type: ignore[attr-defined]
    return _edit_page(
        request,
        place,
        form,
        teams_of=form.cleaned_data["clinic_id"],
        status=412,
        conflicts=differences(form, _stored(newest)),
        version=newest.version,
        theirs_href=user_hrefs(newest.clinic_id, newest.id, back=place.back)["edit"],
    )


@private(methods=("GET", "POST"))
def user_delete(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    place = find_place(request, clinic_id, user_id)
    if request.method != "POST":
        return ask(request, place, _deletion(place, blockers(place.user.delete_blockers, clinic_id=place.clinic.id)))
    return once(request, lambda _key: _delete(request, place))


def _delete(request: ConsoleRequest, place: Place) -> HttpResponse:
    form = VersionedForm(request.POST)
    try:
        request.upstream.users.delete(place.user.id, version=form.seen if form.is_valid() else None)
    except NotDone as error:
        # A lost race tells the new state, and asks again about it.
        stale = error.code == Code.CHANGED_MEANWHILE
        place = replace(place, user=request.upstream.users.get(place.user.id)) if stale else place
        question = _deletion(place, refusal(error, clinic_id=place.clinic.id))
        return ask(request, place, question, error=error, message=_("Failed to delete the user."))
    message = _("User deleted.")
    if not wants_json(request):
        messages.success(request, message)
    return done(request, goto=place.back, message=message)


def _deletion(place: Place, stands_in_the_way: list[Blocker]) -> Question:
    name = {"name": isolated(place.user.name)}
    return Question(
        title=_("Delete %(name)s?") % name,
        texts=[_("%(name)s can no longer log in. This can't be undone.") % name],
        button=_("Delete user"),
        blockers=stands_in_the_way,
        version=place.user.version,
    )


def find_place(request: ConsoleRequest, clinic_id: str, user_id: str) -> Place:
    """Read a user and the clinic; NotFound when the one is not of the other."""
    upstream = request.upstream
    clinic, user = upstream.together(lambda: upstream.clinics.get(clinic_id), lambda: upstream.users.get(user_id))
    return place_of(request, clinic, user)


def place_of(request: ConsoleRequest, clinic: Clinic, user: User) -> Place:
    """The user of this clinic; NotFound when it is another's."""
    if user.clinic_id != clinic.id:
        raise NotFound("a user of another clinic")
    return Place(clinic, user, back_to_users(request, clinic.id))


def back_to_users(request: ConsoleRequest, clinic_id: str) -> str:
    """The list that the user was found in: the clinic's, or that of all clinics; with nobody beside it."""
    return with_nobody_beside(way_back(request, users_url(clinic_id), reverse("groups:all-users")))


def with_nobody_beside(address: str) -> str:
    """A list of users as it was, but for the user beside it, who may be gone by then."""
    path, _, query = address.partition("?")
    rest = [pair for pair in query.split("&") if pair and pair.partition("=")[0] != "user"]
    return f"{path}?{'&'.join(rest)}" if rest else path


def user_hrefs(clinic_id: str, user_id: str, *, back: str) -> dict[str, str]:
    """The addresses of a user's pages by their names, which know the list to return to."""
    default = users_url(clinic_id)
    paths = {name: reverse(f"groups:user-{name}", args=[clinic_id, user_id]) for name in USER_PAGES}
    return {name: with_way_back(path, back, default) for name, path in paths.items()}


def clinic_crumbs(clinic: Clinic) -> list[dict[str, str]]:
    """The way from the list of clinics to this one's users."""
    return [
        {"label": _("Clinics"), "href": reverse("groups:clinic-list")},
        {"label": clinic.name, "href": users_url(clinic.id)},
    ]


def tell(form: BaseForm, error: NotDone | NotFound, action_message: str) -> int:
    """Put what the service refused into the form, with its reasons; return the status of the page."""
    if isinstance(error, NotDone):
        add_upstream_errors(form, error, action_message)
        more = refusal_texts(error)
    else:
        form.add_error(None, action_message)
        more = [_("The clinic or the team is no longer there. Load the page again.")]
    for text in more:
        form.add_error(None, text)
    return describe(error, was_write=True).status


def ask(
    request: ConsoleRequest, place: Place, question: Question, *, error: NotDone | None = None, message: str = ""
) -> HttpResponse:
    """Show the page that asks before something is done; with an error, why it was not done."""
    status = describe(error, was_write=True).status if error else 200
    text = upstream_message(error, message) if error else ""
    if error and wants_json(request):
        return json(
            request,
            Answer(ok=False, message=" ".join([text, *(blocker.text for blocker in question.blockers)])),
            status=status,
        )
    context = {
        "place": place,
        "question": question,
        "crumbs": place.crumbs(),
        "back": place.back,
        "error": text,
        "request_id": request.request_id,
    }
    return render(request, "groups/user_confirm.html", context, status=status)


def _stored(user: User) -> dict[str, object]:
    """A user by the names of the form's fields."""
    return {
        "name": user.name,
        "user_type": user.user_type,
        "clinic_id": user.clinic_id,
        "team_id": user.team_id or "",
    }


def _edit_page(
    request: ConsoleRequest, place: Place, form: UserEditForm, *, teams_of: str, status: int = 200, **more: object
) -> HttpResponse:
    """Show the form; what was typed stays."""
    if form.is_bound and wants_json(request):
        errors: Mapping[str, list[str]] = {name: [str(e) for e in found] for name, found in form.errors.items()}
        return json(request, Answer(ok=False, message=_("Failed to update the user."), errors=errors), status=status)
    version = form["version"].value()
    context = {
        "form": form,
        "place": place,
        "action": reverse("groups:user-edit", args=[place.clinic.id, place.user.id]),
        "crumbs": place.crumbs(),
        "back": place.back,
        "teams_of": teams_of,
        "version": version,
        "request_id": request.request_id,
        **more,
    }
    return render(request, "groups/user_edit.html", context, status=status)
