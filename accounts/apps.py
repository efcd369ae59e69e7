from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from console.registry import NavigationEntry, register_navigation

        register_navigation(NavigationEntry(_("My account"), "accounts:account-show", "circle-user"))
