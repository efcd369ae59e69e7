"""Region lookup, login, and the rotation and expiry of tokens."""

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, OTHER, Client, refused

pytestmark = pytest.mark.slow

CLINICS = "/v1/bizMainGroups?organizationId=o-1"
DAY = 86_400


def test_the_lookup_names_the_region_and_its_api(visitor, sandbox: SandboxProcess):
    def lookup(email):
        return visitor.call("POST", "/v1/accounts/search", {"email": email, "type": 1, "env": "prod"}, handler=True)

    region = lookup("Admin@Demo.example").json()
    assert region["serviceDomainId"] == 1
    assert set(region["domainUrls"]) == {str(kind) for kind in range(1, 9)}
    assert region["domainUrls"]["2"] == sandbox.api_url
    assert lookup(OTHER[0]).json()["serviceDomainId"] == 2
    refused(lookup("nobody@demo.example"), 404, 10004)


def test_the_second_organization_sees_its_own_clinics(visitor: Client):
    visitor.log_in(*OTHER)
    names = [row["name"] for row in visitor.get("/v1/bizMainGroups?organizationId=o-2")["results"]]
    assert names[0] == "Adler Zahnmedizin"
    refused(visitor.call("GET", CLINICS), 404, 10004)


def test_logging_in_returns_the_pair_and_the_admin(visitor: Client):
    pair = visitor.log_in()
    assert pair["adminId"] == pair["adminDetail"]["id"] == "a-1"
    assert pair["adminDetail"]["organizationId"] == "o-1"
    assert "password" not in pair["adminDetail"]
    assert pair["accessToken"] != pair["refreshToken"]


@pytest.mark.parametrize(
    ("email", "password"), [(DEMO[0], "demo123!"), (DEMO[0], "Other123!"), ("x@y.example", DEMO[1])]
)
def test_a_wrong_email_or_password_is_refused_alike(visitor, email, password):
    refused(visitor.request_token(email=email, password=password, grantType="password"), 401, 11001)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, 10001),
        ({"grantType": "password", "email": DEMO[0]}, 10001),
        ({"grantType": "refresh_token"}, 10001),
        ({"grantType": "magic"}, 10002),
        ({"grantType": "refresh_token", "refreshToken": 1}, 10002),
    ],
)
def test_an_incomplete_token_request_is_refused(visitor, body, code):
    refused(visitor.request_token(**body), 400, code)


def test_an_access_token_expires_and_a_refresh_returns_a_new_pair(admin: Client, sandbox: SandboxProcess):
    old = admin.token, admin.refresh_token
    sandbox.advance(899)
    admin.get(CLINICS)
    sandbox.advance(2)
    refused(admin.call("GET", CLINICS), 401, 11002)
    admin.keep(admin.refresh(admin.refresh_token).json())
    assert not {admin.token, admin.refresh_token} & set(old)
    admin.get(CLINICS)


def test_a_second_use_of_a_refresh_token_ends_the_whole_session(admin: Client):
    first = admin.refresh_token
    admin.keep(admin.refresh(first).json())
    admin.get(CLINICS)
    refused(admin.refresh(first), 401, 11003)
    refused(admin.call("GET", CLINICS), 401, 11002)
    refused(admin.refresh(admin.refresh_token), 401, 11003)


def test_other_sessions_of_the_same_admin_live_on(admin: Client, sandbox: SandboxProcess):
    spent = admin.refresh_token
    admin.refresh(spent)
    admin.log_in()
    refused(admin.refresh(spent), 401, 11003)
    admin.get(CLINICS)


def test_a_refresh_token_expires(admin: Client, sandbox: SandboxProcess):
    sandbox.advance(30 * DAY + 1)
    refused(admin.refresh(admin.refresh_token), 401, 11003)


def test_the_lifetime_of_tokens_can_be_set(visitor: Client, sandbox: SandboxProcess):
    sandbox.tokens(access_seconds=5, refresh_seconds=60)
    visitor.log_in()
    sandbox.advance(6)
    refused(visitor.call("GET", CLINICS), 401, 11002)
    visitor.keep(visitor.refresh(visitor.refresh_token).json())
    sandbox.advance(61)
    refused(visitor.refresh(visitor.refresh_token), 401, 11003)


def test_all_access_tokens_can_be_expired_at_once(admin: Client, sandbox: SandboxProcess):
    sandbox.tokens(expire="access")
    refused(admin.call("GET", CLINICS), 401, 11002)
    admin.keep(admin.refresh(admin.refresh_token).json())
    admin.get(CLINICS)


def test_checking_a_token_says_when_it_expires(admin: Client):
    answer = admin.get("/v2/oauth/checkToken", {"adminId": "a-1"})
    assert answer["valid"] is True
    assert answer["expiresDate"].endswith("Z")
    refused(admin.call("GET", "/v2/oauth/checkToken", query={"adminId": "a-2"}), 404, 10004)
    refused(admin.call("GET", "/v2/oauth/checkToken"), 400, 10001)


def test_expiring_ends_the_session_of_the_refresh_token(admin: Client):
    assert admin.call("POST", "/v2/oauth/expireToken", {"refreshToken": admin.refresh_token}).json() == {}
    refused(admin.call("GET", CLINICS), 401, 11002)
    refused(admin.refresh(admin.refresh_token), 401, 11003)


def test_nobody_ends_the_session_of_another(admin: Client):
    other = Client(admin.sandbox)
    other.log_in(*OTHER)
    admin.call("POST", "/v2/oauth/expireToken", {"refreshToken": other.refresh_token})
    other.get("/v1/bizMainGroups?organizationId=o-2")
    other.close()
