"""Teams: the requests and the results of each method."""

import json

import pytest

from upstream import errors
from upstream.tests.conftest import API

ALL = f"{API}/v1/bizSubGroups"
ONE = f"{ALL}/t-1"


@pytest.mark.parametrize(("count", "in_use"), [(0, False), (2, True)])
def test_a_name_is_looked_up_in_the_clinic(up, http, count, in_use):
    http.get(f"{ALL}/exist", json={"resultCount": count})
    assert up.teams.exists("Night", clinic_id="g-1", except_id="t-1") is in_use
    assert http.calls[0].request.params == {"mainGroupId": "g-1", "name": "Night", "exceptId": "t-1"}


@pytest.mark.req("UC-05", "EN-39", "EN-40")
def test_a_team_is_created_and_changed(up, http):
    http.post(ALL, json={"id": "t-9"})
    http.put(ONE, json={"version": 3})
    assert up.teams.create(clinic_id="g-1", name="Night", team_type="NEW_KIND", idempotency_key="k-1") == "t-9"
    assert up.teams.update("t-1", version=2, name="Day") == 3
    post, put = (call.request for call in http.calls)
    assert json.loads(post.body) == {"mainGroupId": "g-1", "name": "Night", "teamType": "NEW_KIND"}
    assert post.headers["Idempotency-Key"] == "k-1"
    assert json.loads(put.body) == {"name": "Day"}
    assert put.headers["If-Match"] == '"2"'


def test_a_team_is_deleted_and_its_users_can_move_in_the_same_call(up, http):
    http.delete(ONE, status=204)
    up.teams.delete("t-1", move_users_to="t-2", version=2)
    up.teams.delete("t-1")
    assert [call.request.params for call in http.calls] == [{"moveUsersTo": "t-2"}, {}]
    assert http.calls[0].request.headers["If-Match"] == '"2"'


def test_a_team_with_users_stays_and_the_error_has_their_number(up, http):
    details = {"reasons": [{"reason": "NOT_EMPTY", "count": 4, "refs": [{"type": "USER", "id": "u-1"}]}]}
    http.delete(ONE, json={"code": 13005, "details": details}, status=409)
    with pytest.raises(errors.Conflict) as caught:
        up.teams.delete("t-1")
    (reason,) = caught.value.reasons
    assert (reason.reason, reason.count, reason.refs[0].id) == ("NOT_EMPTY", 4, "u-1")
