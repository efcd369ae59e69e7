"""The export of scanners."""

from collections.abc import Sequence

from console.files.exporter import Export
from console.lists.query import ListQuery
from console.lists.view import Column
from scanners.reading import expected_scanners
from scanners.tables.scanners import SCANNERS, scanner_columns
from upstream.listing import Listing, ListParams
from upstream.resources.scanners import Scanner


class ScannerExport(Export[Scanner]):
    definition = SCANNERS

    def read(self, params: ListParams) -> Listing[Scanner]:
        return self.upstream.scanners.list(params, organization_id=self.request.admin.organization_id)

    def columns(self, query: ListQuery, listing: Listing[Scanner]) -> Sequence[Column[Scanner]]:
        # The pages of an export are rendered separately, so the column is always present: all rows must fit the header.
        names = self.upstream.clinics.get_names(listing.results)
        return scanner_columns(self.tz, clinic_names=names, expected=expected_scanners(self.request, listing.results))
