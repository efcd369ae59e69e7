"""Dashboards: the counts of an organization, and the address of its usage dashboard."""

from dataclasses import replace

import msgspec

from upstream.calls import Call, Resource, write
from upstream.errors import FieldError, Refused
from upstream.nouns import Count, Noun

_URL = "/v1/bizDashboards/url"
_COUNT = Call(method="GET", path="/v1/bizDashboards/summary", optional=True, breaker_neutral=True)


class Summary(Noun, frozen=True, kw_only=True):
    """The counts of the organization; None for those that are unknown."""

    main_group_count: Count | None = 0
    sub_group_count: Count | None = 0
    user_count: Count | None = 0
    invited_user_count: Count | None = 0
    expired_invitation_count: Count | None = None
    scanner_counts: dict[str, Count] = {}
    partnership_counts: dict[str, Count] = {}
    unread_notification_count: Count = 0
    order_allowed_partner_count: Count | None = None


class _Url(msgspec.Struct, frozen=True):
    url: str | None = None


class Dashboards(Resource):
    @property
    def has_summary(self) -> bool:
        """True unless the service is known to have no summary."""
        return self._upstream.offers(_COUNT)

    def summary(self, organization_id: str) -> Summary:
        """GET /v1/bizDashboards/summary; NotOffered where the service does not count"""
        return self._upstream.call(replace(_COUNT, query=[("organizationId", organization_id)]), Summary)

    @property
    def has_url(self) -> bool:
        """True unless the service is known to store the address of the usage dashboard elsewhere."""
        return self._upstream.offers(Call(method="GET", path=_URL))

    def url(self, organization_id: str) -> str:
        """GET /v1/bizDashboards/url; "" for none, NotOffered where it is stored elsewhere"""
        query = [("organizationId", organization_id)]
        return self._upstream.call(Call(method="GET", path=_URL, query=query, optional=True), _Url).url or ""

    def set_url(self, organization_id: str, url: str) -> None:
        """PUT /v1/bizDashboards/url; "" takes it away. Refused with DASHBOARD_URL_REFUSED when it is of another kind"""
        body = {"organizationId": organization_id, "url": url or None}
        try:
            self._change(write("PUT", _URL, body=body, optional=True))
        except Refused as error:
            error.fields = tuple(FieldError("dashboard_url", row.code) for row in error.fields)
            raise
