"""Partnerships are requested, accepted, rejected, canceled and ended, in the states in which the contract allows it."""

from typing import Any

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import OTHER, Client, if_match, reasons, refused

pytestmark = pytest.mark.slow

ALL = "/v1/bizPartnerships"
QUERY = {"organizationId": "o-1", "size": 100}
ACTIONS = ("cancel", "accept", "reject", "end")
LISTED, FREE_CLINIC = "l-1", "g-5"
"""A lab of the partner list, and a clinic without an open request or partnership with it."""

FOLLOWS = {
    # state: the result, or the code of the refusal, of cancel, accept, reject and end
    "REQUEST_SENT": ("CANCELLED", 16006, 16006, 10004),
    "PENDING": (16005, "ACCEPTED", "REJECTED", 10004),
    "ACCEPTED": (16005, 16006, 16006, "ENDED"),
    "REJECTED": (16005, 16006, 16006, 10004),
    "CANCELLED": (16005, 16006, 16006, 10004),
    "ENDED": (16005, 16006, 16006, 10004),
}
RESEND_CODES = {"REQUEST_SENT": 16004, "PENDING": 16004, "ACCEPTED": 16004}


def make(sandbox: SandboxProcess, admin: Client, state: str) -> str:
    """Bring a new partnership of the lab and the clinic into a state."""
    if state in ("PENDING", "REJECTED", "ENDED"):
        (id,) = sandbox.ask(LISTED, FREE_CLINIC)
    else:
        id = admin.post(ALL, {"labId": LISTED, "owner": {"type": "MAIN_GROUP", "id": FREE_CLINIC}})["id"]
    steps = {"REJECTED": ("reject",), "CANCELLED": ("cancel",), "ENDED": ("accept", "end")}
    for step in steps.get(state, ()):
        admin.put(f"{ALL}/{id}/{step}", {})
    if state == "ACCEPTED":
        sandbox.answer(id, accept=True)
    return id


@pytest.mark.req("ST-36", "ST-37", "ST-38", "ST-39", "ST-40", "ST-41", "ST-44")
@pytest.mark.parametrize("state", FOLLOWS)
@pytest.mark.parametrize("action", ACTIONS)
def test_each_change_is_made_in_its_states_and_refused_in_all_others(
    sandbox: SandboxProcess, admin: Client, state: str, action: str
):
    id, follows = make(sandbox, admin, state), FOLLOWS[state][ACTIONS.index(action)]
    before = admin.get(f"{ALL}/{id}")
    response = admin.call("PUT", f"{ALL}/{id}/{action}", {})
    after = admin.get(f"{ALL}/{id}")
    if isinstance(follows, int):
        refused(response, 404 if follows == 10004 else 409, follows)
        assert after == before
    else:
        assert (response.status_code, after["status"], after["version"]) == (200, follows, before["version"] + 1)


@pytest.mark.parametrize("state", FOLLOWS)
def test_a_request_is_sent_when_none_is_open(sandbox: SandboxProcess, admin: Client, state: str):
    make(sandbox, admin, state)
    response = admin.call("POST", ALL, {"labId": LISTED, "owner": {"type": "MAIN_GROUP", "id": FREE_CLINIC}})
    if state in RESEND_CODES:
        refused(response, 409, RESEND_CODES[state])
    else:
        new = admin.get(f"{ALL}/{response.json()['id']}")
        assert (new["status"], new["requestedBy"], new["contractDate"]) == ("PENDING", "ORGANIZATION", None)


def test_several_clinics_request_at_once_and_each_gets_a_result(admin: Client):
    owners = [{"type": "MAIN_GROUP", "id": id} for id in ("g-5", "g-1", "g-99", "g-8")]
    answer = admin.post(ALL, {"labId": "l-1", "owners": owners, "message": "Hello"})
    assert [row["index"] for row in answer["results"]] == [0, 1, 2, 3]
    assert [row.get("code") for row in answer["results"]] == [None, 16004, 10004, None]
    requested = admin.get(f"{ALL}/{answer['results'][0]['id']}")
    assert (requested["message"], requested["owner"]["id"], requested["labName"]) == ("Hello", "g-5", lab_name(admin))


def lab_name(admin: Client) -> str:
    name: str = admin.get(f"{ALL}/p-1")["labName"]
    return name


def test_unlisted_labs_and_labs_that_left_get_no_request(sandbox: SandboxProcess, admin: Client):
    owner = {"type": "MAIN_GROUP", "id": FREE_CLINIC}
    refused(admin.call("POST", ALL, {"labId": "l-2", "owner": owner}), 409, 16002)
    sandbox.leave(LISTED)
    refused(admin.call("POST", ALL, {"labId": LISTED, "owner": owner}), 409, 16009)
    refused(admin.call("POST", ALL, {"labId": "l-9999", "owner": owner}), 404, 10004)
    assert admin.get(f"{ALL}/p-1")["labLeftDate"]


