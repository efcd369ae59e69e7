"""Presets in plans for many permissions: the choice of one, or a new one; and the record of the uses of all presets."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from console.bulk.action import FollowUp, Options
from console.errors import ObjectNotFound
from console.sessions.deferred_writes import can_write
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from groups.forms.permissions import OFF, ON
from groups.labels import PERMISSIONS
from groups.reading import every_preset, get_presets
from groups.storage.presets import Presets


def offered_presets(request: ConsoleRequest) -> dict[str, Any]:
    """Return the presets that the form of a plan offers, and the one that the previous page asks for."""
    presets, requested = every_preset(request), request.POST.get("preset", "")
    return {"presets": presets, "preset": requested if requested in {preset.id for preset in presets} else ""}


def save_as_preset(options: Options) -> FollowUp | None:
    """Suggest to save the permissions as a preset if all five were chosen on or off, without a preset or a user."""
    chosen = {name: options[name] for name in PERMISSIONS if options.get(name) in (ON, OFF)}
    if len(chosen) < len(PERMISSIONS) or options.get("preset") or options.get("source"):
        return None
    # Translators: a button: opens the form of a new preset with the permissions that were just chosen.
    label = _("Save as preset")
    text = _("Save them as a preset to apply them to other users or clinics.")
    return FollowUp(
        _("Use these permissions again?"), text, label, f"{get_path('groups:preset-create')}?{urlencode(chosen)}"
    )


def note_preset(request: ConsoleRequest, kind: str, options: Mapping[str, str], done: Sequence[str]) -> None:
    """Record the uses of a preset that was applied unchanged; if that fails, the result is still reported."""
    if id := options.get("preset"):
        can_write(partial(_note, get_presets(request), id, kind, options, done))


def _note(presets: Presets, id: str, kind: str, options: Mapping[str, str], done: Sequence[str]) -> None:
    try:
        settings = presets.get(id).settings
    except ObjectNotFound:
        return  # another request has deleted it
    if all(options.get(name) == settings.get(name) for name in PERMISSIONS):
        presets.note_uses(id, kind, done)
