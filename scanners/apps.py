from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ScannersConfig(AppConfig):
    name = "scanners"

    def ready(self) -> None:
        from console.registry import NavigationEntry, register_navigation, register_reasons, register_refusals
        from scanners import labels

        register_navigation(NavigationEntry(_("Scanners"), "scanners:scanner-list", "scan-line"))
        register_reasons(labels.REASONS)
        register_refusals(labels.REFUSALS)
