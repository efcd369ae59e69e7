"""Delete the permission presets of an organization at its request, once it can't log in anymore."""

from console.management.leaving import PurgeCommand
from groups.models import PermissionPreset, PresetList


class Command(PurgeCommand):
    help = "Delete the permission presets of one organization."
    does = (
        "Deletes the presets of an organization that has left and can't do so itself, and what is known of where they "
        "were used. They are found by a keyed hash of its ID and region; the service is not asked."
    )
    never = "Never touches users, clinics or permissions at the service, or another organization's presets."
    example = "manage.py forget_presets o-17 7"
    noun = "presets"

    def purge(self, organization: str) -> int:
        count = PermissionPreset.objects.filter(list=organization).count()
        PresetList.objects.filter(pk=organization).delete()
        return count
