from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        from console.registry import (
            Bell,
            NavigationEntry,
            decisions,
            register_bell,
            register_inbox,
            register_navigation,
        )
        from notifications.labels import bell_label

        register_navigation(
            NavigationEntry(
                _("Decisions"),
                "notifications:decision-list",
                "inbox",
                lambda summary: sum(kind.count(summary) for kind in decisions.values()),
            ),
            NavigationEntry(_("Dashboard"), "notifications:dashboard-show", "layout-dashboard"),
            NavigationEntry(
                _("Notifications"),
                "notifications:notification-list",
                "bell",
                lambda summary: summary.unread_notification_count,
            ),
        )
        register_inbox("notifications:decision-list")
        register_bell(Bell("notifications:notification-list", "notifications:unread-count", bell_label))
