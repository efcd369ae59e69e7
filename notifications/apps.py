from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from console.web.contributions import Bell, Contributions, StartingPoint


class NotificationsConfig(AppConfig):
    name = "notifications"

    def get_contributions(self) -> Contributions:
        from notifications.labels import bell_label
        from notifications.lists import LISTS

        return Contributions(
            starting_points=[
                # Translators: heading, name of the bell button, and result of the search.
                StartingPoint(_("Notifications"), "notifications:notification-list", "bell"),
                StartingPoint(
                    pgettext_lazy("notifications", "Unread"),
                    "notifications:notification-list",
                    "bell",
                    is_suggested=False,
                    page=_("Notifications"),
                    query="filter=unread",
                ),
            ],
            lists=LISTS,
            bell=Bell("notifications:notification-list", "notifications:unread-count", bell_label),
        )
