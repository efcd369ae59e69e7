from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from console.web.contributions import Bell, Contributions, StartingPoint


class NotificationsConfig(AppConfig):
    name = "notifications"

    def get_contributions(self) -> Contributions:
        from notifications.labels import bell_label
        from notifications.lists import LISTS

        return Contributions(
            # Translators: heading, name of the bell button, and result of the search.
            starting_points=[StartingPoint(_("Notifications"), "notifications:notification-list", "bell")],
            lists=LISTS,
            bell=Bell("notifications:notification-list", "notifications:unread-count", bell_label),
        )
