"""The demo data is what the contract, section 16, promises, and the same after each reset; more can be seeded."""

import unicodedata
from collections import Counter

import pytest

from sandbox.demo import build
from sandbox.process import SandboxProcess
from sandbox.tests.client import Client

pytestmark = pytest.mark.slow

NOON = 1_800_000_000.0
SEEDED = "/v1/bizUsers?mainGroupId=g-16"


def test_the_counts_and_states_are_those_of_the_contract():
    rows = build(NOON)
    assert rows == build(NOON)
    expected = {"organizations": 4, "clinics": 40, "users": 900, "scanners": 120, "labs": 300, "notifications": 200}
    assert {kind: len(rows[kind]) for kind in expected} == expected
    assert len({scanner["status"] for scanner in rows["scanners"]}) == 4
    states = {(row["status"], row["requestedBy"]) for row in rows["partnerships"]}
    assert {status for status, _ in states} == {"PENDING", "ACCEPTED", "REJECTED", "CANCELLED", "ENDED"}
    assert {("PENDING", "LAB"), ("PENDING", "ORGANIZATION")} <= states
    assert {user["status"] for user in rows["users"]} == {"ACTIVE", "INVITED", "INVITATION_EXPIRED", "LOCKED"}
    for kind in ("clinics", "users"):
        scripts = {unicodedata.name(row["name"][0]).split()[0] for row in rows[kind]}
        assert scripts >= {"LATIN", "HANGUL", "ARABIC", "THAI", "GREEK", "CYRILLIC"}


def test_rows_agree_with_one_another():
    rows = build(NOON)
    for members in rows.values():
        assert len({row["id"] for row in members}) == len(members)
    assert max(Counter(user["email"] for user in rows["users"]).values()) == 1
    still_open = (row for row in rows["partnerships"] if row["status"] in ("PENDING", "ACCEPTED"))
    assert max(Counter((row["ownerId"], row["labId"]) for row in still_open).values()) == 1
    clinics, teams = ({row["id"]: row for row in rows[kind]} for kind in ("clinics", "teams"))
    for user in rows["users"]:
        assert user["organizationId"] == clinics[user["mainGroupId"]]["organizationId"]
        assert user["subGroupId"] is None or teams[user["subGroupId"]]["mainGroupId"] == user["mainGroupId"]
    waiting = {user["id"] for user in rows["users"] if user["status"] in ("INVITED", "INVITATION_EXPIRED")}
    assert not waiting & {case["userId"] for case in rows["cases"]}
    assert not waiting & {row["ownerId"] for row in rows["partnerships"] if row["status"] == "ACCEPTED"}


def test_no_date_is_in_the_future_except_for_the_expiry_of_invitations():
    for members in build(NOON).values():
        for row in members:
            for key, value in row.items():
                if key.endswith("Date") and value is not None and key != "invitationExpiresDate":
                    assert value <= "2027-01-15T08:00:00Z", (key, row)


def test_each_reason_that_blocks_a_user_or_a_clinic_occurs_alone_and_with_others(admin: Client):
    combinations: dict[str, set[tuple[str, ...]]] = {"bizMainGroups": set(), "bizUsers": set()}
    for kind, reasons in combinations.items():
        for page in range(1, 7):
            for row in admin.get(f"/v1/{kind}", {"organizationId": "o-1", "size": 100, "page": page})["results"]:
                reasons.add(tuple(reason["reason"] for reason in row["deleteBlockers"]))
    user = ("ONGOING_ORDERED_CASE", "PARTNER_WITH_LAB", "PENDING_ORDERED_CASE_WITH_LAB")
    assert combinations["bizUsers"] >= {(), user[:2], *((reason,) for reason in user)}
    assert combinations["bizMainGroups"] >= {("CLINIC_HAS_PARTNER",), ("ONGOING_ORDERED_CASE",)}
    assert max(map(len, combinations["bizMainGroups"])) == 4


def test_ten_thousand_users_are_listed_searched_and_sorted(admin: Client, sandbox: SandboxProcess):
    assert sandbox.seed("g-16", 10_000) == {"first": "u-901", "last": "u-10900", "resultCount": 10_000}
    last = admin.get(SEEDED, {"page": 1_000, "size": 10, "sort": "email", "order": "desc"})
    assert (last["resultCount"], len(last["results"])) == (10_000, 10)
    assert all(user["email"].startswith("anna.almeida.") for user in last["results"])
    result = admin.get(SEEDED, {"searchField": "email", "keyword": last["results"][0]["email"]})
    assert [user["id"] for user in result["results"]] == [last["results"][0]["id"]]
    assert sum(admin.get(SEEDED)["facets"]["status"].values()) == 10_000


def test_seeded_users_are_the_same_each_time_and_some_can_be_blocked(admin: Client, sandbox: SandboxProcess):
    def seeded() -> list[tuple[str, ...]]:
        sandbox.seed("g-1", 60, blocked=5)
        rows = admin.get("/v1/bizUsers?mainGroupId=g-1", {"size": 100, "sort": "createdDate"})["results"]
        return [(row["id"], row["name"], row["email"], row["canDelete"]) for row in rows if "@seed" in row["email"]]

    first = seeded()
    assert len({row[2] for row in first}) == len(first) == 60
    assert sorted(row[0] for row in first if not row[3]) == ["u-901", "u-902", "u-903", "u-904", "u-905"]
    sandbox.reset()
    admin.log_in()
    assert seeded() == first
    assert sandbox.seed("g-16", 10)["first"] == "u-961"
    for body in ({"clinic": "g-0", "users": 1}, {"clinic": "g-1", "users": 0}, {"clinic": "g-1"}, {}):
        with pytest.raises(ValueError, match=r"40[04]"):
            sandbox.control("POST", "seed", body)
