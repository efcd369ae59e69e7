"""Fifty concurrent callers get correct answers."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import requests

from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, OTHER, Client

pytestmark = pytest.mark.slow

CALLERS = 50


def at_once(sandbox: SandboxProcess, work: Callable[[Client, int], requests.Response]) -> list[requests.Response]:
    """Let fifty callers, each with its own connections, do the work at the same time."""
    barrier = Barrier(CALLERS)

    def one(number: int) -> requests.Response:
        client = Client(sandbox)
        try:
            barrier.wait(timeout=20)
            return work(client, number)
        finally:
            client.close()

    with ThreadPoolExecutor(CALLERS) as pool:
        return list(pool.map(one, range(CALLERS)))


def test_fifty_readers_of_two_organizations_see_their_own(sandbox: SandboxProcess):
    def read(client: Client, number: int) -> requests.Response:
        client.log_in(*(OTHER if number % 2 else DEMO))
        for _ in range(3):
            response = client.call("GET", f"/v1/bizUsers?mainGroupId={'g-25' if number % 2 else 'g-1'}")
            assert response.json()["resultCount"] == (34 if number % 2 else 40)
        return response

    assert {response.status_code for response in at_once(sandbox, read)} == {200}


def test_one_of_fifty_uses_of_a_refresh_token_gets_a_pair(admin: Client, sandbox: SandboxProcess):
    answers = at_once(sandbox, lambda client, number: client.refresh(admin.refresh_token))
    assert sorted(answer.status_code for answer in answers) == [200, *[401] * (CALLERS - 1)]


def test_one_of_fifty_changes_of_a_version_is_made(admin: Client, sandbox: SandboxProcess):
    path = "/v1/bizMainGroups/g-1/permissions"

    def change(client: Client, number: int) -> requests.Response:
        client.token = admin.token
        body = {"permissions": {"allowExport": bool(number % 2)}}
        return client.call("PUT", path, body, headers={"If-Match": '"1"'})

    answers = at_once(sandbox, change)
    assert sorted(answer.status_code for answer in answers) == [200, *[412] * (CALLERS - 1)]
    assert admin.get(path)["version"] == 2


def test_fifty_sign_ups_create_fifty_organizations(sandbox: SandboxProcess):
    def sign_up(client: Client, number: int) -> requests.Response:
        body = {
            "email": f"p{number}@new.example",
            "password": "Abc123!x",
            "name": "Person",
            "organization": {"name": f"Organization {number}", "countryCode": "DE", "serverLocation": "EU"},
            "agreements": {"terms": True, "privacy": True},
        }
        path = "/v1/accounts/organizationAdmins/signUpWithOrganization"
        return client.call("POST", path, body, handler=True)

    answers = at_once(sandbox, sign_up)
    assert len({answer.json()["organizationId"] for answer in answers}) == CALLERS
    assert len(sandbox.mails()) == CALLERS
