"""A request to a lab, sent for several clinics at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from console.audit.content import Change, Ref
from console.audit.record import AuditAction
from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, Options, SelectionTexts, plural
from console.web.request import ConsoleRequest
from partners import links
from partners.forms.partnerships import MessageForm
from partners.labels import REFUSALS, state_now
from partners.reading import open_with, read_lab_name
from partners.tables.requests import ASKABLE
from upstream.bulk import BulkResult
from upstream.errors import Code
from upstream.listing import Listing, ListParams
from upstream.resources.clinics import Clinic
from upstream.resources.partnerships import MAIN_GROUP, Partnership, Party

TEXTS = SelectionTexts(
    selected=plural("%(count)s clinic selected", "%(count)s clinics selected"),
    others=plural(
        "You can send a request for %(count)s other clinic.", "You can send requests for the other %(count)s clinics."
    ),
)


class SendRequests(BulkAction[Clinic]):
    name = "send"
    texts = ActionTexts(
        label=_("Send request"),
        title=_("Send requests"),
        button=plural("Send %(count)s request", "Send %(count)s requests"),
        # Translators: heading above a list of clinics, on whose behalf a lab is asked.
        planned=_("Requests will be sent for these clinics"),
        cannot=plural(
            "%(count)s clinic already has a pending request or a partnership.",
            "%(count)s clinics already have a pending request or a partnership.",
        ),
        done=plural("%(count)s request sent.", "%(count)s requests sent."),
        not_done=plural("%(count)s request wasn't sent.", "%(count)s requests weren't sent."),
        failed=_("Failed to send the partnership request."),
    )

    bulk_list: "RequestActions"

    def form(self, data: QueryDict | None) -> forms.Form:
        return MessageForm(data)

    def blockers(self, row: Clinic) -> list[str]:
        current = self.bulk_list.open_partnerships.get(row.id)
        return [str(REFUSALS[Code.REQUEST_ALREADY_OPEN]), state_now(current)] if current else []

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        owners = [Party(type=MAIN_GROUP, id=id) for id in ids]
        message, lab_id = options.get("message", ""), self.bulk_list.lab_id
        return self.upstream.partnerships.bulk_send(lab_id=lab_id, owners=owners, message=message, idempotency_key=key)

    def entry(self, base_entry: AuditAction, previous: Ref, options: Options, names: Options) -> AuditAction:
        message = options.get("message")
        return replace(base_entry, changes=[Change("message", None, message)] if message else [])


class RequestActions(BulkList[Clinic]):
    """The bulk actions on the clinics for which a request to a lab can be sent."""

    id = "bulk-askable"
    definition = ASKABLE
    texts = TEXTS
    kind = "lab"
    actions = (SendRequests,)

    def __init__(self, request: ConsoleRequest, lab_id: str) -> None:
        super().__init__(request)
        self.lab_id = lab_id

    @property
    def path(self) -> str:
        return links.request_url(self.lab_id)

    @property
    def subject(self) -> str:
        return read_lab_name(self.upstream, self.lab_id)

    @cached_property
    def open_partnerships(self) -> Mapping[str, Partnership]:
        """Open requests and partnerships with the lab, by clinic."""
        return open_with(self.upstream, self.lab_id)

    def read(self, params: ListParams) -> Listing[Clinic]:
        return self.upstream.clinics.list(params, organization_id=self.upstream.organization_id)

    def candidate(self, row: Clinic) -> Candidate:
        """Take the lab's name from an open partnership, so that the lab need not be read."""
        name = next((partnership.lab_name for partnership in self.open_partnerships.values()), "")
        return Candidate(row.id, row.name, clinic=Ref(row.id, row.name), target=Ref(self.lab_id, name))

    def belongs(self, row: Clinic) -> bool:
        return row.organization_id in ("", self.upstream.organization_id)
