from django.apps import AppConfig


class GrantsConfig(AppConfig):
    name = "console.sessions"
    label = "grants"
