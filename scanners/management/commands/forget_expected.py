"""Delete the expected serial numbers of one organization, for an operator who is asked to: nobody can log in for it."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from console.grants.identity import identity_of_organization
from console.management.manual import ManualCommand
from scanners.models import ExpectedList, ExpectedSerial


class Command(ManualCommand):
    help = "Delete the expected serial numbers of one organization."
    does = (
        "Deletes the list of expected serial numbers of an organization that has left and can't do so itself. It "
        "is found by a keyed hash of its ID and region; the service is not asked."
    )
    never = "Never touches scanners at the service, or another organization's list."
    example = "manage.py forget_expected o-17 7"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("organization", help="its id at the service")
        parser.add_argument("region", type=int, help="the id of its region (serviceDomainId)")

    def handle(self, *args: Any, organization: str, region: int, **options: Any) -> None:
        who = identity_of_organization(settings.CONSOLE_VARIANT, region, organization)
        count = ExpectedSerial.objects.filter(list=who).count()
        ExpectedList.objects.filter(pk=who).delete()
        self.stdout.write(f"{count} expected serial numbers removed")
