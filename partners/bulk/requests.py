"""A request to a lab, sent for many clinics at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from console.audit.content import Change, Ref
from console.audit.record import Act as Noted
from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, SelectionTexts
from console.forms.return_url import return_url
from console.web.request import ConsoleRequest
from partners import links
from partners.forms.partnerships import MessageForm
from partners.labels import REFUSALS, state_now
from partners.tables.requests import ASKABLE
from upstream.bulk import BulkResult
from upstream.errors import Code
from upstream.resources.clinics import Clinic
from upstream.resources.partnerships import MAIN_GROUP, Act, Partnership, Party

TEXTS = SelectionTexts(
    selected=lambda n: ngettext("%(count)s clinic selected", "%(count)s clinics selected", n),
    others=lambda n: ngettext(
        "A request can be sent for %(count)s other clinic.", "A request can be sent for the other %(count)s clinics.", n
    ),
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

SEND = ActionTexts(
    label=_("Send request"),
    title=_("Send requests"),
    button=lambda n: ngettext("Send %(count)s request", "Send %(count)s requests", n),
    # Translators: heading above a list of clinics, on whose behalf a lab is asked.
    planned=_("A request will be sent for these clinics"),
    cannot=lambda n: ngettext(
        "%(count)s clinic already has an open request or a partnership.",
        "%(count)s clinics already have an open request or a partnership.",
        n,
    ),
    done=lambda n: ngettext("%(count)s request sent.", "%(count)s requests sent.", n),
    not_done=lambda n: ngettext("%(count)s request was not sent.", "%(count)s requests were not sent.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s request was sent.",
        "It is not known whether %(count)s requests were sent.",
        n,
    ),
    failed=_("Failed to send the partnership request."),
    unknown=_("It is not known whether this request was sent."),
)


def request_bulk(
    request: ConsoleRequest, lab_id: str, is_open: Callable[[], Mapping[str, Partnership]]
) -> BulkList[Clinic]:
    """Return what can be done to the clinics for which a lab can be asked; `is_open` reads what is open with it."""
    upstream, path = request.upstream, links.request_url(lab_id)

    def run(ids: Sequence[str], options: Mapping[str, str], key: str) -> BulkResult:
        owners = [Party(type=MAIN_GROUP, id=id) for id in ids]
        message = options.get("message", "")
        return upstream.partnerships.bulk_send(lab_id=lab_id, owners=owners, message=message, idempotency_key=key)

    def candidate(clinic: Clinic) -> Candidate:
        """The name of the lab is not read for it; what is open with it tells it."""
        name = next((there.lab_name for there in is_open().values()), "")
        return Candidate(clinic.id, clinic.name, clinic=Ref(clinic.id, clinic.name), target=Ref(lab_id, name))

    def noted(act: Noted, _was: Ref, options: Mapping[str, str], _names: Mapping[str, str]) -> Noted:
        message = options.get("message")
        return replace(act, changes=[Change("message", None, message)] if message else [])

    def blockers(clinic: Clinic) -> list[str]:
        there = is_open().get(clinic.id)
        return [str(REFUSALS[Code.REQUEST_ALREADY_OPEN]), state_now(there)] if there else []

    return BulkList(
        id="bulk-askable",
        path=path,
        definition=ASKABLE,
        texts=TEXTS,
        read=lambda params: upstream.clinics.list(params, organization_id=upstream.organization_id),
        candidate=candidate,
        belongs=lambda clinic: clinic.organization_id in ("", upstream.organization_id),
        back=lambda request: return_url(request, path),
        kind="lab",
        actions=(
            BulkAction("send", SEND, run=run, activity=Act.SEND, noted=noted, form=MessageForm, blockers=blockers),
        ),
    )
