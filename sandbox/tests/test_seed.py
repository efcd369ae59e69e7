"""A clinic with 10,000 users, which are always the same, and whose lists are correct."""

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client

pytestmark = pytest.mark.slow

USERS = "/v1/bizUsers?mainGroupId=g-16"


def test_ten_thousand_users_are_listed_searched_and_sorted(admin: Client, sandbox: SandboxProcess):
    assert sandbox.seed("g-16", 10_000) == {"first": "u-901", "last": "u-10900", "resultCount": 10_000}
    assert admin.get("/v1/bizMainGroups/g-16")["userCount"] == 10_000
    last = admin.get(USERS, {"page": 1_000, "size": 10, "sort": "email", "order": "desc"})
    assert (last["resultCount"], len(last["results"])) == (10_000, 10)
    assert all(user["email"].startswith("anna.almeida.") for user in last["results"])
    found = admin.get(USERS, {"searchField": "email", "keyword": last["results"][0]["email"]})
    assert [user["id"] for user in found["results"]] == [last["results"][0]["id"]]
    names = {user["name"] for user in admin.get(USERS, {"keyword": "lefevre", "size": 100})["results"]}
    assert names
    assert all(name.endswith("Lefèvre") for name in names)
    assert sum(admin.get(USERS)["facets"]["status"].values()) == 10_000


def test_seeded_users_are_the_same_each_time_and_in_the_clinics_teams(admin: Client, sandbox: SandboxProcess):
    def seeded() -> list[tuple[str, ...]]:
        sandbox.seed("g-1", 60)
        query = {"organizationId": "o-1", "mainGroupId": "g-1", "size": 100, "sort": "createdDate"}
        rows = [user for user in admin.get("/v1/bizUsers", query)["results"] if user["email"].endswith("@seed.example")]
        return [(row["id"], row["name"], row["email"], row["status"], row["subGroupName"] or "") for row in rows]

    first = seeded()
    sandbox.reset()
    admin.log_in()
    assert seeded() == first
    assert len({row[2] for row in first}) == len(first) == 60
    assert {row[4] for row in first} == {"Prosthodontics", "Orthodontics", "Front desk", ""}
    assert {row[3] for row in first} == {"ACTIVE", "INVITED", "INVITATION_EXPIRED", "LOCKED"}


def test_seeding_twice_adds_others_and_some_can_be_blocked(admin: Client, sandbox: SandboxProcess):
    sandbox.seed("g-16", 60, blocked=5)
    assert sandbox.seed("g-16", 10)["first"] == "u-961"
    users = admin.get(USERS, {"size": 100})["results"]
    assert len(users) == 70
    blocked = [user["id"] for user in users if not user["canDelete"]]
    assert sorted(blocked) == ["u-901", "u-902", "u-903", "u-904", "u-905"]
    answer = admin.post("/v1/bizUsers/bulkDelete", {"ids": [user["id"] for user in users]})
    assert (answer["resultCount"], answer["okCount"]) == (70, 65)


@pytest.mark.parametrize("body", [{"clinic": "g-0", "users": 1}, {"clinic": "g-1", "users": 0}, {"clinic": "g-1"}, {}])
def test_a_seed_needs_a_clinic_and_a_number(sandbox: SandboxProcess, body):
    with pytest.raises(ValueError, match=r"40[04]"):
        sandbox.control("POST", "seed", body)
