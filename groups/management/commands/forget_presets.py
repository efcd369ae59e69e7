"""Delete the permission presets of an organization at its request, once it can't log in anymore."""

from console.management.leaving import PurgeCommand
from groups.models import PermissionPreset, PresetList


class Command(PurgeCommand):
    help = "Delete the permission presets of one organization."
    does = (
        "Deletes the presets of an organization that has left, and the records of where they were applied. They "
        "are found by a keyed hash of its ID and region; the service is not called."
    )
    never = "Never changes users, clinics or permissions in the service, or the presets of another organization."
    example = "manage.py forget_presets o-17 7"
    noun = "presets"

    def purge(self, organization: str) -> int:
        count = PermissionPreset.objects.filter(list=organization).count()
        PresetList.objects.filter(pk=organization).delete()
        return count
