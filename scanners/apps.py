from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScannersConfig(AppConfig):
    name = "scanners"

    def ready(self) -> None:
        from console.registry import register_cleanup, register_refusals
        from scanners.models import encrypt_anew, forget_unused
        from scanners.storage import LIST_FULL

        register_refusals({LIST_FULL: _("At most 10,000 serial numbers can be expected. Delete some of them first.")})
        register_cleanup(forget_unused, encrypt_anew)
