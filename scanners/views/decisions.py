"""What is decided about one scanner: approve, disapprove, cancel the approval."""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.access import private
from console.forms.blockers import reason_texts
from console.forms.confirm import Question, confirm, stays_in_list
from console.forms.write import Problem, State, WriteTexts
from console.http import ConsoleRequest
from console.lists.view import Link
from console.upstream.resources.scanners import APPROVE, CANCEL_APPROVAL, DISAPPROVE, LEADS_TO, Scanner
from scanners import links
from scanners.labels import NOTES, called
from scanners.reading import find_scanner
from scanners.tables.scanners import subject_facts


@dataclass(frozen=True)
class Decision:
    """The words of one decision; `name` stands for what the scanner is called."""

    action: str
    title: str
    button: str
    done: str
    failed: str
    unknown: str


@private(methods=("GET", "POST"))
def scanner_approve(request: ConsoleRequest, scanner_id: str) -> HttpResponse:
    words = Decision(
        APPROVE,
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        title=_("Approve %(name)s?"),
        button=_("Approve scanner"),
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        done=_("%(name)s was approved."),
        failed=_("Failed to approve the scanner."),
        unknown=_("It is not known whether the scanner was approved. Look at the list before you try again."),
    )
    # The one act of a row: it asks nothing, and the browser stays in the list.
    return _decide(request, scanner_id, words, item=stays_in_list(scanner_id))


@private(methods=("GET", "POST"))
def scanner_disapprove(request: ConsoleRequest, scanner_id: str) -> HttpResponse:
    words = Decision(
        DISAPPROVE,
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        title=_("Disapprove %(name)s?"),
        button=_("Disapprove scanner"),
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        done=_("%(name)s was disapproved."),
        failed=_("Failed to disapprove the scanner."),
        unknown=_("It is not known whether the scanner was disapproved. Look at the list before you try again."),
    )
    return _decide(request, scanner_id, words)


@private(methods=("GET", "POST"))
def scanner_approval_cancel(request: ConsoleRequest, scanner_id: str) -> HttpResponse:
    words = Decision(
        CANCEL_APPROVAL,
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        title=_("Cancel the approval of %(name)s?"),
        button=_("Cancel approval"),
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        done=_("The approval of %(name)s was canceled."),
        failed=_("Failed to cancel the approval of the scanner."),
        unknown=_("It is not known whether the approval was canceled. Look at the list before you try again."),
    )
    return _decide(request, scanner_id, words)


def _decide(
    request: ConsoleRequest,
    scanner_id: str,
    words: Decision,
    *,
    item: Callable[[Problem | None], object] | None = None,
) -> HttpResponse:
    """Ask, or carry out. The state decides whether it can be done, and not the version, which every scan may change."""
    subject, scanners = find_scanner(request, scanner_id), request.upstream.scanners
    scanner, action = subject.scanner, words.action

    def check() -> State[Scanner]:
        newest = scanners.get(scanner_id)
        return State(newest, is_as_sent=newest.status == LEADS_TO[action])

    def question(problem: Problem | None) -> Question:
        shown = problem.newest if problem and problem.newest else scanner
        title = words.title % {"name": called(shown)}
        facts = subject_facts(shown, clinic_name=subject.clinic_name)
        if reasons := shown.blockers(action):
            return Question(title, [] if problem else reason_texts(reasons), facts=facts)
        return Question(title, [str(NOTES[action])], words.button, is_danger=False, facts=facts)

    return confirm(
        request,
        question,
        act=lambda _key, _version: scanners.decide(scanner_id, action),
        check=check,
        texts=WriteTexts(words.done % {"name": called(scanner)}, words.failed, words.unknown),
        about=Link(scanner.called, links.scanner_page(scanner.id)),
        item=item,
        back=links.back_from_decision(request),
        crumbs=[links.scanners_crumb(), {"label": scanner.called, "href": links.scanner_page(scanner.id)}],
    )
