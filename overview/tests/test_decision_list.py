"""The page of decisions: listed by kind, made on the page, and independent of failures of other kinds."""

import re
from dataclasses import replace
from html import unescape

import pytest

from console.web.contributions import DecisionKind, contributed
from tests.support import factories
from upstream.errors import Failed

PAGE = "/decisions"
USERS = "/v1/bizUsers"
RESEND = "/user-manage/clinic/g-1/user/u-1/invitation/resend"


def ended(number=1, **values):
    dates = {"invitedDate": "2026-01-01T08:30:00Z", "invitationExpiresDate": f"2026-01-{number + 7:02}T08:30:00Z"}
    return factories.user(number, status="INVITATION_EXPIRED", **{**dates, **values})


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary(expiredInvitationCount=12))
    upstream.answers("GET", USERS, factories.listing([ended(3), ended(1), ended(2)], total=12))
    upstream.answers("GET", f"{USERS}/u-1", ended())
    upstream.answers("PUT", f"{USERS}/u-1/invitation/resend", {})
    return administrator


@pytest.fixture
def failing_kind(monkeypatch):
    """Add a second kind, which can't be read."""

    def fail():
        raise Failed("no")

    kind = DecisionKind(
        name="others",
        title="Others",
        nothing="None.",
        count=lambda _summary: 5,
        waiting=lambda count: f"{count} others",
        read=lambda _request, _size: fail,
        render=lambda *_: pytest.fail("there is nothing to draw"),
        actions=(),
        all_href=lambda: "/others",
        rank=4,
    )
    others = replace(contributed(), decisions=[*contributed().decisions, kind])
    monkeypatch.setattr("overview.views.decisions.contributed", lambda: others)


def page(client):
    response = client.get(PAGE)
    assert response.status_code == 200
    return unescape(response.content.decode())


@pytest.mark.req("DM-44")
def test_the_oldest_come_first_with_their_age_and_a_link_to_all(administrator, upstream, visit):
    html = unescape(visit(PAGE).response.content.decode())
    assert html.index("User 1") < html.index("User 2") < html.index("User 3")
    assert " ago</time>" in html
    assert 'href="/user-manage/user?status=INVITATION_EXPIRED&sort=created_date&order=asc">Show all 12</a>' in html
    params = upstream.calls("GET", USERS)[-1].params
    assert (params["status"], params["size"], params["order"]) == ("INVITATION_EXPIRED", "10", "asc")


@pytest.mark.req("DM-44")
def test_decisions_that_others_wait_for_come_first(administrator):
    kinds = re.findall(r'<h2 id="decision-([\w-]+)"', page(administrator))
    assert kinds == ["scanners", "requests", "invitations", "reminders"]


def test_the_navigation_has_the_number_of_those_that_others_wait_for(administrator, upstream):
    counts = {"expiredInvitationCount": 12, "scannerCounts": {"PENDING": 3}, "partnershipCounts": {"PENDING_IN": 2}}
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary(**counts))
    assert 'Approvals<span class="count">5</span>' in page(administrator), "no one waits for an expired invitation"


def test_a_single_decision_is_made_at_once_and_returns_to_the_page(administrator, upstream):
    assert f'formaction="{RESEND[1:]}"' in page(administrator)
    response = administrator.post(RESEND, {"back": PAGE})
    assert (response.status_code, response["Location"]) == (303, PAGE)
    assert len(upstream.calls("PUT", "/resend")) == 1
    assert "Invitation sent to" in page(administrator)


def test_a_confirmation_returns_to_the_page(administrator):
    cancel = RESEND.replace("resend", "cancel")
    response = administrator.get(cancel, headers={"Referer": f"http://testserver{PAGE}"})
    assert f'name="back" value="{PAGE}"' in response.content.decode()


