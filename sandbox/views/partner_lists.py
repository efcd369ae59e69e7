"""The partner list of an organization: the labs on it, to add and to remove."""

from collections import Counter
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from sandbox import bulk, partners
from sandbox.blockers import REFS_SHOWN
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, answer, any_of, fold, one_of
from sandbox.store import Row
from sandbox.views.labs import OneQuery, lab_view


class PartnerListQuery(ListQuery, kw_only=True):
    """The query of the partner list; a lab that nothing is open with is IN_LIST."""

    organizationId: Id
    sort: Literal["name", "addedDate", "contractDate"] = "name"
    searchField: Literal["all", "name"] = "all"
    state: list[str] = []
    countryCode: list[str] = []
    labType: list[str] = []
    service: list[str] = []


class Addition(Struct):
    """The body of POST."""

    organizationId: Id
    labId: Id


class Labs(Struct):
    """The body of bulkAdd and bulkRemove."""

    organizationId: Id
    labIds: Annotated[list[Id], Meta(min_length=1)]


def listing(call: Call) -> Any:
    """GET /v1/bizPartnerLists"""
    query, store = call.query(PartnerListQuery), call.world.store
    organization = call.organization(query.organizationId)
    rows = _rows(call, organization)
    return answer(
        store,
        Listing(
            sorts={
                "name": lambda row: fold(row["name"]),
                "addedDate": lambda row: row["addedDate"],
                "contractDate": lambda row: row["contractDate"],
            },
            search={
                "all": lambda row: fold(f"{row['name']}\n{row['address']}\n{row['zipCode']}"),
                "name": lambda row: fold(row["name"]),
            },
            view=lambda row: _view(call, row),
            facets={"state": lambda row: row["states"]},
        ),
        query,
        scope=("partner_list", organization),
        rows=rows,
        sort=query.sort,
        search_field=query.searchField,
        filters={
            "state": any_of("states", query.state),
            "countryCode": one_of("countryCode", query.countryCode),
            "labType": one_of("labType", query.labType),
            "service": any_of("services", query.service),
        },
    )


def _rows(call: Call, organization: str) -> dict[str, Row]:
    """Return each lab of the list with what is open with it."""
    store = call.world.store
    partnerships = partners.open_by_lab(store, organization)
    rows = {}
    for lab_id, row in partners.listed(store, organization).items():
        of_lab = partnerships.get(lab_id, [])
        rows[lab_id] = {
            **store.all("labs")[lab_id], "organizationId": organization, "addedDate": row["addedDate"],
            "partnerships": of_lab, "states": sorted(set(map(partners.state_of, of_lab))) or [partners.IN_LIST],
            "contractDate": max((one["contractDate"] for one in of_lab if one["contractDate"]), default=None),
        }  # fmt: skip
    return rows


def _view(call: Call, row: Row) -> Row:
    lab = call.world.store.all("labs")[row["id"]]
    return {
        "lab": lab_view(lab, is_listed=True, partnerships=row["partnerships"]),
        "addedDate": row["addedDate"],
        "partnerships": [partners.partnership_summary(call.world.store, one) for one in row["partnerships"]],
        "orderAllowedMainGroupCount": sum(_may_order(call, one) for one in row["partnerships"]),
    }


def _may_order(call: Call, partnership: Row) -> bool:
    """Return whether a clinic may order from the lab: it is a partner, and nobody has turned it off."""
    permissions = call.world.store.get("permissions", partnership["ownerId"])
    is_clinic = (partnership["ownerType"], partnership["status"]) == ("MAIN_GROUP", "ACCEPTED")
    return is_clinic and (permissions is None or permissions["labs"].get(partnership["labId"], True))


def add(call: Call) -> Any:
    """POST /v1/bizPartnerLists"""
    body = call.body(Addition)
    _add(call, call.organization(body.organizationId), body.labId)
    return {}


def _add(call: Call, organization: str, lab_id: str) -> None:
    store = call.world.store
    lab = partners.in_service(store.get("labs", lab_id))
    if lab["id"] in partners.listed(store, organization):
        raise Refusal(Code.LAB_ALREADY_LISTED)
    partners.put_on_list(store, organization, lab["id"], iso(call.world.clock.now()))


def remove(call: Call, id: str) -> Any:
    """DELETE /v1/bizPartnerLists/{labId}"""
    _remove(call, call.organization(call.query(OneQuery).organizationId), id)
    return {}


def _remove(call: Call, organization: str, lab_id: str) -> None:
    store = call.world.store
    row = partners.listed(store, organization).get(lab_id)
    if row is None:
        raise Refusal(Code.LAB_NOT_LISTED)
    if reasons := _open(call, organization, lab_id):
        raise Refusal(Code.LAB_REMOVAL_REFUSED, reasons=reasons)
    store.delete("partner_list", row["id"])


def _open(call: Call, organization: str, lab_id: str) -> list[Row]:
    """Return what keeps a lab on the list, by its state."""
    rows = partners.open_by_lab(call.world.store, organization).get(lab_id, [])
    refs = [
        (partners.state_of(row), partners.partnership_summary(call.world.store, row)["owner"]["name"], row["id"])
        for row in rows
    ]
    return [
        {
            "reason": reason,
            "count": count,
            "refs": [{"type": "PARTNERSHIP", "id": id, "label": name} for state, name, id in refs if state == reason][
                :REFS_SHOWN
            ],
        }
        for reason, count in Counter(state for state, _, _ in refs).items()
    ]


def bulk_add(call: Call) -> Any:
    """POST /v1/bizPartnerLists/bulkAdd"""
    body = call.body(Labs)
    organization = call.organization(body.organizationId)
    return bulk.by_id(call, body.labIds, lambda lab_id: _add(call, organization, lab_id))


def bulk_remove(call: Call) -> Any:
    """POST /v1/bizPartnerLists/bulkRemove"""
    body = call.body(Labs)
    organization = call.organization(body.organizationId)
    return bulk.by_id(call, body.labIds, lambda lab_id: _remove(call, organization, lab_id))