def test_accepting_puts_the_lab_in_the_partner_list(sandbox: SandboxProcess, admin: Client):
    (id,) = sandbox.ask("l-2", FREE_CLINIC)
    admin.put(f"{ALL}/{id}/accept", {})
    labs = admin.get(f"/v1/bizMainGroups/{FREE_CLINIC}/permissions")["orderLabs"]
    assert [lab["status"] for lab in labs if lab["labId"] == "l-2"] == ["ACCEPTED"]


@pytest.mark.req("VA-32")
def test_an_order_blocks_the_end_of_a_partnership(sandbox: SandboxProcess, admin: Client):
    id = make(sandbox, admin, "ACCEPTED")
    sandbox.order(FREE_CLINIC, LISTED, "PENDING")
    assert reasons(refused(admin.call("PUT", f"{ALL}/{id}/end", {}), 409, 16008)) == {
        "PENDING_ORDERED_CASE_WITH_LAB": 1
    }
    sandbox.order(FREE_CLINIC, LISTED)
    refusal = refused(admin.call("PUT", f"{ALL}/{id}/end", {}), 409, 16007)
    assert reasons(refusal) == {"ONGOING_ORDERED_CASE": 1, "PENDING_ORDERED_CASE_WITH_LAB": 1}
    row = admin.get(f"{ALL}/{id}")
    assert (row["canEnd"], row["endBlockers"]) == (False, refusal["details"]["reasons"])
    sandbox.order(FREE_CLINIC, LISTED, "CLOSED")
    admin.put(f"{ALL}/{id}/end", {})
    assert admin.get(f"{ALL}/{id}")["endedDate"]


def test_a_change_of_a_stale_version_is_refused(admin: Client):
    admin.put(f"{ALL}/p-2/accept", {}, headers=if_match(1))
    refused(admin.call("PUT", f"{ALL}/p-2/end", {}, headers=if_match(1)), 412, 10005)


def test_many_are_accepted_rejected_and_canceled_row_by_row(admin: Client):
    for action, ids, codes in (
        ("bulkAccept", ["p-2", "p-4", "p-0"], [None, 16006, 10004]),
        ("bulkReject", ["p-9", "p-2"], [None, 16006]),
        ("bulkCancel", ["p-4", "p-9"], [None, 16005]),
    ):
        answer = admin.post(f"{ALL}/{action}", {"ids": ids})
        assert [row.get("code") for row in answer["results"]] == codes


def test_the_list_is_searched_filtered_sorted_and_counted(admin: Client):
    def search(**query: Any) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = admin.get(ALL, QUERY | query)["results"]
        return rows

    everything = search()
    assert {row["owner"]["type"] for row in everything} == {"MAIN_GROUP", "USER"}
    asking = search(status="PENDING", requestedBy="LAB")
    assert asking
    assert {(row["status"], row["requestedBy"]) for row in asking} == {("PENDING", "LAB")}
    assert {row["owner"]["id"] for row in search(mainGroupId=["g-1", "g-4"])} == {"g-1", "g-4"}
    assert {row["labId"] for row in search(labId="l-15")} == {"l-15"}
    name = everything[0]["labName"]
    assert {row["labName"] for row in search(searchField="lab", keyword=name.upper())} == {name}
    assert {row["owner"]["id"] for row in search(searchField="clinic", keyword="seoul central")} == {"g-1"}
    assert 0 < len(search(requestedWithinDays=30)) < len(search(requestedWithinDays=365))
    names = [row["owner"]["name"] for row in search(sort="ownerName", mainGroupId=["g-1", "g-4"])]
    assert names == sorted(names)
    facets = admin.get(ALL, QUERY | {"status": "ENDED"})["facets"]["status"]
    assert set(facets) == {"PENDING", "ACCEPTED", "REJECTED", "CANCELLED", "ENDED"}


def test_partnerships_of_another_organization_are_not_found(sandbox: SandboxProcess, admin: Client):
    other = Client(sandbox)
    other.log_in(*OTHER)
    for action in ACTIONS:
        refused(other.call("PUT", f"{ALL}/p-2/{action}", {}), 404, 10004)
    refused(other.call("GET", f"{ALL}/p-2"), 404, 10004)
    owner = {"type": "MAIN_GROUP", "id": "g-1"}
    refused(other.call("POST", ALL, {"labId": "l-1", "owner": owner}), 404, 10004)
    other.close()


def test_each_event_makes_a_notification(sandbox: SandboxProcess, admin: Client):
    def unread() -> int:
        count: int = admin.get("/v1/bizDashboards/summary", {"organizationId": "o-1"})["unreadNotificationCount"]
        return count

    before = unread()
    (id,) = sandbox.ask("l-2", FREE_CLINIC)
    admin.put(f"{ALL}/{id}/accept", {})
    admin.put(f"{ALL}/{id}/end", {})
    assert unread() == before + 3
