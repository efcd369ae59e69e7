"""The circuit breaker, tested with a fake clock."""

import pytest

from upstream import errors
from upstream.breaker import Breaker
from upstream.client import Upstream
from upstream.tests.conftest import Tokens, ok


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_five_failures_in_a_row_open_it_for_five_seconds():
    clock = Clock()
    breaker = Breaker(clock)
    for _ in range(4):
        breaker.note("a", answered=False)
    assert not breaker.is_open("a")
    breaker.note("a", answered=False)
    assert breaker.is_open("a")
    assert not breaker.is_open("b")
    clock.now += 4.9
    assert breaker.is_open("a")
    clock.now += 0.2
    assert not breaker.is_open("a")
    breaker.note("a", answered=False)  # the first try after the pause fails as well
    assert breaker.is_open("a")


def test_an_answer_in_between_or_more_than_ten_seconds_keep_it_closed():
    clock = Clock()
    breaker = Breaker(clock)
    for _ in range(4):
        breaker.note("a", answered=False)
    breaker.note("a", answered=True)
    breaker.note("a", answered=False)
    assert not breaker.is_open("a")
    for _ in range(20):
        clock.now += 2.6
        breaker.note("a", answered=False)
        assert not breaker.is_open("a")


@pytest.mark.parametrize("answer", [None, ok(status=b"500 Oops"), ok(b"<html>")])
def test_an_answer_of_any_kind_is_an_answer(service, transports, answer):
    service.handle = lambda sock, request: answer
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    for _ in range(7):
        with pytest.raises((errors.Failed, errors.BadAnswer)):
            up.clinics.get("g-1")
    assert len(service.requests) == 7


def test_a_dead_service_is_not_called_except_for_login_refresh_and_logout(service, transports):
    clock = Clock()
    up = Upstream(transports(service.url, breaker=Breaker(clock)), tokens=Tokens(service.url))
    service.close()
    service.close = lambda: None
    for _ in range(5):
        with pytest.raises(errors.Unreachable, match="Connection"):
            up.clinics.get("g-1")
    with pytest.raises(errors.Unreachable, match="has not been answering"):
        up.clinics.get("g-1")
    for essential in (
        lambda: up.oauth.request_token("a@b.example", "p", region=None),
        lambda: up.oauth.refresh("r", api_url=service.url, service_id=1),
        lambda: up.oauth.expire("r", access_token="a", api_url=service.url, service_id=1),
    ):
        with pytest.raises(errors.Unreachable, match="Connection"):
            essential()
    clock.now += 5.1
    with pytest.raises(errors.Unreachable, match="Connection"):
        up.clinics.get("g-1")
