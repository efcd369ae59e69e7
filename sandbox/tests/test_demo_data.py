"""The demo data is what the contract, section 16, promises, and the same after each reset."""

import unicodedata
from collections import Counter

import pytest

from sandbox.demo import build
from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, OTHER, Client

pytestmark = pytest.mark.slow

NOON = 1_800_000_000.0


def test_the_counts_are_those_of_the_contract():
    rows = build(NOON)
    expected = {"organizations": 4, "clinics": 40, "users": 900, "scanners": 120, "labs": 300, "notifications": 200}
    assert {kind: len(rows[kind]) for kind in expected} == expected


def test_all_states_occur():
    rows = build(NOON)
    assert len(Counter(scanner["status"] for scanner in rows["scanners"])) == 4
    states = {(row["status"], row["requestedBy"]) for row in rows["partnerships"]}
    assert {status for status, _ in states} == {"PENDING", "ACCEPTED", "REJECTED", "CANCELLED", "ENDED"}
    assert {("PENDING", "LAB"), ("PENDING", "ORGANIZATION")} <= states
    assert {user["status"] for user in rows["users"]} == {"ACTIVE", "INVITED", "INVITATION_EXPIRED", "LOCKED"}
    assert {row["read"] for row in rows["notifications"]} == {True, False}
    assert {row["ownerType"] for row in rows["partnerships"]} == {"MAIN_GROUP", "USER"}


def test_no_two_partnerships_of_one_owner_and_lab_are_open_at_once():
    opened = Counter(
        (row["ownerId"], row["labId"])
        for row in build(NOON)["partnerships"]
        if row["status"] in ("PENDING", "ACCEPTED")
    )
    assert max(opened.values()) == 1


def test_each_reason_that_blocks_a_user_or_a_clinic_occurs_alone_and_with_others(sandbox: SandboxProcess):
    client = Client(sandbox)
    client.log_in()
    kept: dict[str, set[tuple[str, ...]]] = {}
    for kind in ("bizMainGroups", "bizUsers"):
        rows = [
            row
            for page in range(1, 7)
            for row in client.get(f"/v1/{kind}", {"organizationId": "o-1", "size": 100, "page": page})["results"]
        ]
        kept[kind] = {tuple(reason["reason"] for reason in row["deleteBlockers"]) for row in rows}
    client.close()
    user = ("ONGOING_ORDERED_CASE", "PARTNER_WITH_LAB", "PENDING_ORDERED_CASE_WITH_LAB")
    assert kept["bizUsers"] >= {(), user[:2], *((reason,) for reason in user)}
    assert kept["bizMainGroups"] >= {("CLINIC_HAS_PARTNER",), ("ONGOING_ORDERED_CASE",)}
    assert max(map(len, kept["bizMainGroups"])) == 4


def test_nobody_who_is_invited_has_cases_or_a_partner():
    rows = build(NOON)
    waiting = {user["id"] for user in rows["users"] if user["status"] in ("INVITED", "INVITATION_EXPIRED")}
    assert not waiting & {case["userId"] for case in rows["cases"]}
    assert not waiting & {row["ownerId"] for row in rows["partnerships"] if row["status"] == "ACCEPTED"}


def test_names_are_of_six_scripts_and_one_is_a_hundred_characters_long():
    rows = build(NOON)
    for kind in ("clinics", "users"):
        scripts = {unicodedata.name(row["name"][0]).split()[0] for row in rows[kind]}
        assert scripts >= {"LATIN", "HANGUL", "ARABIC", "THAI", "GREEK", "CYRILLIC"}
    assert [len(row["name"]) for row in rows["clinics"] if len(row["name"]) > 60] == [100]


def test_ids_and_addresses_are_unique_and_refer_to_existing_rows():
    rows = build(NOON)
    for members in rows.values():
        assert len({row["id"] for row in members}) == len(members)
    addresses = [user["email"] for user in rows["users"]]
    assert len(set(addresses)) == len(addresses)
    clinics = {row["id"]: row for row in rows["clinics"]}
    teams = {row["id"]: row for row in rows["teams"]}
    for user in rows["users"]:
        assert user["organizationId"] == clinics[user["mainGroupId"]]["organizationId"]
        assert user["subGroupId"] is None or teams[user["subGroupId"]]["mainGroupId"] == user["mainGroupId"]
        assert user["email"].isascii()


def test_no_date_is_in_the_future_except_for_the_expiry_of_invitations():
    for members in build(NOON).values():
        for row in members:
            for key, value in row.items():
                if key.endswith("Date") and value is not None and key != "invitationExpiresDate":
                    assert value <= "2027-01-15T08:00:00Z", (key, row)


def test_two_resets_give_the_same_rows(sandbox: SandboxProcess):
    first = everything(sandbox)
    sandbox.reset()
    assert everything(sandbox) == first
    assert build(NOON) == build(NOON)


def everything(sandbox: SandboxProcess) -> list[list[tuple[str, str]]]:
    """Return ids and names of all clinics, teams and users of two organizations."""
    found = []
    for login, organization in ((DEMO, "o-1"), (OTHER, "o-2")):
        client = Client(sandbox)
        client.log_in(*login)
        for kind in ("bizMainGroups", "bizSubGroups", "bizUsers"):
            query = {"organizationId": organization, "size": 100}
            rows = client.get(f"/v1/{kind}", query)["results"]
            found.append([(row["id"], row["name"]) for row in rows])
        client.close()
    return found
