"""Partnerships as files: the tabs of the partner list, exported."""

from console.files.exporter import Export
from console.web.request import ConsoleRequest, zone_of
from partners import links
from partners.tables.partnerships import TABS, partnership_table
from upstream.resources.partnerships import Partnership


def partnership_export_of(request: ConsoleRequest, name: str) -> Export[Partnership]:
    """Return the export of a tab; it has whole messages."""
    upstream, where, tab = request.upstream, zone_of(request), TABS[name]
    return Export(
        tab.definition,
        read=lambda params: upstream.partnerships.list(tab.asked(params)),
        draw=lambda query, listing: partnership_table(name, query, listing, where=where, is_file=True),
        list_path=links.tab_url(name),
    )
