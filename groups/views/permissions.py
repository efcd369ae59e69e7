"""The five permissions of a clinic or of a user: shown, and changed one by one or all at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from console.access import private
from console.failures import describe
from console.form_errors import upstream_message
from console.http import ConsoleRequest, wants_json
from console.lists import ID
from console.once import once
from console.respond import Answer, done, json
from console.returning import way_back, with_way_back
from console.upstream.errors import Code, Conflict, NotDone, NotFound
from console.upstream.permissions import Permission, PermissionSet
from groups.forms.order_labs import OrderLabsForm
from groups.forms.permissions import PERMISSIONS, PermissionForm
from groups.islands import PermissionTogglesProps, permission_choices, permission_conflicts, permission_toggles
from groups.tables.clinics import users_url
from groups.views.user_changes import place_of

Change = Callable[[dict[str, bool | None], int | None], object]
"""Sends the changes, with the version that the sender saw."""


@dataclass(frozen=True)
class Panel:
    """Whose permissions these are, and what the page around them needs."""

    url: str
    here: str
    """The page again, which still knows the way back to its list."""
    owner_name: str
    crumbs: list[dict[str, str]]
    back_href: str
    can_inherit: bool
    clinic_id: str = ""
    labs_url: str = ""
    copy_url: str = ""


@private(methods=("GET", "POST"))
def clinic_permissions(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    panel, current = clinic_panel(request, clinic_id)
    upstream = request.upstream
    return _answer(
        request,
        panel,
        current,
        read=lambda: upstream.permissions.of_clinic(clinic_id),
        change=lambda changes, version: upstream.permissions.change_clinic(clinic_id, changes=changes, version=version),
    )


def clinic_panel(request: ConsoleRequest, clinic_id: str) -> tuple[Panel, PermissionSet]:
    """The clinic of the page, and what is in force there."""
    upstream = request.upstream
    clinic, current = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.permissions.of_clinic(clinic_id),
    )
    url, clinics = reverse("groups:clinic-permissions", args=[clinic_id]), reverse("groups:clinic-list")
    back = way_back(request, clinics)
    panel = Panel(
        url=url,
        here=with_way_back(url, back, clinics),
        owner_name=clinic.name,
        crumbs=[_clinics(), {"label": clinic.name, "href": users_url(clinic_id)}],
        back_href=back,
        can_inherit=False,
        clinic_id=clinic_id,
        labs_url=reverse("groups:clinic-order-labs", args=[clinic_id]),
    )
    return panel, current


@private(methods=("GET", "POST"))
def user_permissions(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, user, current = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.users.get(user_id),
        lambda: upstream.permissions.of_user(user_id),
    )
    place, users = place_of(request, clinic, user), users_url(clinic_id)
    url = reverse("groups:user-permissions", args=[clinic_id, user_id])
    panel = Panel(
        url=url,
        here=with_way_back(url, place.back, users),
        copy_url=with_way_back(reverse("groups:permission-copy", args=[clinic_id, user_id]), place.back, users),
        owner_name=user.name,
        crumbs=place.crumbs(),
        back_href=place.back,
        can_inherit=True,
    )
    source = request.GET.get("copy_from", "") if request.method == "GET" else ""
    if ID.fullmatch(source):
        return _copied(request, panel, current, clinic_id, source)
    return _answer(
        request,
        panel,
        current,
        read=lambda: upstream.permissions.of_user(user_id),
        change=lambda changes, version: upstream.permissions.change_user(user_id, changes=changes, version=version),
    )


def _copied(
    request: ConsoleRequest, panel: Panel, current: PermissionSet, clinic_id: str, source_id: str
) -> HttpResponse:
    """The form filled with another user's settings, which are not saved before somebody looked at them."""
    upstream = request.upstream
    source, theirs = upstream.together(
        lambda: upstream.users.get(source_id), lambda: upstream.permissions.of_user(source_id)
    )
    if source.clinic_id != clinic_id:
        raise NotFound("a user of another clinic")
    settings = permission_choices(theirs, can_inherit=True)
    chosen = {name: choice for name, choice in settings.items() if choice}
    return panel_page(request, panel, current, chosen=chosen, copied_from=source.name)


def _answer(
    request: ConsoleRequest,
    panel: Panel,
    current: PermissionSet,
    *,
    read: Callable[[], PermissionSet],
    change: Change,
) -> HttpResponse:
    """Show the panel, or carry out what was chosen and show what is in force then."""
    if request.method != "POST":
        return panel_page(request, panel, current)
    form = PermissionForm(request.POST, can_inherit=panel.can_inherit)
    if not form.is_valid():
        return _refused(request, panel, current, form, _("Failed to update the permissions."), status=422)
    if not form.changes():
        return done(request, goto=panel.here, item=_props(panel, current))
    return once(request, lambda _key: _change(request, panel, current, form, read=read, change=change))


