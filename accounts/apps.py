from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from console.web.contributions import Contributions, NavigationEntry


class AccountsConfig(AppConfig):
    name = "accounts"

    def get_contributions(self) -> Contributions:
        from accounts.audit import KINDS
        from accounts.search import STARTING_POINTS

        return Contributions(
            navigation=[
                NavigationEntry(
                    _("Organization"),
                    "accounts:account-show",
                    "building-2",
                    "settings",
                    parts=["accounts:organization-name-edit", "accounts:dashboard-url-edit"],
                    fragment="organization",
                )
            ],
            activity={kind.code: kind for kind in KINDS},
            starting_points=STARTING_POINTS,
        )
