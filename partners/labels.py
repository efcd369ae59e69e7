"""Labels of labs and partnerships: the service's codes and reasons."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from console.forms.confirm import ActionMessages
from console.l10n.bidi import isolated
from console.l10n.numbers import ngettext
from console.lists.query import Label
from console.lists.view import Cell, Tone
from upstream.errors import Code
from upstream.resources.labs import ACCEPTED, BOTH, IN_LIST, ORTHODONTIST, PENDING, PROSTHODONTIST, REQUEST_SENT, Lab
from upstream.resources.partnerships import Action, Partnership, Party, State

LAB_TYPES: dict[str, Label] = {
    # Translators: dentists: whom a lab works for.
    PROSTHODONTIST: gettext_lazy("Prosthodontists"),
    # Translators: dentists: whom a lab works for.
    ORTHODONTIST: gettext_lazy("Orthodontists"),
    # Translators: dentists: whom a lab works for.
    BOTH: gettext_lazy("Prosthodontists and orthodontists"),
}
"""Labels of the kinds of dentists that a lab works for."""

SERVICES: dict[str, Label] = {
    # Translators: what a dental lab offers.
    "GENERAL_DENTISTRY": gettext_lazy("General dentistry"),
    # Translators: what a dental lab offers.
    "PREVENTIVE_DENTISTRY": gettext_lazy("Preventive dentistry"),
    # Translators: what a dental lab offers.
    "PROSTHODONTICS": gettext_lazy("Prosthodontics"),
    # Translators: what a dental lab offers.
    "ORTHODONTICS": gettext_lazy("Orthodontics"),
    # Translators: what a dental lab offers.
    "IMPLANTS": gettext_lazy("Implants"),
    # Translators: what a dental lab offers.
    "PEDIATRIC": gettext_lazy("Pediatric dentistry"),
    # Translators: what a dental lab offers.
    "FULL_SERVICES": gettext_lazy("Full service"),
    # Translators: what a dental lab offers.
    "HIGH_END_ESTHETICS": gettext_lazy("High-end esthetics"),
    # Translators: what a dental lab offers.
    "CROWN_AND_BRIDGE": gettext_lazy("Crown and bridge"),
    # Translators: what a dental lab offers.
    "FULL_DENTURES_PARTIAL_DENTURES": gettext_lazy("Full and partial dentures"),
    # Translators: what a dental lab offers.
    "CLEAR_ALIGNERS": gettext_lazy("Clear aligners"),
    # Translators: what a dental lab offers.
    "INDIRECT_BONDING_TRAYS": gettext_lazy("Indirect bonding trays"),
    # Translators: what a dental lab offers.
    "ORTHODONTIC_APPLIANCE": gettext_lazy("Orthodontic appliances"),
    # Translators: what a dental lab offers.
    "RETAINERS": gettext_lazy("Retainers"),
    # Translators: what a dental lab offers.
    "SPLINTS": gettext_lazy("Splints"),
    # Translators: what a dental lab offers.
    "SURGICAL_GUIDES": gettext_lazy("Surgical guides"),
    # Translators: what a dental lab offers.
    "SLEEP_DEVICES": gettext_lazy("Sleep devices"),
    # Translators: what a dental lab offers.
    "STUDY_MODELS": gettext_lazy("Study models"),
    "INDIVIDUAL_TRAYS": gettext_lazy("Custom trays"),
    # Translators: what a dental lab offers.
    "BLEACHING_TRAYS": gettext_lazy("Bleaching trays"),
}
"""The catalog of the specification; other services are shown as their codes."""

LAB_STATES: dict[str, tuple[Label, Tone]] = {
    # Translators: state of a lab that has sent the organization a request, and of that request.
    PENDING: (pgettext_lazy("state", "Request received"), "warning"),
    # Translators: state of a lab: one of our partners.
    ACCEPTED: (gettext_lazy("Partner"), "success"),
    # Translators: state of a lab that we have sent a request, and of that request.
    REQUEST_SENT: (gettext_lazy("Request sent"), "info"),
    # Translators: state of a lab and choice of a filter: it is on the organization's own list of labs.
    IN_LIST: (gettext_lazy("On my list"), "neutral"),
}


def _request_sent(count: int) -> str:
    return ngettext("%(count)s request is pending.", "%(count)s requests are pending.", count) % {"count": count}


def _pending_request_text(count: int) -> str:
    return ngettext(
        "%(count)s request from the lab is pending.", "%(count)s requests from the lab are pending.", count
    ) % {"count": count}


def _is_partner(count: int) -> str:
    return ngettext("%(count)s partnership is active.", "%(count)s partnerships are active.", count) % {"count": count}


def _is_in_use(_count: int) -> str:
    return _("There's a pending request or a partnership with this lab.")


LAB_REASONS: dict[str, Callable[[int], str]] = {
    "LAB_REQUEST_SENT": _request_sent,
    "LAB_PENDING": _pending_request_text,
    "LAB_ACCEPTED": _is_partner,
    Code.LAB_REMOVAL_REFUSED.name: _is_in_use,
}
"""Messages for the reasons why a lab can't be removed from the partner list."""

