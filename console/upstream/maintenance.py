"""Maintenance: the notice that the domain handler publishes."""

from datetime import datetime
from typing import Optional

from console.upstream.calls import Call, Limit, Resource
from console.upstream.nouns import Noun


class MaintenanceNotice(Noun, frozen=True, kw_only=True):
    """When and why which services are unavailable; no end date means until further notice.

    `reason` is by language; `planned` is a notice of the same shape, for the banner.
    """

    active: bool
    start_date: datetime | None = None
    end_date: datetime | None = None
    reason: dict[str, str] = {}
    unavailable_services: list[str] = []
    planned: Optional["MaintenanceNotice"] = None


class MaintenanceNotices(Resource):
    """The calls on maintenance."""

    def notice(self) -> MaintenanceNotice:
        """GET {handler}/v1/maintenance, without a token; a caller takes its failure as no maintenance"""
        base = self._upstream.config.handler_url
        call = Call(method="GET", path="/v1/maintenance", base=base, limit=Limit.LOOKUP)
        return self._upstream.call(call, MaintenanceNotice)
