"""Labs: search with filters, counts and distance; one lab."""

import math
from collections import Counter
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from sandbox import partners
from sandbox.gate import Call, OrganizationQuery, route
from sandbox.lists import Id, Listing, ListQuery, YesNo, answer, folded, plain, yes_or_no
from sandbox.store import Row

NUMBER = r"-?[0-9]{1,3}(\.[0-9]{1,9})?"
FILTERS = ("countryCode", "services", "labType", "communicationLanguages", "servedCountries")


class LabQuery(ListQuery, kw_only=True):
    """The query of the lab list; sorting by distance needs `near`."""

    organizationId: Id
    sort: Literal["name", "foundedYear", "distance"] = "name"
    searchField: Literal["all", "name", "address", "zipCode"] = "all"
    countryCode: list[str] = []
    services: list[str] = []
    labType: list[str] = []
    communicationLanguages: list[str] = []
    servedCountries: list[str] = []
    inPartnerList: YesNo | UnsetType = UNSET
    near: Annotated[str, Meta(pattern=f"^{NUMBER},{NUMBER}$")] | UnsetType = UNSET


def lab_view(lab: Row, *, is_listed: bool, partnerships: list[Row]) -> Row:
    """Return a lab as it is in responses, with its state for the organization."""
    states = Counter(map(partners.get_state, partnerships))
    return {
        **{key: value for key, value in lab.items() if key not in ("place", "leftDate")},
        **({"leftDate": lab["leftDate"]} if lab["leftDate"] else {}),
        "inPartnerList": is_listed,
        "partneredMainGroupCount": states[partners.ACCEPTED],
        "incomingRequestCount": states[partners.PENDING],
        "outgoingRequestCount": states[partners.REQUEST_SENT],
    }


def _listing(call: Call, organization: str, near: str | UnsetType) -> Listing:
    listed, partnerships = (
        partners.listed(call.store, organization),
        partners.open_by_lab(call.store, organization),
    )
    texts = folded("name", "address", "zipCode")
    return Listing(
        sorts={
            "name": texts["name"],
            **plain("foundedYear"),
            "distance": lambda row: _distance(row["place"], near) if near else None,
        },
        search={**texts, "all": lambda row: "\n".join(text(row) for text in texts.values())},
        view=lambda row: lab_view(row, is_listed=row["id"] in listed, partnerships=partnerships.get(row["id"], [])),
        match_any=FILTERS,
        facets={**plain(*FILTERS), "inPartnerList": lambda row: str(row["id"] in listed).lower()}
        if call.world.switches["facets"]
        else {},
    )


def _distance(position: list[float], near: str) -> float:
    """Return the distance of a place, in degrees of a flat map: enough to sort by."""
    latitude, longitude = map(float, near.split(","))
    return math.dist(position, (latitude, longitude))


@route("GET", "v1/bizLabs")
def listing(call: Call) -> Any:
    query = call.query(LabQuery)
    organization = call.organization(query.organizationId)
    listed = partners.listed(call.store, organization)
    result = answer(
        call.store,
        _listing(call, organization, query.near),
        query,
        ("labs", str(query.near)),
        {key: row for key, row in call.store.all("labs").items() if not row["leftDate"]},
        {
            "inPartnerList": yes_or_no(lambda row: row["id"] in listed, query.inPartnerList),
        },
    )
    if not result["facets"]:
        del result["facets"]
    return result


@route("GET", "v1/bizLabs/<id>")
def read(call: Call, id: str) -> Any:
    store, organization = call.store, call.organization(call.query(OrganizationQuery).organizationId)
    return lab_view(
        partners.in_service(store.get("labs", id)),
        is_listed=id in partners.listed(store, organization),
        partnerships=partners.open_by_lab(store, organization).get(id, []),
    )
