"""The five permissions of a clinic or of a user: shown, and changed one by one or all at once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from console.audit.content import Ref
from console.audit.query import last_changes
from console.audit.record import AuditAction
from console.errors import ObjectNotFound, VersionConflict
from console.forms.blockers import NextStep
from console.forms.drafts import form_data_or_draft, restore
from console.forms.errors import Difference
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.return_url import return_url, with_return_url
from console.forms.submit import CHECK_VALUES, Problem, State, WriteTexts, submit
from console.l10n.bidi import isolated
from console.lists.query import ID
from console.web.access import private
from console.web.links import Link
from console.web.request import ConsoleRequest, bound, get_tz, wants_json
from console.web.responses import done
from groups.audit.clinics import clinic_ref
from groups.audit.permissions import permission_changes
from groups.audit.users import user_action
from groups.bulk.presets import note_preset
from groups.bulk.users import reset_step
from groups.forms.order_labs import OrderLabsForm
from groups.forms.permissions import PermissionForm
from groups.islands.permissions import (
    PermissionState,
    change_links,
    permission_change_messages,
    permission_choices,
    permission_conflicts,
    permission_state,
    permission_toggles,
    permissions_as_sent,
)
from groups.labels import PERMISSIONS, person
from groups.links.clinics import clinic_list_url, clinics_crumb
from groups.links.permissions import all_permissions_url, ordering_list_url, ordering_url
from groups.links.users import back_to_users, user_links
from groups.models import Subject
from groups.reading import clinic_user, every_preset
from groups.views.reminders import clinic_subject, reminder_card, user_subject
from upstream.errors import NotDone, NotFound
from upstream.resources.clinics import Clinic
from upstream.resources.permissions import Permission, PermissionSet

PROOF_MAX_AGE = 3600
"""Seconds for which a page proves the settings that it showed; as long as for a plan."""


@dataclass(frozen=True)
class PermissionOwner:
    """The clinic or user whose permissions are shown, the settings in force, and the values that the page needs."""

    name: str
    entry: AuditAction
    """The audit entry of a change."""
    current: PermissionSet
    url: str
    page_url: str
    """The address of the page, with the list to return to."""
    back: str
    crumbs: Sequence[Mapping[str, str]]
    subject: Subject
    """The subject of reminders."""
    preset_url: str
    """The address of the list of presets to apply."""
    clinic: Clinic | None = None
    """For a clinic only: its page has tabs, and labs to order from."""
    clinic_settings: Mapping[str, Permission] | None = None
    """For a user with their own settings only: those of the clinic, if they can be read."""
    copy_url: str = ""
    email: str = ""
    """For a user only."""

    @property
    def can_inherit(self) -> bool:
        return self.clinic is None

    @property
    def labs_url(self) -> str:
        return reverse("groups:clinic-lab-edit", args=[self.clinic.id]) if self.clinic else ""


@private(methods=("GET", "POST"))
@idempotent
def clinic_permission_edit(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    permissions = request.upstream.permissions
    if preset_id := _requested_source(request, "preset"):
        return _with_preset(request, clinic_owner(request, clinic_id), preset_id)
    return _edit(
        request,
        can_inherit=False,
        owner=lambda: clinic_owner(request, clinic_id),
        page_url=lambda: clinic_permission_url(request, clinic_id),
        change=lambda changes, version: permissions.change_clinic(clinic_id, changes=changes, version=version),
    )


@private(methods=("GET", "POST"))
@idempotent
def user_permission_edit(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    permissions = request.upstream.permissions
    if source := _requested_source(request, "copy_from"):
        return _copied(request, _user_owner(request, clinic_id, user_id), clinic_id, source)
    if preset_id := _requested_source(request, "preset"):
        return _with_preset(request, _user_owner(request, clinic_id, user_id), preset_id)
    return _edit(
        request,
        can_inherit=True,
        owner=lambda: _user_owner(request, clinic_id, user_id),
        page_url=lambda: _user_page(request, clinic_id, user_id),
        change=lambda changes, version: permissions.change_user(user_id, changes=changes, version=version),
    )


def _requested_source(request: ConsoleRequest, name: str) -> str:
    """Return the ID in the address of the settings that fill the form; "" if a draft of this page comes first."""
    id = request.GET.get(name, "") if request.method == "GET" else ""
    return id if ID.fullmatch(id) and form_data_or_draft(request) is None else ""


@dataclass(frozen=True)
class PermissionSnapshot:
    """The settings that a page showed, in which version, and the audit entry of a change to them."""

    entry: AuditAction
    settings: Mapping[str, str]
    version: int | None

    @classmethod
    def from_owner(cls, owner: PermissionOwner) -> "PermissionSnapshot":
        settings = permission_choices(owner.current, can_inherit=owner.can_inherit)
        return cls(owner.entry, settings, owner.current.version)

    def sign(self, request: ConsoleRequest, url: str) -> str:
        """Sign that this administrator saw these settings, so that a switch needn't read them again."""
        target, clinic = self.entry.target, self.entry.clinic
        about = [self.entry.kind, target.id, target.name, clinic.id, clinic.name]
        return _signer(request, url).sign_object([about, dict(self.settings), self.version])

    @classmethod
    def read(cls, request: ConsoleRequest, data: QueryDict) -> "PermissionSnapshot | None":
        """Return the settings that the page showed, or None if its proof is invalid or older than an hour."""
        signer = _signer(request, request.path)
        try:
            about, settings, version = signer.unsign_object(data.get("proof", ""), max_age=PROOF_MAX_AGE)
            kind, id, name, clinic_id, clinic_name = about
        except (BadSignature, ValueError):
            return None
        if data.get("version", "") != ("" if version is None else str(version)):
            return None
        return cls(
            AuditAction(kind, "permissions", Ref(id, name), clinic=Ref(clinic_id, clinic_name)), settings, version
        )


