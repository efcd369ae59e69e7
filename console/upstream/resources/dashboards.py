"""Dashboards: the counts of an organization."""

from console.upstream.calls import Resource
from console.upstream.nouns import Count, Noun


class Summary(Noun, frozen=True, kw_only=True):
    """What the organization has, and what awaits a decision."""

    main_group_count: Count = 0
    sub_group_count: Count = 0
    user_count: Count = 0
    invited_user_count: Count = 0
    scanner_counts: dict[str, Count] = {}
    partnership_counts: dict[str, Count] = {}
    unread_notification_count: Count = 0


class Dashboards(Resource):
    """The calls on dashboards."""

    def summary(self, organization_id: str) -> Summary:
        """GET /v1/bizDashboards/summary"""
        return self._read(Summary, "/v1/bizDashboards/summary", query=[("organizationId", organization_id)])
