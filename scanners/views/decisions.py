"""What is decided about one scanner: approve, disapprove, cancel the approval."""

from django.http import HttpResponse

from console.access import private
from console.forms.blockers import reason_texts
from console.forms.confirm import Question, confirm, stays_in_list
from console.forms.submit import Problem, State
from console.http import ConsoleRequest
from console.lists.view import Link
from console.upstream.resources.scanners import APPROVE, LEADS_TO, Scanner
from scanners import links
from scanners.activity import decision
from scanners.labels import DECISIONS, names_of
from scanners.reading import find_scanner
from scanners.tables.scanners import subject_facts


@private(methods=("GET", "POST"))
def scanner_decide(request: ConsoleRequest, scanner_id: str, action: str) -> HttpResponse:
    """Ask, or carry out. The state decides whether it can be done, and not the version, which every scan may change."""
    subject, scanners, words = find_scanner(request, scanner_id), request.upstream.scanners, DECISIONS[action]
    scanner = subject.scanner

    def check() -> State[Scanner]:
        newest = scanners.get(scanner_id)
        return State(newest, is_as_sent=newest.status == LEADS_TO[action])

    def question(problem: Problem | None) -> Question:
        shown: Scanner = problem.newest if problem and problem.newest else scanner
        facts = subject_facts(shown, clinic_name=subject.clinic_name)
        if reasons := shown.blockers(action):
            return words.refusal(names_of(shown), [] if problem else reason_texts(reasons), facts=facts)
        return words.question(names_of(shown), facts=facts)

    return confirm(
        request,
        question,
        act=lambda _key, _version: scanners.decide(scanner_id, action),
        activity=lambda: decision(action, scanner, clinic_name=subject.clinic_name),
        check=check,
        texts=words.texts(names_of(scanner)),
        about=Link(scanner.called, links.scanner_page(scanner.id)),
        # The one act of a row: it asks nothing, and the browser stays in the list.
        item=stays_in_list(scanner_id) if action == APPROVE else None,
        back=links.back_from_decision(request),
        crumbs=[links.scanners_crumb(), {"label": scanner.called, "href": links.scanner_page(scanner.id)}],
    )
