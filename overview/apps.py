from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from console.web.contributions import ActivityPages, Contributions, NavigationEntry, contributed


class OverviewConfig(AppConfig):
    name = "overview"

    def get_contributions(self) -> Contributions:
        from overview import links
        from overview.lists import LISTS

        return Contributions(
            navigation=[
                NavigationEntry(
                    # Translators: entry of the navigation: what is waiting for a decision of the administrator.
                    _("Decisions"),
                    "overview:decision-list",
                    "inbox",
                    lambda summary: sum(kind.count(summary) for kind in contributed().decisions),
                    stored_count=lambda request: sum(kind.stored_count(request) for kind in contributed().decisions),
                ),
                # Translators: entry of the navigation and heading: the organization in numbers.
                NavigationEntry(_("Dashboard"), "overview:dashboard-show", "layout-dashboard"),
                # Translators: entry of the navigation and heading: what was changed, by whom. A noun.
                NavigationEntry(_("Activity"), "overview:activity-list", "history", rank=1),
            ],
            lists=LISTS,
            inboxes=["overview:decision-list"],
            activity_pages=ActivityPages(
                links.activity_list_url, lambda id: links.entry_url(links.activity_list_url(), id)
            ),
        )
