"""Delete the expected serial numbers of an organization that has left the service."""

from console.management.leaving import PurgeCommand
from scanners.models import ExpectedList, ExpectedSerial


class Command(PurgeCommand):
    help = "Delete the expected serial numbers of one organization."
    does = (
        "Deletes the expected serial numbers of an organization that has left. They are found by a keyed hash of "
        "its ID and region; the service is not called."
    )
    never = "Never changes scanners in the service, or the list of another organization."
    example = "manage.py forget_expected o-17 7"
    noun = "expected serial numbers"

    def purge(self, organization: str) -> int:
        count = ExpectedSerial.objects.filter(list=organization).count()
        ExpectedList.objects.filter(pk=organization).delete()
        return count
