from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConsoleConfig(AppConfig):
    name = "console"

    def ready(self) -> None:
        from console.config import checks  # noqa: F401  # registers them
        from console.i18n import checks as i18n_checks  # noqa: F401
        from console.lists.stored_views import LIMIT
        from console.web.contributions import register_refusals

        register_refusals({LIMIT: _("No more views can be saved. Delete one that you don't need any more.")})
