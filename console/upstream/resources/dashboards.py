"""Dashboards: the counts of an organization."""

from console.upstream.calls import Resource
from console.upstream.nouns import Noun


class Summary(Noun, frozen=True, kw_only=True):
    """What the organization has, and what awaits a decision."""

    main_group_count: int = 0
    sub_group_count: int = 0
    user_count: int = 0
    invited_user_count: int = 0
    scanner_counts: dict[str, int] = {}
    partnership_counts: dict[str, int] = {}
    unread_notification_count: int = 0


class Dashboards(Resource):
    """The calls on dashboards."""

    def summary(self, organization_id: str) -> Summary:
        """GET /v1/bizDashboards/summary"""
        return self._read(Summary, "/v1/bizDashboards/summary", query=[("organizationId", organization_id)])
