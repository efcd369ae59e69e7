"""Scanners: the list, the page of each with its history, and the files."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from console.audit.query import history_of
from console.bulk.bar import bulk_bar, with_selection
from console.bulk.views import run_bulk
from console.files import views as spreadsheets
from console.files.write import Kind
from console.l10n.numbers import ngettext
from console.lists.answers import list_json
from console.lists.choices import clinic_choices
from console.lists.page_size import read_query
from console.lists.query import read_list, report_missing
from console.lists.view import with_facts
from console.web.access import private
from console.web.failures import describe, not_offered
from console.web.links import Link
from console.web.request import ConsoleRequest, wants_json, zone_of
from console.web.responses import show
from scanners import links
from scanners.bulk.scanners import ScannerActions
from scanners.files.scanners import ScannerExport
from scanners.reading import expected_scanners, find_history, find_scanner
from scanners.tables.history import history_view
from scanners.tables.scanners import SCANNERS, expected_ones, scanner_actions, scanner_facts, scanner_table


@private
def scanner_list(request: ConsoleRequest) -> HttpResponse:
    query = read_query(request, SCANNERS)
    upstream, organization = request.upstream, request.admin.organization_id
    (listing, query), clinics = upstream.together(
        lambda: read_list(query, lambda params: upstream.scanners.list(params, organization_id=organization)),
        lambda: clinic_choices(request, query),
    )
    query = report_missing(upstream, query.with_choices("clinic", clinics.choices, sought=clinics.sought))
    names = upstream.clinics.known_names_of(listing.results)
    expected = expected_scanners(request, listing.results)
    table = scanner_table(
        query, listing, path=request.path, where=zone_of(request), clinic_names=names, expected=expected or None
    )
    count = ngettext("%(count)s scanner", "%(count)s scanners", table.total) % {"count": table.total}
    shown = with_facts(table, count, once=["clinic"])
    bulk = bulk_bar(ScannerActions(request), query, shown.total)
    if wants_json(request):
        return list_json(request, with_selection(shown, bulk))
    return show(
        request,
        "scanners/scanner_list.html",
        list=shown,
        bulk=bulk,
        files=links.scanner_files(),
        expected_href=expected_ones(listing.results, expected),
    )


@private
def scanner_show(request: ConsoleRequest, scanner_id: str) -> HttpResponse:
    back, where = links.back_to_list(request), zone_of(request)
    subject, history = request.upstream.together(
        lambda: find_scanner(request, scanner_id), lambda: find_history(request, scanner_id)
    )
    scanner, here = subject.scanner, links.scanner_page_from(scanner_id, back)
    return show(
        request,
        "scanners/scanner_show.html",
        name=scanner.called,
        facts=scanner_facts(scanner, clinic_name=subject.clinic_name, where=where),
        decisions=[
            (Link(action.label, links.decision_url(scanner.id, name, back=here)), action.is_act)
            for name, action in scanner_actions().items()
            if scanner.allows(name)
        ],
        history=history.listing
        and history_view(history.query, history.listing, scanner_id=scanner_id, back=back, where=where),
        activity=history_of(request, "scanner", scanner.id),
        no_history=describe(history.error).text if history.error else not_offered(),
        here=here,
        crumbs=[links.scanners_crumb()],
        back=back,
    )


@private(is_page=False)
def scanner_export(request: ConsoleRequest, kind: Kind = "csv") -> HttpResponseBase:
    return spreadsheets.export(request, ScannerExport(request), kind)


@private(methods=("GET", "POST"))
def scanner_bulk_run(request: ConsoleRequest, decision: str) -> HttpResponse:
    return run_bulk(request, ScannerActions(request), decision)
