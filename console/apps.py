from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from console.web.contributions import Contributions, contributed


class ConsoleConfig(AppConfig):
    name = "console"

    def ready(self) -> None:
        from console.config import checks  # noqa: F401  # registers them
        from console.i18n import checks as i18n_checks  # noqa: F401

        contributed()  # so that errors appear at the start

    def get_contributions(self) -> Contributions:
        from console.lists.saved_views import LIMIT

        limit = _("You've reached the limit for saved views. Delete one you no longer need.")
        return Contributions(refusals={LIMIT: limit})
