"""Bulk actions on clinics."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import npgettext, pgettext_lazy

from console.audit.content import Ref
from console.audit.record import AuditAction
from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, FollowUp, Options, SelectionTexts, plural
from console.forms.blockers import reason_texts
from console.forms.return_url import ViewPages, return_url
from console.web.request import ConsoleRequest
from groups.audit.permissions import chosen_permissions, permission_mark
from groups.bulk.presets import note_preset, offered_presets, save_as_preset
from groups.forms.bulk import PermissionOptionsForm, clinic_changes
from groups.links.clinics import clinic_delete_url, clinic_list_url
from groups.links.presets import PRESET
from groups.reading import ComparedClinics
from groups.tables.all_permissions import ALL_PERMISSIONS
from groups.tables.clinics import CLINICS
from upstream.bulk import BulkResult
from upstream.listing import Listing, ListParams
from upstream.resources.clinics import Clinic, ClinicSettings

CLINIC_TEXTS = SelectionTexts(
    selected=plural("%(count)s clinic selected", "%(count)s clinics selected"),
    # Translators: follows a sentence such as "1 clinic can't be deleted."
    others=lambda n: npgettext("clinics", "The other one can.", "The other %(count)s can.", n),
)


class DeleteClinics(BulkAction[Clinic]):
    name = "delete"
    tone = "danger"
    deletes = True
    typing_threshold = 1  # even one clinic needs its name typed
    texts = ActionTexts(
        # Translators: button, a verb.
        label=_("Delete"),
        title=_("Delete clinics"),
        button=plural("Delete %(count)s clinic", "Delete %(count)s clinics"),
        # Translators: heading above a list of clinics.
        planned=pgettext_lazy("clinics", "Will be deleted"),
        cannot=plural("%(count)s clinic can't be deleted.", "%(count)s clinics can't be deleted."),
        done=plural("%(count)s clinic deleted.", "%(count)s clinics deleted."),
        not_done=plural("%(count)s clinic wasn't deleted.", "%(count)s clinics weren't deleted."),
        failed=_("Failed to delete the clinic."),
    )

    def blockers(self, row: Clinic) -> list[str]:
        return reason_texts(row.delete_blockers)

    def solution_url(self, id: str, parent_id: str, back: str) -> str:
        return clinic_delete_url(id, back=back)

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.clinics.bulk_delete(ids, idempotency_key=key)


class ChangePermissions(BulkAction[Any]):
    name = "permissions"
    texts = ActionTexts(
        label=_("Change permissions"),
        title=_("Change clinic permissions"),
        button=plural("Change permissions for %(count)s clinic", "Change permissions for %(count)s clinics"),
        # Translators: heading above a list of clinics.
        planned=pgettext_lazy("clinics", "Will be changed"),
        done=plural("Permissions changed for %(count)s clinic.", "Permissions changed for %(count)s clinics."),
        not_done=plural(
            "Permissions weren't changed for %(count)s clinic.",
            "Permissions weren't changed for %(count)s clinics.",
        ),
        failed=_("Failed to update the permissions."),
    )

    def form(self, data: QueryDict | None) -> forms.Form:
        return PermissionOptionsForm(data, can_inherit=False, **offered_presets(self.request))

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        changes = clinic_changes(options)
        result = self.upstream.clinics.bulk_permissions(ids, changes=changes, idempotency_key=key)
        note_preset(self.request, "clinic", options, result.done_ids)
        return result

    def follow_up(self, ids: Sequence[str], options: Options, back: str) -> FollowUp | None:
        return save_as_preset(options)

    def entry(self, action: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        return chosen_permissions(action, previous, options, names)


class ChangeComparedPermissions(ChangePermissions):
    """The same in the table of all permissions, which knows the previous settings of each clinic."""

    def previous(self, row: ClinicSettings) -> Ref:
        return permission_mark(row.settings)


class ClinicActions(BulkList[Clinic]):
    """The actions on the clinics of the organization."""

    id = "bulk-clinics"
    definition = CLINICS
    texts = CLINIC_TEXTS
    kind = "clinic"
    actions = (ChangePermissions, DeleteClinics)
    url_name = "groups:clinic-list"

    def back(self) -> str:
        """Return the list of clinics, or the preset that was applied."""
        return return_url(self.request, clinic_list_url(), pages=ViewPages(PRESET, ()))

    def read(self, params: ListParams) -> Listing[Clinic]:
        return self.upstream.clinics.list(params, organization_id=self.request.admin.organization_id)

    def candidate(self, row: Clinic) -> Candidate:
        return Candidate(row.id, row.name)

    def belongs(self, row: Clinic) -> bool:
        return row.organization_id in ("", self.request.admin.organization_id)


class PermissionActions(BulkList[ClinicSettings]):
    """The actions on the clinics in the table of their permissions."""

    id = "bulk-permissions"
    definition = ALL_PERMISSIONS
    texts = CLINIC_TEXTS
    kind = "clinic"
    actions = (ChangeComparedPermissions,)
    url_name = "groups:all-permission-list"

    def __init__(self, request: ConsoleRequest) -> None:
        super().__init__(request)
        self.pages = clinic_list_url()
        self._compared = ComparedClinics(request)

    def read(self, params: ListParams) -> Listing[ClinicSettings]:
        return self._compared.read(params)

    def candidate(self, row: ClinicSettings) -> Candidate:
        return Candidate(row.id, row.name)

    def belongs(self, row: ClinicSettings) -> bool:
        return row.organization_id in ("", self.request.admin.organization_id)
