from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConsoleConfig(AppConfig):
    name = "console"

    def ready(self) -> None:
        from console.config import checks  # noqa: F401  # registers them
        from console.files.slots import purge_expired_leases
        from console.i18n import checks as i18n_checks  # noqa: F401
        from console.lists.stored_views import LIMIT
        from console.web.contributions import register_cleanup, register_refusals

        register_cleanup(purge_expired_leases)
        register_refusals({LIMIT: _("No more views can be saved. Delete one that you don't need any more.")})
