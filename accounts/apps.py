from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.activity import KINDS
        from accounts.search import STARTING_POINTS
        from console.web.contributions import (
            NavigationEntry,
            register_activity,
            register_navigation,
            register_starting_points,
        )

        register_activity(*KINDS)
        register_navigation(NavigationEntry(_("My account"), "accounts:account-show", "circle-user", rank=2))
        register_starting_points(*STARTING_POINTS)
