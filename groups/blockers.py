"""What stands in the way of a clinic, a team or a user, and where it is found."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from console import reasons
from console.reasons import Blocker
from console.upstream.errors import NotDone, Reason, Ref
from groups.tables.clinics import users_url


def blockers(found: Sequence[Reason], *, clinic_id: str, team_id: str = "") -> list[Blocker]:
    """The reasons with links to people and partnerships of this clinic; cases have no page here."""

    def href(ref: Ref) -> str:
        if ref.type == "USER" and ref.id:
            return reverse("groups:user-detail", args=[clinic_id, ref.id])
        if ref.type in ("PARTNERSHIP", "LAB"):
            return reverse("groups:clinic-permissions", args=[clinic_id]) + "#labs"
        return ""

    def list_href(reason: Reason) -> str:
        if not reason.refs or reason.refs[0].type != "USER":
            return ""
        return users_url(clinic_id) + (f"?{urlencode({'team': team_id})}" if team_id else "")

    return reasons.blockers(found, href, list_href)


def refusal(error: NotDone, *, clinic_id: str, team_id: str = "") -> list[Blocker]:
    """Why the service refused, likewise."""
    return blockers(reasons.reasons_of(error), clinic_id=clinic_id, team_id=team_id)
