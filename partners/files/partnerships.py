"""The exports of the tabs of the partner list."""

from collections.abc import Sequence
from typing import ClassVar

from console.files.exporter import Export
from console.lists.query import ListQuery
from console.lists.view import Column
from partners.tables.partnerships import TABS, partnership_columns
from upstream.listing import Listing, ListParams
from upstream.resources.partnerships import Partnership


class _TabExport(Export[Partnership]):
    """The export of a tab, with complete messages."""

    tab: ClassVar[str]

    def read(self, params: ListParams) -> Listing[Partnership]:
        return self.upstream.partnerships.list(TABS[self.tab].with_filters(params))

    def columns(self, query: ListQuery, listing: Listing[Partnership]) -> Sequence[Column[Partnership]]:
        return partnership_columns(self.definition, self.tz, is_file=True)


class AskingExport(_TabExport):
    tab = "asking"
    definition = TABS[tab].definition


class PartnerExport(_TabExport):
    tab = "partner"
    definition = TABS[tab].definition


class SentExport(_TabExport):
    tab = "sent"
    definition = TABS[tab].definition


class PastExport(_TabExport):
    tab = "past"
    definition = TABS[tab].definition