def _signer(request: ConsoleRequest, url: str) -> TimestampSigner:
    return TimestampSigner(salt=bound(request, "permissions", url))


def permission_texts() -> WriteTexts:
    """Return the texts for changes of one owner's permissions."""
    return WriteTexts(
        done=_("Permissions updated."),
        action=_("Change permissions"),
        failed=_("Failed to update the permissions."),
        unknown=CHECK_VALUES,
    )


def clinic_owner(request: ConsoleRequest, clinic_id: str) -> PermissionOwner:
    """Read the clinic of the page, and its settings in force."""
    upstream = request.upstream
    clinic, current = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.permissions.get_for_clinic(clinic_id),
    )
    return PermissionOwner(
        name=clinic.called,
        entry=AuditAction("clinic", "permissions", clinic_ref(clinic)),
        current=current,
        url=reverse("groups:clinic-permission-edit", args=[clinic_id]),
        page_url=clinic_permission_url(request, clinic_id),
        back=back_to_clinics(request),
        crumbs=[clinics_crumb()],
        preset_url=_clinic_page(request, "groups:clinic-preset-apply", clinic_id),
        clinic=clinic,
        subject=clinic_subject(clinic),
    )


def clinic_permission_url(request: ConsoleRequest, clinic_id: str) -> str:
    """Return the address of a clinic's permissions, with the list to return to as it was."""
    return _clinic_page(request, "groups:clinic-permission-edit", clinic_id)


def _clinic_page(request: ConsoleRequest, view: str, clinic_id: str) -> str:
    return with_return_url(reverse(view, args=[clinic_id]), back_to_clinics(request), clinic_list_url())


def back_to_clinics(request: ConsoleRequest) -> str:
    """Return the list that the clinic was opened from."""
    return return_url(request, clinic_list_url(), all_permissions_url(), ordering_url(), ordering_list_url())


def _user_page(request: ConsoleRequest, clinic_id: str, user_id: str) -> str:
    back = back_to_users(request, clinic_id)
    return user_links(clinic_id, user_id, back=back)["permissions"]


def _user_owner(request: ConsoleRequest, clinic_id: str, user_id: str) -> PermissionOwner:
    upstream = request.upstream
    clinic, user, current = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.users.get(user_id),
        lambda: upstream.permissions.get_for_user(user_id),
    )
    subject = clinic_user(request, clinic, user)
    return PermissionOwner(
        name=user.called,
        entry=user_action("permissions", clinic, user),
        email=user.email,
        current=current,
        url=reverse("groups:user-permission-edit", args=[clinic_id, user_id]),
        page_url=subject.links["permissions"],
        back=subject.back,
        crumbs=subject.crumbs,
        preset_url=subject.links["apply_preset"],
        copy_url=subject.links["copy_permissions"],
        subject=user_subject(subject),
        clinic_settings=_read_clinic_settings(request, clinic_id, current),
    )


def _read_clinic_settings(
    request: ConsoleRequest, clinic_id: str, current: PermissionSet
) -> Mapping[str, Permission] | None:
    """Read the settings that a user can follow; return None if the user follows them all, or if that fails."""
    if all(permission.follows_clinic for permission in current.permissions.values()):
        return None
    try:
        return request.upstream.permissions.get_for_clinic(clinic_id).permissions
    except (NotDone, NotFound):
        return None


