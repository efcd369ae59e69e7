"""A clock that was wrong and is right again: rows that it stored in the future block no administrator."""

from datetime import timedelta

import pytest
from django.utils import timezone

from console.errors import TooManyAttempts
from console.models import Attempt
from console.sessions import throttle
from console.sessions.models import Grant
from console.sessions.tests.test_tokens import Service, create_grant, source, stored
from console.web import maintenance
from upstream.calls import NotRenewed

AHEAD = timedelta(hours=5)

pytestmark = [pytest.mark.django_db, pytest.mark.req("SEC-64"), pytest.mark.sql]


@pytest.mark.parametrize("owner", ["", "somebody who ended in the middle", "15001"])
def test_tokens_stored_by_a_clock_ahead_are_refreshed_at_once(owner):
    later = timezone.now() + AHEAD
    grant = create_grant(stored(), refreshed_at=later, lease_until=later, created_at=later, lease_owner=owner)
    service = Service()
    tokens = source(grant, service)
    assert tokens.renew(tokens.current()).access_token == "access-2"
    now = Grant.objects.get()
    assert now.refreshed_at is not None
    assert now.refreshed_at <= timezone.now()


@pytest.mark.parametrize(("seconds", "refreshes"), [(3.9, 0), (6, 1)])
def test_a_host_whose_clock_is_a_little_ahead_is_trusted(seconds, refreshes):
    grant = create_grant(stored(), refreshed_at=timezone.now() + timedelta(seconds=seconds))
    service = Service()
    tokens = source(grant, service)
    tokens.renew(tokens.current())
    assert len(service.refreshes) == refreshes


def test_a_lease_of_a_host_whose_clock_is_a_little_ahead_is_not_taken(monkeypatch):
    monkeypatch.setattr("console.sessions.tokens.WAIT_TIMEOUT_SECONDS", 0.1)
    until = timezone.now() + timedelta(seconds=12 + 4)
    grant, service = create_grant(stored(), lease_owner="another host", lease_until=until), Service()
    tokens = source(grant, service)
    with pytest.raises(NotRenewed, match="took too long"):
        tokens.renew(tokens.current())
    assert service.refreshes == []


def fail(times: int) -> None:
    for _ in range(times):
        throttle.enter("login", address="192.0.2.1", email="a@demo.example")


def test_a_throttle_from_a_clock_ahead_does_not_last_for_hours():
    with pytest.raises(TooManyAttempts):
        fail(6)
    Attempt.objects.update(blocked_until=timezone.now() + AHEAD, window_ends=timezone.now() + AHEAD)
    fail(1)
    with pytest.raises(TooManyAttempts) as error:
        fail(6)
    assert (error.value.retry_after or 0) <= 60, "they are counted from the beginning"


def test_a_notice_of_maintenance_from_a_clock_ahead_is_not_new_for_hours():
    notice = maintenance.ReceivedNotice((timezone.now() + AHEAD).timestamp(), maintenance.NONE)
    assert not notice.is_fresh
