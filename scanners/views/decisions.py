"""Decisions about one scanner: approve, disapprove, cancel the approval."""

from django.http import HttpResponse, HttpResponseRedirect

from console.forms.blockers import reason_texts
from console.forms.confirm import ConfirmPage, Question, needs_question, row_result
from console.forms.idempotency import idempotent
from console.forms.submit import Problem, State, submit
from console.web.access import private
from console.web.links import Link
from console.web.request import ConsoleRequest
from console.web.responses import done
from scanners import links
from scanners.audit import decision
from scanners.labels import DECISIONS, get_names
from scanners.reading import find_scanner
from scanners.tables.scanners import subject_facts
from upstream.resources.scanners import APPROVE, CANCEL_APPROVAL, STATUS_AFTER, Scanner


@private(methods=("GET", "POST"))
@idempotent
def scanner_decide(request: ConsoleRequest, scanner_id: str, action: str) -> HttpResponse:
    """Confirm or execute the decision. The state is checked, not the version, which every scan may change."""
    subject, scanners, words = find_scanner(request, scanner_id), request.upstream.scanners, DECISIONS[action]
    scanner, back = subject.scanner, links.back_from_decision(request)
    # A list cancels an approval at once only with a script; the message of a page leads to the question.
    if action == CANCEL_APPROVAL and needs_question(request):
        return HttpResponseRedirect(links.decision_url(scanner_id, action, back=back), status=303)

    def question(problem: Problem | None) -> Question:
        current: Scanner = problem.newest if problem and problem.newest else scanner
        facts = subject_facts(current, clinic_name=subject.clinic_name)
        if reasons := current.blockers(action):
            return words.refusal(get_names(current), [] if problem else reason_texts(reasons), facts=facts)
        return words.question(get_names(current), facts=facts)

    texts = words.texts(get_names(scanner))
    crumbs = [links.scanners_crumb(), {"label": scanner.called, "href": links.scanner_page(scanner.id)}]
    page = ConfirmPage(request, question, texts, back=back, crumbs=crumbs)
    if not page.is_confirmed:
        return page.show()

    def read_stored() -> State[Scanner]:
        newest = scanners.get(scanner_id)
        return State(newest, is_as_sent=newest.status == STATUS_AFTER[action])

    outcome = submit(
        request,
        page.form,
        lambda _key: scanners.decide(scanner_id, action),
        texts=texts,
        entry=decision(action, scanner, clinic_name=subject.clinic_name),
        verify=read_stored,
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome, item=row_result(scanner_id, problem=outcome))
    is_approved = action == APPROVE
    return done(
        request,
        goto=back,
        message=texts.done,
        about=[Link(scanner.called, links.scanner_page(scanner.id))],
        item=row_result(scanner_id),
        undo=f"{links.scanner_page(scanner_id)}/{links.DECISIONS[CANCEL_APPROVAL]}" if is_approved else "",
        undo_label=str(DECISIONS[CANCEL_APPROVAL].button) if is_approved else "",
    )
