"""The service's log of all changes in an organization, made by any client. A service need not have it."""

from datetime import datetime
from typing import Any

import msgspec

from upstream.calls import Call
from upstream.listing import Listing, ListParams, ListResource
from upstream.nouns import Id, Noun

PATH = "/v1/bizAuditLogs"


class LoggedChange(Noun, frozen=True, kw_only=True):
    """One field, as the service calls it, with its old and its new value."""

    field: str = ""
    old: Any = None
    new: Any = None


class LogEntry(Noun, frozen=True, kw_only=True):
    """An action on one object; unknown actions, kinds and results are kept unchanged."""

    id: Id = ""
    date: datetime | None = None
    actor_id: Id | None = None
    actor_name: str | None = None
    action: str = ""
    kind: str = msgspec.field(default="", name="targetType")
    target_id: Id = ""
    target_name: str | None = None
    clinic_id: Id = msgspec.field(default="", name="mainGroupId")
    clinic_name: str = msgspec.field(default="", name="mainGroupName")
    changes: list[LoggedChange] = []
    result: str = ""


class AuditLogs(ListResource):
    """The calls on the log of the organization."""

    SORTS = {"date": "date"}
    FILTERS = {
        "actor": "actorId",
        "action": "action",
        "kind": "targetType",
        "target": "targetId",
        "clinic": "mainGroupId",
        "from": "from",
        "to": "to",
    }
    IS_OPTIONAL = True

    @property
    def are_offered(self) -> bool:
        """True unless the service is known to have no log."""
        return self._upstream.offers(Call(method="GET", path=PATH, optional=True))

    def list(self, params: ListParams) -> Listing[LogEntry]:
        """GET /v1/bizAuditLogs; raise NotOffered where the service has no log"""
        return self._list(PATH, params, Listing[LogEntry], organizationId=self._upstream.organization_id)
