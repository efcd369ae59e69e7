"""Labs: search with filters, counts and distance; one lab."""

import math
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import partners
from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, YesNo, answer, any_of, fold, one_of, yes_or_no
from sandbox.store import Row

NUMBER = r"-?[0-9]{1,3}(\.[0-9]{1,9})?"


class LabQuery(ListQuery, kw_only=True):
    """The query of the lab list; distance is that from `near`, and without it there is none."""

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


class OneQuery(Struct, forbid_unknown_fields=True):
    """The query of one lab: whose partner list is meant."""

    organizationId: Id


def lab_view(lab: Row, *, is_listed: bool, partnerships: list[Row]) -> Row:
    """Return a lab as it is in answers, with what it is to the organization."""
    states = Counter(map(partners.state_of, partnerships))
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
        partners.listed(call.world.store, organization),
        partners.open_by_lab(call.world.store, organization),
    )
    texts: dict[str, Callable[[Row], str]] = {
        "name": lambda row: fold(row["name"]),
        "address": lambda row: fold(row["address"]),
        "zipCode": lambda row: fold(row["zipCode"]),
    }
    return Listing(
        sorts={
            "name": texts["name"],
            "foundedYear": lambda row: row["foundedYear"],
            "distance": lambda row: _distance(row["place"], near) if near else None,
        },
        search={**texts, "all": lambda row: "\n".join(text(row) for text in texts.values())},
        view=lambda row: lab_view(row, is_listed=row["id"] in listed, partnerships=partnerships.get(row["id"], [])),
        facets={
            **{name: _field(name) for name in ("countryCode", "labType", "services")},
            **{name: _field(name) for name in ("communicationLanguages", "servedCountries")},
            "inPartnerList": lambda row: str(row["id"] in listed).lower(),
        }
        if call.world.switches["facets"]
        else {},
    )


def _field(name: str) -> Callable[[Row], Any]:
    return lambda row: row[name]


def _distance(place: list[float], near: str) -> float:
    """Return how far a place is, in degrees of a flat map: enough to sort by."""
    latitude, longitude = map(float, near.split(","))
    return math.dist(place, (latitude, longitude))


def listing(call: Call) -> Any:
    """GET /v1/bizLabs"""
    query = call.query(LabQuery)
    organization = call.organization(query.organizationId)
    listed = partners.listed(call.world.store, organization)
    found = answer(
        call.world.store,
        _listing(call, organization, query.near),
        query,
        scope=("labs", str(query.near)),
        rows={key: row for key, row in call.world.store.all("labs").items() if not row["leftDate"]},
        sort=query.sort,
        search_field=query.searchField,
        filters={
            "countryCode": one_of("countryCode", query.countryCode),
            "services": any_of("services", query.services),
            "labType": one_of("labType", query.labType),
            "communicationLanguages": any_of("communicationLanguages", query.communicationLanguages),
            "servedCountries": any_of("servedCountries", query.servedCountries),
            "inPartnerList": yes_or_no(lambda row: row["id"] in listed, query.inPartnerList),
        },
    )
    if not found["facets"]:
        del found["facets"]
    return found


def read(call: Call, id: str) -> Any:
    """GET /v1/bizLabs/{id}"""
    store, organization = call.world.store, call.organization(call.query(OneQuery).organizationId)
    return lab_view(
        partners.in_service(store.get("labs", id)),
        is_listed=id in partners.listed(store, organization),
        partnerships=partners.open_by_lab(store, organization).get(id, []),
    )
