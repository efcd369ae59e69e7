"""What can be done to many clinics at once."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from console.access import private
from console.bulk import AT_ONCE, Candidate
from console.bulk_pages import Bar, BarButton, BulkAction, answer, matching
from console.http import ConsoleRequest
from console.lists import ListQuery
from console.reasons import reason_texts
from console.returning import way_back
from console.upstream.client import Upstream
from console.upstream.clinics import Clinic
from console.upstream.errors import NotFound
from console.upstream.listing import Listing, ListParams
from groups.forms.bulk import BulkPermissionForm, clinic_changes
from groups.tables.clinics import CLINICS


@private(methods=("GET", "POST"))
def clinic_bulk(request: ConsoleRequest, action: str) -> HttpResponse:
    upstream, organization = request.upstream, request.admin.organization_id
    actions = _actions(upstream)
    if action not in actions:
        raise NotFound("no such bulk action")
    back = way_back(request, reverse("groups:clinic-list"))
    query = ListQuery.read(CLINICS, QueryDict(back.partition("?")[2]))

    def read(params: ListParams) -> Listing[Clinic]:
        return upstream.clinics.list(params, organization_id=organization)

    def find(ids: Sequence[str]) -> list[Candidate]:
        """The chosen clinics of the organization, in the order of the choice."""
        found = {clinic.id: clinic for clinic in read(ListParams(size=AT_ONCE, ids=tuple(ids))).results}
        chosen = [found[id] for id in ids if id in found]
        return [_candidate(clinic, action) for clinic in chosen if clinic.organization_id == organization]

    return answer(
        request,
        actions[action],
        find=find,
        all_rows=lambda: [_candidate(clinic, action) for clinic in matching(request, query, read)],
        back=back,
    )


def clinic_bulk_bar() -> Bar:
    """The bar below the list of clinics."""

    def button(action: str, label: str, tone: str = "") -> BarButton:
        return BarButton(label, reverse("groups:clinic-bulk", args=[action]), tone)

    return Bar(
        id="bulk-clinics",
        path=reverse("groups:clinic-list"),
        actions=[button("permissions", _("Change permissions")), button("delete", _("Delete"), "danger")],
    )


def _actions(upstream: Upstream) -> dict[str, BulkAction]:
    """The actions by their names in the URL."""

    def permission_form(request: HttpRequest | None) -> BulkPermissionForm:
        return BulkPermissionForm(request.POST if request else None, can_inherit=False)

    found = (
        BulkAction(
            "delete",
            _("Delete clinics"),
            _("Delete clinics"),
            _("Will be deleted"),
            _("Failed to delete the clinic."),
            run=lambda ids, options, key: upstream.clinics.bulk_delete(ids, idempotency_key=key),
            deletes=True,
            typed_from=1,
        ),
        BulkAction(
            "permissions",
            _("Change permissions of clinics"),
            _("Change permissions"),
            _("Will be changed"),
            _("Failed to update the permissions."),
            run=lambda ids, options, key: upstream.clinics.bulk_permissions(
                ids, changes=clinic_changes(options), idempotency_key=key
            ),
            form=permission_form,
        ),
    )
    return {action.name: action for action in found}


def _candidate(clinic: Clinic, action: str) -> Candidate:
    blockers = reason_texts(clinic.delete_blockers) if action == "delete" else ()
    return Candidate(clinic.id, clinic.name, "", tuple(blockers))
