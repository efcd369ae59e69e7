from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        from console.web.contributions import (
            ActivityPages,
            Bell,
            NavigationEntry,
            decisions,
            register_activity_pages,
            register_bell,
            register_inbox,
            register_lists,
            register_navigation,
        )
        from notifications import links
        from notifications.labels import bell_label
        from notifications.lists import LISTS

        register_navigation(
            NavigationEntry(
                # Translators: entry of the navigation: what is waiting for a decision of the administrator.
                _("Decisions"),
                "notifications:decision-list",
                "inbox",
                lambda summary: sum(kind.count(summary) for kind in decisions.values()),
                kept=lambda request: sum(kind.kept(request) for kind in decisions.values()),
            ),
            # Translators: entry of the navigation and heading: the organization in numbers.
            NavigationEntry(_("Dashboard"), "notifications:dashboard-show", "layout-dashboard"),
            NavigationEntry(
                # Translators: entry of the navigation, heading and name of the bell button.
                _("Notifications"),
                "notifications:notification-list",
                "bell",
                lambda summary: summary.unread_notification_count,
            ),
            # Translators: entry of the navigation and heading: what was changed, by whom. A noun.
            NavigationEntry(_("Activity"), "notifications:activity-list", "history"),
        )
        register_lists(LISTS)
        register_inbox("notifications:decision-list")
        register_bell(Bell("notifications:notification-list", "notifications:unread-count", bell_label))
        register_activity_pages(
            ActivityPages(links.activity_list_url, lambda id: links.entry_url(links.activity_list_url(), id))
        )
