"""Changes of one request or partnership: accept, reject, cancel, end."""

from functools import partial

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from console.forms.confirm import ConfirmPage, Question, needs_question, row_result
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.submit import Problem, State, WriteTexts, submit
from console.web.access import private
from console.web.links import Link
from console.web.request import ConsoleRequest
from console.web.responses import done, show
from partners import links
from partners.audit import partnership_entry
from partners.forms.partnerships import EndForm
from partners.labels import CHANGES, lab_name, parties, state_now
from partners.tables.partnerships import subject_facts
from upstream.resources.partnerships import Action, Partnership
from upstream.resources.partnerships import State as PartnershipState

BECOMES = {
    Action.ACCEPT: PartnershipState.ACCEPTED,
    Action.REJECT: PartnershipState.REJECTED,
    Action.CANCEL: PartnershipState.CANCELED,
    Action.END: PartnershipState.ENDED,
}
ANSWERS = (Action.ACCEPT, Action.REJECT)


@private(methods=("GET", "POST"))
@idempotent
def partnership_change(request: ConsoleRequest, partnership_id: str, action: Action) -> HttpResponse:
    """Accept, reject or cancel a request."""
    partnerships, back, words = request.upstream.partnerships, links.back_to_list(request), CHANGES[action]
    partnership = partnerships.get(partnership_id)
    # A row's button offers undo only with a script; without one, ask for confirmation first.
    if action in ANSWERS and needs_question(request):
        return HttpResponseRedirect(links.action_url(partnership_id, action, back=back), status=303)

    def question(problem: Problem | None) -> Question:
        current: Partnership = problem.newest if problem and problem.newest else partnership
        names, facts = parties(current), subject_facts(current)
        if current.allows(action):
            return words.question(names, facts=facts)
        return words.refusal(names, [] if problem else [state_now(current)], facts=facts)

    texts = words.texts(parties(partnership))
    crumbs = links.partnership_crumbs(partnership, back=back)
    page = ConfirmPage(request, question, texts, back=back, crumbs=crumbs)
    if not page.is_confirmed:
        return page.show()

    outcome = submit(
        request,
        page.form,
        lambda _key: partnerships.change(partnership_id, action),
        texts=texts,
        entry=partnership_entry(action, partnership.lab, partnership.owner),
        verify=lambda: _stored(request, partnership_id, action),
    )
    # Each clinic has a list of the labs that its users can order from; a user has none.
    has_labs = action == Action.ACCEPT and partnership.owner.is_clinic
    ordering = links.ordering_url([partnership_id], back=back) if has_labs else ""
    next_step = Link(_("Edit labs for this clinic"), ordering) if ordering else None
    if isinstance(outcome, Problem):
        item = row_result(partnership_id, problem=outcome, follow_up=next_step)
        return page.refuse(outcome, item=item, url=ordering)
    return done(
        request,
        goto=ordering or back,
        message=texts.done,
        about=[Link(lab_name(partnership.lab), links.partnership_url(partnership_id, back=back))],
        item=row_result(partnership_id, follow_up=next_step),
        undo=links.resend_url(partnership_id) if action == Action.CANCEL else "",
    )


def _stored(request: ConsoleRequest, partnership_id: str, action: Action) -> State[Partnership]:
    newest = request.upstream.partnerships.get(partnership_id)
    return State(newest, is_as_sent=newest.state == BECOMES[action], now=state_now(newest))


@private(methods=("GET", "POST"))
@idempotent
def partnership_end(request: ConsoleRequest, partnership_id: str) -> HttpResponse:
    partnerships, back = request.upstream.partnerships, links.back_to_list(request, tab="partner")
    partnership = partnerships.get(partnership_id)
    form = EndForm(form_data_or_draft(request), name=lab_name(partnership.lab), stored=partnership.version)
    page = partial(_end_page, request, form, partnership, back)
    texts = WriteTexts(
        action=_("End partnership"),
        failed=_("Failed to end the partnership."),
        missing=_("This partnership no longer exists."),
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    outcome = submit(
        request,
        form,
        lambda _key: partnerships.change(partnership_id, Action.END, version=form.sent_version),
        texts=texts,
        entry=partnership_entry(Action.END, partnership.lab, partnership.owner),
        verify=lambda: _stored(request, partnership_id, Action.END),
    )
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=back)
    return done(
        request,
        goto=back,
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        message=_("The partnership between %(lab)s and %(clinic)s ended.") % parties(partnership),
        about=[Link(lab_name(partnership.lab), links.partnership_url(partnership_id, back=back))],
    )


def _end_page(
    request: ConsoleRequest,
    form: EndForm,
    partnership: Partnership,
    back: str,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    """Show the form, or why the partnership can't be ended: its current state, or open orders."""
    current: Partnership = problem.newest if problem and problem.newest else partnership
    reasons = (problem.reasons if problem else ()) or current.end_blockers
    return show(
        request,
        "partners/partnership_end.html",
        status=status,
        problem=problem,
        form=form,
        name=lab_name(current.lab),
        is_user=current.owner.is_user,
        state_text=state_now(current),
        can_end=current.allows(Action.END),
        blockers=links.end_blockers(reasons),
        facts=subject_facts(current),
        crumbs=links.partnership_crumbs(current, back=back),
        back=back,
    )
