"""Values signed for one address, action and administrator are refused everywhere else, and nothing is done."""

import re
from itertools import permutations, product
from urllib.parse import urlsplit

import pytest
from django.test import Client

from tests.support import factories
from tests.support.bulk import field, has_users
from tests.support.imports import step_url, upload

CLINICS, USERS, OTHER, ALL = (
    f"/user-manage/{path}" for path in ("clinic", "clinic/g-1/user", "clinic/g-2/user", "user")
)
LISTS = (CLINICS, USERS, OTHER, ALL)
FILES = {
    CLINICS: "name,country\nAlpha,KR\n",
    USERS: "Name,Type,Email\nAnn,Staff,ann@x.example\n",
    OTHER: "Name,Type,Email\nAnn,Staff,ann@x.example\n",
    ALL: "Clinic,Name,Type,Email\nClinic 1,Ann,Staff,ann@x.example\n",
}
JSON = {"Accept": "application/json"}
NOT_USABLE = re.compile(r"You can't use this selection here\. Select the rows again\.")
EXPIRED = "This page has expired. Choose the file again."
OTHERS = {
    "another administrator": {"adminId": "a-2"},
    "the same id in another organization": {"organizationId": "o-2"},
    "the same id in another region": {"serviceDomainId": 8},
}


@pytest.fixture
def administrator(admin_client, upstream):
    has_everything(upstream)
    return admin_client


def has_everything(upstream, organization="o-1"):
    upstream.has_clinic(organizationId=organization)
    upstream.answers("GET", "/v1/bizMainGroups/g-2", factories.clinic(2, organizationId=organization))
    has_users(upstream, 3, status="INVITED", mainGroupId="g-2", mainGroupName="Clinic 2")
    for noun in ("bizUsers", "bizMainGroups"):
        rows = {"resultCount": 1, "okCount": 1, "results": [{"index": 0, "ok": True}]}
        upstream.answers("POST", f"/v1/{noun}/bulkCreate", rows)


def log_in_as(upstream, identity):
    """Log in in another browser."""
    upstream.may_log_in()
    if "serviceDomainId" in identity:
        upstream.answers("POST", "/v1/accounts/search", {**factories.REGION, **identity})
    organization = identity.get("organizationId", "o-1")
    token = factories.token(organizationId=organization)
    upstream.answers("POST", "/v2/oauth/requestToken", {**token, "adminId": identity.get("adminId", "a-1")})
    upstream.answers("GET", f"/v1/bizOrganizations/{organization}", factories.organization(id=organization))
    client = Client()
    assert client.post("/login", {"email": "admin@demo.example", "password": "Demo123!"}).status_code == 303
    has_everything(upstream, organization)
    return client


def bulk_addresses(client):
    """Return the addresses of all bulk actions, by the lists that offer them."""
    addresses = {
        path: re.findall(r'formaction="([^"]+/bulk/[^"]+)"', client.get(path).content.decode()) for path in LISTS
    }
    assert all(addresses.values())
    return addresses


def jobs(client):
    """Return a job for each bulk action."""
    ids = {CLINICS: "g-1", USERS: "u-1", OTHER: "u-2", ALL: "u-1"}
    return {
        address: client.post(address, {"id": ids[path]}, headers=JSON).json()["item"]["job"]
        for path, addresses in bulk_addresses(client).items()
        for address in addresses
    }


def queries(client):
    return {path: field(client.get(path).content.decode(), "query") for path in LISTS}


def plans(client):
    """Return the checked rows of a file for each import."""
    return {
        f"{path}/import": upload(client, f"{path}/import", text, headers=JSON).json()["item"]["lines"]
        for path, text in FILES.items()
    }


def written(upstream):
    """Return the writes that the service received; a check of a file writes nothing."""
    calls = [call for method in ("POST", "PUT", "DELETE") for call in upstream.calls(method)]
    return [call for call in calls if "/v1/biz" in call.url and b'"dryRun":true' not in call.body]


def is_refused(client, address, name, value):
    """Post one signed value; return True if it is refused with the right message."""
    answer = client.post(address, {name: value, "all": "1", "typed": "1"}, headers=JSON)
    has_message = (
        answer.json()["message"] == EXPIRED if name == "lines" else NOT_USABLE.fullmatch(answer.json()["message"])
    )
    return answer.status_code == 422 and bool(has_message)


