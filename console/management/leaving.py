"""Deletion of the console's own data of an organization that has left and can't log in any more."""

from abc import ABC, abstractmethod
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from console.management.manual import ManualCommand
from console.sessions.identity import identity_for_organization


class PurgeCommand(ManualCommand, ABC):
    """Deletes the rows of one organization, by a keyed hash of its id and region."""

    noun = ""
    """The deleted objects, in the plural."""

    @abstractmethod
    def purge(self, organization: str) -> int:
        """Delete the rows of an organization, by its keyed identity; return their number."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("organization", help="its id at the service")
        parser.add_argument("region", type=int, help="the id of its region (serviceDomainId)")

    def handle(self, *args: Any, organization: str, region: int, **options: Any) -> None:
        count = self.purge(identity_for_organization(settings.CONSOLE_VARIANT, region, organization))
        self.stdout.write(f"{count} {self.noun} removed")
