"""A failing refresh: one call, every request answered in time, the session cleared and logged once."""

import os
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
import requests

from tests.e2e.http_client import (
    CLINIC_PERMISSIONS,
    CLINICS,
    KILLS,
    REFRESH_TIMEOUT_S,
    USERS,
    Visitor,
    at_once,
    end_access,
    grants,
    logged_in,
    received_tokens,
    refreshes,
    wait_until,
    worker_ids,
)
from tests.e2e.running import database

pytestmark = pytest.mark.slow
VISITORS = 50
DELAY = 20.0
"""Seconds until the service answers, for a refresh that is slow."""
REFRESH = "/v2/oauth/requestToken"
FAILURES: dict[str, dict[str, Any]] = {
    "hangs": {"delay": DELAY, "status": 500},
    "drips": {"fault": "drip"},
    "is refused": {"status": 401, "code": 11003},
    "fails": {"status": 500},
    "is cut off": {"fault": "reset"},
    "has no right": {"status": 403, "code": 11005},
    "is nonsense": {"fault": "html"},
}


@pytest.fixture
def console(three_workers, sandbox):
    """Three workers with a short deadline for the refresh, and a sandbox in its initial state."""
    return three_workers


@pytest.fixture
def visitor(console):
    """An administrator whose access token has just expired."""
    administrator = logged_in(console)
    end_access(console)
    console.sandbox.clear_calls()
    return administrator


def read_log(console):
    return console.log.read_text()


@pytest.mark.req("ST-11", "ST-17", "RT-33", "ER-08", "CA-39")
@pytest.mark.parametrize("failure", FAILURES)
def test_a_refresh_that(console, visitor, failure):
    console.sandbox.faults({"path": REFRESH, "times": -1, **FAILURES[failure]})
    logins, log_start = grants(console), len(read_log(console))

    started = time.monotonic()
    answers = at_once(VISITORS, lambda: visitor.get(CLINICS))
    # All wait for the one refresh: one deadline, and not one each, nor until the service answers.
    assert time.monotonic() - started < DELAY - REFRESH_TIMEOUT_S

    goto = "/login?next=%2Fuser-manage%2Fclinic&reason=expired"
    assert Counter((a.status_code, a.headers.get("Location")) for a in answers) == {(302, goto): VISITORS}
    assert all("auth" in a.headers["Set-Cookie"] and "Max-Age=0" in a.headers["Set-Cookie"] for a in answers)
    assert len(refreshes(console.sandbox)) == 1
    assert grants(console) == logins - 1
    log = read_log(console)[log_start:]
    assert log.count("refresh failed, session ended") == 1
    secrets = received_tokens(console.sandbox)
    assert secrets
    assert [secret for secret in secrets if secret in log] == []

    console.sandbox.no_faults()
    assert visitor.get(CLINICS).status_code == 302, "the session is gone for good"
    assert logged_in(console).get(CLINICS).status_code == 200


@pytest.mark.req("ST-17")
def test_an_island_gets_the_login_address_when_the_refresh_fails(console, visitor):
    console.sandbox.faults({"path": REFRESH, "status": 401, "code": 11003, "times": -1})
    answer = visitor.get(USERS + "?page=2", json=True)
    assert answer.status_code == 401
    body = answer.json()
    assert body["ok"] is False
    assert body["goto"] == "/login?next=%2Fuser-manage%2Fclinic%2Fg-1%2Fuser%3Fpage%3D2&reason=expired"


@pytest.mark.req("ST-10", "RT-34", "ER-03")
@pytest.mark.parametrize(
    ("rule", "goto", "status"),
    [
        ({"status": 401, "code": 15001}, "/520", 520),
        ({"status": 520, "code": 15001}, "/520", 520),
        ({"status": 503, "code": 18001}, "/maintenance", 503),
    ],
)
def test_a_refresh_with_another_error_keeps_the_session(console, visitor, rule, goto, status):
    console.sandbox.faults({"path": REFRESH, "times": 2, **rule})
    page = visitor.get(CLINICS)
    assert (page.status_code, page.headers["Location"]) == (302, goto)
    assert page.cookies.get("auth", visitor.auth) == visitor.auth
    island = visitor.get(USERS, json=True)
    assert (island.status_code, island.json()["goto"]) == (status, goto)
    assert visitor.get(CLINICS).status_code == 200
    assert len(refreshes(console.sandbox)) == 3


