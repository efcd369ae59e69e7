"""Clinics (main groups): list, read, and whether a name is in use."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers
from sandbox.gate import Call, route
from sandbox.lists import Id, Listing, ListQuery, YesNo, answer, fold, folded, plain, yes_or_no
from sandbox.store import Row
from sandbox.views.permissions import in_force
from sandbox.world import world


class ClinicQuery(ListQuery, kw_only=True):
    organizationId: Id
    sort: Literal["name", "countryCode", "userCount", "scannerCount", "partnerCount", "createdDate"] = "name"
    searchField: Literal["all", "name"] = "all"
    countryCode: list[str] = []
    hasPartner: YesNo | UnsetType = UNSET
    hasUser: YesNo | UnsetType = UNSET
    include: Literal["permissions"] | UnsetType = UNSET


class NameQuery(Struct, forbid_unknown_fields=True):
    organizationId: Id
    name: Annotated[str, Meta(min_length=1, max_length=100)]
    exceptId: Id | UnsetType = UNSET


def user_count(clinic: Row) -> int:
    """Return how many users a clinic has."""
    return len(world().store.filter_by("users", "mainGroupId", clinic["id"]))


def scanner_count(clinic: Row) -> int:
    """Return how many scanners are connected in a clinic."""
    return len(world().store.filter_by("scanners", "mainGroupId", clinic["id"]))


def partnership_count(clinic: Row, status: str) -> int:
    """Return how many partnerships of a clinic have a status."""
    rows = world().store.filter_by("partnerships", "ownerId", clinic["id"]).values()
    return sum(row["status"] == status for row in rows)


def partner_count(clinic: Row) -> int:
    """Return how many labs are partners of a clinic."""
    return partnership_count(clinic, "ACCEPTED")


def clinic_view(clinic: Row) -> Row:
    """Return a clinic as it is in responses, with its counts."""
    store = world().store
    reasons = blockers.for_clinic(store, clinic)
    return {
        **clinic,
        "subGroupCount": len(store.filter_by("teams", "mainGroupId", clinic["id"])),
        "userCount": user_count(clinic),
        "scannerCount": scanner_count(clinic),
        "partnerCount": partner_count(clinic),
        "pendingPartnershipCount": partnership_count(clinic, "PENDING"),
        "lastActivityDate": last_activity(clinic),
        "canDelete": not reasons,
        "deleteBlockers": reasons,
    }


def _with_permissions(clinic: Row) -> Row:
    stored = world().store.get("permissions", clinic["id"]) or {"values": {}, "version": 1}
    values = in_force(stored["values"], stored["values"])
    return {**clinic_view(clinic), "permissions": values, "permissionsVersion": stored["version"]}


def last_activity(clinic: Row) -> str | None:
    """Return the time of the last login of a clinic's user."""
    users = world().store.filter_by("users", "mainGroupId", clinic["id"]).values()
    return max((user["lastLoginDate"] for user in users if user["lastLoginDate"]), default=None)


def named(organization_id: str, name: str) -> Iterator[Row]:
    """Yield the clinics of an organization with this name, whatever its case and accents."""
    wanted = fold(name.strip())
    rows = world().store.filter_by("clinics", "organizationId", organization_id).values()
    return (row for row in rows if fold(row["name"]) == wanted)


LISTING = Listing(
    sorts={
        **folded("name"),
        **plain("countryCode", "createdDate"),
        "userCount": user_count,
        "scannerCount": scanner_count,
        "partnerCount": partner_count,
    },
    search={"all": lambda row: fold(row["name"]), **folded("name")},
    view=clinic_view,
    match_any=("countryCode",),
    facets=plain("countryCode"),
)


@route("GET", "v1/bizMainGroups")
def listing(call: Call) -> Any:
    query = call.query(ClinicQuery)
    organization = call.organization(query.organizationId)
    return answer(
        call.store,
        LISTING if query.include is UNSET else replace(LISTING, view=_with_permissions),
        query,
        ("clinics", organization),
        call.store.filter_by("clinics", "organizationId", organization),
        {
            "hasPartner": yes_or_no(lambda row: partner_count(row) > 0, query.hasPartner),
            "hasUser": yes_or_no(lambda row: user_count(row) > 0, query.hasUser),
        },
    )


@route("GET", "v1/bizMainGroups/exist")
def exist(call: Call) -> Any:
    query = call.query(NameQuery)
    matches = named(call.organization(query.organizationId), query.name)
    return {"resultCount": sum(row["id"] != query.exceptId for row in matches)}


@route("GET", "v1/bizMainGroups/<id>")
def read(call: Call, id: str) -> Any:
    return clinic_view(call.row("clinics", id))
