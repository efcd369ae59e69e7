"""A preset as what many permissions are set by: offered in the plan, and remembered where it was applied."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from console.grants.writing import write_if_possible
from console.http import ConsoleRequest
from console.upstream.bulk import BulkResult
from groups.labels import PERMISSIONS
from groups.reading import every_preset, presets_of


def offered_presets(request: ConsoleRequest) -> dict[str, Any]:
    """Return what the form of a plan offers, and which one the page that led here asks for."""
    presets, asked = every_preset(request), request.POST.get("preset", "")
    return {"presets": presets, "preset": asked if asked in {preset.id for preset in presets} else ""}


def note_preset(request: ConsoleRequest, kind: str, options: Mapping[str, str], result: BulkResult) -> None:
    """Remember what a preset was applied to as it is; nothing that was done is undone if that can't be stored."""
    if not (id := options.get("preset")):
        return
    presets = presets_of(request)
    known = {preset.id: preset.settings for preset in presets.all()}
    if id in known and all(options.get(name) == known[id].get(name) for name in PERMISSIONS):
        write_if_possible(partial(presets.note_uses, id, kind, [row.id for row in result.rows if row.ok and row.id]))
