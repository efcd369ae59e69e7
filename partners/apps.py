from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from console.web.contributions import Contributions, NavigationEntry


class PartnersConfig(AppConfig):
    name = "partners"

    def get_contributions(self) -> Contributions:
        from partners import labels, links
        from partners.audit import KINDS
        from partners.bulk.decisions import WAITING_REQUESTS, waiting
        from partners.lists import LISTS
        from partners.search import SEARCHES, STARTING_POINTS

        return Contributions(
            navigation=[
                NavigationEntry(
                    # Translators: labs that our clinics work with: entry of the navigation, heading and tab.
                    _("Partners"),
                    "partners:asking-list",
                    "handshake",
                    "devices",
                    waiting,
                    parts=["partners:home"],
                )
            ],
            activity={kind.code: kind for kind in KINDS},
            lists=LISTS,
            decisions=[WAITING_REQUESTS],
            setup_steps=links.SETUP_STEPS,
            targets={"PARTNERSHIP": lambda _upstream, id: links.partnership_pages(id)},
            reasons=labels.LAB_REASONS | labels.REASONS,
            refusals=labels.LAB_REFUSALS | labels.REFUSALS,
            searches=SEARCHES,
            starting_points=STARTING_POINTS,
        )
