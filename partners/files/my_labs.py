"""The export of the labs of the partner list."""

from console.files.exporter import Export
from console.lists.query import ListQuery
from console.lists.view import ListView
from partners.tables.my_labs import MY_LABS, my_lab_table
from upstream.listing import Listing, ListParams
from upstream.resources.partner_lists import ListedLab


class MyLabExport(Export[ListedLab]):
    definition = MY_LABS

    def read(self, params: ListParams) -> Listing[ListedLab]:
        return self.upstream.partner_lists.list(params)

    def render(self, query: ListQuery, listing: Listing[ListedLab]) -> ListView:
        return my_lab_table(query, listing, tz=self.tz)
