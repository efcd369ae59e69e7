from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OverviewConfig(AppConfig):
    name = "overview"

    def ready(self) -> None:
        from console.web.contributions import (
            ActivityPages,
            NavigationEntry,
            decisions,
            register_activity_pages,
            register_inbox,
            register_lists,
            register_navigation,
        )
        from overview import links
        from overview.lists import LISTS

        register_navigation(
            NavigationEntry(
                # Translators: entry of the navigation: what is waiting for a decision of the administrator.
                _("Decisions"),
                "overview:decision-list",
                "inbox",
                lambda summary: sum(kind.count(summary) for kind in decisions.values()),
                kept=lambda request: sum(kind.kept(request) for kind in decisions.values()),
            ),
            # Translators: entry of the navigation and heading: the organization in numbers.
            NavigationEntry(_("Dashboard"), "overview:dashboard-show", "layout-dashboard"),
            # Translators: entry of the navigation and heading: what was changed, by whom. A noun.
            NavigationEntry(_("Activity"), "overview:activity-list", "history", rank=1),
        )
        register_lists(LISTS)
        register_inbox("overview:decision-list")
        register_activity_pages(
            ActivityPages(links.activity_list_url, lambda id: links.entry_url(links.activity_list_url(), id))
        )
