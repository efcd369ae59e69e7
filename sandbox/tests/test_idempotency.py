"""A POST with an Idempotency-Key is carried out once."""

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, Client, refused
from sandbox.tests.test_accounts import sign_up_body

pytestmark = pytest.mark.slow

KEY = "5f0c2a34-9d1e-4c57-8a6b-0f1e2d3c4b5a"
SIGN_UP = "/v1/accounts/organizationAdmins/signUpWithOrganization"


def sign_up(client: Client, key: str, **changes: str):
    body = {**sign_up_body(), **changes}
    return client.call("POST", SIGN_UP, body, handler=True, headers={"Idempotency-Key": key})


def test_the_same_key_and_body_get_the_first_answer_again(visitor: Client):
    first, again = sign_up(visitor, KEY), sign_up(visitor, KEY)
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()


def test_the_same_key_with_another_body_is_refused(visitor: Client):
    sign_up(visitor, KEY)
    refused(sign_up(visitor, KEY, name="Someone else"), 409, 10006)


def test_another_key_is_another_action(visitor: Client):
    sign_up(visitor, KEY)
    refused(sign_up(visitor, KEY.replace("5f", "6f")), 409, 12001)


def test_a_refused_call_may_be_tried_again_with_its_key(visitor: Client):
    refused(sign_up(visitor, KEY, password="short"), 422, 11009)
    assert sign_up(visitor, KEY).status_code == 200


def test_a_key_is_forgotten_after_a_day(visitor: Client, sandbox: SandboxProcess):
    sign_up(visitor, KEY)
    sandbox.advance(24 * 3600 + 1)
    refused(sign_up(visitor, KEY), 409, 12001)


def test_a_replayed_refresh_is_not_a_second_use(visitor: Client):
    visitor.log_in(*DEMO)

    def refresh():
        body = {"grantType": "refresh_token", "refreshToken": visitor.refresh_token}
        return visitor.call("POST", "/v2/oauth/requestToken", body, open_call=True, headers={"Idempotency-Key": KEY})

    assert refresh().json() == refresh().json()
