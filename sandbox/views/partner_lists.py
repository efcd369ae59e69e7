"""The partner list of an organization: the labs on it, to add and to remove."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from sandbox import bulk, partners
from sandbox.blockers import reason
from sandbox.errors import Code, Refusal
from sandbox.gate import Call, OrganizationQuery, route
from sandbox.lists import Id, Listing, ListQuery, answer, fold, folded, match_any, plain
from sandbox.store import Row
from sandbox.views.labs import lab_view


class PartnerListQuery(ListQuery, kw_only=True):
    """The query of the partner list; a lab without an open request or partnership is IN_LIST."""

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


@route("GET", "v1/bizPartnerLists")
def listing(call: Call) -> Any:
    query, store = call.query(PartnerListQuery), call.store
    organization = call.organization(query.organizationId)
    rows = _rows(call, organization)
    return answer(
        store,
        Listing(
            sorts={**folded("name"), **plain("addedDate", "contractDate")},
            search={
                "all": lambda row: fold(f"{row['name']}\n{row['address']}\n{row['zipCode']}"),
                **folded("name"),
            },
            view=lambda row: _view(call, row),
            match_any=("countryCode", "labType"),
            facets={"state": lambda row: row["states"]},
        ),
        query,
        ("partner_list", organization),
        rows,
        {
            "state": match_any("states", query.state),
            "service": match_any("services", query.service),
        },
    )


def _rows(call: Call, organization: str) -> dict[str, Row]:
    """Return each lab of the list with its open requests and partnerships."""
    store = call.store
    partnerships = partners.open_by_lab(store, organization)
    rows = {}
    for lab_id, row in partners.listed(store, organization).items():
        with_lab = partnerships.get(lab_id, [])
        rows[lab_id] = {
            **store.all("labs")[lab_id], "organizationId": organization, "addedDate": row["addedDate"],
            "partnerships": with_lab, "states": sorted(set(map(partners.get_state, with_lab))) or [partners.IN_LIST],
            "contractDate": max((one["contractDate"] for one in with_lab if one["contractDate"]), default=None),
        }  # fmt: skip
    return rows


def _view(call: Call, row: Row) -> Row:
    lab = call.store.all("labs")[row["id"]]
    return {
        "lab": lab_view(lab, is_listed=True, partnerships=row["partnerships"]),
        "addedDate": row["addedDate"],
        "partnerships": [partners.partnership_summary(call.store, one) for one in row["partnerships"]],
        "orderAllowedMainGroupCount": sum(_may_order(call, one) for one in row["partnerships"]),
    }


def _may_order(call: Call, partnership: Row) -> bool:
    """Return True if a clinic may order from the lab: it is a partner, and its permission isn't turned off."""
    permissions = call.store.get("permissions", partnership["ownerId"])
    is_clinic = (partnership["ownerType"], partnership["status"]) == ("MAIN_GROUP", "ACCEPTED")
    return is_clinic and (permissions is None or permissions["labs"].get(partnership["labId"], True))


@route("POST", "v1/bizPartnerLists")
def add(call: Call) -> Any:
    body = call.body(Addition)
    _add(call, call.organization(body.organizationId), body.labId)
    return {}


def _add(call: Call, organization: str, lab_id: str) -> None:
    store = call.store
    lab = partners.in_service(store.get("labs", lab_id))
    if lab["id"] in partners.listed(store, organization):
        raise Refusal(Code.LAB_ALREADY_LISTED)
    partners.put_on_list(store, organization, lab["id"], call.now)


@route("DELETE", "v1/bizPartnerLists/<id>")
def remove(call: Call, id: str) -> Any:
    _remove(call, call.organization(call.query(OrganizationQuery).organizationId), id)
    return {}


def _remove(call: Call, organization: str, lab_id: str) -> None:
    store = call.store
    row = partners.listed(store, organization).get(lab_id)
    if row is None:
        raise Refusal(Code.LAB_NOT_LISTED)
    if reasons := _open(call, organization, lab_id):
        raise Refusal(Code.LAB_REMOVAL_REFUSED, reasons=reasons)
    store.delete("partner_list", row["id"])


def _open(call: Call, organization: str, lab_id: str) -> list[Row]:
    """Return the partnerships that keep a lab on the list, by its state."""
    by_state: dict[str, list[Row]] = {}
    for row in partners.open_by_lab(call.store, organization).get(lab_id, []):
        name = partners.partnership_summary(call.store, row)["owner"]["name"]
        by_state.setdefault(partners.get_state(row), []).append({"type": "PARTNERSHIP", "id": row["id"], "label": name})
    return [reason(state, refs) for state, refs in by_state.items()]


def _many(call: Call, *, perform: Callable[[Call, str, str], None]) -> Any:
    body = call.body(Labs)
    organization = call.organization(body.organizationId)
    return bulk.by_id(call, body.labIds, lambda lab_id: perform(call, organization, lab_id))


route("POST", "v1/bizPartnerLists/bulkAdd")(partial(_many, perform=_add))
route("POST", "v1/bizPartnerLists/bulkRemove")(partial(_many, perform=_remove))
