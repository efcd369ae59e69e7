"""Fifty concurrent callers get correct responses."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import requests

from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, OTHER, Client

pytestmark = pytest.mark.slow

CALLERS = 50


def at_once(sandbox: SandboxProcess, work: Callable[[Client, int], requests.Response]) -> list[int]:
    """Let fifty callers, each with its own connections, do the work at the same time; return their statuses."""
    barrier = Barrier(CALLERS)

    def one(number: int) -> int:
        client = Client(sandbox)
        try:
            barrier.wait(timeout=20)
            return work(client, number).status_code
        finally:
            client.close()

    with ThreadPoolExecutor(CALLERS) as pool:
        return sorted(pool.map(one, range(CALLERS)))


def test_fifty_readers_of_two_organizations_see_their_own(sandbox: SandboxProcess):
    def read(client: Client, number: int) -> requests.Response:
        client.log_in(*(OTHER if number % 2 else DEMO))
        response = client.call("GET", f"/v1/bizUsers?mainGroupId={'g-25' if number % 2 else 'g-1'}")
        assert response.json()["resultCount"] == (34 if number % 2 else 40)
        return response

    assert set(at_once(sandbox, read)) == {200}


def test_one_of_fifty_uses_of_a_refresh_token_or_changes_of_a_version_succeeds(admin: Client, sandbox: SandboxProcess):
    def change(client: Client, number: int) -> requests.Response:
        client.token = admin.token
        body = {"permissions": {"allowExport": bool(number % 2)}}
        return client.call("PUT", "/v1/bizMainGroups/g-1/permissions", body, headers={"If-Match": '"1"'})

    assert at_once(sandbox, change) == [200, *[412] * (CALLERS - 1)]
    assert at_once(sandbox, lambda client, _: client.refresh(admin.refresh_token)) == [200, *[401] * (CALLERS - 1)]
