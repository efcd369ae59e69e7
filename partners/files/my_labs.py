"""The export of the labs of the partner list."""

from collections.abc import Sequence

from console.files.exporter import Export
from console.lists.query import ListQuery
from console.lists.view import Column
from partners.tables.my_labs import MY_LABS, my_lab_columns
from upstream.listing import Listing, ListParams
from upstream.resources.partner_lists import ListedLab


class MyLabExport(Export[ListedLab]):
    definition = MY_LABS

    def read(self, params: ListParams) -> Listing[ListedLab]:
        return self.upstream.partner_lists.list(params)

    def columns(self, query: ListQuery, listing: Listing[ListedLab]) -> Sequence[Column[ListedLab]]:
        return my_lab_columns(self.tz)
