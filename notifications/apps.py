from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        from console.web.contributions import Bell, NavigationEntry, register_bell, register_lists, register_navigation
        from notifications.labels import bell_label
        from notifications.lists import LISTS

        register_navigation(
            NavigationEntry(
                # Translators: entry of the navigation, heading and name of the bell button.
                _("Notifications"),
                "notifications:notification-list",
                "bell",
                lambda summary: summary.unread_notification_count,
            )
        )
        register_lists(LISTS)
        register_bell(Bell("notifications:notification-list", "notifications:unread-count", bell_label))
