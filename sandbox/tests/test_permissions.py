"""Permissions for clinics and users."""

import pytest

from sandbox.tests.client import Client, if_match, refused

pytestmark = pytest.mark.slow

CLINIC = "/v1/bizMainGroups/g-1/permissions"
USER = "/v1/bizUsers/u-1/permissions"
NAMES = {"allowOrder", "allowExport", "allowCaseConverting", "allowCaseTalk", "allowDownload"}


def values(client: Client, path: str) -> dict[str, tuple[bool, str]]:
    permissions = client.get(path)["permissions"]
    return {name: (permission["value"], permission["source"]) for name, permission in permissions.items()}


def test_a_user_follows_the_clinic_until_given_a_value_of_their_own(admin: Client):
    assert admin.get(CLINIC)["owner"] == {"type": "MAIN_GROUP", "id": "g-1"}
    assert set(values(admin, CLINIC)) == NAMES
    assert {source for _, source in values(admin, CLINIC).values()} == {"OWN"}
    before = admin.get(CLINIC)["ownSettings"]["allowExport"]
    for path, value, expected in (
        (CLINIC, False, (False, "MAIN_GROUP")),
        (USER, False, (False, "OWN")),
        (CLINIC, True, (False, "OWN")),
        (USER, None, (True, "MAIN_GROUP")),
    ):
        admin.put(path, {"permissions": {"allowExport": value}})
        assert values(admin, USER)["allowExport"] == expected
        added = expected == (False, "OWN")
        assert admin.get(CLINIC)["ownSettings"]["allowExport"] == {**before, "off": before["off"] + added}
    assert "ownSettings" not in admin.get(USER)


def test_a_change_returns_the_version_that_the_next_one_must_send(admin: Client):
    version = admin.get(USER)["version"]
    change = {"permissions": {"allowDownload": False}}
    assert admin.put(USER, change, headers=if_match(version)) == {"version": version + 1}
    refused(admin.call("PUT", USER, {"permissions": {"allowDownload": True}}, headers=if_match(version)), 412, 10005)
    assert values(admin, USER)["allowDownload"] == (False, "OWN")


def test_a_malformed_change_changes_nothing(admin: Client):
    before = admin.get(USER)
    refused(admin.call("PUT", USER, {"permissions": {"allowEverything": True}}), 400, 10002)
    refused(admin.call("PUT", USER, {"orderLabs": [{"labId": "l-1"}]}), 400, 10001)
    assert admin.get(USER) == before
    refused(admin.call("PUT", CLINIC, {"permissions": {"allowExport": None}}), 400, 10002)  # follows none


def test_only_a_partner_lab_can_be_allowed(admin: Client):
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
