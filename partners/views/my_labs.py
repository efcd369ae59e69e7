"""The tab of the partner list that shows the list itself: labs, whether or not something is agreed with them."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from console.bulk.bar import bulk_bar, with_selection
from console.bulk.views import run_bulk
from console.files import views as spreadsheets
from console.files.links import export_links
from console.files.write import Kind
from console.l10n.numbers import ngettext
from console.lists.answers import list_json
from console.lists.page_size import read_query
from console.lists.query import read_list
from console.lists.view import with_facts
from console.web.access import private
from console.web.request import ConsoleRequest, wants_json, zone_of
from console.web.responses import show
from partners.bulk.labs import MyLabActions
from partners.files.my_labs import MyLabExport
from partners.reading import needs_tabs, waiting_count, with_tabs
from partners.tables.my_labs import MY_LABS, my_lab_table


@private
def my_lab_list(request: ConsoleRequest) -> HttpResponse:
    upstream, query = request.upstream, read_query(request, MY_LABS)
    (listing, query), *waiting = upstream.together(
        lambda: read_list(query, upstream.partner_lists.list),
        *([lambda: waiting_count(upstream)] if needs_tabs(request) else ()),
    )
    table = my_lab_table(query, listing, where=zone_of(request))
    shown = with_facts(table, ngettext("%(count)s lab", "%(count)s labs", table.total) % {"count": table.total})
    if waiting:
        shown = with_tabs(shown, "my-lab", waiting[0])
    bulk = bulk_bar(MyLabActions(request), query, shown.total)
    if wants_json(request):
        return list_json(request, with_selection(shown, bulk))
    return show(
        request,
        "partners/partner_list.html",
        list=shown,
        bulk=bulk,
        files=export_links("partners:my-lab"),
    )


@private(methods=("GET", "POST"))
def my_lab_bulk_run(request: ConsoleRequest, action: str) -> HttpResponse:
    return run_bulk(request, MyLabActions(request), action)


@private(is_page=False)
def my_lab_export(request: ConsoleRequest, kind: Kind = "csv") -> HttpResponseBase:
    return spreadsheets.export(request, MyLabExport(request), kind)