def _copied(request: ConsoleRequest, owner: PermissionOwner, clinic_id: str, source_id: str) -> HttpResponse:
    """Show the form filled with another user's permissions."""
    upstream = request.upstream
    source, source_permissions = upstream.together(
        lambda: upstream.users.get(source_id), lambda: upstream.permissions.get_for_user(source_id)
    )
    if source.clinic_id != clinic_id:
        raise ObjectNotFound("a user of another clinic")
    name = {"name": person(source)}
    return _filled(
        request,
        owner,
        permission_choices(source_permissions, can_inherit=True),
        # Translators: %(name)s: another user, maybe with the email address.
        changes=_("Permissions copied from %(name)s. They aren't saved yet.") % name,
        # Translators: %(name)s: another user, maybe with the email address.
        no_changes=_("Nothing to copy from %(name)s: no permission would change.") % name,
    )


def _with_preset(request: ConsoleRequest, owner: PermissionOwner, preset_id: str) -> HttpResponse:
    """Show the form filled with a preset; without it if the preset was deleted or can't be read."""
    preset = next((preset for preset in every_preset(request) if preset.id == preset_id), None)
    if preset is None:
        notice = _("This preset isn't available. No permissions changed.")
        return permission_page(request, owner, notice=notice)
    name = {"name": isolated(preset.name)}
    return _filled(
        request,
        owner,
        preset.settings,
        # Translators: %(name)s: a preset, a named set of the five permissions.
        changes=_("Permissions filled in from the “%(name)s” preset. They aren't saved yet.") % name,
        # Translators: %(name)s: a preset, a named set of the five permissions.
        no_changes=_("The permissions already match the “%(name)s” preset.") % name,
        preset_id=preset.id,
    )


def _filled(
    request: ConsoleRequest,
    owner: PermissionOwner,
    settings: Mapping[str, str],
    *,
    changes: str,
    no_changes: str,
    preset_id: str = "",
) -> HttpResponse:
    """Show the form with these settings chosen, to be checked before they are saved, and what that `changes`."""
    in_force = permission_choices(owner.current, can_inherit=owner.can_inherit)
    chosen = {name: settings[name] for name in PERMISSIONS if settings[name] not in ("", in_force[name])}
    if not chosen:
        return permission_page(request, owner, notice=no_changes)
    return permission_page(request, owner, chosen=chosen, notice=changes, preset_id=preset_id)


def _edit(
    request: ConsoleRequest,
    *,
    can_inherit: bool,
    owner: Callable[[], PermissionOwner],
    page_url: Callable[[], str],
    change: Callable[[Mapping[str, bool | None], int | None], int | None],
) -> HttpResponse:
    """Show the page, or save what was chosen: one write, and one read of the owner and the settings in force."""
    data, read_owner, texts = form_data_or_draft(request), cache(owner), permission_texts()
    proved = PermissionSnapshot.read(request, data) if data is not None else None
    if not (snapshot := proved):
        # Settings that are written must be read again afterwards. Raises NotFound for those of another organization.
        snapshot = PermissionSnapshot.from_owner(owner() if request.method == "POST" else read_owner())
    # A switch sends only the permission that it changes, whatever its page showed.
    is_form = proved is not None and not wants_json(request)
    form = PermissionForm(data, can_inherit=can_inherit, displayed=snapshot.settings if is_form else None)

    def page(*, status: int = 200, problem: Problem | None = None) -> HttpResponse:
        return permission_page(request, read_owner(), chosen=form.expected(), form=form, status=status, problem=problem)

    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    def perform(_key: str) -> tuple[Iterable[str], int | None]:
        """Write what was chosen; return the permissions that changed, and the new version."""
        if not form.changes():
            return (), None
        if form.has_no_version:
            form.check_version(owner().current.version)
            if proved is None and not wants_json(request):
                # Without a version or a proof it isn't known what the page showed, so each of its choices could be old.
                raise VersionConflict("a form without version and proof")
        return form.changes(), change(form.changes(), form.sent_version)

    def read_stored() -> State[PermissionSet]:
        newest = read_owner().current
        conflicts = permission_conflicts(permission_choices(newest, can_inherit=can_inherit), form.expected())
        return State(newest, is_as_sent=not conflicts, differences=conflicts)

    chosen = form.chosen()
    changed = {name: choice for name, choice in chosen.items() if choice != snapshot.settings[name]}
    entry = replace(snapshot.entry, changes=permission_changes(changed or chosen, snapshot.settings), edits=True)
    outcome = submit(request, form, perform, texts=texts, entry=entry, verify=read_stored)

    def item(*, version: int | None, is_saved: bool) -> PermissionState:
        try:
            proof, last = _proof(request, read_owner()), _changed(request, read_owner())
            return permission_state(
                read_owner().current,
                clinic=read_owner().clinic,
                clinic_settings=read_owner().clinic_settings,
                proof=proof,
                changed=last,
            )
        except (NotDone, NotFound, ObjectNotFound):
            changes, choices = (form.changes(), chosen) if is_saved else ({}, {})
            proof = replace(snapshot, settings={**snapshot.settings, **choices}, version=version).sign(
                request, request.path
            )
            return permissions_as_sent(changes, version=version, proof=proof, can_inherit=can_inherit)

    if isinstance(outcome, Problem):
        state = item(version=None, is_saved=False) if wants_json(request) else None
        return refuse(request, form, outcome, page, url=page_url(), item=state)
    names, version = outcome.result or ((), None)
    options = {name: str(form.data.get(name) or "") for name in ("preset", *PERMISSIONS)}
    note_preset(request, entry.kind, options, [entry.target.id])
    # A read that fails after the write must not make the write seem to have failed.
    try:
        messages = permission_change_messages(
            names, read_owner().current, owner_name=read_owner().name, clinic=read_owner().clinic
        )
    except (NotDone, NotFound, ObjectNotFound):
        messages = []
    return done(
        request,
        goto=page_url(),
        message=" ".join(messages) or (texts.done if form.changes() else _("No permissions changed.")),
        is_change=bool(form.changes()),
        item=item(version=version, is_saved=True) if wants_json(request) else None,
    )


