"""What can be done to many clinics at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, npgettext, pgettext_lazy

from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, SelectionTexts
from console.forms.blockers import reason_texts
from console.forms.return_url import return_url
from console.web.request import ConsoleRequest
from groups import links
from groups.activity import chosen_permissions, permission_mark
from groups.bulk.presets import note_preset, offered_presets
from groups.forms.bulk import PermissionOptionsForm, clinic_changes
from groups.reading import ComparedClinics
from groups.tables.all_permissions import ALL_PERMISSIONS
from groups.tables.clinics import CLINICS
from upstream.bulk import BulkResult
from upstream.resources.clinics import Clinic, ClinicSettings

CLINIC_TEXTS = SelectionTexts(
    selected=lambda n: ngettext("%(count)s clinic selected", "%(count)s clinics selected", n),
    # Translators: follows a sentence such as "1 clinic can't be deleted."
    others=lambda n: npgettext("clinics", "%(count)s other can.", "The other %(count)s can.", n),
    changed=lambda n: ngettext(
        "The list has changed since you selected %(count)s clinic. Check which clinics are included now.",
        "The list has changed since you selected %(count)s clinics. Check which clinics are included now.",
        n,
    ),
    nothing=_("Select at least one clinic first."),
    all_gone=_("The selected clinics no longer exist."),
    gone=_("This clinic no longer exists."),
    again=_("Select the clinics again."),
    too_many_title=_("Too many clinics selected"),
    too_many=lambda n: ngettext(
        "At most %(count)s clinic can be selected at once. Narrow the list by a search or a filter.",
        "At most %(count)s clinics can be selected at once. Narrow the list by a search or a filter.",
        n,
    ),
)

DELETE = ActionTexts(
    # Translators: button, a verb.
    label=_("Delete"),
    title=_("Delete clinics"),
    button=lambda n: ngettext("Delete %(count)s clinic", "Delete %(count)s clinics", n),
    # Translators: heading above a list of clinics.
    planned=pgettext_lazy("clinics", "Will be deleted"),
    cannot=lambda n: ngettext("%(count)s clinic can't be deleted.", "%(count)s clinics can't be deleted.", n),
    done=lambda n: ngettext("%(count)s clinic deleted.", "%(count)s clinics deleted.", n),
    not_done=lambda n: ngettext("%(count)s clinic was not deleted.", "%(count)s clinics were not deleted.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s clinic was deleted.",
        "It is not known whether %(count)s clinics were deleted.",
        n,
    ),
    failed=_("Failed to delete the clinic."),
    unknown=_("It is not known whether this clinic was deleted."),
)

PERMISSIONS = ActionTexts(
    label=_("Change permissions"),
    title=_("Change permissions of clinics"),
    button=lambda n: ngettext("Change permissions of %(count)s clinic", "Change permissions of %(count)s clinics", n),
    # Translators: heading above a list of clinics.
    planned=pgettext_lazy("clinics", "Will be changed"),
    done=lambda n: ngettext("Permissions of %(count)s clinic changed.", "Permissions of %(count)s clinics changed.", n),
    not_done=lambda n: ngettext(
        "The permissions of %(count)s clinic were not changed.",
        "The permissions of %(count)s clinics were not changed.",
        n,
    ),
    unsure=lambda n: ngettext(
        "It is not known whether the permissions of %(count)s clinic were changed.",
        "It is not known whether the permissions of %(count)s clinics were changed.",
        n,
    ),
    failed=_("Failed to update the permissions."),
    unknown=_("It is not known whether the permissions of this clinic were changed."),
)


def clinic_bulk(request: ConsoleRequest) -> BulkList[Clinic]:
    """Return what can be done to the clinics of the organization; nothing is read for it."""
    organization, path = request.admin.organization_id, links.clinic_list_url()
    return BulkList(
        id="bulk-clinics",
        path=path,
        definition=CLINICS,
        texts=CLINIC_TEXTS,
        read=lambda params: request.upstream.clinics.list(params, organization_id=organization),
        candidate=lambda clinic: Candidate(clinic.id, clinic.name),
        kind="clinic",
        belongs=lambda clinic: clinic.organization_id in ("", organization),
        back=links.back_from_clinics,
        actions=_actions(request),
    )


def _actions(request: ConsoleRequest) -> Sequence[BulkAction[Clinic]]:
    """The actions in their order in the bar. A clinic is always deleted by typing its name, several by their number."""
    return (
        _permissions(request),
        BulkAction(
            "delete",
            DELETE,
            run=lambda ids, _options, key: request.upstream.clinics.bulk_delete(ids, idempotency_key=key),
            activity="delete",
            blockers=lambda clinic: reason_texts(clinic.delete_blockers),
            solved_at=lambda id, _of, back: links.clinic_delete_url(id, back=back),
            deletes=True,
            typed_from=1,
            tone="danger",
        ),
    )


def permission_bulk(request: ConsoleRequest, compared: ComparedClinics) -> BulkList[ClinicSettings]:
    """Return the same of the table of their permissions, which tells what each had before."""
    path = links.all_permissions_url()
    return BulkList(
        id="bulk-permissions",
        path=path,
        pages=links.clinic_list_url(),
        definition=ALL_PERMISSIONS,
        texts=CLINIC_TEXTS,
        read=compared.read,
        candidate=lambda clinic: Candidate(clinic.id, clinic.name),
        kind="clinic",
        belongs=lambda clinic: clinic.organization_id in ("", request.admin.organization_id),
        back=lambda request: return_url(request, path),
        actions=[replace(_permissions(request), was=lambda clinic: permission_mark(clinic.settings))],
    )


def _permissions(request: ConsoleRequest) -> BulkAction[Any]:
    def run(ids: Sequence[str], options: Mapping[str, str], key: str) -> BulkResult:
        changes = clinic_changes(options)
        result = request.upstream.clinics.bulk_permissions(ids, changes=changes, idempotency_key=key)
        note_preset(request, "clinic", options, result)
        return result

    return BulkAction(
        "permissions",
        PERMISSIONS,
        run=run,
        activity="permissions",
        noted=chosen_permissions,
        form=lambda data: PermissionOptionsForm(data, can_inherit=False, **offered_presets(request)),
    )
