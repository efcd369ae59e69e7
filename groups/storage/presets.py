"""The permission presets of an organization, read and changed where they are stored."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from console.config.encryption import Unreadable, key_mark
from console.errors import LimitReached, ObjectNotFound, ValueInUse, VersionConflict
from console.sessions.deferred_writes import write_if_possible
from console.sessions.identity import keyed_hash
from console.web.storage import number_of, stored
from groups.models import PermissionPreset, Preset, PresetList, PresetUse, decrypted, encrypted
from upstream.listing import Listing, ListParams
from upstream.nouns import plain

MOST = 50
"""Presets that one organization may keep."""
LIMIT = "PRESET_LIMIT"
"""Why another preset is rejected."""
NOTED_EVERY = timedelta(days=1)


class Presets:
    """The presets of one organization, by its keyed hash; each change as a whole or not at all."""

    def __init__(self, organization: str) -> None:
        self._organization = organization
        self._rows = PermissionPreset.objects.filter(list=organization)

    def read(self, params: ListParams) -> Listing[Preset]:
        """Read a page of them by name."""
        found, start = self.all(), (params.page - 1) * params.size
        return Listing(found[start : start + params.size], len(found), params.page, params.size)

    def all(self) -> list[Preset]:
        """Return all of them by name: there are few."""
        rows = list(self._rows.values_list("pk", "content", "version", "list__used_at"))
        if rows and rows[0][3] < timezone.now() - NOTED_EVERY:
            mine = PresetList.objects.filter(pk=self._organization)
            write_if_possible(partial(mine.update, used_at=timezone.now()))
        return sorted((_preset(*row[:3]) for row in rows), key=lambda preset: plain(preset.name))

    def get(self, id: str) -> Preset:
        """Read one. Raises ObjectNotFound."""
        for row in self._rows.filter(pk=number_of(id)).values_list("pk", "content", "version"):
            return _preset(*row)
        raise ObjectNotFound("no such preset")

    def create(self, name: str, settings: Mapping[str, str]) -> str:
        """Add a preset; return its ID. Raises ValueInUse for a name that is there, and LimitReached."""
        with self._locked():
            self._check_name(name)
            if self._rows.count() >= MOST:
                raise LimitReached(reason=LIMIT)
            columns = self._columns(name, settings)
            return str(PermissionPreset.objects.create(list_id=self._organization, **columns).pk)

    def update(self, id: str, *, version: int | None, name: str, settings: Mapping[str, str]) -> int:
        """Set name and permissions; return the new version. Raises VersionConflict, ObjectNotFound, ValueInUse."""
        with self._locked():
            now = self.get(id).version
            if now != version:
                raise VersionConflict("a preset")
            self._check_name(name, besides=id)
            self._rows.filter(pk=number_of(id)).update(version=now + 1, **self._columns(name, settings))
        return now + 1

    def delete(self, id: str, *, version: int | None) -> None:
        """Delete a preset, and what is known of where it was used. Raises VersionConflict, ObjectNotFound."""
        with self._locked():
            if self.get(id).version != version:
                raise VersionConflict("a preset")
            self._rows.filter(pk=number_of(id)).delete()

    def note_uses(self, id: str, kind: str, ids: Sequence[str]) -> None:
        """Remember what this preset was applied to, which no other one is in force for any more."""
        if not ids or not self._rows.filter(pk=number_of(id)).exists():
            return
        uses = [
            PresetUse(
                preset_id=number_of(id),
                owner_key=keyed_hash("preset use", self._organization, kind, owner),
                content=encrypted(kind, owner),
                key_mark=key_mark(),
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
        """Return the IDs of what a preset was applied to last, by kind."""
        found: dict[str, list[str]] = {}
        for content in PresetUse.objects.filter(preset__list=self._organization, preset=number_of(id)).values_list(
            "content", flat=True
        ):
            try:
                kind, owner = decrypted(content)
            except Unreadable:
                continue
            found.setdefault(kind, []).append(str(owner))
        return found

    def _check_name(self, name: str, *, besides: str = "") -> None:
        same = self._rows.filter(name_key=self._name_key(name)).exclude(pk=number_of(besides))
        if same.exists():
            raise ValueInUse("name")

    def _name_key(self, name: str) -> str:
        return keyed_hash("preset", self._organization, plain(name))

    def _columns(self, name: str, settings: Mapping[str, str]) -> dict[str, str]:
        return {
            "name_key": self._name_key(name),
            "content": encrypted(name, dict(settings)),
            "key_mark": key_mark(),
        }

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Make a change while nobody else changes these presets."""
        with stored("a preset could not be stored"), transaction.atomic():
            PresetList.objects.bulk_create([PresetList(organization=self._organization)], ignore_conflicts=True)
            PresetList.objects.filter(pk=self._organization).update(used_at=timezone.now())  # waits for the others
            yield


def _preset(pk: int, content: str, version: int) -> Preset:
    try:
        name, settings = decrypted(content)
    except Unreadable:
        return Preset(str(pk), "", {}, version, is_readable=False)
    return Preset(str(pk), name, settings if isinstance(settings, dict) else {}, version)
