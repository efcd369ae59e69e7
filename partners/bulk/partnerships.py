"""Bulk actions on requests: accept, reject, cancel."""

from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext, npgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from console.audit.content import Ref
from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, FollowUp, Options, SelectionTexts, plural
from partners import links
from partners.labels import REFUSALS, lab_name, owner_name, state_now
from partners.tables.partnerships import TABS
from upstream.bulk import BulkResult
from upstream.errors import Code
from upstream.listing import Listing, ListParams
from upstream.resources.partnerships import Action, Partnership

TEXTS = SelectionTexts(
    selected=plural("%(count)s request selected", "%(count)s requests selected"),
    # Translators: follows a sentence such as "1 request can't be accepted."
    others=lambda n: npgettext("requests", "The other one can.", "The other %(count)s can.", n),
)


class _Answer(BulkAction[Partnership]):
    action: ClassVar[Action]

    def blockers(self, row: Partnership) -> list[str]:
        if row.allows(self.action):
            return []
        code = Code.NO_OPEN_REQUEST if self.action == Action.CANCEL else Code.NO_PENDING_REQUEST
        return [state_now(row)] if row.is_lab_gone else [str(REFUSALS[code]), state_now(row)]

    def solution_url(self, id: str, parent_id: str, back: str) -> str:
        return links.partnership_url(id, back=back)

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return self.upstream.partnerships.bulk_change(ids, self.action, idempotency_key=key)


class Accept(_Answer):
    action = Action.ACCEPT
    name = "accept"
    texts = ActionTexts(
        label=_("Accept"),
        title=_("Accept requests"),
        button=plural("Accept %(count)s request", "Accept %(count)s requests"),
        # Translators: heading above a list of requests.
        planned=_("Will be accepted"),
        cannot=plural("%(count)s request can't be accepted.", "%(count)s requests can't be accepted."),
        done=plural("%(count)s request accepted.", "%(count)s requests accepted."),
        not_done=plural("%(count)s request wasn't accepted.", "%(count)s requests weren't accepted."),
        failed=_("Failed to accept the partnership request."),
    )

    def follow_up(self, ids: Sequence[str], options: Options, back: str) -> FollowUp:
        """Return the next step: choosing who may order from the new partners."""
        return FollowUp(
            gettext("Who can order from these labs?") if len(ids) > 1 else gettext("Who can order from this lab?"),
            gettext("Choose which clinics can order from each partner lab."),
            gettext("Choose who can order"),
            links.ordering_url(ids, back=back),
        )


class Reject(_Answer):
    action = Action.REJECT
    name = "reject"
    texts = ActionTexts(
        label=_("Reject"),
        title=_("Reject requests"),
        button=plural("Reject %(count)s request", "Reject %(count)s requests"),
        # Translators: heading above a list of requests.
        planned=_("Will be rejected"),
        cannot=plural("%(count)s request can't be rejected.", "%(count)s requests can't be rejected."),
        done=plural("%(count)s request rejected.", "%(count)s requests rejected."),
        not_done=plural("%(count)s request wasn't rejected.", "%(count)s requests weren't rejected."),
        failed=_("Failed to reject the partnership request."),
    )


class Cancel(_Answer):
    action = Action.CANCEL
    name = "cancel"
    texts = ActionTexts(
        label=_("Cancel requests"),
        title=_("Cancel requests"),
        button=plural("Cancel %(count)s request", "Cancel %(count)s requests"),
        # Translators: heading above a list of requests.
        planned=pgettext_lazy("requests", "Will be canceled"),
        cannot=plural("%(count)s request can't be canceled.", "%(count)s requests can't be canceled."),
        done=plural("%(count)s request canceled.", "%(count)s requests canceled."),
        not_done=plural("%(count)s request wasn't canceled.", "%(count)s requests weren't canceled."),
        failed=_("Failed to cancel the partnership request."),
        # Translators: button: go back, and do not cancel the partnership requests.
        keep=_("Keep requests"),
    )


class _TabActions(BulkList[Partnership]):
    """The bulk actions on the rows of a tab."""

    tab: ClassVar[str]
    texts = TEXTS
    kind = "lab"
    pages = "/partnership/"

    @property
    def path(self) -> str:
        return links.tab_url(self.tab)

    def back(self) -> str:
        return links.back_to_list(self.request)

    def read(self, params: ListParams) -> Listing[Partnership]:
        """Read selected rows in any state, so that an answered request is reported as answered and not as missing."""
        return self.upstream.partnerships.list(params if params.ids else TABS[self.tab].with_filters(params))

    def candidate(self, row: Partnership) -> Candidate:
        return Candidate(
            row.id,
            lab_name(row.lab),
            owner_name(row.owner),
            clinic=Ref(row.owner.id, row.owner.name) if row.owner.is_clinic else Ref(),
            target=Ref(row.lab_id, row.lab_name),
        )

    def belongs(self, row: Partnership) -> bool:
        return row.organization_id in ("", self.request.admin.organization_id)


class AskingActions(_TabActions):
    tab = "asking"
    id = "bulk-asking"
    definition = TABS[tab].definition
    actions = (Accept, Reject)


class SentActions(_TabActions):
    tab = "sent"
    id = "bulk-sent"
    definition = TABS[tab].definition
    actions = (Cancel,)
