"""The notifications of one administrator."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from upstream.bulk import BulkResource, BulkResult
from upstream.calls import Call, MatchCount, write
from upstream.errors import NotFound
from upstream.listing import Listing, ListParams, ListResource
from upstream.nouns import Id, Noun

PATH = "/v1/bizNotifications"
_COUNT = Call(method="GET", path=f"{PATH}/unreadCount", optional=True, breaker_neutral=True)


class Target(Noun, frozen=True, kw_only=True):
    """The object that a notification is about."""

    kind: str = msgspec.field(default="", name="type")
    id: Id = ""


class Notification(Noun, frozen=True, kw_only=True):
    """An event. Its sentence is ours, built from kind and params; some have a title and a body of the service."""

    id: Id = ""
    kind: str = msgspec.field(default="", name="type")
    params: dict[str, Any] = {}
    title: str = ""
    body: str = ""
    target: Target | None = None
    is_read: bool = msgspec.field(default=False, name="read")
    created_date: datetime | None = None


class Notifications(ListResource, BulkResource):
    """The calls on the notifications of one administrator."""

    SORTS = {"created_date": "createdDate"}
    FILTERS = {"read": "read", "kind": "type"}

    def list(self, params: ListParams, *, admin_id: str) -> Listing[Notification]:
        """GET /v1/bizNotifications; the filter `read` takes "true" and "false" """
        return self._list(PATH, params, Listing[Notification], adminId=admin_id)

    def get(self, id: str, *, admin_id: str) -> Notification:
        """GET /v1/bizNotifications, for one of them: the service has no call for it; raise NotFound"""
        listing = self.list(ListParams(size=10, ids=(id,)), admin_id=admin_id).results
        for notification in listing:
            if notification.id == id:
                return notification
        raise NotFound("no such notification")

    @property
    def has_unread_count(self) -> bool:
        """True unless the service is known not to count them."""
        return self._upstream.offers(_COUNT)

    def unread_count(self, admin_id: str) -> int:
        """GET /v1/bizNotifications/unreadCount; NotOffered where the service does not count them"""
        return self._upstream.call(replace(_COUNT, query=[("adminId", admin_id)]), MatchCount).result_count

    def set_read(self, id: str, read: bool) -> None:
        """PUT /v1/bizNotifications/{id}/read or /unread"""
        self._change(write("PUT", f"{PATH}/{{id}}/{'read' if read else 'unread'}", id=id))

    def read_all(self, kinds: Sequence[str], *, up_to: datetime, admin_id: str) -> int | None:
        """PUT /v1/bizNotifications/readAll: those of these kinds (none: of all) that are not newer.

        Return how many there were; None where the service does not say.
        """
        up_to_date = up_to.isoformat().replace("+00:00", "Z")
        body = {"adminId": admin_id, "filter": {"type": kinds} if kinds else {}, "upToDate": up_to_date}
        return self._upstream.call(write("PUT", f"{PATH}/readAll", body=body), _Marked).result_count

    def mark_unread(self, ids: Sequence[str]) -> BulkResult:
        """PUT /v1/bizNotifications/{id}/unread for each"""
        return self._singly(ids, lambda id: write("PUT", f"{PATH}/{{id}}/unread", id=id))


class _Marked(msgspec.Struct, frozen=True, rename="camel"):
    result_count: int | None = None
