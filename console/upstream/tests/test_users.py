"""Users: what is sent for each verb, and what the caller gets."""

import datetime as dt
import json

import pytest

from console.upstream import errors
from console.upstream.bulk import BulkRow, Change
from console.upstream.client import Upstream
from console.upstream.places import Place
from console.upstream.tests.conftest import API
from console.upstream.transport import Transport
from console.upstream.users import NewUser

ALL = f"{API}/v1/bizUsers"
ONE = f"{ALL}/u-1"
CLINICS = f"{API}/v1/bizMainGroups"
TEAMS = f"{API}/v1/bizSubGroups"


def sent(line, number=-1):
    return json.loads(line.calls[number].request.body)


@pytest.mark.parametrize(("count", "taken"), [(0, False), (1, True)])
def test_an_address_is_looked_for(up, line, count, taken):
    line.get(f"{ALL}/exist", json={"resultCount": count})
    assert up.users.exists("a+b@c.example") is taken
    assert line.calls[0].request.params == {"email": "a+b@c.example"}


@pytest.mark.req("UC-06", "EN-41", "EN-42", "EN-43", "EN-44")
@pytest.mark.parametrize(("team_id", "more"), [("t-1", {"subGroupId": "t-1"}), (None, {})])
def test_a_user_is_invited(up, line, team_id, more):
    line.post(ALL, json={"id": "u-9"})
    made = up.users.create(
        clinic_id="g-1",
        team_id=team_id,
        name="Kim",
        user_type="DOCTOR",
        email="k@b.example",
        language="ko-KR",
        idempotency_key="k-1",
    )
    assert made == "u-9"
    person = {"name": "Kim", "userType": "DOCTOR", "email": "k@b.example", "language": "ko-KR"}
    assert sent(line) == {"mainGroupId": "g-1", **person, **more}
    assert line.calls[0].request.headers["Idempotency-Key"] == "k-1"


@pytest.mark.parametrize(
    ("changes", "body"),
    [
        ({"name": "Kim"}, {"name": "Kim"}),
        ({"user_type": "STAFF", "team_id": "t-2"}, {"userType": "STAFF", "subGroupId": "t-2"}),
        ({"clinic_id": "g-2", "team_id": None}, {"mainGroupId": "g-2", "subGroupId": None}),
    ],
)
def test_only_changed_fields_are_sent(up, line, changes, body):
    line.put(ONE, json={"version": 10})
    assert up.users.update("u-1", version=9, **changes) == 10
    assert sent(line) == body
    assert line.calls[0].request.headers["If-Match"] == '"9"'


@pytest.mark.req("VA-30", "VA-31", "ER-22", "ER-23", "ER-25")
def test_a_user_is_deleted_or_all_reasons_are_told(up, line):
    words = ["ONGOING_ORDERED_CASE", "PARTNER_WITH_LAB", "PENDING_ORDERED_CASE_WITH_LAB"]
    refusal = {"code": 13006, "details": {"reasons": [{"reason": word, "count": 1} for word in words]}}
    line.delete(ONE, json={})
    line.delete(ONE, json=refusal, status=409)
    up.users.delete("u-1", version=9)
    with pytest.raises(errors.Conflict) as caught:
        up.users.delete("u-1")
    assert [reason.reason for reason in caught.value.reasons] == words
    assert [call.request.headers.get("If-Match") for call in line.calls] == ['"9"', None]


@pytest.mark.req("ST-53")
def test_an_invitation_is_sent_again_or_cancelled(up, line):
    resend = f"{ONE}/invitation/resend"
    line.put(resend, json={"invitationExpiresDate": "2026-11-28T08:00:00+09:00"})
    line.put(resend, json={})
    line.put(resend, json={"code": 13009}, status=409)
    line.delete(f"{ONE}/invitation", json={})
    assert up.users.resend_invitation("u-1") == dt.datetime(2026, 11, 27, 23, tzinfo=dt.UTC)
    assert up.users.resend_invitation("u-1") is None
    with pytest.raises(errors.Conflict) as caught:
        up.users.resend_invitation("u-1")
    assert caught.value.code == errors.Code.NOT_INVITED
    up.users.cancel_invitation("u-1")
    assert line.calls[-1].request.method == "DELETE"


def test_the_team_of_a_user_may_be_told_by_a_number(up, line):
    line.get(ONE, json={"id": 1, "subGroupId": 5, "deleteBlockers": [{"reason": "X", "refs": [{"id": 88}]}]})
    user = up.users.get("u-1")
    assert (user.team_id, user.delete_blockers[0].refs[0].id) == ("5", "88")


