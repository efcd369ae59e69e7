from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScannersConfig(AppConfig):
    name = "scanners"

    def ready(self) -> None:
        from console.web.contributions import (
            NavigationEntry,
            register_activity,
            register_decisions,
            register_lists,
            register_navigation,
            register_reasons,
            register_refusals,
            register_searches,
            register_starting_points,
            register_targets,
        )
        from scanners import labels, links
        from scanners.activity import KINDS
        from scanners.bulk.decisions import WAITING_SCANNERS, waiting
        from scanners.lists import LISTS
        from scanners.search import SEARCHES, STARTING_POINTS

        # Translators: entry of the navigation, heading and label of a number: intraoral scanners, as dentists use them.
        register_navigation(NavigationEntry(_("Scanners"), "scanners:scanner-list", "scan-line", waiting))
        register_activity(*KINDS)
        register_lists(LISTS)
        register_decisions(WAITING_SCANNERS)
        register_targets({"SCANNER": lambda _upstream, scanner_id: links.scanner_page(scanner_id)})
        register_reasons(labels.REASONS)
        register_refusals(labels.REFUSALS)
        register_searches(*SEARCHES)
        register_starting_points(*STARTING_POINTS)
