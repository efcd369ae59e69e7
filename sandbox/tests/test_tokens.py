"""Region lookup, login, and the rotation and expiry of tokens."""

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, OTHER, Client, refused

pytestmark = pytest.mark.slow

CLINICS = "/v1/bizMainGroups?organizationId=o-1"
DAY = 86_400


def test_the_lookup_names_the_region_and_its_api(visitor: Client, sandbox: SandboxProcess):
    def lookup(email: str):
        return visitor.call("POST", "/v1/accounts/search", {"email": email, "type": 1, "env": "prod"}, handler=True)

    region = lookup("Admin@Demo.example").json()
    assert region["serviceDomainId"] == 1
    assert set(region["domainUrls"]) == {str(kind) for kind in range(1, 9)}
    assert region["domainUrls"]["2"] == sandbox.api_url
    refused(lookup("nobody@demo.example"), 404, 10004)
    visitor.log_in(*OTHER)
    assert visitor.service_id == 2
    names = [row["name"] for row in visitor.get("/v1/bizMainGroups?organizationId=o-2")["results"]]
    assert names[0] == "Adler Zahnmedizin"


def test_logging_in_returns_the_pair_and_the_admin_or_is_refused(visitor: Client):
    pair = visitor.log_in()
    assert pair["adminId"] == pair["adminDetail"]["id"] == "a-1"
    assert pair["adminDetail"]["organizationId"] == "o-1"
    assert "password" not in pair["adminDetail"]
    assert pair["accessToken"] != pair["refreshToken"]
    for email, password in ((DEMO[0], "demo123!"), (DEMO[0], "Other123!"), ("x@y.example", DEMO[1])):
        refused(visitor.request_token(email=email, password=password, grantType="password"), 401, 11001)
    for body in ({}, {"grantType": "password", "email": DEMO[0]}, {"grantType": "refresh_token"}):
        refused(visitor.request_token(**body), 400, 10001)
    refused(visitor.request_token(grantType="magic"), 400, 10002)


def test_an_access_token_expires_and_a_refresh_returns_a_new_pair(admin: Client, sandbox: SandboxProcess):
    old = admin.token, admin.refresh_token
    sandbox.advance(899)
    admin.get(CLINICS)
    sandbox.advance(2)
    refused(admin.call("GET", CLINICS), 401, 11002)
    admin.keep(admin.refresh(admin.refresh_token).json())
    assert not {admin.token, admin.refresh_token} & set(old)
    admin.get(CLINICS)
    sandbox.tokens(expire="access")
    refused(admin.call("GET", CLINICS), 401, 11002)
    sandbox.advance(30 * DAY + 1)
    refused(admin.refresh(admin.refresh_token), 401, 11003)


def test_a_second_use_of_a_refresh_token_ends_its_session_only(admin: Client, sandbox: SandboxProcess):
    key = {"Idempotency-Key": "5f0c2a34-9d1e-4c57-8a6b-0f1e2d3c4b5a"}
    first, body = admin.refresh_token, {"grantType": "refresh_token", "refreshToken": admin.refresh_token}
    pair, replayed = (
        admin.call("POST", "/v2/oauth/requestToken", body, open_call=True, headers=key).json() for _ in range(2)
    )
    assert replayed == pair  # not a second use
    admin.keep(pair)
    other = Client(sandbox)
    other.log_in()
    refused(admin.refresh(first), 401, 11003)
    refused(admin.call("GET", CLINICS), 401, 11002)
    refused(admin.refresh(admin.refresh_token), 401, 11003)
    other.get(CLINICS)
    other.close()


def test_the_lifetime_of_tokens_can_be_set(visitor: Client, sandbox: SandboxProcess):
    sandbox.tokens(access_seconds=5, refresh_seconds=60)
    visitor.log_in()
    sandbox.advance(6)
    refused(visitor.call("GET", CLINICS), 401, 11002)
    visitor.keep(visitor.refresh(visitor.refresh_token).json())
    sandbox.advance(61)
    refused(visitor.refresh(visitor.refresh_token), 401, 11003)


def test_a_token_is_checked_and_ended_by_its_own_admin(admin: Client, sandbox: SandboxProcess):
    answer = admin.get("/v2/oauth/checkToken", {"adminId": "a-1"})
    assert (answer["valid"], answer["expiresDate"][-1]) == (True, "Z")
    refused(admin.call("GET", "/v2/oauth/checkToken", query={"adminId": "a-2"}), 404, 10004)
    other = Client(sandbox)
    other.log_in(*OTHER)
    for token in (other.refresh_token, admin.refresh_token):
        assert admin.post("/v2/oauth/expireToken", {"refreshToken": token}) == {}
    refused(admin.call("GET", CLINICS), 401, 11002)
    refused(admin.refresh(admin.refresh_token), 401, 11003)
    other.get("/v1/bizMainGroups?organizationId=o-2")
    other.close()
