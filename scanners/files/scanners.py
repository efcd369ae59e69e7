"""Scanners as files: exported."""

from console.files.exporter import Export
from console.lists.query import ListQuery
from console.lists.view import ListView
from console.web.request import ConsoleRequest, zone_of
from scanners import links
from scanners.reading import expected_scanners
from scanners.tables.scanners import SCANNERS, scanner_table
from upstream.listing import Listing
from upstream.resources.scanners import Scanner


def scanner_export_of(request: ConsoleRequest) -> Export[Scanner]:
    """Return the export of the scanners of the organization."""
    upstream, organization, where = request.upstream, request.admin.organization_id, zone_of(request)
    path = links.scanner_list_url()

    def draw(query: ListQuery, listing: Listing[Scanner]) -> ListView:
        # Each few pages are drawn by themselves: the column is always there, or the rows would not fit the header.
        names = upstream.clinics.names_of(listing.results)
        expected = expected_scanners(request, listing.results)
        return scanner_table(query, listing, path=path, where=where, clinic_names=names, expected=expected)

    return Export(
        SCANNERS,
        read=lambda params: upstream.scanners.list(params, organization_id=organization),
        draw=draw,
        list_path=path,
    )
