from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PartnersConfig(AppConfig):
    name = "partners"

    def ready(self) -> None:
        from console.registry import (
            NavigationEntry,
            register_navigation,
            register_reasons,
            register_refusals,
        )
        from partners import labels

        register_navigation(NavigationEntry(_("Partners"), "partners:asking-list", "handshake", part="partners:home"))
        register_reasons(labels.LAB_REASONS | labels.REASONS)
        register_refusals(labels.LAB_REFUSALS | labels.REFUSALS)