@pytest.mark.req("SEC-30")
def test_a_job_a_query_and_a_checked_file_are_refused_at_any_other_address(administrator, upstream):
    signed_jobs, signed_queries, signed_plans = jobs(administrator), queries(administrator), plans(administrator)
    addresses = bulk_addresses(administrator)
    assert all(
        len(set(signed_values.values())) == len(signed_values)
        for signed_values in (signed_jobs, signed_queries, signed_plans)
    )
    for signed, other in permutations(signed_jobs, 2):
        assert is_refused(administrator, other, "job", signed_jobs[signed]), (signed, other)
    for signed, other in permutations(signed_plans, 2):
        assert is_refused(administrator, other, "lines", signed_plans[signed]), (signed, other)
    for signed, other in permutations(signed_queries, 2):
        for address in addresses[other]:
            assert is_refused(administrator, address, "query", signed_queries[signed]), (signed, address)
    assert written(upstream) == []


@pytest.mark.req("SEC-30")
def test_one_kind_of_signed_value_is_never_accepted_as_another(administrator, upstream):
    address, file = f"{USERS}/bulk/delete", f"{USERS}/import"
    values = {"job": jobs(administrator)[address], "query": queries(administrator)[USERS]}
    values["lines"] = plans(administrator)[file]
    for name, kind in product(values, repeat=2):
        if name != kind:
            assert is_refused(administrator, file if name == "lines" else address, name, values[kind]), (name, kind)
    assert written(upstream) == []


@pytest.mark.req("SEC-30", "SEC-31")
@pytest.mark.parametrize("identity", OTHERS)
def test_values_signed_for_one_administrator_are_refused_for_another(administrator, upstream, identity):
    signed_jobs, signed_queries, signed_plans = jobs(administrator), queries(administrator), plans(administrator)
    proof = field(administrator.get(f"{CLINICS}/g-1/permissions").content.decode(), "proof")
    other = log_in_as(upstream, OTHERS[identity])
    for address, job in signed_jobs.items():
        assert is_refused(other, address, "job", job), address
    for address, lines in signed_plans.items():
        assert is_refused(other, address, "lines", lines), address
    for path, addresses in bulk_addresses(other).items():
        assert is_refused(other, addresses[0], "query", signed_queries[path]), path
    assert written(upstream) == []
    before = len(upstream.calls())
    upstream.answers("PUT", "/v1/bizMainGroups/g-1/permissions", {"version": 3})
    other.post(f"{CLINICS}/g-1/permissions", {"allow_export": "off", "version": "2", "proof": proof}, headers=JSON)
    calls = [(call.method, urlsplit(call.url).path) for call in upstream.calls()[before:]]
    whose, write = ("GET", "/v1/bizMainGroups/g-1"), ("PUT", "/v1/bizMainGroups/g-1/permissions")
    assert calls.index(whose) < calls.index(write), "whose it is was read first"


@pytest.mark.req("SEC-30", "SEC-31")
def test_signed_values_still_work_after_the_next_login(administrator, upstream):
    """A session that ended in between doesn't invalidate a plan."""
    address = f"{USERS}/bulk/resend"
    job = jobs(administrator)[address]
    upstream.answers("POST", "/v1/bizUsers/bulkResendInvitation", {"results": [{"id": "u-1", "ok": True}]})
    new_client = log_in_as(upstream, {})
    assert new_client.post(address, {"job": job}, headers=JSON).json()["ok"]


@pytest.mark.req("SEC-30", "SEC-31")
@pytest.mark.parametrize("identity", OTHERS)
def test_the_file_of_an_import_is_not_there_for_another_administrator_or_import(administrator, upstream, identity):
    step = step_url(upload(administrator, f"{USERS}/import", FILES[USERS]))
    assert administrator.get(step).status_code == 200
    assert administrator.get(step.replace(USERS, OTHER)).status_code == 404
    other = log_in_as(upstream, OTHERS[identity])
    for name in ("columns", "values", "review"):
        address = step.replace("review", name)
        assert other.get(address).status_code == 404
        assert other.post(address, {"column-name": "0", "overwrite": "1"}).status_code == 404
