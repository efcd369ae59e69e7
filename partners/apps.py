from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PartnersConfig(AppConfig):
    name = "partners"

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
        from partners import labels, links
        from partners.activity import KINDS
        from partners.bulk.decisions import WAITING_REQUESTS, waiting
        from partners.lists import LISTS
        from partners.search import SEARCHES, STARTING_POINTS

        register_navigation(
            # Translators: labs that our clinics work with: entry of the navigation, heading and tab.
            NavigationEntry(_("Partners"), "partners:asking-list", "handshake", waiting, part="partners:home")
        )
        register_activity(*KINDS)
        register_lists(LISTS)
        register_decisions(WAITING_REQUESTS)
        register_targets({"PARTNERSHIP": lambda _upstream, id: links.partnership_pages(id)})
        register_reasons(labels.LAB_REASONS | labels.REASONS)
        register_refusals(labels.LAB_REFUSALS | labels.REFUSALS)
        register_searches(*SEARCHES)
        register_starting_points(*STARTING_POINTS)
