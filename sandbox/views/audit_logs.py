"""The service's own log of an organization, newest entries first."""

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from sandbox.gate import Call, route
from sandbox.lists import Id, Listing, ListQuery, answer, fold, match_any
from sandbox.store import id_order

Moment = Annotated[datetime, Meta(tz=True)]
INTERNAL = frozenset({"organizationId", "clinics"})


class AuditLogQuery(ListQuery, kw_only=True):
    """The query of the log. `from` is inclusive, and `to` is exclusive."""

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
    sorts={"date": lambda row: (row["date"], id_order(row["id"]))},
    search={"all": lambda row: fold(f"{row['actorName']}\n{row['targetName']}")},
    match_any=("actorId", "action", "targetType", "targetId"),
    view=lambda row: {key: value for key, value in row.items() if key not in INTERNAL},
)


@route("GET", "v1/bizAuditLogs")
def listing(call: Call) -> Any:
    query, store = call.query(AuditLogQuery), call.store
    organization, since, until = call.organization(query.organizationId), query.since, query.to
    rows = store.filter_by("audit_logs", "organizationId", organization)
    return answer(
        store,
        LISTING,
        query,
        ("audit_logs", organization, str(len(rows))),  # the log only grows, so its length identifies its version
        rows,
        {
            "mainGroupId": match_any("clinics", query.mainGroupId),
            "from": (lambda row: datetime.fromisoformat(row["date"]) >= since) if since else None,
            "to": (lambda row: datetime.fromisoformat(row["date"]) < until) if until else None,
        },
    )
