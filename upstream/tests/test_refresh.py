"""Headers, and the refresh: at most one renewal and one replay for each call."""

import json
import socket
from uuid import UUID

import pytest

from upstream import errors
from upstream.calls import Call, CallRecord, NotRenewed, RenewalFailure, Token
from upstream.client import Upstream
from upstream.config import TransportConfig
from upstream.resources.oauth import TokenInfo
from upstream.resources.regions import Region
from upstream.tests.conftest import API, HANDLER, Tokens, ok
from upstream.transport import Transport

CLINIC = f"{API}/v1/bizMainGroups/g-1"


@pytest.mark.req("ST-08", "ST-09", "ST-12", "ER-01", "ER-02")
@pytest.mark.parametrize("status", [401, 520])
def test_a_rejected_token_is_renewed_and_the_call_replayed(up, http, tokens, status):
    http.get(CLINIC, json={"code": 11002}, status=status)
    http.get(CLINIC, json={"id": "g-1"})
    assert up.clinics.get("g-1").id == "g-1"
    assert [token.generation for token in tokens.renewed] == [1]
    assert [c.request.headers["Authorization"] for c in http.calls] == ["Bearer token-1", "Bearer token-2"]


@pytest.mark.req("ST-12", "ST-14")
def test_a_replay_is_the_same_call_with_a_new_token(up, http, tokens):
    url = f"{API}/v1/bizThings/t%201?a=b"
    http.post(url, status=520)
    http.post(url, json={"accessToken": "x"})
    call = Call(
        method="POST", path="/v1/bizThings/{id}", ids={"id": "t 1"}, query=[("a", "b")], body={"n": "é"}, version=4
    )
    up.call(call, TokenInfo)
    first, second = (c.request for c in http.calls)
    assert (first.method, first.url, first.body) == (second.method, second.url, second.body)
    changed = {name for name in first.headers if first.headers[name] != second.headers[name]}
    assert changed == {"Authorization"}
    assert UUID(first.headers["Idempotency-Key"]).version == 4


@pytest.mark.req("ST-13")
def test_a_replay_that_gets_401_ends_the_session_without_a_second_refresh(up, http, tokens):
    http.get(CLINIC, status=401)
    with pytest.raises(errors.SessionEnded) as caught:
        up.clinics.get("g-1")
    assert (len(http.calls), len(tokens.renewed)) == (2, 1)
    assert caught.value.request_id == "r-1"


def test_a_replay_that_gets_520_is_a_failure_and_the_session_stays(up, http, tokens):
    http.get(CLINIC, status=520)
    with pytest.raises(errors.Failed):
        up.clinics.get("g-1")
    assert (len(http.calls), len(tokens.renewed)) == (2, 1)


def test_a_refresh_that_fails_ends_the_session_and_nothing_is_replayed(up, http, tokens):
    tokens.ended = True
    http.get(CLINIC, status=401)
    with pytest.raises(errors.SessionEnded) as caught:
        up.clinics.get("g-1")
    assert len(http.calls) == 1
    assert caught.value.endpoint == "GET /v1/bizMainGroups/{id}"


@pytest.mark.parametrize("source", [None, Tokens(api_url="")], ids=["no tokens", "no domain data"])
def test_without_tokens_or_domain_data_the_session_has_ended_and_nothing_is_sent(config, http, source):
    with pytest.raises(errors.SessionEnded):
        Upstream(Transport(config), tokens=source).clinics.get("g-1")


@pytest.mark.req("EN-24")
def test_a_token_is_not_sent_to_a_foreign_host(config, http):
    up = Upstream(Transport(config), tokens=Tokens(api_url="https://api.dental.example.evil.example"))
    with pytest.raises(errors.ForeignHost):
        up.clinics.get("g-1")
    with pytest.raises(errors.ForeignHost):
        up.oauth.expire("r", access_token="a", api_url=HANDLER + ".evil.example", service_id=1)
    with pytest.raises(errors.ForeignHost):
        up.oauth.refresh("r", api_url="http://127.0.0.1:1", service_id=1)