LAB_STATE_REASONS = {state: f"LAB_{state}" for state in (REQUEST_SENT, PENDING, ACCEPTED)}
"""More specific names for the service's reasons, whose own names are too general."""

LAB_REFUSALS: dict[int | str, Label] = {
    Code.LAB_ALREADY_LISTED: gettext_lazy("This lab is already on your partner list."),
    Code.LAB_NOT_LISTED: gettext_lazy("This lab isn't on your partner list."),
    Code.LAB_GONE: gettext_lazy("This lab is no longer available."),
}

ADD_TO_LIST = ActionMessages(
    # Translators: %(name)s: name of a dental lab.
    title=gettext_lazy("Add %(name)s to your partner list?"),
    text=gettext_lazy("You can then send requests to this lab."),
    button=gettext_lazy("Add to my list"),
    # Translators: %(name)s: name of a dental lab.
    done=gettext_lazy("%(name)s was added to your partner list."),
    failed=gettext_lazy("Failed to add the lab to the partner list."),
)
REMOVE_FROM_LIST = ActionMessages(
    # Translators: %(name)s: name of a dental lab.
    title=gettext_lazy("Remove %(name)s from your partner list?"),
    text=gettext_lazy("You can add this lab again at any time."),
    button=gettext_lazy("Remove from my list"),
    # Translators: %(name)s: name of a dental lab.
    done=gettext_lazy("%(name)s was removed from your partner list."),
    failed=gettext_lazy("Failed to remove the lab from the partner list."),
)

# partnerships

STATES: dict[str, tuple[Label, Tone]] = {
    State.REQUEST_SENT: LAB_STATES[REQUEST_SENT],
    State.PENDING: LAB_STATES[PENDING],
    # Translators: state of a request for a partnership.
    State.ACCEPTED: (pgettext_lazy("state", "Accepted"), "success"),
    # Translators: state of a request for a partnership; also next to the number of such requests.
    State.REJECTED: (pgettext_lazy("state", "Rejected"), "danger"),
    # Translators: state of a request for a partnership; also next to the number of such requests.
    State.CANCELED: (pgettext_lazy("state", "Canceled"), "neutral"),
    # Translators: state of a partnership; also next to the number of such partnerships.
    State.ENDED: (pgettext_lazy("state", "Ended"), "neutral"),
}

ACTIONS: dict[Action, Label] = {
    # Translators: button: accepts a request of a lab.
    Action.ACCEPT: gettext_lazy("Accept"),
    # Translators: button: rejects a request of a lab.
    Action.REJECT: gettext_lazy("Reject"),
    # Translators: button: takes back a request that we sent.
    Action.CANCEL: gettext_lazy("Cancel request"),
    # Translators: button: sends the same request, or email, once more.
    Action.SEND: gettext_lazy("Resend"),
    # Translators: button and heading: ends a partnership. "End" is a verb.
    Action.END: gettext_lazy("End partnership"),
}

