"""Bulk decisions about scanners."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from django.utils.translation import gettext_lazy as _
from django.utils.translation import npgettext

from console.audit.content import Change, Ref
from console.audit.record import AuditAction
from console.bulk.action import (
    TYPING_THRESHOLD,
    ActionTexts,
    BulkAction,
    BulkList,
    Candidate,
    Options,
    SelectionTexts,
    plural,
)
from console.forms.blockers import reason_texts
from console.lists.query import ListQuery
from scanners import links
from scanners.labels import DECISIONS
from scanners.tables.scanners import SCANNERS
from upstream.bulk import BulkResult
from upstream.listing import Listing, ListParams
from upstream.resources.scanners import (
    APPROVE,
    CANCEL_APPROVAL,
    DISAPPROVE,
    SCANNER_STATUSES,
    STATUS_AFTER,
    Scanner,
    may_allow,
)

SCANNER_TEXTS = SelectionTexts(
    selected=plural("%(count)s scanner selected", "%(count)s scanners selected"),
    # Translators: follows a sentence such as "1 scanner can't be approved."
    others=lambda n: npgettext("scanners", "The other one can.", "The other %(count)s can.", n),
)


class _Decision(BulkAction[Scanner]):
    decision: ClassVar[str]

    @classmethod
    def fits_list(cls, query: ListQuery) -> bool:
        return may_allow(cls.decision, query.filters.get("status", SCANNER_STATUSES))

    def blockers(self, row: Scanner) -> list[str]:
        return reason_texts(row.blockers(self.decision))

    def solution_url(self, id: str, parent_id: str, back: str) -> str:
        return links.scanner_page_from(id, back)

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.scanners.bulk_decide(ids, self.decision, idempotency_key=key)

    def previous(self, row: Scanner) -> Ref:
        return Ref(row.status)

    def entry(self, base_entry: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        return replace(base_entry, changes=[Change("status", previous.id or None, STATUS_AFTER[self.decision])])


class Approve(_Decision):
    decision = APPROVE
    name = links.DECISIONS[APPROVE]
    row_action = f"/{name}"
    texts = ActionTexts(
        label=_("Approve"),
        title=_("Approve scanners"),
        button=plural("Approve %(count)s scanner", "Approve %(count)s scanners"),
        # Translators: heading above a list of scanners.
        planned=_("Will be approved"),
        cannot=plural("%(count)s scanner can't be approved.", "%(count)s scanners can't be approved."),
        done=plural("%(count)s scanner approved.", "%(count)s scanners approved."),
        not_done=plural("%(count)s scanner wasn't approved.", "%(count)s scanners weren't approved."),
        failed=_("Failed to approve the scanner."),
        note=_(
            "Approved scanners can be used in this organization only. Connections from other organizations are refused."
        ),
    )
    undo_label = DECISIONS[CANCEL_APPROVAL].button

    @property
    def undo_url(self) -> str:
        return f"{self.bulk_list.path}/bulk/{links.DECISIONS[CANCEL_APPROVAL]}"


class Disapprove(_Decision):
    decision = DISAPPROVE
    name = links.DECISIONS[DISAPPROVE]
    row_action = f"/{name}"
    texts = ActionTexts(
        label=_("Disapprove"),
        title=_("Disapprove scanners"),
        button=plural("Disapprove %(count)s scanner", "Disapprove %(count)s scanners"),
        # Translators: heading above a list of scanners.
        planned=_("Will be disapproved"),
        cannot=plural("%(count)s scanner can't be disapproved.", "%(count)s scanners can't be disapproved."),
        done=plural("%(count)s scanner disapproved.", "%(count)s scanners disapproved."),
        not_done=plural("%(count)s scanner wasn't disapproved.", "%(count)s scanners weren't disapproved."),
        failed=_("Failed to disapprove the scanner."),
        note=_("This doesn't block the scanners. You'll be asked to approve them again the next time they connect."),
    )


class CancelApproval(_Decision):
    decision = CANCEL_APPROVAL
    name = links.DECISIONS[CANCEL_APPROVAL]
    activity = CANCEL_APPROVAL.lower()
    row_action = f"/{name}"
    typing_threshold = TYPING_THRESHOLD
    texts = ActionTexts(
        label=_("Cancel approval"),
        # Translators: title of a page.
        title=_("Cancel scanner approvals"),
        # Translators: a button.
        button=plural("Cancel approval for %(count)s scanner", "Cancel approval for %(count)s scanners"),
        # Translators: heading above a list of scanners.
        planned=_("Approval will be canceled"),
        cannot=plural(
            "Approval can't be canceled for %(count)s scanner.",
            "Approval can't be canceled for %(count)s scanners.",
        ),
        done=plural("Approval canceled for %(count)s scanner.", "Approval canceled for %(count)s scanners."),
        not_done=plural(
            "Approval wasn't canceled for %(count)s scanner.",
            "Approval wasn't canceled for %(count)s scanners.",
        ),
        failed=_("Failed to cancel the approval of the scanner."),
        # Translators: button: go back, and do not cancel the approval of the scanners.
        keep=_("Keep approvals"),
        note=_(
            "Other organizations will then be able to use these scanners. You'll be asked again the next time "
            "one connects here."
        ),
    )


class ScannerActions(BulkList[Scanner]):
    """The bulk decisions about the organization's scanners; a scanner does not say which organization it belongs to."""

    id = "bulk-scanners"
    definition = SCANNERS
    texts = SCANNER_TEXTS
    kind = "scanner"
    actions = (Approve, Disapprove, CancelApproval)
    url_name = "scanners:scanner-list"

    def back(self) -> str:
        return links.back_to_list(self.request)

    def read(self, params: ListParams) -> Listing[Scanner]:
        return self.upstream.scanners.list(params, organization_id=self.request.admin.organization_id)

    def candidate(self, row: Scanner) -> Candidate:
        return Candidate(row.id, row.called, row.clinic_name, clinic=Ref(row.clinic_id, row.clinic_name))
