"""Delete the drafts of forms before their retention ends."""

from typing import Any

from django.core.management.base import CommandParser

from console.management.manual import ManualCommand
from console.models import Draft


class Command(ManualCommand):
    help = "Delete all drafts of forms now."
    does = (
        "Deletes drafts: what was typed into forms whose session ended, or that met an error, and is stored for "
        "15 minutes so that it can be restored after the next login. Users who were about to continue have to "
        "type it again."
    )
    never = "Never ends a session, and changes nothing that was saved. New drafts are stored as before."
    example = "manage.py drafts purge"

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_subcommand(parser.add_subparsers(dest="act", required=True), "purge", "delete all drafts")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{Draft.objects.all().delete()[0]} drafts removed")
