"""Rows of a file whose clinic or user exists already: recognized, and updated only on request."""

import json
import re
from html import unescape
from types import SimpleNamespace

import pytest

from tests.support import factories
from tests.support.audit import audit
from tests.support.imports import step_url, upload
from tests.support.reading import one_line

CLINICS, USERS = "/user-manage/clinic/import", "/user-manage/clinic/g-1/user/import"


@pytest.fixture
def service(upstream):
    """A service with some clinics and users: it refuses new ones with their names, and updates them."""
    clinics = [factories.clinic(2, name="Älpha", staffCount=3), factories.clinic(3, name="Alpha Zwei")]
    users = [
        factories.user(1, name="Ann", email="Ann@x.example"),
        factories.user(2, name="Ben", email="ben@x.example", userType="STAFF", subGroupId=None, subGroupName=None),
        factories.user(3, email="cas@x.example", mainGroupId="g-9", mainGroupName="Clinic 9"),
        factories.user(4, email="cas@x.example.com"),
    ]
    in_use = {"alpha", "ann@x.example", "ben@x.example", "cas@x.example", "else@where.example"}
    bodies, puts = [], []
    stale: set[str] = set()

    def create(request):
        body = json.loads(request.body)
        bodies.append(body)
        code, field = (13008, "email") if "bizUsers" in request.url else (13007, "name")
        good = [item[field].lower() not in in_use for item in body["items"]]
        rows = [{"index": n, "ok": ok, **({} if ok else {"code": code, "field": field})} for n, ok in enumerate(good)]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": sum(good), "results": rows})

    def change(request):
        id = request.url.rpartition("/")[2]
        puts.append((id, request.headers.get("If-Match"), json.loads(request.body)))
        return (412, {}, '{"code": 10005}') if id in stale else (200, {}, '{"version": 2}')

    def search(rows, name):
        def answer(request):
            matches = [row for row in rows if request.params["keyword"].lower() in row[name].lower()]
            return 200, {}, json.dumps(factories.listing(matches))

        return answer

    for noun in ("bizUsers", "bizMainGroups"):
        upstream.callback("POST", f"/v1/{noun}/bulkCreate", create)
        upstream.callback("PUT", rf"/v1/{noun}/[\w-]+", change)
        upstream.remove("GET", f"/v1/{noun}")
    upstream.callback("GET", "/v1/bizUsers", search(users, "email"))
    names = [factories.clinic(), *clinics]
    upstream.callback("GET", "/v1/bizMainGroups", lambda request: (200, {}, json.dumps(factories.listing(names))))
    return SimpleNamespace(bodies=bodies, puts=puts, stale=stale)


def send(client, path, text, **data):
    return upload(client, path, text, **data)


def step(client, path, page, **more):
    html = page.content.decode()
    fields = {name: re.findall(rf'name="{name}" value="([^"]*)"', html)[0] for name in ("lines", "form_id")}
    response = client.post(path, fields | more)
    return client.get(response["Location"]) if response.status_code == 303 else response


def read_rows(page):
    """Return the cells of each row of the page, as they are read."""
    assert page.status_code == 200, page.content[:500]
    html = one_line(page.content.decode())
    audit(html)
    rows = re.findall(r"<tr>(.*?)</tr>", unescape(html.partition("<tbody>")[2]), re.DOTALL)
    return [[re.sub(r"<[^>]+>", " ", cell).split() for cell in re.findall(r"<t[hd].*?</t[hd]>", r)] for r in rows]


def results(page):
    """Return the result of each row."""
    return {name[0]: " ".join(result) for name, _number, result, *_others in read_rows(page)}


def details(page):
    """Return the reason or the changes of each row."""
    return {name[0]: " ".join(text) for name, _number, _result, text, *_others in read_rows(page)}


PEOPLE = """Name,Type,Email,Team
Anne,Doctor,ann@x.example,
Ben,Staff,BEN@x.example,Team 1
Cas,Staff,cas@x.example,
Dan,Staff,dan@x.example,
Else,Staff,else@where.example,
"""


@pytest.mark.req("DM-14", "LS-11")
def test_existing_users_are_recognized_and_stay_unchanged(administrator, service):
    plan = send(administrator, USERS, PEOPLE)
    html = plan.content.decode()
    assert ">Update existing users</button>" in html
    assert "1 row can be imported." in html
    assert "2 rows can&#39;t be imported." in html
    assert "2 rows already exist." in html
    assert results(plan) == {
        "Anne": "Already exists",
        "Ben": "Already exists",
        "Cas": "Can't be imported",
        "Dan": "Will be created",
        "Else": "Can't be imported",
    }
    reasons = details(plan)
    assert reasons["Anne"] == "Name: \u2068Ann\u2069 → \u2068Anne\u2069"
    assert reasons["Cas"] == "This user belongs to \u2068Clinic 9\u2069. Imports don't move users."
    assert reasons["Else"] == "This email is already in use"
    result = step(administrator, USERS, plan)
    assert "1 row was imported." in result.content.decode()
    assert results(result)["Anne"] == "Not imported"
    assert details(result)["Anne"] == "This already exists and stays unchanged."
    assert [item["name"] for item in service.bodies[-1]["items"]] == ["Dan"]
    assert service.puts == []


