"""Results of the global search among scanners."""

from urllib.parse import urlencode

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from console.web.contributions import SearchHit, SearchKind, StartingPoint
from scanners.labels import SCANNER_STATUSES
from scanners.links import scanner_page
from upstream.resources.scanners import Scanner


def _scanner(scanner: Scanner) -> SearchHit:
    status, _tone = SCANNER_STATUSES.get(scanner.status, (scanner.status, "neutral"))
    return SearchHit(scanner.called, scanner_page(scanner.id), (scanner.model or "", scanner.clinic_name, str(status)))


SEARCHES = (
    SearchKind(
        name="scanners",
        title=_("Scanners"),
        icon="scan-line",
        read=lambda upstream, params: upstream.scanners.list(params, organization_id=upstream.organization_id),
        hit=_scanner,
        all_label=_("See all results in Scanners"),
        all_url_name="scanners:scanner-list",
    ),
)

STARTING_POINTS = (
    StartingPoint(_("Expected serial numbers"), "scanners:expected-serial-list", "scan-line"),
    StartingPoint(_("Add serial numbers"), "scanners:expected-serial-create", "plus"),
    StartingPoint(
        _("Scanners"),
        "scanners:scanner-list",
        "scan-line",
        pgettext_lazy("search words", "approve, device"),
        is_suggested=False,
    ),
    *(
        StartingPoint(
            label,
            "scanners:scanner-list",
            "scan-line",
            is_suggested=False,
            page=_("Scanners"),
            query=urlencode({"status": status}),
        )
        for status, (label, _tone) in SCANNER_STATUSES.items()
    ),
)
