"""Clinics: the list."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from console.access import private
from console.http import ConsoleRequest, wants_json
from console.list_memory import read_query
from console.lists import read_list
from console.respond import Answer, json
from console.timezone import zone_of
from console.upstream.client import Upstream
from console.upstream.dashboards import Summary
from console.upstream.errors import NotDone, NotFound
from groups.tables import clinics as tables
from groups.views.clinic_bulk import clinic_bulk_bar


@private
def clinic_list(request: ConsoleRequest) -> HttpResponse:
    query = read_query(request, tables.CLINICS)
    organization = request.admin.organization_id
    upstream = request.upstream
    (listing, query), summary = upstream.together(
        lambda: read_list(query, lambda params: upstream.clinics.list(params, organization_id=organization)),
        lambda: _summary(upstream, organization),
    )
    shown = tables.clinic_list(query, listing, path=request.path, where=zone_of(request))
    if wants_json(request):
        return json(request, Answer(ok=True, item={"list": shown}))
    return render(
        request,
        "groups/clinic_list.html",
        {"list": shown, "bulk": clinic_bulk_bar(), "facts": _facts(summary) if summary else []},
    )


def _summary(upstream: Upstream, organization_id: str) -> Summary | None:
    """The organization in numbers; None where the service has no such call or fails: the list is worth more."""
    try:
        return upstream.dashboards.summary(organization_id)
    except (NotDone, NotFound):
        return None


def _facts(summary: Summary) -> list[str]:
    """The numbers in words, each on its own: sentences with two plurals can't be translated."""
    counts = (
        ngettext("%(count)s clinic", "%(count)s clinics", summary.main_group_count)
        % {"count": summary.main_group_count},
        ngettext("%(count)s user", "%(count)s users", summary.user_count) % {"count": summary.user_count},
    )
    waiting = summary.invited_user_count
    if not waiting:
        return list(counts)
    return [*counts, ngettext("%(count)s open invitation", "%(count)s open invitations", waiting) % {"count": waiting}]
