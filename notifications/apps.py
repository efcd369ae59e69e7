from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from console.web.contributions import Bell, Contributions, NavigationEntry


class NotificationsConfig(AppConfig):
    name = "notifications"

    def get_contributions(self) -> Contributions:
        from notifications.labels import bell_label
        from notifications.lists import LISTS

        return Contributions(
            navigation=[
                NavigationEntry(
                    # Translators: entry of the navigation, heading and name of the bell button.
                    _("Notifications"),
                    "notifications:notification-list",
                    "bell",
                    lambda summary: summary.unread_notification_count,
                )
            ],
            lists=LISTS,
            bell=Bell("notifications:notification-list", "notifications:unread-count", bell_label),
        )
