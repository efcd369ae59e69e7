from django.apps import AppConfig


class PartnersConfig(AppConfig):
    name = "partners"

    def ready(self) -> None:
        from console.registry import register_reasons, register_refusals
        from partners import labels

        register_reasons(labels.LAB_REASONS)
        register_refusals(labels.LAB_REFUSALS)
