"""The usage dashboard of an organization: its address, and the counts."""

from collections import Counter
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec

from sandbox.errors import Code, Refusal
from sandbox.gate import Call, OrganizationQuery, route
from sandbox.lists import Id
from sandbox.regions import DASHBOARD_HOST
from sandbox.views.notifications import unread

SCANNER_STATUSES = ("PENDING", "APPROVED", "DISAPPROVED", "APPROVAL_CANCELLED")


class UrlChange(msgspec.Struct):
    """The body of PUT; null removes the URL."""

    organizationId: Id
    url: Annotated[str, msgspec.Meta(max_length=2048)] | None


def is_dashboard(url: str) -> bool:
    """Return True if a URL is allowed: https, and the host of domain kind 5."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" and parts.netloc == DASHBOARD_HOST


@route("GET", "v1/bizDashboards/url")
def read_url(call: Call) -> Any:
    organization = call.organization(call.query(OrganizationQuery).organizationId)
    return {"url": call.store.all("organizations")[organization].get("dashboardUrl")}


@route("PUT", "v1/bizDashboards/url")
def save_url(call: Call) -> Any:
    body = call.body(UrlChange)
    organization = call.store.all("organizations")[call.organization(body.organizationId)]
    if body.url is not None and not is_dashboard(body.url):
        raise Refusal(Code.DASHBOARD_URL_NOT_ALLOWED, fields=["url"])
    call.store.put("organizations", {**organization, "dashboardUrl": body.url})
    return {}


@route("GET", "v1/bizDashboards/summary")
def summary(call: Call) -> Any:
    organization = call.organization(call.query(OrganizationQuery).organizationId)
    store = call.store
    users = Counter(row["status"] for row in store.filter_by("users", "organizationId", organization).values())
    partnerships = Counter(
        (row["status"], row["requestedBy"])
        for row in store.filter_by("partnerships", "organizationId", organization).values()
    )
    scanners = Counter(row["status"] for row in store.filter_by("scanners", "organizationId", organization).values())
    return {
        "mainGroupCount": len(store.filter_by("clinics", "organizationId", organization)),
        "subGroupCount": len(store.filter_by("teams", "organizationId", organization)),
        "userCount": users.total(),
        "invitedUserCount": users["INVITED"],
        "expiredInvitationCount": users["INVITATION_EXPIRED"],
        "scannerCounts": {status: scanners[status] for status in SCANNER_STATUSES},
        "partnershipCounts": {
            "PENDING_IN": partnerships["PENDING", "LAB"],
            "PENDING_OUT": partnerships["PENDING", "ORGANIZATION"],
            "ACCEPTED": partnerships["ACCEPTED", "LAB"] + partnerships["ACCEPTED", "ORGANIZATION"],
        },
        "unreadNotificationCount": unread(call),
        "orderAllowedPartnerCount": len(_labs_with_orders(call, organization)),
    }


def _labs_with_orders(call: Call, organization: str) -> set[str]:
    """Return the labs from which some clinic may order: its partners, unless they were taken out."""
    store = call.store
    return {
        row["labId"]
        for row in store.filter_by("partnerships", "organizationId", organization).values()
        if row["status"] == "ACCEPTED" and row["ownerType"] == "MAIN_GROUP"
        if store.all("permissions").get(row["ownerId"], {"labs": {}})["labs"].get(row["labId"], True)
    }
