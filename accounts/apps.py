from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.activity import KINDS
        from console.registry import NavigationEntry, register_activity, register_navigation

        register_activity(*KINDS)
        register_navigation(NavigationEntry(_("My account"), "accounts:account-show", "circle-user"))
