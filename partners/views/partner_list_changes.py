"""Adding a lab to the partner list, and removing it."""

from django.http import HttpResponse

from console.forms.confirm import ConfirmPage, Question, row_result
from console.forms.idempotency import idempotent
from console.forms.submit import Problem, State, submit
from console.l10n.bidi import isolated
from console.web.access import private
from console.web.links import Link
from console.web.request import ConsoleRequest
from console.web.responses import done, show
from partners import links
from partners.audit import lab_entry
from partners.bulk.labs import cannot_be_removed
from partners.labels import ADD_TO_LIST, LAB_REFUSALS, LAB_STATE_REASONS, REMOVE_FROM_LIST, lab_name
from partners.reading import read_lab
from upstream.client import Upstream
from upstream.errors import Code
from upstream.resources.labs import Lab


@private(methods=("GET", "POST"))
@idempotent
def lab_add(request: ConsoleRequest, lab_id: str) -> HttpResponse:
    upstream = request.upstream
    lab, back = read_lab(upstream, lab_id), _back(request, lab_id)
    if lab is None:
        return show(request, "partners/lab_gone.html", status=410, partnerships=None, back=back)
    name = {"name": isolated(lab_name(lab))}

    texts = ADD_TO_LIST.texts(name)

    def question(problem: Problem | None) -> Question:
        current = (problem.newest if problem else None) or lab
        if current.in_partner_list:
            return ADD_TO_LIST.refusal(name, [str(LAB_REFUSALS[Code.LAB_ALREADY_LISTED])])
        return ADD_TO_LIST.question(name)

    page = ConfirmPage(request, question, texts, back=back, crumbs=links.lab_crumbs(lab))
    if not page.is_confirmed:
        return page.show()

    def read_stored() -> State[Lab]:
        newest = upstream.labs.get(lab_id)
        return State(newest, is_as_sent=newest.in_partner_list)

    outcome = submit(
        request,
        page.form,
        lambda key: upstream.partner_lists.add(lab_id, idempotency_key=key),
        texts=texts,
        entry=lab_entry("add", lab),
        verify=read_stored,
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome, item=row_result(lab_id, problem=outcome))
    return done(
        request,
        goto=back,
        message=texts.done,
        about=[Link(lab_name(lab), links.lab_url(lab_id))],
        item=row_result(lab_id),
        undo=links.lab_remove_url(lab_id),
    )


@private(methods=("GET", "POST"))
@idempotent
def lab_remove(request: ConsoleRequest, lab_id: str) -> HttpResponse:
    upstream, back = request.upstream, _back(request, lab_id)
    lab = _listed(upstream, lab_id)
    name = {"name": isolated(lab_name(lab))}

    texts = REMOVE_FROM_LIST.texts(name, reasons=LAB_STATE_REASONS)

    def question(problem: Problem | None) -> Question:
        reasons = cannot_be_removed((problem.newest if problem else None) or lab)
        return REMOVE_FROM_LIST.refusal(name, reasons) if reasons else REMOVE_FROM_LIST.question(name)

    page = ConfirmPage(request, question, texts, back=back, crumbs=links.lab_crumbs(lab))
    if not page.is_confirmed:
        return page.show()

    def read_stored() -> State[Lab]:
        newest = _listed(upstream, lab_id)
        return State(newest, is_as_sent=not newest.in_partner_list)

    outcome = submit(
        request,
        page.form,
        lambda _key: upstream.partner_lists.remove(lab_id),
        texts=texts,
        entry=lab_entry("remove", lab),
        verify=read_stored,
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome, item=row_result(lab_id, problem=outcome))
    return done(
        request,
        goto=back,
        message=texts.done,
        about=[Link(lab_name(lab), "" if lab.is_gone else links.lab_url(lab_id))],
        item=row_result(lab_id),
        undo="" if lab.is_gone else links.lab_add_url(lab_id),
    )


def _listed(upstream: Upstream, lab_id: str) -> Lab:
    """Read a lab as it is on the list; a lab that left the service may still be there."""
    row = upstream.partner_lists.find(lab_id)
    return row.lab if row else upstream.labs.get(lab_id)


def _back(request: ConsoleRequest, lab_id: str) -> str:
    """Return the URL of the list from which the lab was opened, or of its page."""
    return links.back_from_lab(request, links.lab_url(lab_id))