CHANGES: dict[Action, ActionMessages] = {
    Action.ACCEPT: ActionMessages(
        # Translators: %(lab)s: name of a dental lab.
        title=gettext_lazy("Accept the request from %(lab)s?"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        text=gettext_lazy("%(lab)s will become a partner of %(clinic)s and will be added to your partner list."),
        button=gettext_lazy("Accept request"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        done=gettext_lazy("%(lab)s is now a partner of %(clinic)s."),
        failed=gettext_lazy("Failed to accept the partnership request."),
    ),
    Action.REJECT: ActionMessages(
        # Translators: %(lab)s: name of a dental lab.
        title=gettext_lazy("Reject the request from %(lab)s?"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        text=gettext_lazy("%(clinic)s won't be able to order from %(lab)s. You can send a request yourself later."),
        button=gettext_lazy("Reject request"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        done=gettext_lazy("The request from %(lab)s for %(clinic)s was rejected."),
        failed=gettext_lazy("Failed to reject the partnership request."),
    ),
    Action.CANCEL: ActionMessages(
        # Translators: %(lab)s: name of a dental lab.
        title=gettext_lazy("Cancel the request to %(lab)s?"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        text=gettext_lazy(
            "%(lab)s will no longer be able to accept the request for %(clinic)s. You can send it again."
        ),
        button=gettext_lazy("Cancel request"),
        # Translators: button: go back, and do not cancel the partnership request.
        keep=gettext_lazy("Keep request"),
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic, or of a user.
        done=gettext_lazy("The request to %(lab)s for %(clinic)s was canceled."),
        failed=gettext_lazy("Failed to cancel the partnership request."),
    ),
}

# Translators: state of a lab.
NO_LONGER_AVAILABLE = gettext_lazy("No longer available")

REFUSALS: dict[int | str, Label] = {
    Code.REQUEST_ALREADY_OPEN: gettext_lazy("There's already a pending request or a partnership with this lab."),
    Code.NO_OPEN_REQUEST: gettext_lazy("This request is no longer pending."),
    Code.NO_PENDING_REQUEST: gettext_lazy("This request is no longer pending."),
}

REASONS: dict[str, Callable[[int], str]] = {
    Code.END_HAS_ONGOING_ORDER.name: lambda _count: _("An order with the lab is in progress."),
    Code.END_HAS_PENDING_ORDER.name: lambda _count: _("An order is pending at the lab."),
}
"""Messages for the reasons why a partnership can't be ended, used if the service sends only the code."""


def state_cell(partnership: Partnership) -> Cell:
    """Return the label of the state; for an unknown state, the service's code."""
    if partnership.is_lab_gone:
        return Cell(str(NO_LONGER_AVAILABLE), tone="neutral")
    label, tone = STATES.get(partnership.state, (partnership.status, "neutral"))
    return Cell(str(label), tone=tone)


def state_now(partnership: Partnership) -> str:
    """Return a sentence about the current state, for an action that is no longer possible."""
    if partnership.is_lab_gone:
        return str(LAB_REFUSALS[Code.LAB_GONE])
    # Translators: about a request or a partnership; %(state)s: such as Accepted, Ended or Request sent.
    return _("Current status: %(state)s.") % {"state": state_cell(partnership).text}


def parties(partnership: Partnership) -> dict[str, str]:
    """Return the names of the lab and the clinic or user as placeholders of a sentence."""
    return {"lab": isolated(lab_name(partnership.lab)), "clinic": isolated(owner_name(partnership.owner))}


def lab_name(lab: Lab) -> str:
    """Return the name of a lab, or else its ID, or else a placeholder."""
    return lab.called or _("Unnamed lab")


def owner_name(owner: Party) -> str:
    """Return the name of the clinic or user of a partnership."""
    return owner.called or (_("Unnamed user") if owner.is_user else _("Unnamed clinic"))