BULK = [
    (lambda users: users.bulk_delete(["u-1"]), "bulkDelete", {}, "DELETE", ONE, {}),
    (
        lambda users: users.bulk_update(["u-1"], team_id=None, clinic_id="g-2", user_type="STAFF"),
        "bulkUpdate",
        {"set": {"subGroupId": None, "mainGroupId": "g-2", "userType": "STAFF"}},
        "PUT",
        ONE,
        {"subGroupId": None, "mainGroupId": "g-2", "userType": "STAFF"},
    ),
    (
        lambda users: users.bulk_resend_invitation(["u-1"]),
        "bulkResendInvitation",
        {},
        "PUT",
        f"{ONE}/invitation/resend",
        {},
    ),
    (
        lambda users: users.bulk_permissions(["u-1"], changes={"allow_export": None}),
        "bulkPermissions",
        {"permissions": {"allowExport": None}},
        "PUT",
        f"{ONE}/permissions",
        {"permissions": {"allowExport": None}},
    ),
]


@pytest.mark.parametrize(("act", "path", "body", "method", "single", "single_body"), BULK, ids=[b[1] for b in BULK])
def test_the_same_for_many_is_one_call_or_single_ones(up, line, act, path, body, method, single, single_body):
    line.post(f"{ALL}/{path}", json={"results": [{"id": "u-1", "ok": True}]})
    line.post(f"{ALL}/{path}", status=404)
    line.add(method, single, json={})
    assert act(up.users).rows == act(up.users).rows == (BulkRow(ok=True, id="u-1"),)
    assert sent(line, 0) == sent(line, 1) == {"ids": ["u-1"], **body}
    assert sent(line, 2) == single_body


@pytest.mark.req("DM-16")
def test_invitations_are_cancelled_each_by_its_own_call(up, line):
    line.delete(f"{ONE}/invitation", json={})
    line.delete(ONE.replace("u-1", "u-2") + "/invitation", json={"code": 13009}, status=409)
    rows = up.users.bulk_cancel_invitation(["u-1", "u-2", "u-1"]).rows
    assert [(row.id, row.ok, row.code) for row in rows] == [("u-1", True, None), ("u-2", False, 13009)]


def test_changing_nothing_for_many_is_the_callers_mistake(up):
    with pytest.raises(ValueError, match="Nothing"):
        up.users.bulk_update(["u-1"])


def person(email, clinic, team="", **more):
    return NewUser(name="Kim", user_type="STAFF", email=email, clinic_name=clinic, team_name=team, **more)


def test_people_are_invited_in_one_call_by_the_names_of_their_places(up, line):
    results = [{"index": 0, "ok": True, "id": 9}, {"index": 1, "ok": False, "code": 10004, "field": "mainGroupName"}]
    line.post(f"{ALL}/bulkCreate", json={"results": results})
    items = [person("a@b.example", "North", "Night", language="ko-KR"), person("c@b.example", "Nowhere")]
    assert up.users.bulk_create(items, dry_run=True, idempotency_key="k-1").rows == (
        BulkRow(ok=True, index=0, id="9"),
        BulkRow(ok=False, index=1, code=10004, field="clinic_name"),
    )
    kim = {"name": "Kim", "userType": "STAFF"}
    places = [
        {"email": "a@b.example", "mainGroupName": "North", "subGroupName": "Night", "language": "ko-KR"},
        {"email": "c@b.example", "mainGroupName": "Nowhere"},
    ]
    assert sent(line) == {"dryRun": True, "items": [{**kim, **place} for place in places]}
    assert line.calls[0].request.headers["Idempotency-Key"] == "k-1"


@pytest.fixture
def placing(config, tokens, line):
    """A client of a service that knows the clinics North and Twins (two of them) and the team Night."""

    def named(request, id):
        name = request.params["keyword"]
        if name == "broken":
            return (502, {}, "")
        ids = {"north": [id], "night": [id], "twins": [id, "y"]}.get(name, [])
        found = [{"id": "x", "name": f"{name} 2"}, *({"id": id, "name": name.title()} for id in ids)]
        return (200, {}, json.dumps({"resultCount": len(found), "results": found}))

    line.add_callback("GET", CLINICS, lambda request: named(request, "g-1"))
    line.add_callback("GET", TEAMS, lambda request: named(request, "t-1"))
    transport = Transport(config)
    yield Upstream(transport, tokens=tokens, organization_id="o-1")
    transport.close()


