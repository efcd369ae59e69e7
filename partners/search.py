"""Results of the global search among labs: the partner list, and a link to the search of all labs."""

from django.utils.translation import gettext_lazy as _

from console.web.contributions import SearchHit, SearchKind, StartingPoint
from partners.labels import lab_name
from partners.links import TABS, lab_url
from partners.tables.my_labs import status_cell
from upstream.resources.partner_lists import ListedLab


def _lab(row: ListedLab) -> SearchHit:
    return SearchHit(lab_name(row.lab), lab_url(row.id), (row.lab.address, status_cell(row).text))


SEARCHES = (
    SearchKind(
        name="labs",
        title=_("Labs"),
        icon="handshake",
        read=lambda upstream, params: upstream.partner_lists.list(params),
        hit=_lab,
        all_label=_("Search all labs"),
        all_url_name="partners:lab-list",
        all_is_more=True,
    ),
)

STARTING_POINTS = (
    StartingPoint(_("Find labs"), "partners:lab-list", "search"),
    StartingPoint(_("Labs on my list"), "partners:my-lab-list", "handshake"),
    *(
        StartingPoint(
            TABS[name],
            f"partners:{name}-list",
            "handshake",
            keywords=_("Partnerships"),
            is_suggested=False,
            page=_("Partners"),
        )
        for name in ("partner", "ordering", "asking", "sent", "past")
    ),
)
