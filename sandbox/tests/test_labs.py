"""Labs are searched and read, with their state for the organization."""

from typing import Any

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client, refused

pytestmark = pytest.mark.slow

LABS = "/v1/bizLabs?organizationId=o-1"
LIST = "/v1/bizPartnerLists"
ORGANIZATION = {"organizationId": "o-1"}


def search(client: Client, **query: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get(LABS, {"size": 100, **query})["results"]
    return rows


def test_labs_are_found_by_name_address_and_zip_code(admin: Client):
    lab = search(admin, keyword="17437", searchField="zipCode")[0]
    assert lab["zipCode"] == "17437"
    assert lab in search(admin, keyword=lab["address"], searchField="address")
    assert lab in search(admin, keyword=lab["name"].upper(), searchField="name")
    assert [row["id"] for row in search(admin, keyword="17437")] == [lab["id"]]


def test_each_filter_finds_as_many_as_its_count_and_counts_can_be_turned_off(admin: Client, sandbox: SandboxProcess):
    facets = admin.get(LABS)["facets"]
    assert facets["inPartnerList"] == {"true": 43, "false": 257}
    for name, value in (
        ("countryCode", "KR"),
        ("labType", "BOTH"),
        ("services", "CLEAR_ALIGNERS"),
        ("communicationLanguages", "ko"),
        ("servedCountries", "CA"),
    ):
        answer = admin.get(LABS, {name: value, "size": 100})
        assert 0 < answer["resultCount"] == facets[name][value] < 300
        assert all(value in row[name] for row in answer["results"])
    rows = search(admin, sort="distance", near="37.57,126.98", inPartnerList="false", size=10)
    assert {row["countryCode"] for row in rows} == {"KR"}
    assert "place" not in rows[0]
    sandbox.control("POST", "facets", {"on": False})
    sandbox.seed_labs(1000)
    answer = admin.get(LABS)
    assert ("facets" in answer, answer["resultCount"]) == (False, 1000)


def test_unknown_labs_and_foreign_organizations_are_not_found(admin: Client):
    refused(admin.call("GET", "/v1/bizLabs/l-0", query=ORGANIZATION), 404, 10004)
    for path in ("/v1/bizLabs/l-1", "/v1/bizLabs", LIST):
        refused(admin.call("GET", path, query={"organizationId": "o-2"}), 404, 10004)


def test_a_lab_has_its_state_for_the_organization(admin: Client):
    rows = {row["lab"]["id"]: row for row in admin.get(LIST, {**ORGANIZATION, "size": 100})["results"]}
    for lab_id, row in list(rows.items())[:10]:
        lab = admin.get(f"/v1/bizLabs/{lab_id}", ORGANIZATION)
        assert lab == row["lab"]
        assert lab["inPartnerList"]
        states = [(one["status"], one["requestedBy"]) for one in row["partnerships"]]
        assert lab["partneredMainGroupCount"] == sum(status == "ACCEPTED" for status, _ in states)
        assert lab["incomingRequestCount"] == states.count(("PENDING", "LAB"))
        assert lab["outgoingRequestCount"] == states.count(("PENDING", "ORGANIZATION"))


def test_a_lab_is_added_once_and_removed_once(admin: Client):
    body = {**ORGANIZATION, "labId": "l-2"}
    assert admin.post(LIST, body) == {}
    refused(admin.call("POST", LIST, body), 409, 16001)
    assert admin.get("/v1/bizLabs/l-2", ORGANIZATION)["inPartnerList"]
    admin.delete(f"{LIST}/l-2", query=ORGANIZATION)
    refused(admin.call("DELETE", f"{LIST}/l-2", query=ORGANIZATION), 409, 16002)
    refused(admin.call("POST", LIST, {**ORGANIZATION, "labId": "l-0"}), 404, 10004)


def test_a_lab_with_something_open_stays_on_the_list_and_says_why(admin: Client):
    row = next(row for row in admin.get(LIST, {**ORGANIZATION, "state": "ACCEPTED"})["results"])
    error = refused(admin.call("DELETE", f"{LIST}/{row['lab']['id']}", query=ORGANIZATION), 409, 16003)
    reasons = {reason["reason"]: reason["count"] for reason in error["details"]["reasons"]}
    assert reasons["ACCEPTED"] == row["lab"]["partneredMainGroupCount"]


def test_many_are_added_and_removed_each_with_its_own_outcome(admin: Client):
    listed = admin.get(LIST, {**ORGANIZATION, "state": "IN_LIST"})["results"][0]["lab"]["id"]
    partner = admin.get(LIST, {**ORGANIZATION, "state": "ACCEPTED"})["results"][0]["lab"]["id"]
    added = admin.post(f"{LIST}/bulkAdd", {**ORGANIZATION, "labIds": ["l-2", listed, "l-0"]})
    assert [row.get("code") for row in added["results"]] == [None, 16001, 10004]
    removed = admin.post(f"{LIST}/bulkRemove", {**ORGANIZATION, "labIds": ["l-2", listed, partner, "l-3"]})
    assert [row.get("code") for row in removed["results"]] == [None, None, 16003, 16002]


def test_the_list_is_filtered_searched_and_sorted(admin: Client):
    def ids(**query: Any) -> list[str]:
        return [row["lab"]["id"] for row in admin.get(LIST, {**ORGANIZATION, "size": 100, **query})["results"]]

    everything = ids()
    assert len(everything) == 43
    by_state = [ids(state=state) for state in ("IN_LIST", "REQUEST_SENT", "PENDING", "ACCEPTED")]
    assert set().union(*by_state) == set(everything)
    assert all(by_state)
    dates = [
        row["addedDate"] for row in admin.get(LIST, {**ORGANIZATION, "sort": "addedDate", "order": "desc"})["results"]
    ]
    assert dates == sorted(dates, reverse=True)
    assert 0 < len(ids(labType="BOTH")) < 43
    assert 0 < len(ids(service="IMPLANTS")) < 43
    assert 0 < len(ids(countryCode="KR")) < 43
    assert ids(keyword="aurora")
    lab = admin.get(LIST, ORGANIZATION)["results"][0]["lab"]
    assert lab["id"] in ids(keyword=lab["address"])
    assert ids(keyword=lab["address"], searchField="name") == []