class TestWithoutBulkCreate:
    ITEMS = (
        person("a@b.example", " north ", "NIGHT", language="ko-KR"),
        person("b@b.example", "North"),
        person("taken@b.example", "North", "Night"),
        person("d@b.example", "Nowhere", "Night"),
        person("e@b.example", "North", "Nobody"),
        person("f@b.example", "Broken"),
        person("g@b.example", "Twins"),
    )

    @pytest.fixture
    def ours(self, placing, line):
        line.post(f"{ALL}/bulkCreate", status=404)
        return placing

    UNPLACED = (
        BulkRow(ok=False, index=3, code=10004, field="clinic_name"),
        BulkRow(ok=False, index=4, code=10004, field="team_name"),
        BulkRow(ok=False, index=5, field="clinic_name"),
        BulkRow(ok=False, index=6, code=10002, field="clinic_name"),
    )

    def test_places_are_found_by_name_and_each_is_invited(self, ours, line):
        taken: tuple[int, dict[str, str], str] = (
            409,
            {},
            '{"code": 13008, "details": {"fields": [{"field": "email"}]}}',
        )
        line.add_callback("POST", ALL, lambda r: taken if b"taken" in r.body else (200, {}, '{"id": "u-9"}'))
        assert ours.users.bulk_create(self.ITEMS, dry_run=False).rows == (
            BulkRow(ok=True, index=0, id="u-9"),
            BulkRow(ok=True, index=1, id="u-9"),
            BulkRow(ok=False, index=2, code=13008, field="email"),
            *self.UNPLACED,
        )
        bodies = [json.loads(c.request.body) for c in line.calls if c.request.url == ALL]
        kim = {"name": "Kim", "userType": "STAFF", "mainGroupId": "g-1"}
        assert {**kim, "email": "a@b.example", "subGroupId": "t-1", "language": "ko-KR"} in bodies
        assert {**kim, "email": "b@b.example"} in bodies
        reads = [c.request.params["keyword"] for c in line.calls if c.request.method == "GET"]
        assert sorted(reads) == ["broken", "night", "nobody", "north", "nowhere", "twins"]

    def test_a_dry_run_looks_for_addresses_and_invites_nobody(self, ours, line):
        line.add_callback(
            "GET",
            f"{ALL}/exist",
            lambda request: (200, {}, json.dumps({"resultCount": int("taken" in request.params["email"])})),
        )
        assert ours.users.bulk_create(self.ITEMS, dry_run=True).rows == (
            BulkRow(ok=True, index=0),
            BulkRow(ok=True, index=1),
            BulkRow(ok=False, index=2, code=13008, field="email"),
            *self.UNPLACED,
        )
        assert [c.request.method for c in line.calls].count("POST") == 1


@pytest.mark.req("DM-14")
def test_a_clinic_is_found_by_its_name_however_many_have_a_longer_one(config, tokens, line):
    pages = [[{"id": f"x-{n}", "name": f"North {n}"} for n in range(100)], [{"id": "g-1", "name": "North"}]]

    def search(request):
        page = pages[int(request.params["page"]) - 1]
        return (200, {}, json.dumps({"resultCount": 101, "results": page}))

    line.add_callback("GET", CLINICS, search)
    line.add("GET", ALL, json={"resultCount": 1, "results": [{"id": "u-1", "email": "a@b.example"}]})
    transport = Transport(config)
    upstream = Upstream(transport, tokens=tokens, organization_id="o-1")
    (found,) = upstream.users.present([person("a@b.example", "North")])
    assert isinstance(found, tuple)
    assert found[1] == Place("g-1", None)
    assert [clinic and clinic.id for clinic in upstream.clinics.named(["north", "North 7"])] == ["g-1", "x-7"]
    pages[1] = []  # the list became shorter meanwhile
    assert upstream.clinics.named(["North"]) == [None]
    transport.close()


@pytest.mark.req("DM-14", "LS-17")
def test_each_user_is_changed_by_a_call_of_its_own_that_names_the_version(up, line):
    line.put(ONE, json={"version": 5})
    line.put(f"{ALL}/u-2", status=412, json={"code": 10005})
    changes = [Change("u-1", 4, {"name": "Ann", "team_id": "t-1"}), Change("u-2", None, {"user_type": "STAFF"})]
    assert up.users.change_each(changes).rows == (
        BulkRow(ok=True, id="u-1"),
        BulkRow(ok=False, id="u-2", code=10005),
    )
    calls = {call.request.url: call.request for call in line.calls}
    assert calls[ONE].headers["If-Match"] == '"4"'
    assert json.loads(calls[ONE].body) == {"name": "Ann", "subGroupId": "t-1"}
    assert "If-Match" not in calls[f"{ALL}/u-2"].headers


@pytest.mark.req("DM-14")
def test_who_is_there_is_found_by_address_with_the_place_that_is_named(placing, line):
    known = [{"id": "u-1", "email": "A@B.example"}, {"id": "u-2", "email": "a@b.example.com"}]

    def search(request):
        assert (request.params["organizationId"], request.params["searchField"]) == ("o-1", "email")
        if request.params["keyword"].startswith("f"):
            return (500, {}, "")
        return (200, {}, json.dumps({"resultCount": 2, "results": known}))

    line.add_callback("GET", ALL, search)
    items = [person("a@b.example", "north", "NIGHT"), person("a@b.example", "north", "Nobody")]
    found = placing.users.present([*items, person("z@b.example", "North"), person("f@b.example", "North")])
    (user, place), *others = found
    assert (user.id, place) == ("u-1", Place("g-1", "t-1"))
    assert others == [
        BulkRow(ok=False, code=10004, field="team_name"),
        BulkRow(ok=False, code=13008, field="email"),
        BulkRow(ok=False),
    ]
