"""Changes to clinics: create, update, delete, individually and in bulk."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers, bulk
from sandbox.demo import PERMISSIONS
from sandbox.errors import Code, Refusal
from sandbox.gate import Call, checked, route
from sandbox.lists import Id, fold
from sandbox.names import COUNTRIES
from sandbox.rules import Country, HeadCount, Name
from sandbox.store import Row
from sandbox.views.clinics import named

KNOWN_COUNTRIES = frozenset(COUNTRIES.split())
Info = Annotated[str, Meta(max_length=1000)] | dict[str, Any] | None


class ClinicItem(Struct):
    """A new clinic. The server location is the organization's, so it may not be sent."""

    name: Name
    countryCode: Country
    info: Info = None
    dentistCount: HeadCount | None = None
    staffCount: HeadCount | None = None
    serverLocation: Any = UNSET


class NewClinic(ClinicItem, kw_only=True):
    """The body of POST."""

    organizationId: Id


class ClinicChange(Struct):
    """The fields that may change; the server location may not even be repeated."""

    name: Name | UnsetType = UNSET
    info: Info | UnsetType = UNSET
    countryCode: Country | UnsetType = UNSET
    dentistCount: HeadCount | UnsetType | None = UNSET
    staffCount: HeadCount | UnsetType | None = UNSET
    serverLocation: Any = UNSET


def _check(change: ClinicItem | ClinicChange, organization_id: str, except_id: str = "") -> None:
    """Refuse values that no clinic of the organization may have."""
    if change.serverLocation is not UNSET:
        raise Refusal(Code.SERVER_LOCATION_FIXED, fields=["serverLocation"])
    if change.countryCode is not UNSET and change.countryCode not in KNOWN_COUNTRIES:
        raise Refusal(Code.PARAMETER_INVALID, "unknown country", fields=["countryCode"], status=422)
    if change.name and any(row["id"] != except_id for row in named(organization_id, change.name)):
        raise Refusal(Code.NAME_IN_USE, fields=["name"])


@route("POST", "v1/bizMainGroups")
def create(call: Call) -> Any:
    body = call.body(NewClinic)
    organization = call.organization(body.organizationId)
    _check(body, organization)
    return {"id": _add(call, organization, body)["id"]}


def _add(call: Call, organization_id: str, item: ClinicItem) -> Row:
    store, now = call.store, call.now
    clinic = store.put("clinics", {
        "id": store.next_id("clinics", "g"), "organizationId": organization_id, "name": item.name.strip(),
        "info": item.info, "countryCode": item.countryCode,
        "serverLocation": store.all("organizations")[organization_id]["serverLocation"],
        "dentistCount": item.dentistCount, "staffCount": item.staffCount, "createdDate": now, "updatedDate": now,
        "version": 1,
    })  # fmt: skip
    store.put("permissions", {
        "id": clinic["id"], "organizationId": organization_id, "ownerType": "MAIN_GROUP",
        "values": dict.fromkeys(PERMISSIONS, True), "labs": {}, "version": 1,
    })  # fmt: skip
    return clinic


@route("PUT", "v1/bizMainGroups/<id>")
def update(call: Call, id: str) -> Any:
    clinic = call.row("clinics", id)
    change = call.body(ClinicChange)
    call.check_version(clinic)
    _check(change, clinic["organizationId"], id)
    fields = msgspec.to_builtins(change)
    if "name" in fields:
        fields["name"] = fields["name"].strip()
    changed = call.store.change("clinics", clinic, **fields, updatedDate=call.now)
    return {"version": changed["version"]}


@route("DELETE", "v1/bizMainGroups/<id>")
def delete(call: Call, id: str) -> Any:
    clinic = call.row("clinics", id)
    call.check_version(clinic)
    return _remove(call, clinic)


def _remove(call: Call, clinic: Row) -> Row:
    """Remove a clinic without users, and with it its teams, permissions and its ended partnerships."""
    store = call.store
    blockers.refuse(blockers.for_clinic(store, clinic))
    for kind, field in (("teams", "mainGroupId"), ("partnerships", "ownerId")):
        for row_id in list(store.filter_by(kind, field, clinic["id"])):
            store.delete(kind, row_id)
    for scanner in list(store.filter_by("scanners", "mainGroupId", clinic["id"]).values()):
        store.change("scanners", scanner, mainGroupId=None)
    if store.get("permissions", clinic["id"]):
        store.delete("permissions", clinic["id"])
    store.delete("clinics", clinic["id"])
    return {}


@route("POST", "v1/bizMainGroups/bulkDelete")
def bulk_delete(call: Call) -> Any:
    return bulk.by_body_ids(call, lambda row_id: _remove(call, call.row("clinics", row_id)))


@route("POST", "v1/bizMainGroups/bulkCreate")
def bulk_create(call: Call) -> Any:
    """A dry run returns the same and creates nothing."""
    body = call.body(bulk.Items)
    organization = call.organization(body.organizationId or call.admin["organizationId"])
    used_names: set[str] = set()  # by previous rows, which a dry run has not created

    def make(given: Row) -> Row:
        item = checked(given, ClinicItem)
        _check(item, organization)
        name = fold(item.name.strip())
        if name in used_names:
            raise Refusal(Code.NAME_IN_USE, fields=["name"])
        used_names.add(name)
        return {} if body.dryRun else {"id": _add(call, organization, item)["id"]}

    return bulk.by_index(call, body.items, make)
