"""The sandbox refuses what the contract does not allow."""

import socket

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client, refused

pytestmark = pytest.mark.slow

CLINICS = "/v1/bizMainGroups?organizationId=o-1"


@pytest.mark.parametrize(
    ("value", "code"), [(None, 10001), ("0", 10002), ("-1", 10002), ("one", 10002), ("1.0", 10002), ("01", 10002)]
)
def test_a_call_with_a_wrong_service_id_is_refused(admin, value, code):
    error = refused(admin.call("GET", CLINICS, headers={"service-id": value}), 400, code)
    assert error["details"]["fields"] == [{"field": "service-id", "code": code}]


def test_a_bearer_call_with_another_regions_service_id_is_refused(admin):
    refused(admin.call("GET", CLINICS, headers={"service-id": "2"}), 403, 11008)


@pytest.mark.parametrize(("value", "code"), [(None, 10001), ("text/plain", 10002), ("application/jsonp", 10002)])
@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_every_call_needs_the_json_content_type(admin, method, value, code):
    refused(admin.call(method, "/v1/bizOrganizationAdmins/a-1", headers={"Content-Type": value}), 400, code)


def test_the_content_type_may_name_its_charset(admin):
    headers = {"Content-Type": "application/json; charset=utf-8"}
    assert admin.call("GET", CLINICS, headers=headers).status_code == 200


@pytest.mark.parametrize("value", [None, "", "Bearer", "Bearer nonsense", "Basic YTpi"])
def test_a_bearer_call_without_a_good_token_is_refused(admin, value):
    response = admin.call("GET", CLINICS, headers={"Authorization": value})
    refused(response, 401, 11002)
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_a_refresh_token_is_not_an_access_token(admin):
    refused(admin.call("GET", CLINICS, headers={"Authorization": f"Bearer {admin.refresh_token}"}), 401, 11002)


@pytest.mark.parametrize(
    ("method", "path", "handler"),
    [
        ("POST", "/v1/accounts/search", True),
        ("POST", "/v2/oauth/requestToken", False),
        ("GET", "/v1/bizOrganizationAdmins/exist?email=a@b.example", False),
        ("GET", "/v1/commons/serverLocations", False),
    ],
)
def test_a_call_that_takes_no_token_refuses_one(admin, method, path, handler):
    headers = {"Authorization": f"Bearer {admin.token}"}
    error = refused(admin.call(method, path, {}, headers=headers, handler=handler, open_call=True), 400, 10002)
    assert error["details"]["fields"] == [{"field": "Authorization", "code": 10002}]


def test_each_port_answers_its_own_calls_only(admin):
    body = {"email": "admin@demo.example", "type": 1, "env": "dev"}
    refused(admin.call("POST", "/v1/accounts/search", body, open_call=True), 404, 10004)
    refused(admin.call("GET", CLINICS, handler=True), 404, 10004)
    refused(admin.call("GET", "/__calls", open_call=True), 404, 10004)


def test_an_unknown_path_and_an_unknown_method_are_distinguished(admin):
    refused(admin.call("GET", "/v1/nothing"), 404, 10004)
    response = admin.call("DELETE", "/v1/bizUsers/u-1/permissions")
    refused(response, 405, 10002)
    assert response.headers["Allow"] == "GET, PUT"


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, 10001, "email"),
        ({"email": "a@b.example", "type": 1}, 10001, "env"),
        ({"email": 5, "type": 1, "env": "dev"}, 10002, "email"),
        ({"email": "a@b.example", "type": "1", "env": "dev"}, 10002, "type"),
        ({"email": "a@b.example", "type": True, "env": "dev"}, 10002, "type"),
        ({"email": "a@b.example", "type": 1, "env": "test"}, 10002, "env"),
    ],
)
def test_a_body_of_wrong_types_names_the_field(visitor, body, code, field):
    error = refused(visitor.call("POST", "/v1/accounts/search", body, handler=True), 400, code)
    assert error["details"]["fields"] == [{"field": field, "code": code}]


@pytest.mark.parametrize("raw", [b"{", b"[]", b"null", b"\xff", b'{"email": NaN}', b'"\\ud800"'])
def test_a_body_that_is_not_a_json_object_is_refused(visitor, raw):
    headers = {"service-id": "1", "Content-Type": "application/json"}
    url = visitor.sandbox.handler_url + "/v1/accounts/search"
    refused(visitor.http.post(url, data=raw, headers=headers, timeout=10), 400, 10002)


