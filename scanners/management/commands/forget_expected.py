"""Delete the expected serial numbers of one organization, for an operator who is asked to: nobody can log in for it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from console.grants.identity import identity_of_organization
from scanners.models import ExpectedList, ExpectedSerial


class Command(BaseCommand):
    help = "Delete the expected serial numbers of one organization."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("organization", help="its id at the service")
        parser.add_argument("region", type=int, help="the id of its region (serviceDomainId)")

    def handle(self, *args: Any, organization: str, region: int, **options: Any) -> None:
        who = identity_of_organization(settings.CONSOLE_VARIANT, region, organization)
        count = ExpectedSerial.objects.filter(list=who).count()
        ExpectedList.objects.filter(pk=who).delete()
        self.stdout.write(f"{count} expected serial numbers removed")
