"""The sandbox refuses what the contract does not allow, beyond what test_contract.py reads from its document."""

import socket

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client, refused

pytestmark = pytest.mark.slow

CLINICS = "/v1/bizMainGroups?organizationId=o-1"
ME = "/v1/bizOrganizationAdmins/a-1"
FOREIGN = [
    "/v1/bizOrganizationAdmins/a-2",
    "/v1/bizOrganizations/o-2",
    "/v1/bizMainGroups/g-25",
    "/v1/bizMainGroups/g-25/permissions",
    "/v1/bizMainGroups?organizationId=o-2",
    "/v1/bizSubGroups/t-70",
    "/v1/bizSubGroups?mainGroupId=g-25",
    "/v1/bizUsers/u-600",
    "/v1/bizUsers/u-600/permissions",
    "/v1/bizUsers?organizationId=o-2",
    "/v1/bizUsers?organizationId=o-2&mainGroupId=g-1",
    "/v1/bizDashboards/summary?organizationId=o-2",
]


def test_a_missing_or_malformed_header_is_refused_by_its_name(admin: Client):
    for header, value, code in (
        ("service-id", None, 10001),
        ("service-id", "01", 10002),
        ("service-id", "one", 10002),
        ("Content-Type", None, 10001),
        ("Content-Type", "application/jsonp", 10002),
        ("X-Request-Id", "1", 10002),
        ("Idempotency-Key", "again", 10002),
        ("Accept-Language", "xx", 10002),
        ("If-Match", "1", 10002),
    ):
        error = refused(
            admin.call("PUT" if value else "GET", ME, {} if value else None, headers={header: value}), 400, code
        )
        assert error["details"]["fields"] == [{"field": header, "code": code}]
    refused(admin.call("GET", CLINICS, headers={"service-id": "2"}), 403, 11008)  # of another region
    admin.get(CLINICS, headers={"Content-Type": "application/json; charset=utf-8"})


def test_a_bearer_call_without_an_access_token_is_refused(admin: Client):
    for value in (None, "", "Bearer", "Bearer nonsense", "Basic YTpi", f"Bearer {admin.refresh_token}"):
        response = admin.call("GET", CLINICS, headers={"Authorization": value})
        refused(response, 401, 11002)
        assert response.headers["WWW-Authenticate"] == "Bearer"


def test_a_call_that_takes_no_token_refuses_one(admin: Client):
    headers = {"Authorization": f"Bearer {admin.token}"}
    for method, path, handler in (("POST", "/v1/accounts/search", True), ("POST", "/v2/oauth/requestToken", False)):
        error = refused(admin.call(method, path, {}, headers=headers, handler=handler, open_call=True), 400, 10002)
        assert error["details"]["fields"] == [{"field": "Authorization", "code": 10002}]


def test_each_port_accepts_only_its_own_calls(admin: Client):
    body = {"email": "admin@demo.example", "type": 1, "env": "dev"}
    refused(admin.call("POST", "/v1/accounts/search", body, open_call=True), 404, 10004)
    refused(admin.call("GET", CLINICS, handler=True), 404, 10004)
    refused(admin.call("GET", "/__calls", open_call=True), 404, 10004)


def test_an_unknown_path_and_an_unknown_method_are_distinguished(admin: Client):
    refused(admin.call("GET", "/v1/nothing"), 404, 10004)
    response = admin.call("DELETE", "/v1/bizUsers/u-1/permissions")
    refused(response, 405, 10002)
    assert response.headers["Allow"] == "GET, PUT"


def test_a_body_names_its_wrong_field_and_is_a_json_object_of_at_most_a_megabyte(visitor: Client):
    path = "/v1/accounts/search"
    for body, code, field in (({}, 10001, "email"), ({"email": 5, "type": 1, "env": "dev"}, 10002, "email")):
        error = refused(visitor.call("POST", path, body, handler=True), 400, code)
        assert error["details"]["fields"] == [{"field": field, "code": code}]
    headers = {"service-id": "1", "Content-Type": "application/json"}
    for raw in (b"{", b"[]", b"null", b"\xff", b'{"email": NaN}', b'"\\ud800"'):
        response = visitor.http.post(visitor.sandbox.handler_url + path, data=raw, headers=headers, timeout=10)
        refused(response, 400, 10002)
    refused(visitor.call("POST", path, {"email": "a" * 1_000_001}, handler=True), 413, 10007)


def test_unknown_fields_of_a_body_are_tolerated_but_not_those_of_a_query(admin: Client):
    admin.put(ME, {"name": "New name", "somethingElse": [1]})
    assert admin.get(ME)["name"] == "New name"
    for query in ("foo=1", "page=1&page=2", "searchField=email"):
        refused(admin.call("GET", f"{CLINICS}&{query}"), 400, 10002)


def test_the_request_id_comes_back_as_trace_id(admin: Client):
    request_id = "6d1c0000-1111-2222-3333-444455556666"
    response = admin.call("GET", "/v1/bizUsers/u-0", headers={"X-Request-Id": request_id})
    assert refused(response, 404, 10004)["traceId"] == response.headers["X-Request-Id"] == request_id


def test_only_a_careless_sandbox_returns_another_organizations_data(admin: Client, sandbox: SandboxProcess):
    for path in FOREIGN:
        refused(admin.call("GET", path), 404, 10004)
    sandbox.careless()
    assert admin.get("/v1/bizMainGroups/g-25")["organizationId"] == "o-2"
    assert admin.get("/v1/bizUsers?mainGroupId=g-25")["resultCount"] == 34
    assert admin.get("/v1/bizMainGroups?organizationId=o-2")["resultCount"] == 12
    sandbox.careless(False)
    refused(admin.call("GET", "/v1/bizMainGroups/g-25"), 404, 10004)


def test_group_admins_and_members_get_a_token_but_no_data(visitor: Client):
    for login, account_type in (
        (("group.admin@demo.example", "Group123!"), 2),
        (("member@demo.example", "Member123!"), 3),
    ):
        pair = visitor.log_in(*login)
        assert pair["adminDetail"]["type"] == account_type
        refused(visitor.call("GET", CLINICS), 403, 11008)
        visitor.get("/v2/oauth/checkToken", {"adminId": pair["adminId"]})
        visitor.post("/v2/oauth/expireToken", {"refreshToken": pair["refreshToken"]})


def test_a_call_with_a_truncated_body_is_not_executed(sandbox: SandboxProcess):
    with socket.create_connection(("127.0.0.1", sandbox.api_port), timeout=10) as line:
        line.sendall(b"PUT /v1/cut HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{")
        line.shutdown(socket.SHUT_WR)
        assert line.recv(100) == b""
    assert sandbox.calls("/v1/cut") == []
