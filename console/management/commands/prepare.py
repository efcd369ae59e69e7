"""What a release needs before it serves: tables, catalogs, served files. Quick when all is there."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import locks
from django.core.management import call_command
from django.core.management.base import BaseCommand

from console.warm_up import compile_templates

TURN = "prepare.lock"
"""Beside the served files: two that collect them at the same time remove what the other one is about to replace."""


class Command(BaseCommand):
    help = "Make the tables, deploy the catalogs, collect the served files, compile the templates; one at a time."
    requires_system_checks: list[str] = []  # some checks are about what this command makes

    def handle(self, *args: Any, **options: Any) -> None:
        folder = Path(settings.STATIC_ROOT).parent
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / TURN).open("w") as turn:
            locks.lock(turn, locks.LOCK_EX)
            call_command("migrate", verbosity=0)
            call_command("messages", "deploy")
            call_command("collectstatic", interactive=False, verbosity=0)
            compile_templates()
