"""Presets in plans for many permissions: the choice of one; and the record of the uses of all presets."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from console.errors import ObjectNotFound
from console.sessions.deferred_writes import can_write
from console.web.request import ConsoleRequest
from groups.labels import PERMISSIONS
from groups.reading import every_preset, get_presets
from groups.storage.presets import Presets


def offered_presets(request: ConsoleRequest) -> dict[str, Any]:
    """Return the presets that the form of a plan offers, and the one that the previous page asks for."""
    presets, requested = every_preset(request), request.POST.get("preset", "")
    return {"presets": presets, "preset": requested if requested in {preset.id for preset in presets} else ""}


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
