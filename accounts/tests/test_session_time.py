"""The remaining time of a session: reading it does not extend the session, using the session does."""

from datetime import timedelta

import pytest
from django.utils import timezone

from console.sessions.models import Grant

pytestmark = pytest.mark.sql

JSON = {"Accept": "application/json"}
HOUR = 3600


def used_and_opened(*, used_hours_ago: float, opened_hours_ago: float, persistent: bool = False) -> None:
    now = timezone.now()
    Grant.objects.update(
        last_seen_at=now - timedelta(hours=used_hours_ago),
        created_at=now - timedelta(hours=opened_hours_ago),
        persistent=persistent,
    )


def read_state(client, *, method="get"):
    return getattr(client, method)("/session", headers=JSON).json()["item"]


@pytest.mark.req("AX-09", "ST-04")
@pytest.mark.parametrize(
    ("used", "opened", "persistent", "hours", "can_be_extended"),
    [(0, 0, False, 12, True), (11, 11, False, 1, True), (1, 23, False, 1, False), (1, 24 * 29, True, 24, False)],
)
def test_the_remaining_time_is_reported(admin_client, used, opened, persistent, hours, can_be_extended):
    used_and_opened(used_hours_ago=used, opened_hours_ago=opened, persistent=persistent)
    item = read_state(admin_client)
    assert abs(item["seconds_left"] - hours * HOUR) < 60
    assert item["can_be_extended"] is can_be_extended


@pytest.mark.req("AX-09")
def test_reading_the_time_does_not_extend_the_session_and_a_post_does(admin_client, upstream):
    used_and_opened(used_hours_ago=11, opened_hours_ago=11)
    upstream.has_clinic()
    assert read_state(admin_client)["seconds_left"] <= HOUR
    assert read_state(admin_client)["seconds_left"] <= HOUR
    assert read_state(admin_client, method="post")["seconds_left"] > 11 * HOUR
    used_and_opened(used_hours_ago=11, opened_hours_ago=11)
    page = admin_client.get("/user-manage/clinic").content.decode()
    seconds = int(page.split('data-seconds="')[1].split('"')[0])
    assert 11 * HOUR < seconds <= 12 * HOUR


@pytest.mark.req("AX-09", "PM-21")
def test_an_ended_session_is_not_extended(admin_client):
    used_and_opened(used_hours_ago=13, opened_hours_ago=13)
    response = admin_client.post("/session", headers=JSON)
    assert response.status_code == 401
    assert response.json()["item"] == {**response.json()["item"], "sender": "", "seconds_left": 0}


@pytest.mark.req("CO-20")
def test_reading_the_number_of_notifications_does_not_extend_the_session(administrator, upstream):
    upstream.answers("GET", "/v1/bizNotifications/unreadCount", {"resultCount": 1})
    used_and_opened(used_hours_ago=1, opened_hours_ago=1)
    before = Grant.objects.get().last_seen_at
    assert administrator.get("/notifications/unread").status_code == 200
    assert Grant.objects.get().last_seen_at == before
