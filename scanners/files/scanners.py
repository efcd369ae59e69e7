"""The export of scanners."""

from console.files.exporter import Export
from console.lists.query import ListQuery
from console.lists.view import ListView
from scanners.reading import expected_scanners
from scanners.tables.scanners import SCANNERS, scanner_table
from upstream.listing import Listing, ListParams
from upstream.resources.scanners import Scanner


class ScannerExport(Export[Scanner]):
    definition = SCANNERS

    def read(self, params: ListParams) -> Listing[Scanner]:
        return self.upstream.scanners.list(params, organization_id=self.request.admin.organization_id)

    def render(self, query: ListQuery, listing: Listing[Scanner]) -> ListView:
        # The pages of an export are rendered separately, so the column is always present: all rows must fit the header.
        names = self.upstream.clinics.get_names(listing.results)
        expected = expected_scanners(self.request, listing.results)
        return scanner_table(query, listing, path=self.list_path, tz=self.tz, clinic_names=names, expected=expected)
