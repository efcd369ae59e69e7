from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from console.web.contributions import ActivityPages, Contributions, NavigationEntry, contributed


class OverviewConfig(AppConfig):
    name = "overview"

    def get_contributions(self) -> Contributions:
        from overview import links
        from overview.lists import LISTS
        from overview.search import STARTING_POINTS

        return Contributions(
            navigation=[
                # Translators: noun: the page with the organization in numbers; entry of the navigation and heading.
                NavigationEntry(_("Home"), "overview:dashboard-show", "house", "start"),
                NavigationEntry(
                    # Translators: noun: what is waiting for a decision of the administrator; entry of the navigation.
                    _("Approvals"),
                    "overview:decision-list",
                    "inbox",
                    "start",
                    lambda summary: sum(kind.count(summary) for kind in contributed().decisions if kind.is_counted),
                    stored_count=lambda request: sum(kind.stored_count(request) for kind in contributed().decisions),
                ),
                # Translators: entry of the navigation and heading: what was changed, by whom. A noun.
                NavigationEntry(_("Activity"), "overview:activity-list", "history", "records", rank=1),
            ],
            lists=LISTS,
            inboxes=["overview:decision-list"],
            decision_page="overview:decision-list",
            starting_points=STARTING_POINTS,
            activity_pages=ActivityPages(
                links.activity_list_url,
                lambda id: links.entry_url(links.activity_list_url(), id),
                links.service_log_url,
            ),
        )
