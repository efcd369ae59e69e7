"""Clinics (main groups): list and read."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, YesNo, answer, fold, one_of, yes_or_no
from sandbox.store import Row
from sandbox.world import world


class ClinicQuery(ListQuery, kw_only=True):
    """The query of the clinic list."""

    organizationId: Id
    sort: Literal["name", "countryCode", "userCount", "scannerCount", "partnerCount", "createdDate"] = "name"
    searchField: Literal["all", "name"] = "all"
    countryCode: list[str] = []
    hasPartner: YesNo | UnsetType = UNSET
    hasUser: YesNo | UnsetType = UNSET


def user_count(clinic: Row) -> int:
    """Return how many users a clinic has."""
    return len(world().store.where("users", "mainGroupId", clinic["id"]))


def scanner_count(clinic: Row) -> int:
    """Return how many scanners are connected in a clinic."""
    return len(world().store.where("scanners", "mainGroupId", clinic["id"]))


def partnership_count(clinic: Row, status: str) -> int:
    """Return how many partnerships of a clinic have a status."""
    rows = world().store.where("partnerships", "ownerId", clinic["id"]).values()
    return sum(row["status"] == status for row in rows)


def partner_count(clinic: Row) -> int:
    """Return how many labs are partners of a clinic."""
    return partnership_count(clinic, "ACCEPTED")


def clinic_view(clinic: Row) -> Row:
    """Return a clinic as the wire shows it, with its counts."""
    users, partners = user_count(clinic), partner_count(clinic)
    counts = (("CLINIC_HAS_PARTNER", partners), ("NOT_EMPTY", users))
    blockers = [{"reason": reason, "count": count} for reason, count in counts if count]
    return {
        **clinic,
        "subGroupCount": len(world().store.where("teams", "mainGroupId", clinic["id"])),
        "userCount": users,
        "scannerCount": scanner_count(clinic),
        "partnerCount": partners,
        "pendingPartnershipCount": partnership_count(clinic, "PENDING"),
        "canDelete": not blockers,
        "deleteBlockers": blockers,
    }


LISTING = Listing(
    sorts={
        "name": lambda row: fold(row["name"]),
        "countryCode": lambda row: row["countryCode"],
        "userCount": user_count,
        "scannerCount": scanner_count,
        "partnerCount": partner_count,
        "createdDate": lambda row: row["createdDate"],
    },
    search={"all": lambda row: fold(row["name"]), "name": lambda row: fold(row["name"])},
    view=clinic_view,
    facets={"countryCode": lambda row: row["countryCode"]},
)


def listing(call: Call) -> Any:
    """GET /v1/bizMainGroups"""
    query = call.query(ClinicQuery)
    organization = call.organization(query.organizationId)
    return answer(
        call.world.store,
        LISTING,
        query,
        scope=("clinics", organization),
        rows=call.world.store.where("clinics", "organizationId", organization),
        sort=query.sort,
        search_field=query.searchField,
        filters={
            "countryCode": one_of("countryCode", query.countryCode),
            "hasPartner": yes_or_no(lambda row: partner_count(row) > 0, query.hasPartner),
            "hasUser": yes_or_no(lambda row: user_count(row) > 0, query.hasUser),
        },
    )


def read(call: Call, id: str) -> Any:
    """GET /v1/bizMainGroups/{id}"""
    return clinic_view(call.owns(call.world.store.get("clinics", id)))
