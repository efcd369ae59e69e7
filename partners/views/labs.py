"""Labs: the search, and the page of each."""

from datetime import UTC, datetime

from django.http import HttpResponse

from console.audit.query import history_of
from console.bulk.bar import bulk_bar, with_selection
from console.bulk.views import run_bulk
from console.l10n.numbers import ngettext
from console.lists.answers import list_json
from console.lists.page_size import read_query
from console.lists.query import read_list, sought_in
from console.lists.view import with_facts
from console.web.access import private
from console.web.request import ConsoleRequest, wants_json, zone_of
from console.web.responses import show
from partners import links
from partners.bulk.labs import LabActions
from partners.labels import lab_name
from partners.reading import needs_tabs, partnerships_with, read_lab, waiting_count, with_tabs
from partners.tables.lab_page import clinic_states, lab_page
from partners.tables.labs import LABS, lab_table, with_codes


@private
def lab_list(request: ConsoleRequest) -> HttpResponse:
    query, upstream = read_query(request, LABS), request.upstream
    (listing, query), *waiting = upstream.together(
        lambda: read_list(query, upstream.labs.list),
        *([lambda: waiting_count(upstream)] if needs_tabs(request) else ()),
    )
    query = with_codes(query, listing, lambda name: sought_in(name, request.GET))
    table = lab_table(query, listing, path=request.path)
    shown = with_facts(table, ngettext("%(count)s lab", "%(count)s labs", table.total) % {"count": table.total})
    if waiting:
        shown = with_tabs(shown, "search", waiting[0])
    bulk = bulk_bar(LabActions(request), query, shown.total)
    if wants_json(request):
        return list_json(request, with_selection(shown, bulk))
    return show(request, "partners/lab_list.html", list=shown, bulk=bulk)


@private(methods=("GET", "POST"))
def lab_bulk_run(request: ConsoleRequest, action: str) -> HttpResponse:
    return run_bulk(request, LabActions(request), action)


@private
def lab_show(request: ConsoleRequest, lab_id: str) -> HttpResponse:
    upstream = request.upstream
    lab, partnerships = upstream.together(
        lambda: read_lab(upstream, lab_id), lambda: partnerships_with(upstream, lab_id)
    )
    back = links.back_from_lab(request)
    states = clinic_states(partnerships, zone_of(request), back=links.lab_url(lab_id))
    if lab is None:
        return show(request, "partners/lab_gone.html", status=410, partnerships=states, back=back)
    return show(
        request,
        "partners/lab_show.html",
        lab=lab,
        name=lab_name(lab),
        shown=lab_page(lab, now=datetime.now(UTC)),
        partnerships=states,
        history=history_of(request, "lab", lab.id),
        request_href=links.request_url(lab.id),
        add_href=links.lab_add_url(lab.id),
        remove_href=links.lab_remove_url(lab.id),
        crumbs=[links.labs_crumb()],
        back=back,
        here=links.lab_url(lab_id),
    )
