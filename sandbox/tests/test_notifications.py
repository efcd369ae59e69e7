"""Notifications: listed, counted, marked, and created by events. The dashboard's URL."""

import pytest

from sandbox.process import SandboxProcess
from sandbox.store import Row
from sandbox.tests.client import Client, refused

pytestmark = pytest.mark.slow

ALL = "/v1/bizNotifications"
MINE = {"adminId": "a-1"}
KINDS = {
    *("SCANNER_PENDING", "SCANNER_REFUSED_ELSEWHERE", "PARTNERSHIP_REQUESTED", "PARTNERSHIP_ACCEPTED"),
    *("PARTNERSHIP_REJECTED", "PARTNERSHIP_CANCELLED", "PARTNERSHIP_ENDED", "INVITATION_EXPIRED"),
    *("EMAIL_CHANGED", "PASSWORD_CHANGED", "MAINTENANCE_PLANNED", "NOTICE"),
}


def rows(client: Client, **query: str) -> list[Row]:
    results: list[Row] = client.get(ALL, {**MINE, "size": 100, **query})["results"]
    return results


def unread(client: Client) -> int:
    count: int = client.get(f"{ALL}/unreadCount", MINE)["resultCount"]
    return count


def test_the_newest_come_first_and_all_kinds_occur(admin: Client):
    notifications = rows(admin)
    dates = [row["createdDate"] for row in notifications]
    assert dates == sorted(dates, reverse=True)
    assert {row["type"] for row in notifications} == KINDS


def test_they_are_filtered_by_unread_and_kind(admin: Client):
    assert len(rows(admin, read="false")) == unread(admin) == 7
    assert {row["type"] for row in rows(admin, type="NOTICE")} == {"NOTICE"}
    assert admin.get(ALL, {**MINE, "read": "false"})["unreadCount"] == 7


def test_one_is_marked_and_unmarked(admin: Client):
    first = rows(admin, read="false")[0]["id"]
    admin.put(f"{ALL}/{first}/read", {})
    assert unread(admin) == 6
    admin.put(f"{ALL}/{first}/unread", {})
    assert unread(admin) == 7
    refused(admin.call("GET", ALL, query={"adminId": "a-2"}), 404, 10004)
    refused(admin.call("PUT", f"{ALL}/n-141/read", {}), 404, 17001)  # another administrator's


def test_all_of_a_kind_are_marked_except_those_newer_than_the_newest_seen(admin: Client):
    waiting = [row for row in rows(admin, read="false") if row["type"] == "SCANNER_PENDING"]
    body = {**MINE, "filter": {"type": ["SCANNER_PENDING"]}, "upToDate": waiting[-1]["createdDate"]}
    assert admin.put(f"{ALL}/readAll", body) == {"resultCount": 1}
    assert unread(admin) == 6
    assert admin.put(f"{ALL}/readAll", {**body, "filter": {}, "upToDate": "2100-01-01T00:00:00Z"})["resultCount"] == 6


def test_an_expired_invitation_creates_a_notification(sandbox: SandboxProcess, admin: Client):
    before = unread(admin)
    sandbox.advance(8 * 24 * 3600)
    admin.log_in()
    expired = [row for row in rows(admin, read="false") if row["type"] == "INVITATION_EXPIRED"]
    assert unread(admin) > before
    user = admin.get(f"/v1/bizUsers/{expired[0]['target']['id']}")
    assert (user["status"], user["name"]) == ("INVITATION_EXPIRED", expired[0]["params"]["name"])


def test_a_changed_password_and_planned_maintenance_create_notifications(sandbox: SandboxProcess, admin: Client):
    admin.put(
        "/v1/bizOrganizationAdmins/a-1/changePassword", {"currentPassword": "Demo123!", "newPassword": "Demo456!"}
    )
    planned = {"startDate": "2027-01-01T00:00:00Z", "endDate": None}
    sandbox.maintenance({"active": False, "planned": planned})
    newest = {row["type"]: row["params"] for row in rows(admin)[:2]}
    assert newest == {"PASSWORD_CHANGED": {}, "MAINTENANCE_PLANNED": {"startDate": planned["startDate"]}}


def test_the_dashboard_url_has_the_allowed_host_or_is_refused(admin: Client):
    path, query = "/v1/bizDashboards/url", {"organizationId": "o-1"}
    assert admin.get(path, query)["url"].startswith("https://dashboard.demo.example/")
    refused(admin.call("PUT", path, {**query, "url": "https://evil.example"}), 422, 12006)
    admin.put(path, {**query, "url": None})
    assert admin.get(path, query) == {"url": None}
    refused(admin.call("GET", path, query={"organizationId": "o-2"}), 404, 10004)
