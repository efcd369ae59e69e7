from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from console.web.contributions import Contributions, NavigationEntry


class ScannersConfig(AppConfig):
    name = "scanners"

    def get_contributions(self) -> Contributions:
        from scanners import labels, links
        from scanners.audit import KINDS
        from scanners.bulk.decisions import WAITING_SCANNERS, waiting
        from scanners.lists import LISTS
        from scanners.search import SEARCHES, STARTING_POINTS

        # Translators: entry of the navigation, heading and label of a number: intraoral scanners, as dentists use them.
        scanners = NavigationEntry(_("Scanners"), "scanners:scanner-list", "scan-line", "devices", waiting)
        return Contributions(
            navigation=[scanners],
            activity={kind.code: kind for kind in KINDS},
            lists=LISTS,
            decisions=[WAITING_SCANNERS],
            setup_steps=links.SETUP_STEPS,
            targets={"SCANNER": lambda _upstream, scanner_id: links.scanner_page(scanner_id)},
            reasons=labels.REASONS,
            refusals=labels.REFUSALS,
            searches=SEARCHES,
            starting_points=STARTING_POINTS,
        )
