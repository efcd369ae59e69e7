"""Links to what blocks a deletion or a move."""

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from console.forms import blockers
from console.forms.blockers import Blocker, NextStep
from console.forms.return_url import with_return_url
from console.web.paths import get_path
from groups.links.users import user_list_url
from upstream.errors import Reason, Ref

CASES = ("ONGOING_ORDERED_CASE", "PENDING_ORDERED_CASE_WITH_LAB")


def blocker_links(
    reasons: Sequence[Reason],
    *,
    clinic_id: str,
    back: str = "",
    team_id: str = "",
    user_name: str = "",
    move: Callable[[int], NextStep] | None = None,
) -> list[Blocker]:
    """Return the reasons with links to users and partners of this clinic, and the next step; cases have no page.

    `back` is the page of the deletion, which the partnerships lead back to. The partnerships of a user are not among
    those of the clinic, so they are searched by `user_name`. `move` returns the step that moves this many users, who
    block the deletion.
    """
    clinic_partners = with_return_url(
        get_path("clinic_partners:clinic-partner-list", clinic_id), "" if user_name else back, ""
    )
    user_partners = f"{get_path('partners:partner-list')}?{urlencode({'keyword': user_name})}"
    partners = user_partners if user_name else clinic_partners

    def href(ref: Ref) -> str:
        if ref.type == "USER" and ref.id:
            return get_path("groups:user-show", clinic_id, ref.id)
        if ref.type == "PARTNERSHIP" and (end := get_path("partners:partnership-end", ref.id)):
            return with_return_url(end, back, "")
        return partners if ref.type in ("PARTNERSHIP", "LAB") else ""

    def list_href(reason: Reason) -> str:
        if not reason.refs or reason.refs[0].type != "USER":
            return ""
        return user_list_url(clinic_id) + (f"?{urlencode({'team': team_id})}" if team_id else "")

    def next_step(reason: Reason) -> NextStep | None:
        if reason.reason in CASES:
            return NextStep(_("Ask the clinic to complete or cancel its open orders and requests."))
        match reason.reason:
            case "PARTNER_WITH_LAB" if user_name:
                return NextStep(_("View in Partners"), user_partners)
            case "CLINIC_HAS_PARTNER" | "PARTNER_WITH_LAB":
                return NextStep(_("View the clinic's partners"), clinic_partners)
            case "NOT_EMPTY" | "TEAM_NOT_EMPTY" if move and reason.count:
                return move(reason.count)
        return None

    # Open cases first: they also keep partnerships from being ended and users from being moved.
    reasons = sorted(reasons, key=lambda reason: reason.reason not in CASES)
    return blockers.blockers(reasons, href, list_href, next_step)
