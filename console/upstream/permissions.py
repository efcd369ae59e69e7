"""Permissions: what the users of a clinic, or one user, may do."""

from collections.abc import Mapping

import msgspec

from console.upstream.calls import Call, Limit, Resource
from console.upstream.nouns import Id, Noun, our_name

NAMES = {
    "allow_order": "allowOrder",
    "allow_export": "allowExport",
    "allow_case_converting": "allowCaseConverting",
    "allow_case_talk": "allowCaseTalk",
    "allow_download": "allowDownload",
}

_OF_CLINIC = "/v1/bizMainGroups/{id}/permissions"
_OF_USER = "/v1/bizUsers/{id}/permissions"


class Owner(Noun, frozen=True, kw_only=True):
    """Whose permissions these are: MAIN_GROUP (a clinic) or USER."""

    type: str = ""
    id: Id = ""


class Permission(msgspec.Struct, frozen=True):
    """A switch, and where its value comes from: OWN or MAIN_GROUP."""

    value: bool
    source: str = "OWN"

    @property
    def follows_clinic(self) -> bool:
        return self.source == "MAIN_GROUP"


class OrderLab(Noun, frozen=True, kw_only=True):
    """A lab that may be ordered from; only one with an accepted partnership can be allowed."""

    lab_id: Id
    lab_name: str = ""
    partnership_id: Id | None = None
    status: str | None = None
    allowed: bool = False


class PermissionSet(Noun, frozen=True, kw_only=True):
    """All permissions of an owner, by our names (`allow_export`); unknown ones are kept."""

    permissions: dict[str, Permission]
    owner: Owner = Owner()
    order_labs: list[OrderLab] = []
    version: int | None = None


class _Changed(msgspec.Struct, frozen=True):
    version: int | None = None


class Permissions(Resource):
    """The calls on permissions."""

    def of_clinic(self, id: str) -> PermissionSet:
        """GET /v1/bizMainGroups/{id}/permissions"""
        return self._of(_OF_CLINIC, id)

    def of_user(self, id: str) -> PermissionSet:
        """GET /v1/bizUsers/{id}/permissions"""
        return self._of(_OF_USER, id)

    def change_clinic(self, id: str, *, changes: Mapping[str, bool | None], version: int | None) -> int | None:
        """PUT /v1/bizMainGroups/{id}/permissions; return the new version, None when the service does not tell"""
        return self._change(_OF_CLINIC, id, changes, version)

    def change_user(self, id: str, *, changes: Mapping[str, bool | None], version: int | None) -> int | None:
        """PUT /v1/bizUsers/{id}/permissions; None as a value makes the user follow the clinic"""
        return self._change(_OF_USER, id, changes, version)

    def _of(self, path: str, id: str) -> PermissionSet:
        found = self._read(PermissionSet, path, id=id)
        return msgspec.structs.replace(found, permissions={our_name(k): v for k, v in found.permissions.items()})

    def _change(self, path: str, id: str, changes: Mapping[str, bool | None], version: int | None) -> int | None:
        """Send the changed ones only; a name that is not in NAMES is the caller's mistake (ValueError)."""
        if unknown := changes.keys() - NAMES.keys():
            raise ValueError(f"No such permission: {', '.join(sorted(unknown))}")
        body = {"permissions": {NAMES[name]: value for name, value in changes.items()}}
        call = Call(
            method="PUT",
            path=path,
            ids={"id": id},
            body=body,
            version=version,
            limit=Limit.WRITE,
            may_be_empty=True,
        )
        return self._upstream.call(call, _Changed).version
