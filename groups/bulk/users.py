"""Bulk actions on users: of a clinic, or of all."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, ngettext, npgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from console.audit.content import Change, Ref
from console.audit.record import AuditAction
from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, FollowUp, Options, SelectionTexts, plural
from console.bulk.job import sign_query
from console.forms.blockers import NextStep, reason_texts
from console.forms.return_url import ViewPages, return_url
from console.l10n.bidi import isolated
from console.l10n.numbers import number_text
from console.lists.query import Choice, ListQuery
from console.web.request import ConsoleRequest
from groups.audit.permissions import chosen_permissions
from groups.bulk.presets import note_preset, offered_presets, save_as_preset
from groups.forms.bulk import (
    NO_TEAM,
    ClinicOptionForm,
    PermissionOptionsForm,
    TeamOptionForm,
    TypeOptionForm,
    get_team_id,
    user_changes,
)
from groups.forms.permissions import INHERIT
from groups.islands.permissions import permission_choices
from groups.labels import OPEN_SESSIONS, PERMISSIONS, REFUSALS, person
from groups.links.clinics import clinic_delete_url
from groups.links.permissions import clinic_permissions_url
from groups.links.presets import PRESET
from groups.links.teams import TEAM_DELETION
from groups.links.users import user_links, user_list_url, without_panel
from groups.reading import every_clinic, every_team, every_user
from groups.tables.users import ALL_USERS, USERS
from upstream.bulk import BulkResult
from upstream.client import Upstream
from upstream.errors import Code
from upstream.listing import Listing, ListParams
from upstream.resources.users import User

USER_TEXTS = SelectionTexts(
    selected=plural("%(count)s user selected", "%(count)s users selected"),
    # Translators: follows "1 user can't be deleted." or "1 invitation can't be resent.": a form for both.
    others=lambda n: npgettext("users", "The other one can.", "The other %(count)s can.", n),
    gone=_("This user no longer exists."),
)


class _UserAction(BulkAction[User]):
    """An action on the users of a clinic, or of all; the user's page shows what blocks it and links to the rest."""

    bulk_list: "AllUserActions"

    @property
    def clinic_id(self) -> str:
        return self.bulk_list.clinic_id

    def solution_url(self, id: str, parent_id: str, back: str) -> str:
        return user_links(self.clinic_id or parent_id, id, back=back).get("show", "")


class DeleteUsers(_UserAction):
    name = "delete"
    tone = "danger"
    deletes = True
    texts = ActionTexts(
        label=_("Delete"),
        title=_("Delete users"),
        button=plural("Delete %(count)s user", "Delete %(count)s users"),
        # Translators: heading above a list of users, of any gender.
        planned=pgettext_lazy("users", "Will be deleted"),
        cannot=plural("%(count)s user can't be deleted.", "%(count)s users can't be deleted."),
        done=plural("%(count)s user deleted.", "%(count)s users deleted."),
        not_done=plural("%(count)s user wasn't deleted.", "%(count)s users weren't deleted."),
        failed=_("Failed to delete the user."),
    )

    def blockers(self, row: User) -> list[str]:
        return reason_texts(row.delete_blockers)

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.users.bulk_delete(ids, idempotency_key=key)


def _moved_text(count: int, name: str) -> str:
    """Return the sentence for users who were moved to this clinic or team; "" without its name."""
    if not name:
        return ""
    # Translators: %(name)s: the name of a clinic or of a team.
    text = ngettext("%(count)s user moved to %(name)s.", "%(count)s users moved to %(name)s.", count)
    return text % {"count": number_text(count), "name": isolated(name)}


