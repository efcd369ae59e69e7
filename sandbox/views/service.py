"""Calls about the service itself: region lookup, summary, reference lists, maintenance."""

from collections import Counter
from typing import Annotated, Any, Literal

import msgspec

from sandbox.errors import Code, Refusal
from sandbox.gate import Call
from sandbox.lists import Id
from sandbox.names import COUNTRIES
from sandbox.regions import LOCATIONS, domain_urls

NO_MAINTENANCE: dict[str, Any] = {
    "active": False,
    "startDate": None,
    "endDate": None,
    "reason": {},
    "unavailableServices": [],
    "planned": None,
}


class Lookup(msgspec.Struct):
    """The body of the region lookup."""

    email: str
    type: Annotated[int, msgspec.Meta(ge=1, le=3)]
    env: Literal["dev", "stage", "prod"]


class NoQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The query of calls that take none."""


class SummaryQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The query of the summary."""

    organizationId: Id


def search_account(call: Call) -> Any:
    """POST /v1/accounts/search"""
    body = call.body(Lookup)
    store = call.world.store
    admin = next(iter(store.where("admins", "email", body.email.lower()).values()), None)
    if admin is None:
        raise Refusal(Code.NOT_FOUND)
    organization = store.all("organizations")[admin["organizationId"]]
    return {"serviceDomainId": organization["serviceDomainId"], "domainUrls": domain_urls(call.world.options)}


def maintenance(call: Call) -> Any:
    """GET /v1/maintenance"""
    call.query(NoQuery)
    return {**NO_MAINTENANCE, **(call.world.switches["maintenance"] or {})}


def countries(call: Call) -> Any:
    """GET /v1/commons/countries"""
    call.query(NoQuery)
    codes = COUNTRIES.split()
    return {"resultCount": len(codes), "results": codes}


def server_locations(call: Call) -> Any:
    """GET /v1/commons/serverLocations"""
    call.query(NoQuery)
    return {"results": [{"code": code, "countryCodes": countries} for code, (_, countries) in LOCATIONS.items()]}


def summary(call: Call) -> Any:
    """GET /v1/bizDashboards/summary"""
    organization = call.organization(call.query(SummaryQuery).organizationId)
    store = call.world.store
    users = store.where("users", "organizationId", organization).values()
    partnerships = Counter(
        (row["status"], row["requestedBy"])
        for row in store.where("partnerships", "organizationId", organization).values()
    )
    scanners = Counter(row["status"] for row in store.where("scanners", "organizationId", organization).values())
    return {
        "mainGroupCount": len(store.where("clinics", "organizationId", organization)),
        "subGroupCount": len(store.where("teams", "organizationId", organization)),
        "userCount": len(users),
        "invitedUserCount": sum(user["status"] == "INVITED" for user in users),
        "scannerCounts": {status: scanners[status] for status in SCANNER_STATUSES},
        "partnershipCounts": {
            "PENDING_IN": partnerships["PENDING", "LAB"],
            "PENDING_OUT": partnerships["PENDING", "ORGANIZATION"],
            "ACCEPTED": partnerships["ACCEPTED", "LAB"] + partnerships["ACCEPTED", "ORGANIZATION"],
        },
        "unreadNotificationCount": sum(
            not row["read"] for row in store.where("notifications", "adminId", call.admin["id"]).values()
        ),
    }


SCANNER_STATUSES = ("PENDING", "APPROVED", "DISAPPROVED", "APPROVAL_CANCELLED")
