"""What can be decided about many scanners at once."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, npgettext

from console.audit.content import Change, Ref
from console.bulk.action import TYPED_FROM, ActionTexts, BulkAction, BulkList, Candidate, SelectionTexts
from console.forms.blockers import reason_texts
from console.web.request import ConsoleRequest
from scanners import links
from scanners.tables.scanners import SCANNERS
from upstream.resources.scanners import (
    APPROVE,
    CANCEL_APPROVAL,
    DISAPPROVE,
    LEADS_TO,
    SCANNER_STATUSES,
    Scanner,
    may_allow,
)

SCANNER_TEXTS = SelectionTexts(
    selected=lambda n: ngettext("%(count)s scanner selected", "%(count)s scanners selected", n),
    # Translators: follows a sentence such as "1 scanner can't be approved."
    others=lambda n: npgettext("scanners", "%(count)s other can.", "The other %(count)s can.", n),
    changed=lambda n: ngettext(
        "The list has changed since you selected %(count)s scanner. Check what is included now.",
        "The list has changed since you selected %(count)s scanners. Check what is included now.",
        n,
    ),
    nothing=_("Select at least one scanner first."),
    all_gone=_("The selected scanners no longer exist."),
    gone=_("This scanner no longer exists."),
    again=_("Select the scanners again."),
    too_many_title=_("Too many scanners selected"),
    too_many=lambda n: ngettext(
        "At most %(count)s scanner can be selected at once. Narrow the list by a search or a filter.",
        "At most %(count)s scanners can be selected at once. Narrow the list by a search or a filter.",
        n,
    ),
)

APPROVAL = ActionTexts(
    label=_("Approve"),
    title=_("Approve scanners"),
    button=lambda n: ngettext("Approve %(count)s scanner", "Approve %(count)s scanners", n),
    # Translators: heading above a list of scanners.
    planned=_("Will be approved"),
    cannot=lambda n: ngettext("%(count)s scanner can't be approved.", "%(count)s scanners can't be approved.", n),
    done=lambda n: ngettext("%(count)s scanner approved.", "%(count)s scanners approved.", n),
    not_done=lambda n: ngettext("%(count)s scanner was not approved.", "%(count)s scanners were not approved.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s scanner was approved.",
        "It is not known whether %(count)s scanners were approved.",
        n,
    ),
    failed=_("Failed to approve the scanner."),
    unknown=_("It is not known whether this scanner was approved."),
    note=_("Approved scanners can be used in this organization only. Connections in others are refused."),
)

DISAPPROVAL = ActionTexts(
    label=_("Disapprove"),
    title=_("Disapprove scanners"),
    button=lambda n: ngettext("Disapprove %(count)s scanner", "Disapprove %(count)s scanners", n),
    # Translators: heading above a list of scanners.
    planned=_("Will be disapproved"),
    cannot=lambda n: ngettext("%(count)s scanner can't be disapproved.", "%(count)s scanners can't be disapproved.", n),
    done=lambda n: ngettext("%(count)s scanner disapproved.", "%(count)s scanners disapproved.", n),
    not_done=lambda n: ngettext(
        "%(count)s scanner was not disapproved.", "%(count)s scanners were not disapproved.", n
    ),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s scanner was disapproved.",
        "It is not known whether %(count)s scanners were disapproved.",
        n,
    ),
    failed=_("Failed to disapprove the scanner."),
    unknown=_("It is not known whether this scanner was disapproved."),
    note=_("People can still scan. You are asked again when a scanner is next connected."),
)

CANCELLATION = ActionTexts(
    label=_("Cancel approval"),
    title=_("Cancel the approval of scanners"),
    button=lambda n: ngettext(
        "Cancel the approval of %(count)s scanner", "Cancel the approval of %(count)s scanners", n
    ),
    # Translators: heading above a list of scanners.
    planned=_("Approval will be canceled"),
    cannot=lambda n: ngettext(
        "The approval of %(count)s scanner can't be canceled.",
        "The approval of %(count)s scanners can't be canceled.",
        n,
    ),
    done=lambda n: ngettext("Approval of %(count)s scanner canceled.", "Approval of %(count)s scanners canceled.", n),
    not_done=lambda n: ngettext(
        "The approval of %(count)s scanner was not canceled.", "The approval of %(count)s scanners was not canceled.", n
    ),
    unsure=lambda n: ngettext(
        "It is not known whether the approval of %(count)s scanner was canceled.",
        "It is not known whether the approval of %(count)s scanners was canceled.",
        n,
    ),
    failed=_("Failed to cancel the approval of the scanner."),
    unknown=_("It is not known whether the approval of this scanner was canceled."),
    note=_("Other organizations can use these scanners then. You are asked again when one is next connected here."),
)


def scanner_bulk(request: ConsoleRequest) -> BulkList[Scanner]:
    """Return what can be decided about the scanners of the organization; nothing is read for it."""
    upstream, organization = request.upstream, request.admin.organization_id
    return BulkList(
        id="bulk-scanners",
        path=links.scanner_list_url(),
        definition=SCANNERS,
        texts=SCANNER_TEXTS,
        read=lambda params: upstream.scanners.list(params, organization_id=organization),
        candidate=lambda scanner: Candidate(
            scanner.id,
            scanner.called,
            scanner.clinic_name,
            clinic=Ref(scanner.clinic_id, scanner.clinic_name),
        ),
        belongs=lambda _scanner: True,  # the list is the organization's, and a scanner does not say whose it is
        back=links.back_to_list,
        kind="scanner",
        actions=(
            _decision(request, APPROVE, APPROVAL),
            _decision(request, DISAPPROVE, DISAPPROVAL),
            _decision(request, CANCEL_APPROVAL, CANCELLATION, typed_from=TYPED_FROM),
        ),
    )


def _decision(
    request: ConsoleRequest, action: str, texts: ActionTexts, *, typed_from: int | None = None
) -> BulkAction[Scanner]:
    return BulkAction(
        links.DECISIONS[action],
        texts,
        run=lambda ids, _options, key: request.upstream.scanners.bulk_decide(ids, action, idempotency_key=key),
        activity=action.lower(),
        noted=lambda act, was, _options, _names: replace(
            act, changes=[Change("status", was.id or None, LEADS_TO[action])]
        ),
        was=lambda scanner: Ref(scanner.status),
        blockers=lambda scanner: reason_texts(scanner.blockers(action)),
        solved_at=lambda id, _of, back: links.scanner_page_from(id, back),
        typed_from=typed_from,
        of_row=f"/{links.DECISIONS[action]}",
        fits_list=lambda query: may_allow(action, query.filters.get("status", SCANNER_STATUSES)),
    )