@pytest.mark.req("ST-10", "ST-11")
@pytest.mark.parametrize(("code", "goto"), [(15001, "/520"), (18001, "/maintenance")])
def test_all_requests_that_waited_for_such_a_refresh_get_the_same_error(console, visitor, code, goto):
    delay = 1.0
    console.sandbox.faults({"path": REFRESH, "times": -1, "delay": delay, "status": 500, "code": code})
    started = time.monotonic()
    answers = at_once(VISITORS, lambda: visitor.get(CLINICS))
    assert Counter((a.status_code, a.headers["Location"]) for a in answers) == {(302, goto): VISITORS}
    # A request that comes after an answer may try again, but never at the same time as another one.
    assert len(refreshes(console.sandbox)) <= (time.monotonic() - started) / delay + 1
    console.sandbox.no_faults()
    assert visitor.get(CLINICS).status_code == 200


@pytest.mark.req("ST-10")
@pytest.mark.parametrize("status", [401, 520])
def test_a_call_that_answers_15001_is_not_refreshed(console, sandbox, status):
    visitor = logged_in(console)
    sandbox.faults({"path": "/v1/bizMainGroups$", "status": status, "code": 15001})
    assert visitor.get(CLINICS).headers["Location"] == "/520"
    assert refreshes(sandbox) == []
    assert visitor.get(CLINICS).status_code == 200


@pytest.mark.req("ST-13")
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_replay_that_is_refused_again_ends_the_session_without_a_second_refresh(console, sandbox, method):
    visitor = logged_in(console)
    path = "/v1/bizMainGroups$" if method == "GET" else "/permissions$"
    form = visitor.change(CLINIC_PERMISSIONS, {"allow_order": "off"})
    sandbox.faults({"path": path, "method": "PUT" if method == "POST" else "GET", "status": 401, "times": -1})
    answer = visitor.get(CLINICS) if method == "GET" else visitor.post(CLINIC_PERMISSIONS, form)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/login?next=")
    assert len(refreshes(sandbox)) == 1
    refused = [call for call in sandbox.calls(path) if call["status"] == 401]
    assert len(refused) == 2
    sandbox.no_faults()
    assert visitor.get(CLINICS).status_code == 302


@pytest.mark.req("ST-09", "ST-13")
def test_a_replay_that_answers_520_again_is_an_error_in_place_and_the_session_stays(console, sandbox):
    visitor = logged_in(console)
    sandbox.faults({"path": "/v1/bizMainGroups$", "status": 520, "times": -1})
    answer = visitor.get(CLINICS)
    assert answer.status_code == 502
    assert "Something went wrong" in answer.text
    assert answer.headers["X-Request-ID"] in answer.text
    assert len(refreshes(sandbox)) == 1
    assert len(sandbox.calls("/v1/bizMainGroups$")) == 2
    sandbox.no_faults()
    assert visitor.get(CLINICS).status_code == 200


@pytest.mark.req("ST-15")
def test_a_session_outlives_the_workers_that_are_killed_while_they_refresh(console, visitor, sandbox):
    for _ in range(KILLS):
        end_access(console)
        sandbox.clear_calls()
        sandbox.faults({"path": REFRESH, "delay": 10, "status": 500})  # never carried out
        killed = kill_while_it_refreshes(console, visitor)
        # However long the new workers take to start on a busy machine, the lease is still held (an hour would be
        # taken for that of a wrong clock).
        database(console, "UPDATE \"grant\" SET lease_until = datetime('now', '+4 minutes') WHERE lease_owner != ''")
        wait_until(partial(has_new_workers, console, killed))
        sandbox.no_faults()
        lease_query = (
            "SELECT count(*) FROM \"grant\" WHERE lease_owner != '' AND lease_until > strftime('%Y-%m-%d %H:%M:%f')"
        )
        assert database(console, lease_query) == [(1,)]
        with ThreadPoolExecutor(1) as pool:
            next_one = pool.submit(visitor.get, CLINICS)
            wait_until(lambda: any(call["status"] == 401 for call in sandbox.calls("/v1/bizMainGroups$")[1:]))
            assert (next_one.done(), len(refreshes(sandbox))) == (False, 1), "it must wait for the lease"
            database(console, "UPDATE \"grant\" SET lease_until = '2020-01-01 00:00:00'")
            assert next_one.result().status_code == 200
        assert len(refreshes(sandbox)) == 2
        assert Visitor(console, visitor.auth).get(USERS).status_code == 200


def has_new_workers(console, killed):
    return len(worker_ids(console)) == 3 and not set(worker_ids(console)) & set(killed)


def kill_while_it_refreshes(console, visitor):
    """Kill all workers while one of them waits for the answer to its refresh; return their ids."""
    cut_off = []

    def wait_for_the_page():
        try:
            visitor.get(CLINICS)
        except requests.ConnectionError as error:
            cut_off.append(error)

    waiting = threading.Thread(target=wait_for_the_page)
    waiting.start()
    wait_until(lambda: refreshes(console.sandbox))
    killed = worker_ids(console)
    for worker in killed:
        os.kill(worker, signal.SIGKILL)
    waiting.join()
    assert len(cut_off) == 1
    return killed