def test_a_body_above_one_megabyte_is_refused(visitor):
    refused(visitor.call("POST", "/v1/accounts/search", {"email": "a" * 1_000_001}, handler=True), 413, 10007)


def test_unknown_fields_of_a_body_are_tolerated(admin):
    admin.put("/v1/bizOrganizationAdmins/a-1", {"name": "New name", "somethingElse": [1]})
    assert admin.get("/v1/bizOrganizationAdmins/a-1")["name"] == "New name"


@pytest.mark.parametrize(
    "query",
    [
        "page=0",
        "page=x",
        "page=1&page=2",
        "size=11",
        "order=up",
        "sort=version",
        "searchField=email",
        "hasUser=1",
        "foo=1",
    ],
)
def test_a_wrong_query_is_refused(admin, query):
    refused(admin.call("GET", f"{CLINICS}&{query}"), 400, 10002)


def test_too_long_a_keyword_and_too_many_ids_are_refused(admin):
    refused(admin.call("GET", CLINICS, query={"keyword": "a" * 101}), 400, 10002)
    refused(admin.call("GET", CLINICS, query={"ids": [f"g-{number}" for number in range(101)]}), 400, 10002)
    admin.get(CLINICS, {"ids": [f"g-{number}" for number in range(100)]})


@pytest.mark.parametrize(
    ("header", "value"),
    [("X-Request-Id", "1"), ("Idempotency-Key", "again"), ("Accept-Language", "xx"), ("If-Match", "1")],
)
def test_a_malformed_optional_header_is_refused(admin, header, value):
    error = refused(admin.call("PUT", "/v1/bizOrganizationAdmins/a-1", {}, headers={header: value}), 400, 10002)
    assert error["details"]["fields"][0]["field"] == header


def test_the_request_id_comes_back_as_trace_id(admin):
    request_id = "6d1c0000-1111-2222-3333-444455556666"
    response = admin.call("GET", "/v1/bizUsers/u-0", headers={"X-Request-Id": request_id})
    assert refused(response, 404, 10004)["traceId"] == response.headers["X-Request-Id"] == request_id


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
    "/v1/bizUsers?mainGroupId=g-25",
    "/v1/bizUsers?organizationId=o-2",
    "/v1/bizUsers?organizationId=o-2&mainGroupId=g-1",
    "/v1/bizDashboards/summary?organizationId=o-2",
]


@pytest.mark.parametrize("path", FOREIGN)
def test_what_belongs_to_another_organization_is_not_found(admin, path):
    refused(admin.call("GET", path), 404, 10004)


def test_a_careless_sandbox_answers_foreign_objects_until_told_otherwise(admin, sandbox: SandboxProcess):
    sandbox.careless()
    assert admin.get("/v1/bizMainGroups/g-25")["organizationId"] == "o-2"
    assert admin.get("/v1/bizUsers?mainGroupId=g-25")["resultCount"] == 34
    assert admin.get("/v1/bizMainGroups?organizationId=o-2")["resultCount"] == 12
    sandbox.careless(False)
    refused(admin.call("GET", "/v1/bizMainGroups/g-25"), 404, 10004)


@pytest.mark.parametrize(
    ("email", "password", "account_type"),
    [("group.admin@demo.example", "Group123!", 2), ("member@demo.example", "Member123!", 3)],
)
def test_group_admins_and_members_get_a_token_but_no_data(visitor: Client, email, password, account_type):
    pair = visitor.log_in(email, password)
    assert pair["adminDetail"]["type"] == account_type
    refused(visitor.call("GET", CLINICS), 403, 11008)
    visitor.get("/v2/oauth/checkToken", {"adminId": pair["adminId"]})
    assert visitor.call("POST", "/v2/oauth/expireToken", {"refreshToken": pair["refreshToken"]}).status_code == 200


def test_a_call_whose_sender_died_in_the_middle_is_not_carried_out(sandbox: SandboxProcess):
    with socket.create_connection(("127.0.0.1", sandbox.api_port), timeout=10) as line:
        line.sendall(b"PUT /v1/cut HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{")
        line.shutdown(socket.SHUT_WR)
        assert line.recv(100) == b""
    assert sandbox.calls("/v1/cut") == []
