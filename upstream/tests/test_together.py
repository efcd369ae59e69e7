"""Calls at the same time: concurrent reads, and administrators whose requests never mix."""

import json
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

import pytest

from upstream import errors
from upstream.client import Upstream
from upstream.config import Deadlines
from upstream.tasks import READ, Task, is_ready
from upstream.tests.conftest import LATE, Request, Tokens, ok

LONG = Deadlines(connect=2, read=5, write=5, refresh=5)
REFUSED = ok(b'{"code": 11002}', status=b"401 Unauthorized")

request_id: ContextVar[str] = ContextVar("request_id")


def clinic(id: str) -> bytes:
    return ok(json.dumps({"id": id}).encode())


def last_part(request: Request) -> str:
    return request.line.split()[1].rpartition("/")[2]


def test_one_read_needs_no_thread(service, transports):
    service.handle = lambda sock, request: clinic("g-1")
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    (thread, results) = up.together(lambda: (threading.get_ident(), up.clinics.get("g-1")))[0]
    assert (thread, results.id) == (threading.get_ident(), "g-1")
    assert up.together() == ()


@pytest.mark.req("ST-11", "ST-12")
def test_an_expired_token_is_renewed_once_by_the_calling_thread_and_only_its_reads_replayed(service, transports):
    def handle(sock, request):
        ended = request.headers["authorization"] == "Bearer token-1" and last_part(request) != "g-1"
        return REFUSED if ended else clinic(last_part(request))

    service.handle = handle
    tokens = Tokens(service.url)
    up = Upstream(transports(service.url), tokens=tokens)
    results = up.together(*(lambda n=n: up.clinics.get(f"g-{n}") for n in range(3)))
    assert [c.id for c in results] == ["g-0", "g-1", "g-2"]
    assert [token.generation for token in tokens.renewed] == [1]
    assert tokens.threads == {threading.get_ident()}
    assert Counter(map(last_part, service.requests)) == {"g-0": 2, "g-1": 1, "g-2": 2}


@pytest.mark.req("ST-13")
@pytest.mark.parametrize(
    ("status", "expected"), [(b"401 Unauthorized", errors.SessionEnded), (b"520 Unknown", errors.Failed)]
)
def test_a_concurrent_replay_is_final(service, transports, status, expected):
    service.handle = lambda sock, request: ok(status=status)
    tokens = Tokens(service.url)
    up = Upstream(transports(service.url), tokens=tokens)
    with pytest.raises(expected):
        up.together(lambda: up.clinics.get("g-1"), lambda: up.clinics.get("g-2"))
    assert (len(tokens.renewed), len(service.requests)) == (1, 4)


def test_the_first_error_in_the_order_of_the_reads_is_raised_without_a_refresh(service, transports):
    answers = {
        "g-0": clinic("g-0"),
        "g-1": REFUSED,
        "g-2": ok(status=b"404 No"),
        "g-3": ok(status=b"500 No"),
    }
    service.handle = lambda sock, request: answers[last_part(request)]
    tokens = Tokens(service.url)
    up = Upstream(transports(service.url), tokens=tokens)
    with pytest.raises(errors.NotFound) as caught:
        up.together(*(lambda n=n: up.clinics.get(f"g-{n}") for n in range(4)))
    assert caught.value.endpoint == "GET /v1/bizMainGroups/{id}"
    assert tokens.renewed == []


def test_only_reads_can_run_concurrently(service, transports):
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    change = {"allow_export": True}
    with pytest.raises(ValueError, match="Only reads"):
        up.together(
            lambda: up.permissions.change_clinic("g-1", changes=change, version=1),
            lambda: up.permissions.change_clinic("g-2", changes=change, version=1),
        )
    assert service.requests == []


def test_the_token_given_to_a_read_is_not_used_by_another_client(service, transports):
    service.handle = lambda sock, request: ok(
        json.dumps({"id": "g", "name": request.headers["authorization"]}).encode()
    )
    transport = transports(service.url)
    first, second = (Upstream(transport, tokens=Tokens(service.url, prefix=prefix)) for prefix in ("ours", "theirs"))
    results = first.together(lambda: first.clinics.get("g"), lambda: second.clinics.get("g"))
    assert [c.name for c in results] == ["Bearer ours-1", "Bearer theirs-1"]


