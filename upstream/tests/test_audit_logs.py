"""The service's own log: the requests, and the parts of an odd response that are used."""

import pytest

from upstream import errors
from upstream.client import Upstream
from upstream.listing import ListParams
from upstream.resources.audit_logs import LoggedChange
from upstream.tests.conftest import API

ALL = f"{API}/v1/bizAuditLogs"
ONE = {
    "id": "e-1",
    "date": "2026-01-05T08:30:00Z",
    "actorId": "a-1",
    "actorName": "Dana",
    "action": "UPDATE",
    "targetType": "USER",
    "targetId": "u-1",
    "targetName": "Kim",
    "mainGroupId": "g-1",
    "changes": [{"field": "userType", "old": "STAFF", "new": "DOCTOR"}],
    "result": "DONE",
}


@pytest.fixture
def org(up: Upstream) -> Upstream:
    up.organization_id = "o-1"
    return up


@pytest.mark.req("DM-20", "DM-45")
def test_an_entry_has_the_actor_the_object_and_the_changes(org, http):
    http.get(ALL, json={"resultCount": 1, "results": [ONE]})
    params = ListParams(
        sort="date",
        order="desc",
        filters={"clinic": ("g-1",), "kind": ("USER",), "from": ("2026-01-01T00:00:00Z",)},
    )
    (entry,) = org.audit_logs.list(params).results
    assert (entry.actor_name, entry.action, entry.kind, entry.target_name) == ("Dana", "UPDATE", "USER", "Kim")
    assert (entry.clinic_id, entry.result) == ("g-1", "DONE")
    assert entry.changes == [LoggedChange(field="userType", old="STAFF", new="DOCTOR")]
    sent = http.calls[0].request.params
    assert (sent["organizationId"], sent["sort"], sent["order"]) == ("o-1", "date", "desc")
    assert (sent["mainGroupId"], sent["targetType"], sent["from"]) == ("g-1", "USER", "2026-01-01T00:00:00Z")


@pytest.mark.parametrize(
    "odd",
    [
        {"changes": None},
        {"changes": {"name": "Kim"}},
        {"changes": ["name", {"field": 7, "old": {}, "new": []}]},
        {"actorId": 5, "actorName": ["Dana"]},
        {"date": "yesterday"},
        {"id": None, "action": 1, "targetId": {}},
    ],
)
def test_an_odd_entry_takes_no_others_away(org, http, odd):
    http.get(ALL, json={"resultCount": 2, "results": [{**ONE, **odd}, {**ONE, "id": "e-2"}]})
    assert org.audit_logs.list(ListParams()).results[1].id == "e-2"


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_missing_log_is_not_requested_again(org, http, status):
    http.get(ALL, status=status)
    assert org.audit_logs.are_offered
    with pytest.raises(errors.NotOffered):
        org.audit_logs.list(ListParams())
    assert not org.audit_logs.are_offered
