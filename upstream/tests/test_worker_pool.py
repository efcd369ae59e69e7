"""Single calls of the worker pool: four at a time, independent of one another, with one renewal for all."""

import json
import threading
from collections import Counter

import pytest

from upstream import errors
from upstream.calls import Changed, write
from upstream.client import Upstream
from upstream.config import Deadlines
from upstream.tests.conftest import Request, Tokens, ok

LONG = Deadlines(connect=2, read=5, write=5, refresh=5)


def post(number: int):
    return write("POST", "/v1/bizThings/{id}", id=str(number), body={"n": number})


def get_number(request: Request) -> int:
    return int(request.line.split()[1].rpartition("/")[2])


@pytest.fixture
def tokens(service):
    return Tokens(service.url)


@pytest.fixture
def up(service, transports, tokens):
    return Upstream(transports(service.url, deadlines=LONG), tokens=tokens, request_id="r-1")


def test_four_calls_run_concurrently_and_never_five(service, up, tokens):
    four, lock, under_way, concurrent = threading.Barrier(4), threading.Lock(), [0], []

    def handle(sock, request):
        with lock:
            under_way[0] += 1
            concurrent.append(under_way[0])
        four.wait(5)  # breaks, and fails the test, unless all four calls have arrived
        with lock:
            under_way[0] -= 1
        four.wait(5)
        return ok(b'{"version": %d}' % get_number(request))

    service.handle = handle
    got = up.each([post(n) for n in range(12)], Changed)
    assert got == [Changed(n) for n in range(12)]
    assert max(concurrent) == 4
    assert tokens.threads == {threading.get_ident()}


def test_an_empty_list_of_calls_needs_no_token_and_no_time(up, tokens):
    assert up.each([], Changed) == []
    assert tokens.threads == set()


def test_each_answer_or_error_is_returned_in_order_and_errors_name_their_call(service, up):
    answers = {
        1: ok(b'{"code": 13002}', status=b"409 Conflict"),
        2: ok(b'{"code": 10004}', status=b"404 No"),
        3: ok(status=b"500 No"),
        4: None,
    }
    service.handle = lambda sock, request: answers.get(get_number(request), ok())
    got = up.each([post(n) for n in range(7)], Changed)
    assert [type(one) for one in got] == [
        Changed,
        errors.Conflict,
        errors.NotFound,
        errors.Failed,
        errors.BadAnswer,
        Changed,
        Changed,
    ]
    assert {(one.endpoint, one.request_id) for one in got[1:5]} == {("POST /v1/bizThings/{id}", "r-1")}
    assert [one.may_be_done for one in got[1:5]] == [False, False, True, True]


@pytest.mark.req("ST-11", "ST-12", "ST-14")
@pytest.mark.parametrize("status", [b"401 Unauthorized", b"520 Unknown"])
def test_an_expired_token_is_renewed_once_and_only_its_calls_replayed_with_their_keys(service, up, tokens, status):
    def handle(sock, request):
        ended = request.headers["authorization"] == "Bearer token-1" and get_number(request) >= 5
        return ok(b'{"code": 11002}', status=status) if ended else ok()

    service.handle = handle
    assert up.each([post(n) for n in range(9)], Changed) == [Changed()] * 9
    assert [token.generation for token in tokens.renewed] == [1]
    assert tokens.threads == {threading.get_ident()}
    assert Counter(map(get_number, service.requests)) == {n: 2 if n >= 5 else 1 for n in range(9)}
    keys = {(get_number(request), request.headers["idempotency-key"], request.body) for request in service.requests}
    assert len(keys) == 9


@pytest.mark.req("ST-13")
def test_a_replay_that_gets_520_is_a_failure_that_may_be_done_and_the_others_go_on(service, up, tokens):
    service.handle = lambda sock, request: ok(status=b"520 Unknown") if get_number(request) == 1 else ok()
    got = up.each([post(n) for n in range(3)], Changed)
    assert (got[0], got[2]) == (Changed(), Changed())
    assert isinstance(got[1], errors.Failed)
    assert got[1].may_be_done
    assert (len(tokens.renewed), len(service.requests)) == (1, 4)


@pytest.mark.req("ST-13")
def test_a_replay_that_gets_401_ends_the_session(service, up, tokens):
    service.handle = lambda sock, request: ok(status=b"401 Unauthorized")
    with pytest.raises(errors.SessionEnded) as caught:
        up.each([post(n) for n in range(4)], Changed)
    assert len(tokens.renewed) == 1
    assert caught.value.endpoint == "POST /v1/bizThings/{id}"


def test_a_refresh_that_fails_ends_the_session_and_nothing_is_replayed(service, up, tokens):
    tokens.ended = True
    service.handle = lambda sock, request: ok(status=b"401 Unauthorized")
    with pytest.raises(errors.SessionEnded) as caught:
        up.each([post(n) for n in range(3)], Changed)
    assert len(service.requests) == 3
    assert caught.value.request_id == "r-1"


