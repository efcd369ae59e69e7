"""A request accepted, rejected or canceled, and a partnership ended."""

from dataclasses import dataclass
from functools import partial

from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.access import private
from console.forms.confirm import Question, confirm, stays_in_list
from console.forms.drafts import typed
from console.forms.write import Problem, State, WriteTexts, save
from console.http import ConsoleRequest
from console.lists.view import Link
from console.respond import show
from console.upstream.resources.partnerships import Act, Partnership
from console.upstream.resources.partnerships import State as PartnershipState
from partners import links
from partners.forms.partnerships import EndForm
from partners.labels import lab_name, parties, state_now
from partners.tables.partnerships import subject_facts

BECOMES = {
    Act.ACCEPT: PartnershipState.ACCEPTED,
    Act.REJECT: PartnershipState.REJECTED,
    Act.CANCEL: PartnershipState.CANCELED,
    Act.END: PartnershipState.ENDED,
}


@dataclass(frozen=True)
class _Words:
    """What is asked before an act, and said after it; `%(lab)s` and `%(clinic)s` are filled in."""

    title: str
    text: str
    button: str
    done: str
    failed: str
    unknown: str

    def texts(self, partnership: Partnership) -> WriteTexts:
        return WriteTexts(self.done % parties(partnership), self.failed, self.unknown)


@private(methods=("GET", "POST"))
def partnership_accept(request: ConsoleRequest, partnership_id: str) -> HttpResponse:
    words = _Words(
        # Translators: %(lab)s: name of a dental lab.
        title=_("Accept the request from %(lab)s?"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        text=_("%(lab)s becomes a partner of %(clinic)s, and is added to your partner list."),
        button=_("Accept request"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        done=_("%(lab)s is now a partner of %(clinic)s."),
        failed=_("Failed to accept the partnership request."),
        unknown=_("It is not known whether the request was accepted. Look at the list before you try again."),
    )
    return _change(request, partnership_id, Act.ACCEPT, words)


@private(methods=("GET", "POST"))
def partnership_reject(request: ConsoleRequest, partnership_id: str) -> HttpResponse:
    words = _Words(
        # Translators: %(lab)s: name of a dental lab.
        title=_("Reject the request from %(lab)s?"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        text=_("%(clinic)s can't order from %(lab)s. You can send a request yourself later."),
        button=_("Reject request"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        done=_("The request from %(lab)s for %(clinic)s was rejected."),
        failed=_("Failed to reject the partnership request."),
        unknown=_("It is not known whether the request was rejected. Look at the list before you try again."),
    )
    return _change(request, partnership_id, Act.REJECT, words)


@private(methods=("GET", "POST"))
def partnership_cancel(request: ConsoleRequest, partnership_id: str) -> HttpResponse:
    words = _Words(
        # Translators: %(lab)s: name of a dental lab.
        title=_("Cancel the request to %(lab)s?"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        text=_("%(lab)s can no longer accept the request for %(clinic)s. You can send it again."),
        button=_("Cancel request"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        done=_("The request to %(lab)s for %(clinic)s was canceled."),
        failed=_("Failed to cancel the partnership request."),
        unknown=_("It is not known whether the request was canceled. Look at the list before you try again."),
    )
    return _change(request, partnership_id, Act.CANCEL, words)


def _change(request: ConsoleRequest, partnership_id: str, act: Act, words: _Words) -> HttpResponse:
    partnerships, back = request.upstream.partnerships, links.back_to_list(request)
    partnership = partnerships.get(partnership_id)
    accepted = links.ordering_url([partnership_id], back=back)
    follow_up = Link(_("Choose who may order"), accepted) if act == Act.ACCEPT else None

    def question(problem: Problem | None) -> Question:
        shown: Partnership = problem.newest if problem and problem.newest else partnership
        title, facts = words.title % parties(shown), subject_facts(shown)
        if shown.allows(act):
            return Question(title, [words.text % parties(shown)], words.button, is_danger=False, facts=facts)
        return Question(title, [] if problem else [state_now(shown)], facts=facts)

    return confirm(
        request,
        question,
        act=lambda _key, _version: partnerships.change(partnership_id, act),
        check=lambda: _stored(request, partnership_id, act),
        texts=words.texts(partnership),
        about=Link(lab_name(partnership.lab), links.partnership_url(partnership_id, back=back)),
        item=stays_in_list(partnership_id, follow_up=follow_up),
        undo=links.send_again_url(partnership_id) if act == Act.CANCEL else "",
        back=back,
        goto=accepted if act == Act.ACCEPT else back,
        crumbs=links.partnership_crumbs(partnership, back=back),
    )


def _stored(request: ConsoleRequest, partnership_id: str, act: Act) -> State[Partnership]:
    newest = request.upstream.partnerships.get(partnership_id)
    return State(newest, is_as_sent=newest.state == BECOMES[act], now=state_now(newest))


@private(methods=("GET", "POST"))
def partnership_end(request: ConsoleRequest, partnership_id: str) -> HttpResponse:
    partnerships, back = request.upstream.partnerships, links.back_to_list(request)
    partnership = partnerships.get(partnership_id)
    form = EndForm(typed(request), name=lab_name(partnership.lab), stored=partnership.version)
    return save(
        request,
        form,
        act=lambda _key: partnerships.change(partnership_id, Act.END, version=form.seen),
        check=lambda: _stored(request, partnership_id, Act.END),
        texts=WriteTexts(
            # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
            done=_("The partnership between %(lab)s and %(clinic)s ended.") % parties(partnership),
            failed=_("Failed to end the partnership."),
            unknown=_("It is not known whether the partnership was ended. Look at the list before you try again."),
            missing=_("There is no longer a partnership."),
        ),
        about=lambda _result: Link(lab_name(partnership.lab), links.partnership_url(partnership_id, back=back)),
        goto=back,
        page=partial(_end_page, request, form, partnership, back),
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
    """The form, or why there is none: the state of now, or what stands in the way."""
    shown: Partnership = problem.newest if problem and problem.newest else partnership
    reasons = (problem.reasons if problem else ()) or shown.end_blockers
    return show(
        request,
        "partners/partnership_end.html",
        status=status,
        problem=problem,
        form=form,
        name=lab_name(shown.lab),
        told=state_now(shown),
        can_end=shown.allows(Act.END),
        blockers=links.end_blockers(reasons),
        facts=subject_facts(shown),
        crumbs=links.partnership_crumbs(shown, back=back),
        back=back,
    )