@pytest.mark.req("CA-02", "CA-05")
def test_a_bearer_call_carries_the_headers_of_the_contract(up, http):
    http.get(CLINIC, json={"id": "g-1"})
    up.clinics.get("g-1")
    sent = http.calls[0].request.headers
    assert {name.lower(): value for name, value in sent.items()} == {
        "user-agent": "enterprise-for-admin",
        "accept-encoding": "gzip",
        "service-id": "7",
        "content-type": "application/json",
        "accept": "application/json",
        "accept-language": "ko-KR",
        "x-request-id": "r-1",
        "authorization": "Bearer token-1",
    }


@pytest.mark.req("CA-01", "CA-04")
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_every_call_names_the_service_and_a_json_content_type_and_sends_the_key_that_it_has(up, http, method):
    http.add(method, f"{API}/v1/bizThings", json={"accessToken": "x"})
    up.call(Call(method=method, path="/v1/bizThings", idempotency_key="k-1"), TokenInfo)
    sent = http.calls[0].request.headers
    assert (sent["service-id"], sent["Content-Type"]) == ("7", "application/json")
    assert sent["Idempotency-Key"] == "k-1"
    up.call(Call(method=method, path="/v1/bizThings"), TokenInfo)
    assert ("Idempotency-Key" in http.calls[1].request.headers) == (method == "POST")


@pytest.mark.req("CA-03", "ST-24")
def test_public_calls_carry_no_token_and_the_default_service_id_until_a_region_is_known(up, http):
    http.post(f"{HANDLER}/v1/accounts/search", json={"serviceDomainId": 4, "domainUrls": {"2": API}})
    http.post(f"{API}/v2/oauth/requestToken", json={"accessToken": "x"})
    up.oauth.request_token("a@b.example", "p", region=up.regions.lookup("a@b.example"))
    lookup, login = (call.request for call in http.calls)
    assert (lookup.headers["service-id"], login.headers["service-id"]) == ("1", "4")
    assert login.url == f"{API}/v2/oauth/requestToken"
    assert json.loads(login.body) == {"email": "a@b.example", "password": "p", "grantType": "password"}
    assert not any("Authorization" in request.headers for request in (lookup, login))
    assert lookup.headers["Idempotency-Key"] != login.headers["Idempotency-Key"]


def test_a_public_call_of_a_client_with_a_region_carries_its_service_id(config, http):
    http.get(f"{HANDLER}/v1/maintenance", json={"active": False})
    Upstream(Transport(config), region=Region(9, {})).maintenance.notice()
    assert http.calls[0].request.headers["service-id"] == "9"


@pytest.mark.req("CA-30")
def test_expiring_a_token_sends_it_and_a_refusal_does_not_trigger_a_refresh_of_the_session(up, http, tokens):
    url = f"{API}/v2/oauth/expireToken"
    http.post(url, json={})
    http.post(url, status=401)
    http.post(f"{API}/v2/oauth/requestToken", json={"code": 10001}, status=400)
    up.oauth.expire("r-9", access_token="a-9", api_url=API, service_id=3)
    with pytest.raises(errors.Refused):
        up.oauth.expire("r-9", access_token="a-9", api_url=API, service_id=3)
    sent = http.calls[0].request
    assert (sent.headers["Authorization"], sent.headers["service-id"]) == ("Bearer a-9", "3")
    assert json.loads(sent.body) == {"refreshToken": "r-9"}
    assert tokens.renewed == []


def test_each_exchange_is_recorded_without_ids_queries_or_tokens(config, tokens, http):
    records: list[CallRecord] = []
    up = Upstream(Transport(config), tokens=tokens, on_call=records.append)
    http.get(CLINIC, status=401)
    http.get(CLINIC, json={"id": "g-1"})
    up.clinics.get("g-1")
    with pytest.raises(errors.Unreachable):
        up.users.get("u-1")  # the fake has no such call, and refuses the connection
    assert [(r.method, r.path, r.status, r.outcome) for r in records] == [
        ("GET", "/v1/bizMainGroups/{id}", 401, "NeedsRefresh"),
        ("GET", "/v1/bizMainGroups/{id}", 200, "ok"),
        ("GET", "/v1/bizUsers/{id}", None, "Unreachable"),
    ]
    assert all(0 < record.milliseconds < 60_000 for record in records)


