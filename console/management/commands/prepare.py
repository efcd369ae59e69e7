"""Preparation of a release: tables, catalogs and static files. Fast if all is up to date."""

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
    """Wait until no other process collects files into a folder, because two would remove each other's files.

    The folder itself is locked: its parent need not be writable, and no file is added to those that are served.
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
    requires_system_checks = [VARIABLES]  # other checks need the files that this command creates

    def handle(self, *args: Any, **options: Any) -> None:
        with folder_lock(Path(settings.STATIC_ROOT)):
            call_command("migrate", verbosity=0)
            call_command("messages", "deploy")
            call_command("collectstatic", interactive=False, verbosity=0)
            compile_templates()
