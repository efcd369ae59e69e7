"""Maintenance: the notice published by the domain handler."""

from upstream.calls import Call, Limit, Resource
from upstream.errors import MaintenanceNotice


class MaintenanceNotices(Resource):
    """The calls on maintenance."""

    def notice(self) -> MaintenanceNotice:
        """GET {handler}/v1/maintenance, without a token; callers treat a failure as no maintenance"""
        base = self._upstream.config.handler_url
        call = Call(method="GET", path="/v1/maintenance", base=base, limit=Limit.LOOKUP)
        return self._upstream.call(call, MaintenanceNotice)