@pytest.mark.parametrize("code", [15001, 18001])
def test_an_error_that_affects_every_call_stops_the_lanes(service, up, code):
    four = threading.Barrier(4)
    body = json.dumps({"code": code}).encode()

    def handle(sock, request):
        if get_number(request) < 4:
            four.wait(5)
        if get_number(request) == 2:
            return ok(body, status=b"503 No")
        service.released.wait(0.05)  # so that the answer above arrives long before all calls could be made
        return ok()

    service.handle = handle
    if code == 15001:
        with pytest.raises(errors.ServerCode15001):
            up.each([post(n) for n in range(40)], Changed)
    else:  # completed work is not lost
        got = up.each([post(n) for n in range(40)], Changed)
        assert got[:4] == [Changed(), Changed(), got[2], Changed()]
        assert {(type(error), error.code, error.may_be_done) for error in (got[2], got[-1])} == {
            (errors.Failed, 18001, False)
        }
    assert len(service.requests) < 40


def test_maintenance_without_any_other_answer_is_raised(service, up):
    service.handle = lambda sock, request: ok(b'{"code": 18001}', status=b"503 No")
    with pytest.raises(errors.Maintenance):
        up.each([post(n) for n in range(40)], Changed)
    assert len(service.requests) <= 4


@pytest.mark.req("ST-13", "ER-07")
@pytest.mark.parametrize(("status", "may_be_done"), [(b"401 Unauthorized", False), (b"520 Unknown", True)])
@pytest.mark.parametrize("starts_with", ["the renewal", "the replays"])
def test_maintenance_after_a_token_has_expired_loses_no_answer(service, up, tokens, status, may_be_done, starts_with):
    if starts_with == "the renewal":
        tokens.renew = lambda stale: (_ for _ in ()).throw(errors.Maintenance("of the renewal"))

    def handle(sock, request):
        if get_number(request) < 4:
            return ok()
        is_first = request.headers["authorization"] == "Bearer token-1"
        return ok(status=status) if is_first else ok(b'{"code": 18001}', status=b"503 No")

    service.handle = handle
    got = up.each([post(n) for n in range(6)], Changed)
    assert got[:4] == [Changed()] * 4
    assert [error.may_be_done for error in got[4:]] == [may_be_done] * 2
    assert all(error.code == 18001 for error in got[4:] if not may_be_done)


@pytest.mark.req("ST-13", "ER-07")
def test_maintenance_that_refuses_all_that_a_renewal_was_for_is_raised(service, up):
    def handle(sock, request):
        is_first = request.headers["authorization"] == "Bearer token-1"
        return ok(status=b"401 Unauthorized") if is_first else ok(b'{"code": 18001}', status=b"503 No")

    service.handle = handle
    with pytest.raises(errors.Maintenance):
        up.each([post(n) for n in range(6)], Changed)


def test_a_call_without_time_left_is_reported_as_not_sent(service, up):
    def handle(sock, request):
        if get_number(request) == 0:
            up._ends = 0.0  # the clock is moved while the call is under way
        return ok()

    service.handle = handle
    (first,) = up.each([post(0)], Changed)
    assert first == Changed()
    with pytest.raises(errors.TimedOut):
        up.each([post(1)], Changed)
    assert len(service.requests) == 1


def test_calls_left_when_time_runs_out_are_distinguished_from_completed_ones(service, up):
    four = threading.Barrier(4)

    def handle(sock, request):
        four.wait(5)
        up._ends = 0.0  # the clock is moved while the first four are under way
        four.wait(5)
        return ok()

    service.handle = handle
    got = up.each([post(n) for n in range(6)], Changed)
    assert got[:4] == [Changed()] * 4
    assert [(type(one), one.may_be_done, one.endpoint) for one in got[4:]] == [
        (errors.TimedOut, False, "POST /v1/bizThings/{id}")
    ] * 2
    assert len(service.requests) == 4


@pytest.mark.parametrize(("status", "may_be_done"), [(b"401 Unauthorized", False), (b"520 Unknown", True)])
def test_a_call_that_could_not_be_replayed_in_time_may_be_done_only_after_520(service, up, tokens, status, may_be_done):
    def handle(sock, request):
        up._ends = 0.0  # the clock is moved while the call is under way
        return ok(status=status)

    service.handle = handle
    (got,) = up.each([post(1)], Changed)
    assert isinstance(got, errors.TimedOut)
    assert got.may_be_done is may_be_done
    assert tokens.renewed == []


def test_each_cannot_be_called_within_concurrent_reads(service, up):
    def delete() -> object:
        return up.each([post(1)], Changed)

    with pytest.raises(ValueError, match="Only reads"):
        up.together(delete, delete)
    assert service.requests == []


def test_a_timed_out_call_that_was_sent_may_be_done(service, transports, tokens):
    service.handle = lambda sock, request: service.released.wait(10) and None
    up = Upstream(transports(service.url), tokens=tokens)
    (got,) = up.each([post(1)], Changed)
    assert isinstance(got, errors.TimedOut)
    assert got.may_be_done
