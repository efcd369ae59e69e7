"""Calls about the service itself: region lookup, reference lists, maintenance."""

from typing import Annotated, Any, Literal

import msgspec

from sandbox.errors import Code, Refusal
from sandbox.gate import Call, route
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
    """The query of calls without parameters."""


@route("POST", "v1/accounts/search", access="handler")
def search_account(call: Call) -> Any:
    body = call.body(Lookup)
    store = call.store
    admin = next(iter(store.filter_by("admins", "email", body.email.lower()).values()), None)
    if admin is None:
        raise Refusal(Code.NOT_FOUND)
    organization = store.all("organizations")[admin["organizationId"]]
    return {"serviceDomainId": organization["serviceDomainId"], "domainUrls": domain_urls(call.world.options)}


@route("GET", "v1/maintenance", access="handler")
def maintenance(call: Call) -> Any:
    call.query(NoQuery)
    return {**NO_MAINTENANCE, **(call.world.switches["maintenance"] or {})}


@route("GET", "v1/commons/countries", access="open")
def countries(call: Call) -> Any:
    call.query(NoQuery)
    codes = COUNTRIES.split()
    return {"resultCount": len(codes), "results": codes}


@route("GET", "v1/commons/serverLocations", access="open")
def server_locations(call: Call) -> Any:
    call.query(NoQuery)
    return {"results": [{"code": code, "countryCodes": countries} for code, (_, countries) in LOCATIONS.items()]}
