from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        from console.registry import Bell, NavigationEntry, register_bell, register_navigation

        register_navigation(
            NavigationEntry(_("Dashboard"), "notifications:dashboard-show", "layout-dashboard"),
            NavigationEntry(
                _("Notifications"),
                "notifications:notification-list",
                "bell",
                lambda summary: summary.unread_notification_count,
            ),
        )
        register_bell(Bell("notifications:notification-list", "notifications:unread-count"))
