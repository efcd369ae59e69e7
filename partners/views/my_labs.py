"""The tab of the partner list with all its labs, with or without a partnership."""

from typing import Any

from console.files.links import export_links
from console.l10n.numbers import ngettext
from console.lists.query import ListQuery, read_list
from console.lists.view import ListView, with_facts
from console.screens.list_page import ListPage
from partners.bulk.labs import MyLabActions
from partners.files.my_labs import MyLabExport
from partners.reading import waiting_reads, with_tabs
from partners.tables.my_labs import MY_LABS, my_lab_table
from upstream.listing import Listing
from upstream.resources.partner_lists import ListedLab


class MyLabList(ListPage[ListedLab]):
    definition = MY_LABS
    template = "partners/partner_list.html"
    bulk = MyLabActions
    exports = MyLabExport

    def load(self, query: ListQuery) -> tuple[Listing[ListedLab], ListQuery]:
        upstream = self.request.upstream
        (listing, query), *self.waiting = upstream.together(
            lambda: read_list(query, upstream.partner_lists.list), *waiting_reads(self.request)
        )
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[ListedLab]) -> ListView:
        table = my_lab_table(query, listing, tz=self.tz)
        count = ngettext("%(count)s lab", "%(count)s labs", table.total) % {"count": table.total}
        return with_tabs(with_facts(table, count), "my-lab", self.waiting)

    def context(self) -> dict[str, Any]:
        return {"clinic": None, "files": export_links("partners:my-lab")}