class MoveToTeam(_UserAction):
    name = "move"
    texts = ActionTexts(
        label=_("Move to a team"),
        title=_("Move users to a team"),
        button=plural("Move %(count)s user", "Move %(count)s users"),
        # Translators: heading above a list of users, of any gender.
        planned=_("Will be moved"),
        cannot=plural("%(count)s user can't be moved.", "%(count)s users can't be moved."),
        done=plural("%(count)s user moved.", "%(count)s users moved."),
        not_done=plural("%(count)s user wasn't moved.", "%(count)s users weren't moved."),
        failed=_("Failed to update the user."),
    )

    def form(self, data: QueryDict | None) -> forms.Form:
        teams = every_team(self.upstream, self.clinic_id)
        return TeamOptionForm(data, teams=[Choice(team.id, team.called) for team in teams])

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.users.bulk_update(ids, team_id=get_team_id(options), idempotency_key=key)

    def previous(self, row: User) -> Ref:
        return Ref(row.team_id or "", row.team_name or "")

    def done_text(self, count: int, options: Options, names: Options) -> str:
        name = names.get(options["team"], "") if options["team"] != NO_TEAM else ""
        return _moved_text(count, name) or super().done_text(count, options, names)

    def entry(self, action: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        chosen = options["team"]
        new = Ref(chosen, names.get(chosen, "")) if chosen != NO_TEAM else Ref()
        changes = [Change("team_id", previous.name or None, new.name or None)]
        return replace(action, team=new, other_team=previous, changes=changes)


class MoveToClinic(_UserAction):
    name = "move-to-clinic"
    activity = "move"
    texts = replace(
        MoveToTeam.texts,
        label=_("Move to a clinic"),
        title=_("Move users to another clinic"),
        note=_("Each team belongs to one clinic. Users who are in a team will be removed from it."),
    )

    def form(self, data: QueryDict | None) -> forms.Form:
        """Offer all clinics except the one that all the users are in."""
        clinics = every_clinic(self.upstream, self.request.admin.organization_id)
        others = [Choice(clinic.id, clinic.called) for clinic in clinics if clinic.id != self.clinic_id]
        return ClinicOptionForm(data, clinics=others)

    def blockers(self, row: User) -> list[str]:
        return reason_texts(row.move_blockers)

    def plan_detail(self, row: User) -> str:
        """Return the team that the user leaves."""
        if not row.team_id:
            return ""
        words = {"filter": gettext("Team"), "value": isolated(row.team_name or row.team_id)}
        return gettext("%(filter)s: %(value)s") % words

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.users.bulk_update(ids, clinic_id=options["clinic"], idempotency_key=key)

    def done_text(self, count: int, options: Options, names: Options) -> str:
        return _moved_text(count, names.get(options["clinic"], "")) or super().done_text(count, options, names)

    def entry(self, action: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        old, new = action.clinic, Ref(options["clinic"], names.get(options["clinic"], ""))
        return replace(action, clinic=new, other_clinic=old, changes=[Change("clinic_id", old.name or None, new.name)])


class ChangeType(_UserAction):
    name = "type"
    activity = "edit"
    texts = ActionTexts(
        label=_("Change type"),
        title=_("Change user type"),
        button=plural("Change type for %(count)s user", "Change type for %(count)s users"),
        # Translators: heading above a list of users, of any gender.
        planned=pgettext_lazy("users", "Will be changed"),
        done=plural("Type changed for %(count)s user.", "Type changed for %(count)s users."),
        not_done=plural("The type wasn't changed for %(count)s user.", "The type wasn't changed for %(count)s users."),
        failed=_("Failed to update the user."),
    )

    def form(self, data: QueryDict | None) -> forms.Form:
        return TypeOptionForm(data)

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.users.bulk_update(ids, user_type=options["user_type"], idempotency_key=key)

    def previous(self, row: User) -> Ref:
        return Ref(row.user_type)

    def entry(self, action: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        return replace(action, changes=[Change("user_type", previous.id or None, options["user_type"])])


class ChangePermissions(_UserAction):
    name = "permissions"
    texts = ActionTexts(
        label=_("Change permissions"),
        title=_("Change user permissions"),
        button=plural("Change permissions for %(count)s user", "Change permissions for %(count)s users"),
        planned=pgettext_lazy("users", "Will be changed"),
        done=plural("Permissions changed for %(count)s user.", "Permissions changed for %(count)s users."),
        not_done=plural(
            "Permissions weren't changed for %(count)s user.",
            "Permissions weren't changed for %(count)s users.",
        ),
        failed=_("Failed to update the permissions."),
    )

    def form(self, data: QueryDict | None) -> forms.Form:
        """Offer to copy from users of the same clinic only, because their permissions may follow it."""
        users = every_user(self.upstream, self.clinic_id) if self.clinic_id else []
        people = [Choice(user.id, person(user)) for user in users]
        return PermissionOptionsForm(
            data,
            can_inherit=True,
            people=people,
            settings=self._settings,
            chosen={name: self.request.POST[name] for name in PERMISSIONS if name in self.request.POST},
            **offered_presets(self.request),
        )

    def _settings(self, user_id: str) -> dict[str, str]:
        return permission_choices(self.upstream.permissions.get_for_user(user_id), can_inherit=True)

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        result = self.upstream.users.bulk_permissions(ids, changes=user_changes(options), idempotency_key=key)
        note_preset(self.request, "user", options, result.done_ids)
        return result

    def follow_up(self, ids: Sequence[str], options: Options, back: str) -> FollowUp | None:
        return save_as_preset(options)

    def entry(self, action: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        return chosen_permissions(action, previous, options, names)


class _InvitationAction(_UserAction):
    def blockers(self, row: User) -> list[str]:
        return [] if row.is_invited else [str(REFUSALS[Code.NOT_INVITED])]


class ResendInvitations(_InvitationAction):
    name = "resend"
    texts = ActionTexts(
        label=_("Resend invitations"),
        title=_("Resend invitations"),
        button=plural("Resend %(count)s invitation", "Resend %(count)s invitations"),
        # Translators: heading above a list of invitations.
        planned=_("Will be resent"),
        cannot=plural("%(count)s invitation can't be resent.", "%(count)s invitations can't be resent."),
        done=plural("%(count)s invitation resent.", "%(count)s invitations resent."),
        not_done=plural("%(count)s invitation wasn't resent.", "%(count)s invitations weren't resent."),
        failed=_("Failed to send the invitation."),
    )

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.users.bulk_resend_invitation(ids, idempotency_key=key)


class CancelInvitations(_InvitationAction):
    name = "cancel"
    deletes = True
    texts = ActionTexts(
        label=_("Cancel invitations"),
        title=_("Cancel invitations"),
        button=plural("Cancel %(count)s invitation", "Cancel %(count)s invitations"),
        # Translators: heading above a list of invitations.
        planned=pgettext_lazy("invitations", "Will be canceled"),
        cannot=plural("%(count)s invitation can't be canceled.", "%(count)s invitations can't be canceled."),
        done=plural("%(count)s invitation canceled.", "%(count)s invitations canceled."),
        not_done=plural("%(count)s invitation wasn't canceled.", "%(count)s invitations weren't canceled."),
        failed=_("Failed to cancel the invitation."),
        # Translators: button: go back, and do not cancel the invitations.
        keep=_("Keep invitations"),
    )

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.users.bulk_cancel_invitation(ids)


class _SetLocked(_UserAction):
    locked: ClassVar[bool]

    @classmethod
    def is_offered(cls, upstream: Upstream) -> bool:
        return upstream.users.can_be_locked

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.users.bulk_set_locked(ids, self.locked, idempotency_key=key)


class LockUsers(_SetLocked):
    locked = True
    name = "lock"
    texts = ActionTexts(
        label=_("Lock"),
        title=_("Lock users"),
        button=plural("Lock %(count)s user", "Lock %(count)s users"),
        # Translators: heading above a list of users, of any gender.
        planned=_("Will be locked"),
        cannot=plural("%(count)s user can't be locked.", "%(count)s users can't be locked."),
        done=plural("%(count)s user locked.", "%(count)s users locked."),
        not_done=plural("%(count)s user wasn't locked.", "%(count)s users weren't locked."),
        failed=_("Failed to lock the user."),
        note=OPEN_SESSIONS,
    )

    @property
    def undo_url(self) -> str:
        return f"{self.bulk_list.path}/bulk/unlock"

    def blockers(self, row: User) -> list[str]:
        return [] if row.is_active else [gettext("Only active users can be locked.")]


class UnlockUsers(_SetLocked):
    locked = False
    name = "unlock"
    texts = ActionTexts(
        label=_("Unlock"),
        title=_("Unlock users"),
        button=plural("Unlock %(count)s user", "Unlock %(count)s users"),
        # Translators: heading above a list of users, of any gender.
        planned=_("Will be unlocked"),
        cannot=plural("%(count)s user can't be unlocked.", "%(count)s users can't be unlocked."),
        done=plural("%(count)s user unlocked.", "%(count)s users unlocked."),
        not_done=plural("%(count)s user wasn't unlocked.", "%(count)s users weren't unlocked."),
        failed=_("Failed to unlock the user."),
    )

    @property
    def undo_url(self) -> str:
        return f"{self.bulk_list.path}/bulk/lock"

    def blockers(self, row: User) -> list[str]:
        return [] if row.is_locked else [gettext("Only locked users can be unlocked.")]


class AllUserActions(BulkList[User]):
    """The actions on the users of all clinics."""

    id = "bulk-users"
    definition = ALL_USERS
    texts = USER_TEXTS
    kind = "user"
    pages = "/user/"
    actions: ClassVar[Sequence[type[BulkAction[Any]]]] = (
        MoveToClinic,
        ChangeType,
        ChangePermissions,
        ResendInvitations,
        LockUsers,
        UnlockUsers,
        CancelInvitations,
        DeleteUsers,
    )
    clinic_id = ""
    url_name = "groups:all-user-list"

    def back(self) -> str:
        """Return the list of users, the deletion that they blocked, the preset that was applied, or the permissions."""
        others = [clinic_delete_url(self.clinic_id), clinic_permissions_url(self.clinic_id)] if self.clinic_id else []
        pages = ViewPages(TEAM_DELETION, (self.clinic_id,)) if self.clinic_id else ViewPages(PRESET, ())
        return without_panel(return_url(self.request, user_list_url(self.clinic_id), *others, pages=pages))

    def read(self, params: ListParams) -> Listing[User]:
        return self.upstream.users.list(params, organization_id=self.request.admin.organization_id)

    def candidate(self, row: User) -> Candidate:
        clinic = Ref(row.clinic_id, row.clinic_name)
        return Candidate(row.id, row.name, row.email, "" if self.clinic_id else row.clinic_id, clinic=clinic)


class UserActions(AllUserActions):
    """The actions on the users of one clinic, who can also be moved to one of its teams."""

    definition = USERS
    pages = ""
    actions = (MoveToTeam, *AllUserActions.actions)

    def __init__(self, request: ConsoleRequest, clinic_id: str) -> None:
        super().__init__(request)
        self.clinic_id = clinic_id

    @property
    def path(self) -> str:
        return user_list_url(self.clinic_id)

    def read(self, params: ListParams) -> Listing[User]:
        return self.upstream.users.list(params, clinic_id=self.clinic_id)

    def belongs(self, row: User) -> bool:
        return row.clinic_id == self.clinic_id

    def check(self) -> None:
        self.upstream.clinics.get(self.clinic_id)


def move_step(request: ConsoleRequest, clinic_id: str, *, back: str, team_id: str = "") -> Callable[[int], NextStep]:
    """Return a function for the step from a deletion that users block to the plan that moves all of them."""
    users = UserActions(request, clinic_id)
    query = ListQuery.read(users.definition, QueryDict(urlencode({"team": team_id} if team_id else {})))
    action = MoveToTeam if team_id else MoveToClinic

    def step(count: int) -> NextStep:
        return NextStep(
            ngettext("Move %(count)s user", "Move %(count)s users", count) % {"count": count},
            f"{users.path}/bulk/{action.name}",
            {"all": "1", "query": sign_query(users, query, count), "back": back},
        )

    return step


def reset_step(request: ConsoleRequest, clinic_id: str, permission: str, count: int, *, back: str) -> NextStep:
    """Return the step to the plan that lets all users of a clinic follow its setting of a permission."""
    users = UserActions(request, clinic_id)
    query = ListQuery.read(users.definition, QueryDict(urlencode({"own_permission": permission})))
    return NextStep(
        # Translators: button: users whose permission is set for them get the clinic's setting again.
        gettext("Reset to clinic setting"),
        f"{users.path}/bulk/{ChangePermissions.name}",
        {"all": "1", "query": sign_query(users, query, count), "back": back, permission: INHERIT},
    )
