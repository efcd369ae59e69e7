"""Permissions of the users of a clinic, or of an individual user."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from upstream.calls import Call, Resource, write
from upstream.errors import BadAnswer
from upstream.nouns import Count, Id, Noun, Version, our_name

NAMES = {
    "allow_order": "allowOrder",
    "allow_export": "allowExport",
    "allow_case_converting": "allowCaseConverting",
    "allow_case_talk": "allowCaseTalk",
    "allow_download": "allowDownload",
}

CLINIC_PATH = "/v1/bizMainGroups/{id}/permissions"
USER_PATH = "/v1/bizUsers/{id}/permissions"


class Owner(Noun, frozen=True, kw_only=True):
    """The owner of permissions, of type MAIN_GROUP (a clinic) or USER."""

    type: str = ""
    id: Id = ""


class Permission(msgspec.Struct, frozen=True):
    """The value of a permission and its source: OWN or MAIN_GROUP."""

    value: bool
    source: str = "OWN"

    @property
    def follows_clinic(self) -> bool:
        return self.source == "MAIN_GROUP"


class OrderLab(Noun, frozen=True, kw_only=True):
    """A lab to order from; only a lab with an accepted partnership can be allowed."""

    lab_id: Id
    lab_name: str = ""
    partnership_id: Id | None = None
    status: str | None = None
    allowed: bool = False


class OverrideCounts(msgspec.Struct, frozen=True):
    """The number of users of a clinic who override a permission; counts that can't be read are missing."""

    on: Count
    off: Count


class PermissionSet(Noun, frozen=True, kw_only=True):
    """All permissions of an owner, by our names (`allow_export`), including unknown ones.

    Only clinics have `override_counts`, and only if the service can also find those users (filter `own_permission`).
    """

    permissions: dict[str, Permission] = {}
    override_counts: dict[str, OverrideCounts] = msgspec.field(default_factory=dict, name="ownSettings")
    owner: Owner = Owner()
    order_labs: list[OrderLab] = []
    version: Version | None = None


def usual_settings(all_settings: Sequence[Mapping[str, bool]]) -> dict[str, bool]:
    """Return the setting of each permission in most clinics; without those that are on as often as off."""
    counts = {name: Counter(settings.get(name) for settings in all_settings) for name in NAMES}
    return {
        name: by_value[True] > by_value[False] for name, by_value in counts.items() if by_value[True] != by_value[False]
    }


def change(
    path: str,
    id: str,
    *,
    changes: Mapping[str, bool | None],
    order_labs: Mapping[str, bool] | None = None,
    version: int | None = None,
) -> Call:
    """Return the PUT of one owner's permissions, with the changed ones only."""
    body: dict[str, Any] = {"permissions": to_wire(changes)}
    if order_labs:
        body["orderLabs"] = [{"labId": lab_id, "allowed": allowed} for lab_id, allowed in order_labs.items()]
    return write("PUT", path, id=id, body=body, version=version)


def to_wire(changes: Mapping[str, bool | None]) -> dict[str, bool | None]:
    """Return changes keyed by the service's names; raise ValueError for a name that is not in NAMES."""
    if unknown := changes.keys() - NAMES.keys():
        raise ValueError(f"No such permission: {', '.join(sorted(unknown))}")
    return {NAMES[name]: value for name, value in changes.items()}


class Permissions(Resource):
    """The calls on the permissions of one owner; `order_labs` maps a lab's id to whether the owner may order from it.

    A change returns the new version, None if unknown.
    """

    def get_for_clinic(self, id: str) -> PermissionSet:
        """GET /v1/bizMainGroups/{id}/permissions"""
        return self._get(CLINIC_PATH, id)

    def get_for_user(self, id: str) -> PermissionSet:
        """GET /v1/bizUsers/{id}/permissions"""
        return self._get(USER_PATH, id)

    def change_clinic(
        self,
        id: str,
        *,
        changes: Mapping[str, bool | None],
        version: int | None,
        order_labs: Mapping[str, bool] | None = None,
    ) -> int | None:
        """PUT /v1/bizMainGroups/{id}/permissions"""
        return self._change(change(CLINIC_PATH, id, changes=changes, order_labs=order_labs, version=version))

    def change_user(
        self,
        id: str,
        *,
        changes: Mapping[str, bool | None],
        version: int | None,
        order_labs: Mapping[str, bool] | None = None,
    ) -> int | None:
        """PUT /v1/bizUsers/{id}/permissions; None as a value makes the user follow the clinic"""
        return self._change(change(USER_PATH, id, changes=changes, order_labs=order_labs, version=version))

    def _get(self, path: str, id: str) -> PermissionSet:
        permission_set = self._read(PermissionSet, path, id=id)
        if msgspec.structs.replace(permission_set, version=None) == PermissionSet():
            raise BadAnswer("nothing of the permissions can be read")
        return msgspec.structs.replace(
            permission_set,
            permissions={our_name(k): v for k, v in permission_set.permissions.items()},
            override_counts={our_name(k): v for k, v in permission_set.override_counts.items()},
        )
