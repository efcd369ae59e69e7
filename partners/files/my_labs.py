"""The labs of the partner list as files: exported."""

from console.files.exporter import Export
from console.web.request import ConsoleRequest, zone_of
from partners import links
from partners.tables.my_labs import MY_LABS, my_lab_table
from upstream.resources.partner_lists import ListedLab


def my_lab_export_of(request: ConsoleRequest) -> Export[ListedLab]:
    """Return the export of the list."""
    where = zone_of(request)
    return Export(
        MY_LABS,
        read=request.upstream.partner_lists.list,
        draw=lambda query, listing: my_lab_table(query, listing, where=where),
        list_path=links.tab_url("my-lab"),
    )
