"""Permissions of clinics and users."""

import pytest

from sandbox.tests.client import Client, refused

pytestmark = pytest.mark.slow

CLINIC = "/v1/bizMainGroups/g-1/permissions"
USER = "/v1/bizUsers/u-1/permissions"
NAMES = {"allowOrder", "allowExport", "allowCaseConverting", "allowCaseTalk", "allowDownload"}


def values(client: Client, path: str) -> dict[str, tuple[bool, str]]:
    permissions = client.get(path)["permissions"]
    return {name: (permission["value"], permission["source"]) for name, permission in permissions.items()}


def test_a_clinics_values_are_its_own(admin):
    assert admin.get(CLINIC)["owner"] == {"type": "MAIN_GROUP", "id": "g-1"}
    assert set(values(admin, CLINIC)) == NAMES
    assert {source for _, source in values(admin, CLINIC).values()} == {"OWN"}


def test_a_user_follows_the_clinic_until_given_a_value_of_their_own(admin):
    assert values(admin, USER)["allowExport"] == (True, "MAIN_GROUP")
    admin.put(CLINIC, {"permissions": {"allowExport": False}})
    assert values(admin, USER)["allowExport"] == (False, "MAIN_GROUP")
    admin.put(USER, {"permissions": {"allowExport": True}})
    assert values(admin, USER)["allowExport"] == (True, "OWN")
    admin.put(USER, {"permissions": {"allowExport": None}})
    assert values(admin, USER)["allowExport"] == (False, "MAIN_GROUP")


def test_a_clinic_counts_the_users_with_settings_of_their_own(admin):
    before = admin.get(CLINIC)["ownSettings"]["allowExport"]
    admin.put(USER, {"permissions": {"allowExport": False}})
    assert admin.get(CLINIC)["ownSettings"]["allowExport"] == {**before, "off": before["off"] + 1}
    assert "ownSettings" not in admin.get(USER)


def test_both_kinds_of_value_occur_in_the_demo_clinic(admin):
    sources = set()
    for number in range(1, 41):
        sources |= set(values(admin, f"/v1/bizUsers/u-{number}/permissions").values())
    assert {(True, "MAIN_GROUP"), (True, "OWN"), (False, "OWN")} <= sources


def test_a_change_returns_the_version_that_the_next_one_must_send(admin):
    version = admin.get(USER)["version"]
    headers = {"If-Match": f'"{version}"'}
    assert admin.put(USER, {"permissions": {"allowDownload": False}}, headers=headers) == {"version": version + 1}
    refused(admin.call("PUT", USER, {"permissions": {"allowDownload": True}}, headers=headers), 412, 10005)
    assert values(admin, USER)["allowDownload"] == (False, "OWN")
    assert admin.get(USER)["version"] == version + 1


@pytest.mark.parametrize(
    "body",
    [
        {"permissions": {"allowEverything": True}},
        {"permissions": {"allowExport": "yes"}},
        {"permissions": [True]},
        {"orderLabs": [{"labId": "l-1"}]},
    ],
)
def test_a_malformed_change_changes_nothing(admin, body):
    before = admin.get(USER)
    assert refused(admin.call("PUT", USER, body), 400, 10001 if "orderLabs" in body else 10002)
    assert admin.get(USER) == before


def test_a_clinic_cannot_follow(admin):
    refused(admin.call("PUT", CLINIC, {"permissions": {"allowExport": None}}), 400, 10002)


def test_only_a_partner_lab_can_be_allowed(admin):
    labs = {lab["labId"]: lab for lab in admin.get(CLINIC)["orderLabs"]}
    assert {lab["status"] for lab in labs.values()} == {"ACCEPTED", "PENDING", None}
    assert {lab["status"] for lab in labs.values() if lab["allowed"]} == {"ACCEPTED"}
    partner = next(lab["labId"] for lab in labs.values() if lab["status"] == "ACCEPTED")
    stranger = next(lab["labId"] for lab in labs.values() if lab["status"] is None)
    admin.put(CLINIC, {"orderLabs": [{"labId": partner, "allowed": False}]})
    assert not next(lab for lab in admin.get(CLINIC)["orderLabs"] if lab["labId"] == partner)["allowed"]
    for lab_id in (stranger, "l-0"):
        change = {"permissions": {"allowOrder": False}, "orderLabs": [{"labId": lab_id, "allowed": True}]}
        refused(admin.call("PUT", CLINIC, change), 409, 13010)
    assert values(admin, CLINIC)["allowOrder"] == (True, "OWN")