def _change(
    request: ConsoleRequest,
    panel: Panel,
    current: PermissionSet,
    form: PermissionForm,
    *,
    read: Callable[[], PermissionSet],
    change: Change,
) -> HttpResponse:
    try:
        change(form.changes(), form.cleaned_data.get("version") or None)
    except NotDone as error:
        message = upstream_message(error, _("Failed to update the permissions."))
        newest = newest_of(read, current) if isinstance(error, Conflict) else current
        status = describe(error, was_write=True).status
        is_stale = error.code == Code.CHANGED_MEANWHILE
        return _refused(request, panel, newest, form, message, status=status, is_stale=is_stale)
    message = _("Permissions updated.")
    if wants_json(request):
        newest = newest_of(read, _applied(current, form))
        return done(request, goto=panel.here, message=message, item=_props(panel, newest))
    messages.success(request, message)
    return done(request, goto=panel.here)


def newest_of(read: Callable[[], PermissionSet], otherwise: PermissionSet) -> PermissionSet:
    """What is in force now; a read that fails after a write must not make the write look as if it had failed."""
    try:
        return read()
    except (NotDone, NotFound):
        return otherwise


def _applied(current: PermissionSet, form: PermissionForm) -> PermissionSet:
    """The permissions as they must be after the form's changes; their version is not known."""
    changed = {name: Permission(value=value) for name, value in form.changes().items() if value is not None}
    return msgspec.structs.replace(current, permissions={**current.permissions, **changed}, version=None)


def _props(panel: Panel, current: PermissionSet) -> PermissionTogglesProps:
    return permission_toggles(current, url=panel.url, owner_name=panel.owner_name, can_inherit=panel.can_inherit)


def _refused(
    request: ConsoleRequest,
    panel: Panel,
    current: PermissionSet,
    form: PermissionForm,
    message: str,
    *,
    status: int,
    is_stale: bool = False,
) -> HttpResponse:
    """What was changed stays chosen, all else is as it is in force; of a stale change both values are shown."""
    if wants_json(request):
        return json(request, Answer(ok=False, message=message, item=_props(panel, current)), status=status)
    chosen = form.chosen() if form.is_valid() else {name: form.data[name] for name in PERMISSIONS if name in form.data}
    if not is_stale:
        # Nobody was asked yet about what others changed: the next save must still be known as one of what was seen.
        seen = form.cleaned_data.get("version") or current.version
        current = msgspec.structs.replace(current, version=seen)
    return panel_page(request, panel, current, error=message, chosen=chosen, status=status, is_stale=is_stale)


def panel_page(
    request: ConsoleRequest,
    panel: Panel,
    current: PermissionSet,
    *,
    error: str = "",
    reasons: Sequence[str] = (),
    chosen: Mapping[str, str] = {},
    copied_from: str = "",
    labs: OrderLabsForm | None = None,
    status: int = 200,
    is_stale: bool = False,
) -> HttpResponse:
    """The page of the permissions; `chosen` is what is not saved yet, `labs` what was sent and refused."""
    props = _props(panel, current)
    in_force = permission_choices(current, can_inherit=panel.can_inherit)
    is_told = all(in_force.values())  # a switch is on or off; a form can also show neither
    choices = (labs or OrderLabsForm(labs=current.order_labs)).choices() if panel.labs_url else []
    context = {
        "owner_name": panel.owner_name,
        "crumbs": panel.crumbs,
        "back_href": panel.back_href,
        "clinic_id": panel.clinic_id,
        "props": props,
        "in_force": in_force,
        "choices": {**in_force, **chosen},
        "unsaved": bool(chosen),
        "has_switches": is_told and not chosen,
        "copied_from": copied_from,
        "copy_href": panel.copy_url,
        "conflicts": [*permission_conflicts(in_force, chosen), *(labs.conflicts() if labs else [])] if is_stale else [],
        "is_stale": is_stale,
        "labs": [lab for lab in choices if not lab.reason],
        "other_labs": [lab for lab in choices if lab.reason],
        "labs_url": panel.labs_url,
        "labs_unsaved": labs is not None,
        "error": error,
        "reasons": reasons,
        "here": panel.here,
        "request_id": request.request_id,
    }
    return render(request, "groups/permission_edit.html", context, status=status)


def _clinics() -> dict[str, str]:
    return {"label": _("Clinics"), "href": reverse("groups:clinic-list")}
