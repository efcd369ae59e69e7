"""Scanners: the list, the page of each with its history, and the export."""

from typing import Any

from django.http import HttpResponse
from msgspec.structs import replace

from console.audit.query import read_history
from console.l10n.numbers import ngettext
from console.lists.choices import find_clinics
from console.lists.query import ListQuery, read_list, report_missing
from console.lists.view import ListView, with_facts
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.failures import describe, not_offered
from console.web.links import Link
from console.web.request import ConsoleRequest, get_tz
from console.web.responses import show
from scanners import links
from scanners.bulk.scanners import ScannerActions
from scanners.files.scanners import ScannerExport
from scanners.reading import expected_scanners, find_history, find_scanner
from scanners.tables.history import history_view
from scanners.tables.scanners import (
    CLINIC_SCANNERS,
    SCANNERS,
    expected_ones,
    scanner_actions,
    scanner_facts,
    scanner_table,
)
from upstream.listing import Listing, ListParams
from upstream.resources.scanners import PENDING, Scanner


class ScannerList(ListPage[Scanner]):
    definition = SCANNERS
    template = "scanners/scanner_list.html"
    bulk = ScannerActions
    exports = ScannerExport

    def load(self, query: ListQuery) -> tuple[Listing[Scanner], ListQuery]:
        upstream, organization = self.request.upstream, self.request.admin.organization_id
        (listing, query), clinics = upstream.together(
            lambda: read_list(query, lambda params: upstream.scanners.list(params, organization_id=organization)),
            lambda: find_clinics(self.request, query),
        )
        query = report_missing(upstream, query.with_choices("clinic", clinics.choices, search_term=clinics.search_term))
        self.clinic_names = upstream.clinics.get_known_names(listing.results)
        self.expected = expected_scanners(self.request, listing.results)
        self.expected_href = expected_ones(listing.results, self.expected)
        # Pending scanners can be on any page of the unfiltered list.
        pending = {**query.filters, "status": (PENDING,)}
        self.pending_href = "" if query.filters == pending else query.url(self.request.path, filters=pending, page=1)
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[Scanner]) -> ListView:
        table = scanner_table(
            query,
            listing,
            path=self.request.path,
            tz=self.tz,
            clinic_names=self.clinic_names,
            expected=self.expected or None,
        )
        count = ngettext("%(count)s scanner", "%(count)s scanners", table.total) % {"count": table.total}
        # In the list of all, a decision changes the status of a row, which must not show or hide the column.
        one_status = ["status"] if len(query.filters.get("status", ())) == 1 else []
        return with_facts(table, count, once=["clinic", *one_status])

    def context(self) -> dict[str, Any]:
        return {
            "clinic": None,
            "files": links.scanner_files(),
            "expected_href": self.expected_href,
            "pending_href": self.pending_href,
        }


class ClinicScannerList(ListPage[Scanner]):
    """The scanners of one clinic, a tab of its pages."""

    definition = CLINIC_SCANNERS
    template = "scanners/scanner_list.html"

    def load(self, query: ListQuery) -> tuple[Listing[Scanner], ListQuery]:
        upstream, clinic_id = self.request.upstream, self.kwargs["clinic_id"]

        def read(params: ListParams) -> Listing[Scanner]:
            params = replace(params, filters={**params.filters, "clinic": (clinic_id,)})
            return upstream.scanners.list(params, organization_id=upstream.organization_id)

        self.clinic, (listing, query) = upstream.together(
            lambda: upstream.clinics.get(clinic_id), lambda: read_list(query, read)
        )
        self.expected = expected_scanners(self.request, listing.results)
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[Scanner]) -> ListView:
        expected = self.expected or None
        return scanner_table(query, listing, path=self.request.path, tz=self.tz, expected=expected)

    def context(self) -> dict[str, Any]:
        return {"clinic": self.clinic, "files": [], "expected_href": ""}


@private
def scanner_show(request: ConsoleRequest, scanner_id: str) -> HttpResponse:
    back, tz = links.back_to_list(request), get_tz(request)
    subject, history = request.upstream.together(
        lambda: find_scanner(request, scanner_id), lambda: find_history(request, scanner_id)
    )
    scanner, page_url = subject.scanner, links.scanner_page_from(scanner_id, back)
    return show(
        request,
        "scanners/scanner_show.html",
        name=scanner.called,
        facts=scanner_facts(scanner, clinic_name=subject.clinic_name, tz=tz),
        decisions=[
            (Link(action.label, links.decision_url(scanner.id, name, back=page_url)), action.is_act)
            for name, action in scanner_actions().items()
            if scanner.allows(name)
        ],
        history=history.listing
        and history_view(history.query, history.listing, scanner_id=scanner_id, back=back, tz=tz),
        activity=read_history(request, "scanner", scanner.id, scanner.serial_number),
        no_history=describe(history.error).text if history.error else not_offered(),
        page_url=page_url,
        crumbs=[links.scanners_crumb()],
        back=back,
    )
