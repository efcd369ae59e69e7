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
    help = (
        "Migrate the database, deploy the catalogs, collect static files, and compile templates; one process at a time."
    )
    does = (
        "Migrates the database, merges and compiles the catalogs, collects the static files, and compiles the "
        "templates. Run it once before a release serves. It takes a few seconds when nothing has changed."
    )
    never = (
        "Never deletes static files of earlier releases, which open pages still request, translators' edits, or "
        "sessions."
    )
    example = "manage.py prepare"
    requires_system_checks = [VARIABLES]  # other checks need the files that this command creates

    def handle(self, *args: Any, **options: Any) -> None:
        with folder_lock(Path(settings.STATIC_ROOT)):
            call_command("migrate", verbosity=0)
            call_command("messages", "deploy")
            call_command("collectstatic", interactive=False, verbosity=0)
            compile_templates()
