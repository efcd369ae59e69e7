"""The tabs of the partner list as files, and what is done to many of their rows."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from console.access import private
from console.bulk.views import run_bulk
from console.http import ConsoleRequest, zone_of
from console.spreadsheets import views as spreadsheets
from console.spreadsheets.exporter import Export
from console.upstream.resources.partnerships import Partnership
from partners import links
from partners.bulk.partnerships import partnership_bulk
from partners.tables.partnerships import TABS, partnership_table


def _export_of(request: ConsoleRequest, name: str) -> Export[Partnership]:
    upstream, where, tab = request.upstream, zone_of(request), TABS[name]
    return Export(
        tab.definition,
        read=lambda params: upstream.partnerships.list(tab.asked(params)),
        draw=lambda query, listing: partnership_table(name, query, listing, where=where, is_file=True),
        list_path=links.tab_url(name),
    )


@private(is_page=False)
def asking_export(request: ConsoleRequest) -> HttpResponseBase:
    return spreadsheets.export(request, _export_of(request, "asking"), "csv")


@private(is_page=False)
def asking_xlsx_export(request: ConsoleRequest) -> HttpResponseBase:
    return spreadsheets.export(request, _export_of(request, "asking"), "xlsx")


@private(is_page=False)
def partner_export(request: ConsoleRequest) -> HttpResponseBase:
    return spreadsheets.export(request, _export_of(request, "partner"), "csv")


@private(is_page=False)
def partner_xlsx_export(request: ConsoleRequest) -> HttpResponseBase:
    return spreadsheets.export(request, _export_of(request, "partner"), "xlsx")


@private(is_page=False)
def sent_export(request: ConsoleRequest) -> HttpResponseBase:
    return spreadsheets.export(request, _export_of(request, "sent"), "csv")


@private(is_page=False)
def sent_xlsx_export(request: ConsoleRequest) -> HttpResponseBase:
    return spreadsheets.export(request, _export_of(request, "sent"), "xlsx")


@private(is_page=False)
def past_export(request: ConsoleRequest) -> HttpResponseBase:
    return spreadsheets.export(request, _export_of(request, "past"), "csv")


@private(is_page=False)
def past_xlsx_export(request: ConsoleRequest) -> HttpResponseBase:
    return spreadsheets.export(request, _export_of(request, "past"), "xlsx")


@private(methods=("GET", "POST"))
def asking_bulk_run(request: ConsoleRequest, action: str) -> HttpResponse:
    return run_bulk(request, partnership_bulk(request, "asking"), action)


@private(methods=("GET", "POST"))
def sent_bulk_run(request: ConsoleRequest, action: str) -> HttpResponse:
    return run_bulk(request, partnership_bulk(request, "sent"), action)
