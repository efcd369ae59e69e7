"""Delete the reminders of one organization, for an operator who is asked to: nobody can log in for it."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from console.grants.identity import identity_of_organization
from console.management.manual import ManualCommand
from groups.models import StoredReminder


class Command(ManualCommand):
    help = "Delete the reminders of one organization."
    does = (
        "Deletes the dates on which an organization that has left, and can't do so itself, wanted to look again at "
        "users and permissions. They are found by a keyed hash of its ID and region; the service is not asked."
    )
    never = "Never touches users or permissions at the service, or another organization's reminders."
    example = "manage.py forget_reminders o-17 7"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("organization", help="its id at the service")
        parser.add_argument("region", type=int, help="the id of its region (serviceDomainId)")

    def handle(self, *args: Any, organization: str, region: int, **options: Any) -> None:
        who = identity_of_organization(settings.CONSOLE_VARIANT, region, organization)
        count, _of_each = StoredReminder.objects.filter(organization=who).delete()
        self.stdout.write(f"{count} reminders removed")
