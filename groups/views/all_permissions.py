"""The permissions of all clinics in one table: compared, exported, changed together."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from console.bulk.bar import bulk_bar, with_selection
from console.bulk.views import run_bulk
from console.files import views as spreadsheets
from console.files.write import Kind
from console.lists.answers import list_json
from console.lists.page_size import read_query
from console.lists.query import read_list
from console.lists.view import with_facts
from console.web.access import private
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import show
from groups import links
from groups.bulk.clinics import PermissionActions
from groups.files.clinics import PermissionExport
from groups.reading import ComparedClinics
from groups.tables.all_permissions import ALL_PERMISSIONS, all_permission_table, compared_with
from upstream.errors import NotOffered


@private
def all_permission_list(request: ConsoleRequest) -> HttpResponse:
    query, compared = read_query(request, ALL_PERMISSIONS), ComparedClinics(request)
    try:
        listing, query = read_list(query, compared.read)
    except NotOffered:
        if wants_json(request):
            raise
        return show(request, "groups/all_permission_list.html", list=None)
    comparison = compared.compared(query.params())
    table = all_permission_table(query, listing, comparison, path=request.path)
    shown = with_facts(table, compared_with(comparison)) if comparison.clinics else table
    bulk = bulk_bar(PermissionActions(request), query, shown.total)
    if wants_json(request):
        return list_json(request, with_selection(shown, bulk))
    return show(
        request,
        "groups/all_permission_list.html",
        list=shown,
        bulk=bulk,
        files=links.all_permission_files(),
    )


@private(is_page=False)
def all_permission_export(request: ConsoleRequest, kind: Kind = "csv") -> HttpResponseBase:
    return spreadsheets.export(request, PermissionExport(request), kind)


@private(methods=("GET", "POST"))
def all_permission_bulk_run(request: ConsoleRequest, action: str) -> HttpResponse:
    return run_bulk(request, PermissionActions(request), action)
