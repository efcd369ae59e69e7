"""Delete the reminders of an organization at its request, once it can't log in anymore."""

from console.management.leaving import PurgeCommand
from groups.models import StoredReminder


class Command(PurgeCommand):
    help = "Delete the reminders of one organization."
    does = (
        "Deletes the review reminders of an organization that has left. They are found by a keyed hash of its ID "
        "and region; the service is not called."
    )
    never = "Never changes users or permissions in the service, or the reminders of another organization."
    example = "manage.py forget_reminders o-17 7"
    noun = "reminders"

    def purge(self, organization: str) -> int:
        count, _by_model = StoredReminder.objects.filter(organization=organization).delete()
        return count
