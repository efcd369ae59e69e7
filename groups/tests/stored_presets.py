"""Presets of the administrator whom tests log in, for the tests of other packages."""

from console.sessions.crypto import StoredSession
from console.sessions.identity import organization_identity
from console.sessions.models import Grant
from groups.labels import PERMISSIONS
from groups.models import PermissionPreset
from groups.storage.presets import Presets


def my_presets() -> Presets:
    grant = Grant.objects.latest("created_at")
    return Presets(organization_identity(StoredSession.decrypt(grant.payload)))


def preset(id: str = "1", name: str = "Reception", **settings: str) -> str:
    """Store a preset that was applied to a clinic and a user, all on except the given ones; return its ID."""
    presets = my_presets()
    made = presets.create(name, dict.fromkeys(PERMISSIONS, "on") | settings)
    PermissionPreset.objects.filter(pk=made).update(id=id)
    presets.note_uses(id, "clinic", ["g-1"])
    presets.note_uses(id, "user", ["u-1"])
    return id
