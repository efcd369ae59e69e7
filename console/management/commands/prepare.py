"""What a release needs before it serves: tables, catalogues, served files. Quick when all is there."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Make the tables, deploy the catalogues and collect the served files."
    requires_system_checks: list[str] = []  # some checks are about what this command makes

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        call_command("messages", "deploy")
        call_command("collectstatic", interactive=False, verbosity=0)