@pytest.mark.req("DM-14", "LS-11", "LS-18")
@pytest.mark.parametrize("at_once", [True, False])
def test_existing_users_are_updated_on_request(administrator, service, at_once):
    plan = send(administrator, USERS, PEOPLE, **({"overwrite": "on"} if at_once else {}))
    if not at_once:
        plan = administrator.post(step_url(plan), {"overwrite": "1"}, follow=True)
    assert service.puts == []
    assert "3 rows can be imported." in plan.content.decode()
    outcomes, changes = results(plan), details(plan)
    assert (outcomes["Anne"], outcomes["Ben"], outcomes["Dan"]) == (
        "Will be updated",
        "Will be updated",
        "Will be created",
    )
    assert (changes["Anne"], changes["Ben"], changes["Dan"]) == (
        "Name: \u2068Ann\u2069 → \u2068Anne\u2069",
        "Team: \u2068–\u2069 → \u2068Team 1\u2069",
        "–",
    )
    result = step(administrator, USERS, plan)
    step(administrator, USERS, plan)
    assert "3 rows were imported." in result.content.decode()
    outcomes = results(result)
    assert (outcomes["Anne"], outcomes["Ben"], outcomes["Dan"]) == ("Updated", "Updated", "Created")
    assert sorted(service.puts) == [("u-1", '"1"', {"name": "Anne"}), ("u-2", '"1"', {"subGroupId": "t-1"})]
    assert [item["name"] for item in service.bodies[-1]["items"]] == ["Dan"]


@pytest.mark.req("DM-14", "LS-17")
def test_a_user_who_was_changed_by_another_request_is_not_overwritten(administrator, service):
    plan = send(administrator, USERS, PEOPLE, overwrite="on")
    service.stale.add("u-1")
    result = step(administrator, USERS, plan)
    assert "2 rows were imported." in result.content.decode()
    assert details(result)["Anne"] == "Someone else changed this in the meantime."
    assert len(service.puts) == 2


@pytest.mark.req("SEC-55")
def test_a_change_that_the_first_try_may_have_made_is_not_attributed_to_someone_else(administrator, service):
    plan = send(administrator, USERS, PEOPLE, overwrite="on")
    service.stale.add("u-1")
    result = step(administrator, USERS, plan, sent_before="1")
    assert details(result)["Anne"] == "We couldn't confirm whether this worked."
    assert "Someone else" not in result.content.decode()


@pytest.mark.req("DM-14")
@pytest.mark.parametrize("options", [{}, {"overwrite": "on"}])
def test_values_that_are_already_stored_are_not_written(administrator, service, options):
    plan = send(administrator, USERS, "name,type,email\nAnn,doctor,ann@x.example\n", **options)
    assert "0 rows can be imported." in plan.content.decode()
    assert details(plan) == {"Ann": "This already exists. Nothing to change."}
    assert results(plan) == {"Ann": "Up to date"}
    assert 'name="lines"' not in plan.content.decode()


@pytest.mark.req("DM-14")
def test_a_clinic_is_updated_by_its_name(administrator, service):
    text = "name,country,number of dentists,number of staff,info\nAlpha,DE,2,,By the sea\nBeta,KR,,,\n"
    off = send(administrator, CLINICS, text)
    assert "1 row already exists." in off.content.decode()
    assert ">Update existing clinics</button>" in off.content.decode()
    plan = send(administrator, CLINICS, text, overwrite="on")
    expected = (
        "Country: \u2068South Korea\u2069 → \u2068Germany\u2069 "
        "Number of dentists: \u2068–\u2069 → \u20682\u2069 Info: \u2068–\u2069 → \u2068By the sea\u2069"
    )
    assert (results(plan)["Alpha"], details(plan)["Alpha"]) == ("Will be updated", expected)
    result = step(administrator, CLINICS, plan)
    assert "2 rows were imported." in result.content.decode()
    assert service.puts == [("g-2", '"1"', {"countryCode": "DE", "dentistCount": 2, "info": "By the sea"})]


@pytest.mark.req("DM-14")
def test_two_clinics_of_the_same_name_are_ambiguous(administrator, service, upstream):
    twins = factories.listing([factories.clinic(2, name="Alpha"), factories.clinic(3, name="ALPHA")])
    upstream.remove("GET", "/v1/bizMainGroups")
    upstream.answers("GET", "/v1/bizMainGroups", twins)
    plan = send(administrator, CLINICS, "name,country\nAlpha,DE\n", overwrite="on")
    assert results(plan) == {"Alpha": "Can't be imported"}
    assert details(plan) == {"Alpha": "This name is already in use"}


@pytest.mark.req("DM-14", "ER-20")
def test_a_failed_lookup_is_reported_in_its_row(administrator, service, upstream):
    upstream.remove("GET", "/v1/bizUsers")
    upstream.answers("GET", "/v1/bizUsers", {}, status=500)
    plan = send(administrator, USERS, PEOPLE, overwrite="on")
    assert details(plan)["Anne"] == "The service couldn't check this row or didn't accept it."
