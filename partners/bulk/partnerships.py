"""What can be done to many requests at once: accepted and rejected, or canceled."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext, ngettext, npgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from console.audit.content import Ref
from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, FollowUp, SelectionTexts
from console.web.request import ConsoleRequest
from partners import links
from partners.labels import REFUSALS, lab_name, owner_name, state_now
from partners.tables.partnerships import TABS
from upstream.errors import Code
from upstream.resources.partnerships import Act, Partnership

TEXTS = SelectionTexts(
    selected=lambda n: ngettext("%(count)s request selected", "%(count)s requests selected", n),
    # Translators: follows a sentence such as "1 request can't be accepted."
    others=lambda n: npgettext("requests", "%(count)s other can.", "The other %(count)s can.", n),
    changed=lambda n: ngettext(
        "The list has changed since you selected %(count)s request. Check which requests are included now.",
        "The list has changed since you selected %(count)s requests. Check which requests are included now.",
        n,
    ),
    nothing=_("Select at least one request first."),
    all_gone=_("The selected requests no longer exist."),
    gone=_("This request no longer exists."),
    again=_("Select the requests again."),
    too_many_title=_("Too many requests selected"),
    too_many=lambda n: ngettext(
        "At most %(count)s request can be selected at once. Narrow the list by a search or a filter.",
        "At most %(count)s requests can be selected at once. Narrow the list by a search or a filter.",
        n,
    ),
)

ACCEPT = ActionTexts(
    label=_("Accept"),
    title=_("Accept requests"),
    button=lambda n: ngettext("Accept %(count)s request", "Accept %(count)s requests", n),
    # Translators: heading above a list of requests.
    planned=_("Will be accepted"),
    cannot=lambda n: ngettext("%(count)s request can't be accepted.", "%(count)s requests can't be accepted.", n),
    done=lambda n: ngettext("%(count)s request accepted.", "%(count)s requests accepted.", n),
    not_done=lambda n: ngettext("%(count)s request was not accepted.", "%(count)s requests were not accepted.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s request was accepted.",
        "It is not known whether %(count)s requests were accepted.",
        n,
    ),
    failed=_("Failed to accept the partnership request."),
    unknown=_("It is not known whether this request was accepted."),
)

REJECT = ActionTexts(
    label=_("Reject"),
    title=_("Reject requests"),
    button=lambda n: ngettext("Reject %(count)s request", "Reject %(count)s requests", n),
    # Translators: heading above a list of requests.
    planned=_("Will be rejected"),
    cannot=lambda n: ngettext("%(count)s request can't be rejected.", "%(count)s requests can't be rejected.", n),
    done=lambda n: ngettext("%(count)s request rejected.", "%(count)s requests rejected.", n),
    not_done=lambda n: ngettext("%(count)s request was not rejected.", "%(count)s requests were not rejected.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s request was rejected.",
        "It is not known whether %(count)s requests were rejected.",
        n,
    ),
    failed=_("Failed to reject the partnership request."),
    unknown=_("It is not known whether this request was rejected."),
)

CANCEL = ActionTexts(
    label=_("Cancel requests"),
    title=_("Cancel requests"),
    button=lambda n: ngettext("Cancel %(count)s request", "Cancel %(count)s requests", n),
    # Translators: heading above a list of requests.
    planned=pgettext_lazy("requests", "Will be canceled"),
    cannot=lambda n: ngettext("%(count)s request can't be canceled.", "%(count)s requests can't be canceled.", n),
    done=lambda n: ngettext("%(count)s request canceled.", "%(count)s requests canceled.", n),
    not_done=lambda n: ngettext("%(count)s request was not canceled.", "%(count)s requests were not canceled.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s request was canceled.",
        "It is not known whether %(count)s requests were canceled.",
        n,
    ),
    failed=_("Failed to cancel the partnership request."),
    unknown=_("It is not known whether this request was canceled."),
)


def partnership_bulk(request: ConsoleRequest, tab: str) -> BulkList[Partnership]:
    """Return what can be done to the rows of a tab; nothing is read for it.

    The rows of a selection are read whatever became of them: who is told that a request was answered meanwhile knows
    more than who is told that it is not there.
    """
    upstream, path = request.upstream, links.tab_url(tab)

    def action(name: str, texts: ActionTexts, act: Act, follow_up: bool = False) -> BulkAction[Partnership]:
        return BulkAction(
            name,
            texts,
            run=lambda ids, _options, key: upstream.partnerships.bulk_change(ids, act, idempotency_key=key),
            activity=act,
            blockers=_blockers(act),
            solved_at=lambda id, _of, back: links.partnership_url(id, back=back),
            follow_up=(lambda ids, back: _who_may_order(ids, back=back)) if follow_up else None,
        )

    of_tab = {
        "asking": (action("accept", ACCEPT, Act.ACCEPT, follow_up=True), action("reject", REJECT, Act.REJECT)),
        "sent": (action("cancel", CANCEL, Act.CANCEL),),
    }
    return BulkList(
        id=f"bulk-{tab}",
        path=path,
        definition=TABS[tab].definition,
        texts=TEXTS,
        read=lambda params: upstream.partnerships.list(params if params.ids else TABS[tab].asked(params)),
        candidate=lambda row: Candidate(
            row.id,
            lab_name(row.lab),
            owner_name(row.owner),
            clinic=Ref(row.owner.id, row.owner.name) if row.owner.is_clinic else Ref(),
            target=Ref(row.lab_id, row.lab_name),
        ),
        belongs=lambda row: row.organization_id in ("", request.admin.organization_id),
        back=links.back_to_list,
        kind="lab",
        actions=of_tab.get(tab, ()),
        pages="/partnership/",
    )


def _blockers(act: Act) -> Callable[[Partnership], list[str]]:
    code = Code.NO_OPEN_REQUEST if act == Act.CANCEL else Code.NO_PENDING_REQUEST

    def blockers(row: Partnership) -> list[str]:
        if row.allows(act):
            return []
        return [state_now(row)] if row.has_lab_left else [str(REFUSALS[code]), state_now(row)]

    return blockers


def _who_may_order(ids: Sequence[str], *, back: str) -> FollowUp:
    return FollowUp(
        gettext("Who may order from these labs?") if len(ids) > 1 else gettext("Who may order from this lab?"),
        gettext("A partner is useful once the users of the clinic may order from it."),
        gettext("Choose who may order"),
        links.ordering_url(ids, back=back),
    )
