"""The service's own log of an organization: who changed what, the newest first."""

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, Predicate, answer, any_of, fold, one_of
from sandbox.store import order_of

Moment = Annotated[datetime, Meta(tz=True)]
INTERNAL = frozenset({"organizationId", "clinics"})


class AuditLogQuery(ListQuery, kw_only=True):
    """The query of the log. `from` is the first moment that is told, and `to` the first one that is not."""

    organizationId: Id
    sort: Literal["date"] = "date"
    order: Literal["asc", "desc"] = "desc"
    searchField: Literal["all"] = "all"
    actorId: list[Id] = []
    action: list[str] = []
    targetType: list[str] = []
    targetId: list[Id] = []
    mainGroupId: list[Id] = []
    since: Moment | UnsetType = field(default=UNSET, name="from")
    to: Moment | UnsetType = UNSET


LISTING = Listing(
    sorts={"date": lambda row: (row["date"], order_of(row["id"]))},
    search={"all": lambda row: fold(f"{row['actorName']}\n{row['targetName']}")},
    view=lambda row: {key: value for key, value in row.items() if key not in INTERNAL},
)


def listing(call: Call) -> Any:
    """GET /v1/bizAuditLogs"""
    query, store = call.query(AuditLogQuery), call.world.store
    organization = call.organization(query.organizationId)
    rows = store.where("audit_logs", "organizationId", organization)
    return answer(
        store,
        LISTING,
        query,
        scope=("audit_logs", organization, str(len(rows))),  # it only grows: that tells its states apart
        rows=rows,
        sort=query.sort,
        search_field=query.searchField,
        filters={
            "actorId": one_of("actorId", query.actorId),
            "action": one_of("action", query.action),
            "targetType": one_of("targetType", query.targetType),
            "targetId": one_of("targetId", query.targetId),
            "mainGroupId": any_of("clinics", query.mainGroupId),
            "from": None if query.since is UNSET else _since(query.since),
            "to": None if query.to is UNSET else _before(query.to),
        },
    )


def _since(moment: datetime) -> Predicate:
    return lambda row: datetime.fromisoformat(row["date"]) >= moment


def _before(moment: datetime) -> Predicate:
    return lambda row: datetime.fromisoformat(row["date"]) < moment
