"""Delete the reminders of an organization at its request, once it can't log in anymore."""

from console.management.leaving import PurgeCommand
from groups.models import StoredReminder


class Command(PurgeCommand):
    help = "Delete the reminders of one organization."
    does = (
        "Deletes the dates on which an organization that has left, and can't do so itself, wanted to look again at "
        "users and permissions. They are found by a keyed hash of its ID and region; the service is not asked."
    )
    never = "Never touches users or permissions at the service, or another organization's reminders."
    example = "manage.py forget_reminders o-17 7"
    noun = "reminders"

    def purge(self, organization: str) -> int:
        count, _by_model = StoredReminder.objects.filter(organization=organization).delete()
        return count