@pytest.mark.req("ST-26")
def test_the_configured_address_need_not_be_on_the_allow_list(http):
    config = TransportConfig("https://handler.china.example", "https://api.china.example", variant="china")
    http.get("https://api.china.example/v1/bizMainGroups/g-1", json={"id": "g-1"})
    Upstream(Transport(config), tokens=Tokens(api_url=config.api_url)).clinics.get("g-1")


def test_a_refresh_opens_its_connection_a_second_time_but_is_sent_once(service, transports, monkeypatch):
    opened = []
    resolve = socket.getaddrinfo

    def fail_first(*args, **kwargs):
        opened.append(args)
        if len(opened) == 1:
            raise socket.gaierror
        return resolve(*args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", fail_first)
    service.handle = lambda sock, request: ok(b'{"accessToken": "x"}')
    up = Upstream(transports(service.url))
    assert up.oauth.refresh("r", api_url=service.url, service_id=1).access_token == "x"
    assert (len(opened), len(service.requests)) == (2, 1)


def test_a_refresh_that_was_sent_is_never_repeated(service, transports):
    service.handle = lambda sock, request: None
    with pytest.raises(errors.BadAnswer):
        Upstream(transports(service.url)).oauth.refresh("r", api_url=service.url, service_id=1)
    assert len(service.requests) == 1


def test_no_refresh_starts_after_the_deadline_of_the_request(service, transports, tokens):
    tokens.api_url = service.url
    up = Upstream(transports(service.url), tokens=tokens)

    def handle(sock, request):
        up._ends = 0.0  # the clock is moved while the call is under way
        return ok(status=b"401 Unauthorized")

    service.handle = handle
    with pytest.raises(errors.TimedOut, match="no time left"):
        up.clinics.get("g-1")
    assert tokens.renewed == []


def test_the_repr_of_a_token_does_not_contain_it():
    assert "secret" not in repr(Token(1, "secret", API, 1))


@pytest.mark.req("ER-05")
@pytest.mark.parametrize(("status", "may_be_done"), [(520, True), (401, False)])
@pytest.mark.parametrize("failure", [RenewalFailure.NOT_STORED, RenewalFailure.TIMED_OUT])
def test_a_write_whose_token_could_not_be_renewed_may_be_done_if_its_response_was_lost(
    up, http, tokens, monkeypatch, failure, status, may_be_done
):
    def refuse(_stale):
        raise NotRenewed(failure, "no new token")

    http.put(f"{API}/v1/bizSubGroups/t-1", status=status)
    monkeypatch.setattr(tokens, "renew", refuse)
    with pytest.raises(errors.NotDone) as caught:
        up.teams.update("t-1", version=1, name="Night")
    assert caught.value.may_be_done is may_be_done


@pytest.mark.req("ER-33")
@pytest.mark.parametrize("status", [502, 504, 524])
def test_a_failed_read_before_a_write_proves_that_nothing_was_written(up, http, status):
    http.get(f"{API}/v1/bizOrganizations/o-1", status=status)
    with pytest.raises(errors.NotDone) as caught:
        up.organizations.update("o-1", version=1, name="Night")
    assert caught.value.may_be_done is False


@pytest.mark.req("ER-33")
def test_after_a_failed_read_an_earlier_write_may_be_done(up, http):
    http.put(f"{API}/v1/bizSubGroups/t-1", json={})
    http.get(f"{API}/v1/bizOrganizations/o-1", status=524)
    up.teams.update("t-1", version=1, name="Night")
    with pytest.raises(errors.TimedOut) as caught:
        up.organizations.get("o-1")
    assert caught.value.may_be_done is True
