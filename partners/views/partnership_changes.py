"""A request accepted, rejected or canceled, and a partnership ended."""

from functools import partial

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from console.access import private
from console.forms.confirm import Question, confirm, stays_in_list
from console.forms.drafts import typed
from console.forms.submit import Problem, State, WriteTexts
from console.forms.write import save
from console.http import ConsoleRequest, wants_json
from console.lists.view import Link
from console.respond import show
from console.upstream.resources.partnerships import Act, Partnership
from console.upstream.resources.partnerships import State as PartnershipState
from partners import links
from partners.activity import partnership_act
from partners.forms.partnerships import EndForm
from partners.labels import CHANGES, lab_name, parties, state_now
from partners.tables.partnerships import subject_facts

BECOMES = {
    Act.ACCEPT: PartnershipState.ACCEPTED,
    Act.REJECT: PartnershipState.REJECTED,
    Act.CANCEL: PartnershipState.CANCELED,
    Act.END: PartnershipState.ENDED,
}
ANSWERS = (Act.ACCEPT, Act.REJECT)


@private(methods=("GET", "POST"))
def partnership_change(request: ConsoleRequest, partnership_id: str, act: Act) -> HttpResponse:
    """A request accepted, rejected or canceled."""
    partnerships, back, words = request.upstream.partnerships, links.back_to_list(request), CHANGES[act]
    partnership = partnerships.get(partnership_id)
    # The button of a row, without the script that lets it be undone: what can't be undone is confirmed first.
    if request.method == "POST" and act in ANSWERS and "confirmed" not in request.POST and not wants_json(request):
        return HttpResponseRedirect(links.act_url(partnership_id, act, back=back), status=303)
    accepted = links.ordering_url([partnership_id], back=back) if act == Act.ACCEPT else ""

    def question(problem: Problem | None) -> Question:
        shown: Partnership = problem.newest if problem and problem.newest else partnership
        names, facts = parties(shown), subject_facts(shown)
        if shown.allows(act):
            return words.question(names, facts=facts)
        return words.refusal(names, [] if problem else [state_now(shown)], facts=facts)

    return confirm(
        request,
        question,
        act=lambda _key, _version: partnerships.change(partnership_id, act),
        activity=lambda: partnership_act(act, partnership.lab, partnership.owner),
        check=lambda: _stored(request, partnership_id, act),
        texts=words.texts(parties(partnership)),
        about=Link(lab_name(partnership.lab), links.partnership_url(partnership_id, back=back)),
        item=stays_in_list(partnership_id, follow_up=Link(_("Choose who may order"), accepted) if accepted else None),
        undo=links.send_again_url(partnership_id) if act == Act.CANCEL else "",
        back=back,
        goto=accepted or back,
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
        activity=lambda: partnership_act(Act.END, partnership.lab, partnership.owner),
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
