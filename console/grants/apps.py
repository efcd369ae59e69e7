from django.apps import AppConfig


class GrantsConfig(AppConfig):
    name = "console.grants"
    label = "grants"