def test_several_decisions_are_made_together_and_the_plan_returns_to_the_page(administrator, upstream):
    html = page(administrator)
    assert 'formaction="/user-manage/user/bulk/resend"' in html
    assert "bulk/delete" not in html, "that is no decision about an invitation"
    plan = administrator.post("/user-manage/user/bulk/resend", {"id": ["u-1", "u-2"], "back": PAGE})
    assert f'href="{PAGE}"' in plan.content.decode()
    upstream.answers(
        "POST",
        f"{USERS}/bulkResendInvitation",
        {"resultCount": 2, "okCount": 2, "results": [{"id": "u-1", "ok": True}, {"id": "u-2", "ok": True}]},
    )


def test_an_empty_selection_returns_to_the_page_and_says_so(administrator):
    response = administrator.post("/user-manage/user/bulk/resend", {"back": PAGE})
    assert (response.status_code, response["Location"]) == (303, PAGE)
    assert "Select at least one row first." in page(administrator)


def test_a_kind_that_can_not_be_read_does_not_affect_the_others(administrator, failing_kind, visit):
    html = unescape(visit(PAGE).response.content.decode())
    assert "Couldn't load this." in html.partition('id="waits-others"')[2].partition("</section>")[0]
    assert f'href="{PAGE}">Try again</a>' in html
    assert "User 1" in html


@pytest.mark.parametrize("status", [404, 429, 500, 501])
def test_a_failure_of_the_service_is_reported_in_a_sentence(administrator, upstream, status):
    upstream.answers("GET", USERS, {}, status=status)
    assert (
        "Couldn't load this." in page(administrator).partition('id="waits-invitations"')[2].partition("</section>")[0]
    )


def test_the_page_says_that_nothing_is_waiting(administrator, upstream):
    upstream.answers("GET", USERS, factories.listing([]))
    html = page(administrator)
    assert "No invitations have expired." in html
    assert re.search(r'<h2 id="decision-invitations" class="visually-hidden">', html), "one line is enough"


@pytest.mark.parametrize(
    "odd",
    [
        {"mainGroupId": None},
        {"id": "a/b"},
        {"id": None},
        {"name": "x" * 400},
        {"invitationExpiresDate": None},
        {"invitationExpiresDate": "9999-12-31T00:00:00Z"},
        {"invitationExpiresDate": "2999-12-31T00:00:00Z"},
    ],
)
def test_an_odd_row_does_not_affect_the_others(administrator, upstream, visit, odd):
    upstream.answers("GET", USERS, factories.listing([ended(**odd), ended(2)]))
    assert "User 2" in visit(PAGE).response.content.decode()


@pytest.mark.parametrize(
    ("back", "location"),
    [
        ("//evil.example/decisions", PAGE),  # the path on this site
        ("https://evil.example/decisions", PAGE),
        ("/decisions/../x", "/user-manage/clinic/g-1/user"),
        ("/x", "/user-manage/clinic/g-1/user"),
    ],
)
def test_foreign_return_urls_are_ignored(administrator, back, location):
    assert administrator.post(RESEND, {"back": back})["Location"] == location


@pytest.mark.req("DM-44", "UC-07")
def test_a_waiting_scanner_is_approved_on_the_page_and_opened_from_its_notification(administrator, upstream, visit):
    waiting = factories.scanner(status="PENDING", connectedDate="2026-01-05T08:30:00Z")
    upstream.has_scanners(waiting)
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary(scannerCounts={"PENDING": 3}))
    html = unescape(visit(PAGE).response.content.decode())
    assert waiting["serialNumber"] in html
    assert 'formaction="/scanner-manage/bulk/approve"' in html
    assert "bulk/cancel-approval" not in html
    assert 'Scanners<span class="count">3</span>' in html
    upstream.answers("PUT", "/v1/bizScanners/s-1/approve", {"status": "APPROVED"})
    response = administrator.post("/scanner-manage/s-1/approve", {"back": PAGE})
    assert (response.status_code, response["Location"]) == (303, PAGE)
    notification = factories.notification(type="SCANNER_PENDING", target={"type": "SCANNER", "id": "s-1"})
    upstream.answers("GET", "/v1/bizNotifications", factories.listing([notification]))
    upstream.answers("PUT", "/v1/bizNotifications/n-1/read")
    assert administrator.post("/notifications/n-1/open")["Location"] == "/scanner-manage/s-1"