def _resets(request: ConsoleRequest, owner: PermissionOwner) -> dict[str, NextStep]:
    """Return the steps that let all users of the clinic follow its settings, by permission."""
    if owner.clinic is None:
        return {}
    counts, back = owner.current.override_counts, owner.page_url
    return {
        name: reset_step(request, owner.clinic.id, name, counts[name].on + counts[name].off, back=back)
        for name in PERMISSIONS
        if name in counts
    }


def _proof(request: ConsoleRequest, owner: PermissionOwner) -> str:
    return PermissionSnapshot.from_owner(owner).sign(request, owner.url)


def _changed(request: ConsoleRequest, owner: PermissionOwner) -> Mapping[str, Link]:
    """Return who set each of these permissions last."""
    return change_links(last_changes(request, owner.entry.kind, owner.entry.target.id), get_tz(request))


def permission_page(
    request: ConsoleRequest,
    owner: PermissionOwner,
    *,
    chosen: Mapping[str, str] | None = None,
    form: PermissionForm | None = None,
    labs: OrderLabsForm | None = None,
    notice: str = "",
    preset_id: str = "",
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    """Show the permissions; `chosen` is not saved yet, `labs` was sent and refused.

    `preset_id`: the preset with the chosen settings.
    """
    chosen = chosen or {}
    current = owner.current
    props = permission_toggles(
        current,
        url=owner.url,
        owner_name=owner.name,
        clinic=owner.clinic,
        clinic_settings=owner.clinic_settings,
        proof=_proof(request, owner),
        changed=_changed(request, owner),
    )
    in_force = permission_choices(current, can_inherit=owner.can_inherit)
    is_complete = all(in_force.values())  # a switch is on or off; a form can also show neither
    shows_newest = problem is not None and (problem.is_stale or problem.is_unknown)
    if labs is None and owner.labs_url:
        labs_data = form_data_or_draft(request, action=owner.labs_url) if request.method == "GET" else None
        labs = OrderLabsForm(labs_data, labs=current.order_labs)
        restore(request, labs, extra_fields=("was",))
    if form is not None:
        restore(request, form)
    choices = labs.choices() if labs else []
    conflicts: list[Difference] = []
    if shows_newest:
        conflicts = [*permission_conflicts(in_force, chosen), *(labs.conflicts() if labs and labs.is_bound else [])]
    context = {
        "owner": owner,
        "crumbs": owner.crumbs,
        "props": props,
        # Changes by others were not shown yet, so the next save is still based on the version that was shown.
        "version": current.version if shows_newest or form is None else form.next_version or current.version,
        "in_force": in_force,
        "choices": {**in_force, **chosen},
        "unsaved": bool(chosen),
        "has_switches": is_complete and not chosen,
        "notice": notice,
        "preset": form.data.get("preset", "") if form else preset_id,
        "problem": problem,
        "conflicts": conflicts,
        "labs": [lab for lab in choices if not lab.reason],
        "other_labs": [lab for lab in choices if lab.reason],
        "labs_were": labs.stored if labs else "",
        "labs_unsaved": labs is not None and labs.is_bound,
        "resets": _resets(request, owner),
        "reminders": reminder_card(request, owner.subject, page_url=owner.page_url),
    }
    return render(request, "groups/permission_edit.html", context, status=status)
