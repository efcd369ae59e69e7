"""Storage of the permission presets of an organization."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.utils import timezone

from console.errors import LimitReached, ValueInUse, VersionConflict
from console.models import row_number
from console.sessions.deferred_writes import write_if_possible
from console.sessions.identity import keyed_hash
from groups.models import PermissionPreset, Preset, PresetContent, PresetList, PresetUse, PresetUseContent
from upstream.listing import Listing, ListParams
from upstream.nouns import plain

MAX_PRESETS = 50
"""Presets that one organization may have."""
LIMIT = "PRESET_LIMIT"
"""The reason for which another preset is rejected."""
USED_AT_UPDATE_INTERVAL = timedelta(days=1)


class Presets:
    """The presets of one organization, by its keyed hash; each change is atomic."""

    def __init__(self, organization: str) -> None:
        self._organization = organization
        self._rows = PermissionPreset.objects.for_owner(organization)

    def read(self, params: ListParams) -> Listing[Preset]:
        """Read a page of the presets by name."""
        presets, start = self.all(), (params.page - 1) * params.size
        return Listing(presets[start : start + params.size], len(presets), params.page, params.size)

    def all(self) -> list[Preset]:
        """Return all presets by name; there are few."""
        rows = list(self._rows.select_related("list"))
        if rows and rows[0].list.used_at < timezone.now() - USED_AT_UPDATE_INTERVAL:
            mine = PresetList.objects.for_owner(self._organization)
            write_if_possible(partial(mine.update, used_at=timezone.now()))
        return sorted(map(_preset, rows), key=lambda preset: plain(preset.name))

    def get(self, id: str) -> Preset:
        """Read one. Raises ObjectNotFound."""
        return _preset(self._rows.find(id))

    def create(self, name: str, settings: Mapping[str, str]) -> str:
        """Add a preset; return its ID. Raises ValueInUse for a name that exists, and LimitReached."""
        with PresetList.locked(self._organization, "a preset could not be stored"):
            self._check_name(name)
            if self._rows.count() >= MAX_PRESETS:
                raise LimitReached(reason=LIMIT)
            columns = self._columns(name, settings)
            return str(PermissionPreset.objects.create(list_id=self._organization, **columns).pk)

    def update(self, id: str, *, version: int | None, name: str, settings: Mapping[str, str]) -> int:
        """Set name and permissions; return the new version. Raises VersionConflict, ObjectNotFound, ValueInUse."""
        with PresetList.locked(self._organization, "a preset could not be stored"):
            current_version = self._check_version(id, version)
            self._check_name(name, besides=id)
            self._rows.change(id, version=current_version, **self._columns(name, settings))
        return current_version + 1

    def delete(self, id: str, *, version: int | None) -> None:
        """Delete a preset and the record of its uses. Raises VersionConflict, ObjectNotFound."""
        with PresetList.locked(self._organization, "a preset could not be stored"):
            self._check_version(id, version)
            self._rows.filter(pk=row_number(id)).delete()

    def note_uses(self, id: str, kind: str, ids: Sequence[str]) -> None:
        """Record the clinics or users that this preset was applied to; it replaces the one applied to them before."""
        if not ids or not self._rows.filter(pk=row_number(id)).exists():
            return
        uses = [
            PresetUse(
                preset_id=row_number(id),
                owner_key=keyed_hash("preset use", self._organization, kind, owner),
                content=PresetUseContent(kind, owner),
            )
            for owner in ids
        ]
        PresetUse.objects.bulk_create(
            uses,
            update_conflicts=True,
            unique_fields=["owner_key"],
            update_fields=["preset", "content", "key_mark"],
        )

    def uses(self, id: str) -> dict[str, list[str]]:
        """Return the IDs of the clinics and users whose last preset this is, by kind."""
        ids_by_kind: dict[str, list[str]] = {}
        for use in PresetUse.objects.for_owner(self._organization).filter(preset=row_number(id)):
            if use.content:
                ids_by_kind.setdefault(use.content.kind, []).append(use.content.id)
        return ids_by_kind

    def _check_version(self, id: str, version: int | None) -> int:
        """Return the version of a preset. Raises VersionConflict if it is not `version`."""
        stored: int = self._rows.find(id).version
        if stored != version:
            raise VersionConflict("a preset")
        return stored

    def _check_name(self, name: str, *, besides: str = "") -> None:
        same = self._rows.filter(name_key=self._name_key(name)).exclude(pk=row_number(besides))
        if same.exists():
            raise ValueInUse("name")

    def _name_key(self, name: str) -> str:
        return keyed_hash("preset", self._organization, plain(name))

    def _columns(self, name: str, settings: Mapping[str, str]) -> dict[str, Any]:
        return {"name_key": self._name_key(name), "content": PresetContent(name, dict(settings))}


def _preset(row: PermissionPreset) -> Preset:
    if row.content is None:
        return Preset(str(row.pk), "", {}, row.version, is_readable=False)
    return Preset(str(row.pk), row.content.name, row.content.settings, row.version)
