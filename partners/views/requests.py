"""Requests to labs: the list of clinics, a request for one of them, and sending one again."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from console.forms.confirm import row_result
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.submit import Problem, State, WriteTexts, submit
from console.l10n.bidi import isolated
from console.lists.query import ListQuery, read_list
from console.lists.view import Cell, Fact, ListView
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.links import Link
from console.web.request import ConsoleRequest
from console.web.responses import done, show
from partners import links
from partners.audit import partnership_entry
from partners.bulk.requests import RequestActions
from partners.forms.partnerships import MessageForm
from partners.labels import lab_name, owner_name, state_now
from partners.reading import open_with, read_lab
from partners.tables.partnerships import TABS
from partners.tables.requests import ASKABLE, askable_table
from upstream.listing import Listing, ListParams
from upstream.resources.clinics import Clinic
from upstream.resources.labs import Lab
from upstream.resources.partnerships import MAIN_GROUP, Action, Partnership, Party


class LabGone(Exception):
    """Raised if the lab has left the service."""


class RequestList(ListPage[Clinic]):
    definition = ASKABLE
    template = "partners/request_list.html"
    bulk = RequestActions

    def get(self, request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            return super().get(request, **kwargs)
        except LabGone:
            return _gone(self.request)

    def load(self, query: ListQuery) -> tuple[Listing[Clinic], ListQuery]:
        upstream, lab_id = self.request.upstream, self.kwargs["lab_id"]
        lab, self.is_open, (listing, query) = upstream.together(
            lambda: read_lab(upstream, lab_id),
            lambda: open_with(upstream, lab_id),
            lambda: read_list(
                query, lambda params: upstream.clinics.list(params, organization_id=upstream.organization_id)
            ),
        )
        if lab is None:
            raise LabGone
        self.lab = lab
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[Clinic]) -> ListView:
        return askable_table(query, listing, lab_id=self.kwargs["lab_id"], is_open=self.is_open)

    def context(self) -> dict[str, Any]:
        return {
            "lab": self.lab,
            "name": lab_name(self.lab),
            "lab_href": links.lab_url(self.lab.id),
            "crumbs": [links.list_crumb()],
            "back": links.back_to_list(self.request),
        }


@private(methods=("GET", "POST"))
@idempotent
def request_send(request: ConsoleRequest, lab_id: str, clinic_id: str) -> HttpResponse:
    """Send a request for one clinic, or show the one that is open."""
    upstream = request.upstream
    lab, clinic, is_open = upstream.together(
        lambda: read_lab(upstream, lab_id),
        lambda: upstream.clinics.get(clinic_id),
        lambda: open_with(upstream, lab_id),
    )
    if lab is None:
        return _gone(request)
    owner = Party(type=MAIN_GROUP, id=clinic.id, name=clinic.name)
    return _send(request, lab, owner, existing=is_open.get(clinic.id))


@private(is_page=False)
def request_cancel(request: ConsoleRequest, lab_id: str) -> HttpResponse:
    """Redirect to the cancellation of the only request that was sent to a lab, or to the list of several."""
    params = TABS["sent"].with_filters(ListParams(size=10, filters={"lab": (lab_id,)}))
    sent = [row for row in request.upstream.partnerships.list(params).results if row.lab_id == lab_id]
    if len(sent) == 1 and links.partnership_pages(sent[0].id):
        back = links.back_to_list(request, tab="sent")
        return HttpResponseRedirect(links.action_url(sent[0].id, Action.CANCEL, back=back))
    return HttpResponseRedirect(links.sent_requests_url(lab_id))


@private(methods=("GET", "POST"))
@idempotent
def partnership_resend(request: ConsoleRequest, partnership_id: str) -> HttpResponse:
    """Send a request again for the same clinic or user, with the same message unless another is typed."""
    partnership = request.upstream.partnerships.get(partnership_id)
    if partnership.is_lab_gone:
        return _gone(request)
    words = partnership.message if partnership.requested_by == "ORGANIZATION" else ""
    return _send(
        request,
        partnership.lab,
        partnership.owner,
        words=words,
        existing=None if partnership.allows(Action.SEND) else partnership,
    )


def _send(
    request: ConsoleRequest, lab: Lab, owner: Party, *, words: str = "", existing: Partnership | None = None
) -> HttpResponse:
    """Show and send the form of one request; `existing` is the request or partnership that is already open."""
    data = form_data_or_draft(request)
    # The undo button of a cancellation sends no message, so the previous one is used.
    form = MessageForm({"message": words} if data is not None and "message" not in data else data, message=words)
    back = links.back_to_list(request, links.request_url(lab.id), links.clinic_permissions_url(owner.id))

    page = partial(_form_page, request, form, lab, owner, existing, back)
    texts = WriteTexts(
        action=_("Send request"),
        failed=_("Failed to send the partnership request."),
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    message = form.cleaned_data["message"]

    def read_stored() -> State[Partnership]:
        now = open_with(request.upstream, lab.id).get(owner.id)
        return State(now, is_as_sent=now is not None and now.allows(Action.CANCEL), now=state_now(now) if now else "")

    outcome = submit(
        request,
        form,
        lambda key: request.upstream.partnerships.send(
            lab_id=lab.id, owner=owner, message=message, idempotency_key=key
        ),
        texts=texts,
        entry=partnership_entry(Action.SEND, lab, owner, message=message),
        verify=read_stored if owner.is_clinic else None,
    )
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=back, item=row_result(owner.id, problem=outcome))
    id = outcome.result
    return done(
        request,
        goto=back,
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        message=_("The request to %(lab)s for %(clinic)s was sent.") % _names(lab, owner),
        about=[Link(lab_name(lab), links.partnership_url(id, back=back) if id else "")],
        item=row_result(owner.id),
    )


def _form_page(
    request: ConsoleRequest,
    form: MessageForm,
    lab: Lab,
    owner: Party,
    existing: Partnership | None,
    back: str,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    """Show the form, or the existing request or partnership."""
    return show(
        request,
        "partners/request_form.html",
        status=status,
        problem=problem,
        form=form,
        name=lab_name(lab),
        facts=[Fact(_("User") if owner.is_user else _("Clinic"), Cell(owner_name(owner)))],
        existing=existing,
        existing_href=links.partnership_url(existing.id, back=back) if existing else "",
        state_text=state_now(existing) if existing else "",
        crumbs=[links.list_crumb()],
        back=back,
    )


def _names(lab: Lab, owner: Party) -> dict[str, str]:
    return {"lab": isolated(lab_name(lab)), "clinic": isolated(owner_name(owner))}


def _gone(request: ConsoleRequest) -> HttpResponse:
    return show(request, "partners/lab_gone.html", status=410, partnerships=None, back=links.back_to_list(request))
