"""Delete the drafts of forms before their retention ends."""

from typing import Any

from django.core.management.base import CommandParser

from console.management.manual import ManualCommand
from console.models import Draft


class Command(ManualCommand):
    help = "Delete all drafts of forms now, a quarter of an hour early at most."
    does = (
        "Deletes what was typed into forms whose session ended, or that met an error, and was kept to be put back "
        "after the next login. Who was about to continue types it again."
    )
    never = "Never ends a login, and touches nothing that was saved. Drafts are kept again from the next one on."
    example = "manage.py drafts purge"

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_subcommand(parser.add_subparsers(dest="act", required=True), "purge", "delete all drafts")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{Draft.objects.all().delete()[0]} drafts removed")
