"""What a release needs before it serves: tables, catalogs, served files. Quick when all is there."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import locks
from django.core.management import call_command

from console.config.checks import VARIABLES
from console.management.manual import ManualCommand
from console.shell.preload import compile_templates


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Wait until nobody else collects files into a folder: two remove what the other one is about to replace.

    The folder itself is locked: nothing beside it need be writable, and nothing is added to what is served.
    """
    folder.mkdir(parents=True, exist_ok=True)
    opened = os.open(folder, os.O_RDONLY)
    try:
        locks.lock(opened, locks.LOCK_EX)
        yield
    finally:
        os.close(opened)


class Command(ManualCommand):
    help = "Make the tables, deploy the catalogs, collect the served files, compile the templates; one at a time."
    does = (
        "Brings the tables up to date, merges and compiles the catalogs, collects the files that are served, and "
        "compiles the templates. Each release needs it once before it serves; when all is there it takes a few "
        "seconds."
    )
    never = (
        "Never deletes files of earlier releases, which open pages still ask for, nor translators' work, nor logins."
    )
    example = "manage.py prepare"
    requires_system_checks = [VARIABLES]  # other checks are about what this command makes

    def handle(self, *args: Any, **options: Any) -> None:
        with folder_lock(Path(settings.STATIC_ROOT)):
            call_command("migrate", verbosity=0)
            call_command("messages", "deploy")
            call_command("collectstatic", interactive=False, verbosity=0)
            compile_templates()
