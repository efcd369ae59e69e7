"""The calls without a login: the request of each, its address, and its result."""

import json
from dataclasses import replace

import pytest

from upstream import errors
from upstream.client import Upstream
from upstream.resources.admins import NewAccount
from upstream.tests.conftest import API, HANDLER
from upstream.transport import Transport

EU = "https://eu.dental.example"
SIGN_UP = f"{HANDLER}/v1/accounts/organizationAdmins/signUpWithOrganization"
FORGOT = "/v1/bizOrganizationAdmins/forgotPassword"
RESET = f"{EU}/v1/bizOrganizationAdmins/resetPassword"
ACCOUNT = NewAccount(
    email="ada@clinic.example",
    password="Demo123!",
    name="Ada",
    organization_name="Ada Dental",
    country_code="DE",
    server_location="EU",
    language="de-DE",
    marketing=False,
    terms_version="2026-01",
)


@pytest.fixture(autouse=True)
def no_token_is_sent(http):
    """None of these calls needs a token, so none has one, even with a login (CA-06)."""
    yield
    assert all("Authorization" not in call.request.headers for call in http.calls)


@pytest.mark.req("CA-11", "CA-12", "CA-06")
@pytest.mark.parametrize(("count", "in_use"), [(0, False), (1, True)])
def test_an_email_is_checked_at_the_server_location(up, http, count, in_use):
    http.get(f"{EU}/v1/bizOrganizationAdmins/exist", json={"resultCount": count})
    assert up.admins.exists("a+b@c.example", api_url=EU) is in_use
    assert http.calls[0].request.params == {"email": "a+b@c.example"}
    assert http.calls[0].request.headers["service-id"] == "1"


@pytest.mark.req("CA-13", "CA-14", "CA-06")
@pytest.mark.parametrize(("count", "in_use"), [(0, False), (2, True)])
def test_an_organization_name_is_checked_at_the_server_location(up, http, count, in_use):
    http.get(f"{EU}/v1/bizOrganizations/exist", json={"resultCount": count})
    assert up.organizations.exists("Ada & Co", api_url=EU, service_id=7) is in_use
    assert http.calls[0].request.params == {"name": "Ada & Co"}
    assert http.calls[0].request.headers["service-id"] == "7"


@pytest.mark.req("CA-07", "CA-08", "CA-09", "CA-10", "VA-26")
@pytest.mark.parametrize("answer", [{"adminId": "a-1", "organizationId": "o-1"}, {}, None])
def test_a_sign_up_goes_to_the_domain_handler_with_its_fields(up, http, answer):
    http.post(SIGN_UP, **({"body": b""} if answer is None else {"json": answer}))
    up.admins.sign_up(ACCOUNT, idempotency_key="k-1")
    sent = http.calls[0].request
    assert json.loads(sent.body) == {
        "email": "ada@clinic.example",
        "password": "Demo123!",
        "name": "Ada",
        "organization": {"name": "Ada Dental", "countryCode": "DE", "serverLocation": "EU"},
        "language": "de-DE",
        "agreements": {"terms": True, "privacy": True, "marketing": False, "termsVersion": "2026-01"},
    }
    assert sent.headers["Idempotency-Key"] == "k-1"


def test_without_a_domain_handler_a_sign_up_goes_to_the_api(config, http):
    transport = Transport(replace(config, handler_url=""))
    http.post(SIGN_UP.replace(HANDLER, API), json={})
    Upstream(transport).admins.sign_up(ACCOUNT, idempotency_key="k-1")
    transport.close()


@pytest.mark.req("CA-10")
@pytest.mark.parametrize(
    ("code", "sent_field", "field"),
    [
        (12001, "email", "email"),
        (12001, "", "email"),
        (12002, "organization.name", "organization_name"),
        (12002, "", "organization_name"),
        (11009, "password", "password"),
        (11009, "", "password"),
        (12007, "agreements", "terms"),
        (12007, "", "terms"),
        (10002, "organization.countryCode", "country_code"),
        (10002, "organization.serverLocation", "server_location"),
    ],
)
def test_a_refused_sign_up_names_our_fields(up, http, code, sent_field, field):
    details = {"fields": [{"field": sent_field, "code": code}]} if sent_field else {}
    http.post(SIGN_UP, status=422, json={"code": code, "details": details})
    with pytest.raises(errors.Refused) as refused:
        up.admins.sign_up(ACCOUNT, idempotency_key="k-1")
    assert refused.value.fields == (errors.FieldError(field, code),)


def test_an_account_is_not_written_out():
    assert "Demo123!" not in repr(ACCOUNT)


@pytest.mark.req("CA-22", "CA-23")
@pytest.mark.parametrize("path", [FORGOT, "/v1/bizOrganizationAdmins/lostPassword"])
def test_a_mail_to_reset_a_password_is_asked_for_at_the_path_of_the_setting(config, http, path):
    transport = Transport(replace(config, forgot_password_path=path) if path != FORGOT else config)
    http.get(f"{EU}{path}", json={})
    Upstream(transport).admins.forgot_password("ada@clinic.example", api_url=EU, service_id=2)
    assert http.calls[0].request.params == {"email": "ada@clinic.example"}
    assert http.calls[0].request.headers["service-id"] == "2"
    transport.close()


@pytest.mark.req("CA-24", "CA-25")
@pytest.mark.parametrize("answer", [b"{}", b""])
def test_a_password_is_reset_by_the_id_of_its_link(up, http, answer):
    http.put(RESET, body=answer)
    up.admins.reset_password("9d1c", "Demo123!", api_url=EU)
    assert json.loads(http.calls[0].request.body) == {"uuid": "9d1c", "newPassword": "Demo123!"}


@pytest.mark.parametrize("reason", ["USED", "EXPIRED", "UNKNOWN"])
def test_a_link_that_no_longer_works_has_a_reason(up, http, reason):
    http.put(RESET, status=404, json={"code": 11007, "details": {"reasons": [{"reason": reason}]}})
    with pytest.raises(errors.NotFound) as ended:
        up.admins.reset_password("9d1c", "Demo123!", api_url=EU)
    assert ended.value.code == errors.Code.LINK_ENDED
    assert [row.reason for row in ended.value.reasons] == [reason]


def test_the_server_locations_are_read(up, http):
    rows = [{"code": "EU", "countryCodes": ["DE", "FR"]}, {"code": "KR"}]
    http.get(f"{EU}/v1/commons/serverLocations", json={"results": rows})
    locations = up.regions.server_locations(api_url=EU)
    assert [(row.code, row.country_codes) for row in locations] == [("EU", ["DE", "FR"]), ("KR", [])]


def test_a_service_need_not_have_a_list_of_server_locations(up, http):
    http.get(f"{EU}/v1/commons/serverLocations", status=501)
    with pytest.raises(errors.NotOffered):
        up.regions.server_locations(api_url=EU)