def test_concurrent_reads_may_be_nested(service, transports):
    service.handle = lambda sock, request: clinic(last_part(request))
    up = Upstream(transports(service.url), tokens=Tokens(service.url))

    def two() -> list[str]:
        return [c.id for c in up.together(lambda: up.clinics.get("g-1"), lambda: up.clinics.get("g-2"))]

    assert up.together(two, two) == (["g-1", "g-2"],) * 2


def test_concurrent_reads_share_the_deadline_of_the_request(service, transports):
    service.handle = lambda sock, request: service.released.wait(10) and None
    deadlines = Deadlines(connect=1, read=9, write=9, refresh=9, request=0.3)
    up = Upstream(transports(service.url, deadlines=deadlines), tokens=Tokens(service.url))
    started = time.monotonic()
    with pytest.raises(errors.TimedOut):
        up.together(lambda: up.clinics.get("g-1"), lambda: up.clinics.get("g-2"))
    assert time.monotonic() - started < 0.3 + LATE


@pytest.mark.req("ST-11")
def test_two_administrators_in_eight_threads_never_mix_tokens_and_no_cookie_is_kept(service, transports):
    def handle(sock, request):
        bearer = request.headers["authorization"].removeprefix("Bearer ")
        body = json.dumps({"id": last_part(request), "name": bearer}).encode()
        return ok(body, f"Set-Cookie: who={bearer}; Path=/".encode())

    service.handle = handle
    transport = transports(service.url, deadlines=LONG)
    start = threading.Barrier(8)

    def work(number: int) -> set[str]:
        prefix = f"admin{number % 2}"
        up = Upstream(transport, tokens=Tokens(service.url, prefix=prefix))
        start.wait(5)
        names = {up.clinics.get("g").name for _ in range(15)}
        for _ in range(5):
            names |= {c.name for c in up.together(*[lambda: up.clinics.get("g")] * 3)}
        return {f"{prefix}: {name}" for name in names}

    with ThreadPoolExecutor(8) as threads:
        names = set().union(*threads.map(work, range(8)))
    assert names == {"admin0: admin0-1", "admin1: admin1-1"}
    assert len(service.requests) == 8 * 30
    assert not any("cookie" in request.headers for request in service.requests)


def test_a_started_read_continues_while_another_call_waits(service, transports):
    both = threading.Barrier(2)

    def handle(sock, request):
        both.wait(5)  # breaks, and fails the test, unless both calls have arrived
        return clinic(last_part(request))

    service.handle = handle
    up = Upstream(transports(service.url, deadlines=LONG), tokens=Tokens(service.url))
    result = up.start(lambda: up.clinics.get("g-1").id)
    assert up.clinics.get("g-2").id == "g-2"
    assert result(5) == "g-1"


def test_an_error_of_the_code_is_that_of_the_read_and_leaves_no_other_behind(service, transports):
    service.handle = lambda sock, request: clinic(last_part(request))
    up = Upstream(transports(service.url, deadlines=LONG), tokens=Tokens(service.url))
    with pytest.raises(ZeroDivisionError):
        up.together(lambda: up.clinics.get("g-1"), lambda: 1 / 0)
    assert [c.id for c in up.together(lambda: up.clinics.get("g-1"), lambda: up.clinics.get("g-2"))] == ["g-1", "g-2"]


def test_a_response_that_arrives_while_another_task_runs_is_in_time():
    (first, service), (others, their_service) = socket.socketpair(), socket.socketpair()

    def run():
        is_ready(others, READ, 5)
        service.send(b".")
        ends = time.monotonic() + 0.2
        while time.monotonic() < ends:
            pass

    with first, service, others, their_service:
        Task(run)
        their_service.send(b".")
        assert is_ready(first, READ, 0.1)
