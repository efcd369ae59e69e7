"""Users: the requests and the results of each method."""

import datetime as dt
import json

import pytest
from responses.matchers import query_param_matcher

from upstream import errors
from upstream.bulk import RowOutcome, RowUpdate
from upstream.client import Upstream
from upstream.resources.name_lookup import Membership
from upstream.resources.users import NewUser
from upstream.tests.conftest import API
from upstream.transport import Transport

ALL = f"{API}/v1/bizUsers"
ONE = f"{ALL}/u-1"
CLINICS = f"{API}/v1/bizMainGroups"
TEAMS = f"{API}/v1/bizSubGroups"


def sent(http, number=-1):
    return json.loads(http.calls[number].request.body)


@pytest.mark.parametrize(("count", "in_use"), [(0, False), (1, True)])
def test_an_address_is_looked_up(up, http, count, in_use):
    http.get(f"{ALL}/exist", json={"resultCount": count})
    assert up.users.exists("a+b@c.example") is in_use
    assert http.calls[0].request.params == {"email": "a+b@c.example"}


@pytest.mark.req("UC-06", "EN-41", "EN-42", "EN-43", "EN-44")
@pytest.mark.parametrize(("team_id", "more"), [("t-1", {"subGroupId": "t-1"}), (None, {})])
def test_a_user_is_invited(up, http, team_id, more):
    http.post(ALL, json={"id": "u-9"})
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
    assert sent(http) == {"mainGroupId": "g-1", **person, **more}
    assert http.calls[0].request.headers["Idempotency-Key"] == "k-1"


@pytest.mark.parametrize(
    ("changes", "body"),
    [
        ({"name": "Kim"}, {"name": "Kim"}),
        ({"user_type": "STAFF", "team_id": "t-2"}, {"userType": "STAFF", "subGroupId": "t-2"}),
        ({"clinic_id": "g-2", "team_id": None}, {"mainGroupId": "g-2", "subGroupId": None}),
    ],
)
def test_only_changed_fields_are_sent(up, http, changes, body):
    http.put(ONE, json={"version": 10})
    assert up.users.update("u-1", version=9, **changes) == 10
    assert sent(http) == body
    assert http.calls[0].request.headers["If-Match"] == '"9"'


@pytest.mark.req("VA-30", "VA-31", "ER-22", "ER-23", "ER-25")
def test_a_user_is_deleted_or_the_error_has_all_reasons(up, http):
    words = ["ONGOING_ORDERED_CASE", "PARTNER_WITH_LAB", "PENDING_ORDERED_CASE_WITH_LAB"]
    refusal = {"code": 13006, "details": {"reasons": [{"reason": word, "count": 1} for word in words]}}
    http.delete(ONE, json={})
    http.delete(ONE, json=refusal, status=409)
    up.users.delete("u-1", version=9)
    with pytest.raises(errors.Conflict) as caught:
        up.users.delete("u-1")
    assert [reason.reason for reason in caught.value.reasons] == words
    assert [call.request.headers.get("If-Match") for call in http.calls] == ['"9"', None]


@pytest.mark.req("ST-53")
def test_an_invitation_is_resent_or_canceled(up, http):
    resend = f"{ONE}/invitation/resend"
    http.put(resend, json={"invitationExpiresDate": "2026-11-28T08:00:00+09:00"})
    http.put(resend, json={})
    http.put(resend, json={"code": 13009}, status=409)
    http.delete(f"{ONE}/invitation", json={})
    assert up.users.resend_invitation("u-1") == dt.datetime(2026, 11, 27, 23, tzinfo=dt.UTC)
    assert up.users.resend_invitation("u-1") is None
    with pytest.raises(errors.Conflict) as caught:
        up.users.resend_invitation("u-1")
    assert caught.value.code == errors.Code.NOT_INVITED
    up.users.cancel_invitation("u-1")
    assert http.calls[-1].request.method == "DELETE"


def test_the_team_id_of_a_user_may_be_a_number(up, http):
    http.get(ONE, json={"id": 1, "subGroupId": 5, "deleteBlockers": [{"reason": "X", "refs": [{"id": 88}]}]})
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


@pytest.mark.parametrize(("action", "path", "body", "method", "single", "single_body"), BULK, ids=[b[1] for b in BULK])
def test_a_bulk_action_is_one_call_or_single_ones(up, http, action, path, body, method, single, single_body):
    http.post(f"{ALL}/{path}", json={"results": [{"id": "u-1", "ok": True}]})
    http.post(f"{ALL}/{path}", status=404)
    http.add(method, single, json={})
    assert action(up.users).rows == action(up.users).rows == (RowOutcome(ok=True, id="u-1"),)
    assert sent(http, 0) == sent(http, 1) == {"ids": ["u-1"], **body}
    assert sent(http, 2) == single_body


@pytest.mark.req("SEC-53")
def test_an_invitation_that_is_resent_without_a_bulk_call_has_the_same_key_when_it_is_sent_again(up, http):
    http.post(f"{ALL}/bulkResendInvitation", status=404)
    http.put(f"{ONE}/invitation/resend", status=524)
    http.put(f"{ALL}/u-2/invitation/resend", status=524)
    for _ in range(2):
        up.users.bulk_resend_invitation(["u-1", "u-2"], idempotency_key="k-1")
    keys = [
        (call.request.url, call.request.headers["Idempotency-Key"])
        for call in http.calls
        if call.request.method == "PUT"
    ]
    assert (len(keys), len(set(keys)), len({key for _url, key in keys})) == (4, 2, 2)


@pytest.mark.req("DM-16")
def test_invitations_are_canceled_with_a_call_for_each(up, http):
    http.delete(f"{ONE}/invitation", json={})
    http.delete(ONE.replace("u-1", "u-2") + "/invitation", json={"code": 13009}, status=409)
    rows = up.users.bulk_cancel_invitation(["u-1", "u-2", "u-1"]).rows
    assert [(row.id, row.ok, row.code) for row in rows] == [("u-1", True, None), ("u-2", False, 13009)]


def test_a_bulk_update_without_values_is_a_mistake_of_the_caller(up):
    with pytest.raises(ValueError, match="Nothing"):
        up.users.bulk_update(["u-1"])


def person(email, clinic, team="", **more):
    return NewUser(name="Kim", user_type="STAFF", email=email, clinic_name=clinic, team_name=team, **more)


def test_people_are_invited_in_one_call_by_the_names_of_clinic_and_team(up, http):
    results = [{"index": 0, "ok": True, "id": 9}, {"index": 1, "ok": False, "code": 10004, "field": "mainGroupName"}]
    http.post(f"{ALL}/bulkCreate", json={"results": results})
    items = [person("a@b.example", "North", "Night", language="ko-KR"), person("c@b.example", "Nowhere")]
    assert up.users.bulk_create(items, dry_run=True, idempotency_key="k-1").rows == (
        RowOutcome(ok=True, index=0, id="9"),
        RowOutcome(ok=False, index=1, code=10004, field="clinic_name"),
    )
    kim = {"name": "Kim", "userType": "STAFF"}
    memberships = [
        {"email": "a@b.example", "mainGroupName": "North", "subGroupName": "Night", "language": "ko-KR"},
        {"email": "c@b.example", "mainGroupName": "Nowhere"},
    ]
    assert sent(http) == {"dryRun": True, "items": [{**kim, **membership} for membership in memberships]}
    assert http.calls[0].request.headers["Idempotency-Key"] == "k-1"


@pytest.fixture
def lookup(config, tokens, http):
    """A client of a service that has the clinics North and Twins (two of them) and the team Night."""

    def named(request, id):
        name = request.params["keyword"]
        if name == "broken":
            return (502, {}, "")
        ids = {"north": [id], "night": [id], "twins": [id, "y"]}.get(name, [])
        matches = [{"id": "x", "name": f"{name} 2"}, *({"id": id, "name": name.title()} for id in ids)]
        return (200, {}, json.dumps({"resultCount": len(matches), "results": matches}))

    http.add_callback("GET", CLINICS, lambda request: named(request, "g-1"))
    http.add_callback("GET", TEAMS, lambda request: named(request, "t-1"))
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
    def org(self, lookup, http):
        http.post(f"{ALL}/bulkCreate", status=404)
        return lookup

    UNPLACED = (
        RowOutcome(ok=False, index=3, code=10004, field="clinic_name"),
        RowOutcome(ok=False, index=4, code=10004, field="team_name"),
        RowOutcome(ok=False, index=5, field="clinic_name", is_verdict=False),
        RowOutcome(ok=False, index=6, code=10002, field="clinic_name"),
    )

    def test_clinics_and_teams_are_found_by_name_and_each_person_is_invited(self, org, http):
        in_use: tuple[int, dict[str, str], str] = (
            409,
            {},
            '{"code": 13008, "details": {"fields": [{"field": "email"}]}}',
        )
        http.add_callback("POST", ALL, lambda r: in_use if b"taken" in r.body else (200, {}, '{"id": "u-9"}'))
        assert org.users.bulk_create(self.ITEMS, dry_run=False).rows == (
            RowOutcome(ok=True, index=0, id="u-9"),
            RowOutcome(ok=True, index=1, id="u-9"),
            RowOutcome(ok=False, index=2, code=13008, field="email"),
            *self.UNPLACED,
        )
        bodies = [json.loads(c.request.body) for c in http.calls if c.request.url == ALL]
        kim = {"name": "Kim", "userType": "STAFF", "mainGroupId": "g-1"}
        assert {**kim, "email": "a@b.example", "subGroupId": "t-1", "language": "ko-KR"} in bodies
        assert {**kim, "email": "b@b.example"} in bodies
        reads = [c.request.params["keyword"] for c in http.calls if c.request.method == "GET"]
        assert sorted(reads) == ["broken", "night", "nobody", "north", "nowhere", "twins"]

    def test_a_dry_run_looks_up_addresses_and_sends_no_invitation(self, org, http):
        http.add_callback(
            "GET",
            f"{ALL}/exist",
            lambda request: (200, {}, json.dumps({"resultCount": int("taken" in request.params["email"])})),
        )
        assert org.users.bulk_create(self.ITEMS, dry_run=True).rows == (
            RowOutcome(ok=True, index=0),
            RowOutcome(ok=True, index=1),
            RowOutcome(ok=False, index=2, code=13008, field="email"),
            *self.UNPLACED,
        )
        assert [c.request.method for c in http.calls].count("POST") == 1


@pytest.mark.req("DM-14")
def test_a_clinic_is_found_by_its_name_however_many_have_a_longer_one(config, tokens, http):
    pages = [[{"id": f"x-{n}", "name": f"North {n}"} for n in range(100)], [{"id": "g-1", "name": "North"}]]

    def search(request):
        page = pages[int(request.params["page"]) - 1]
        return (200, {}, json.dumps({"resultCount": 101, "results": page}))

    http.add_callback("GET", CLINICS, search)
    http.add("GET", ALL, json={"resultCount": 1, "results": [{"id": "u-1", "email": "a@b.example"}]})
    transport = Transport(config)
    upstream = Upstream(transport, tokens=tokens, organization_id="o-1")
    (matches,) = upstream.users.find_by_emails([person("a@b.example", "North")])
    assert isinstance(matches, tuple)
    assert matches[1] == Membership("g-1", None)
    assert [clinic and clinic.id for clinic in upstream.clinics.find_by_names(["north", "North 7"])] == ["g-1", "x-7"]
    pages[1] = []  # the list has become shorter in the meantime
    assert upstream.clinics.find_by_names(["North"]) == [None]
    transport.close()


@pytest.mark.req("DM-14", "LS-17")
def test_each_user_is_updated_with_a_call_that_sends_the_version(up, http):
    http.put(ONE, json={"version": 5})
    http.put(f"{ALL}/u-2", status=412, json={"code": 10005})
    changes = [RowUpdate("u-1", 4, {"name": "Ann", "team_id": "t-1"}), RowUpdate("u-2", None, {"user_type": "STAFF"})]
    assert up.users.update_each(changes).rows == (
        RowOutcome(ok=True, id="u-1"),
        RowOutcome(ok=False, id="u-2", code=10005),
    )
    calls = {call.request.url: call.request for call in http.calls}
    assert calls[ONE].headers["If-Match"] == '"4"'
    assert json.loads(calls[ONE].body) == {"name": "Ann", "subGroupId": "t-1"}
    assert "If-Match" not in calls[f"{ALL}/u-2"].headers


@pytest.mark.req("DM-14")
def test_existing_users_are_found_by_address_with_their_new_membership(lookup, http):
    known = [{"id": "u-1", "email": "A@B.example"}, {"id": "u-2", "email": "a@b.example.com"}]

    def search(request):
        assert (request.params["organizationId"], request.params["searchField"]) == ("o-1", "email")
        if request.params["keyword"].startswith("f"):
            return (500, {}, "")
        return (200, {}, json.dumps({"resultCount": 2, "results": known}))

    http.add_callback("GET", ALL, search)
    items = [person("a@b.example", "north", "NIGHT"), person("a@b.example", "north", "Nobody")]
    matches = lookup.users.find_by_emails([*items, person("z@b.example", "North"), person("f@b.example", "North")])
    (user, membership), *others = matches
    assert (user.id, membership) == ("u-1", Membership("g-1", "t-1"))
    assert others == [
        RowOutcome(ok=False, code=10004, field="team_name"),
        RowOutcome(ok=False, code=13008, field="email"),
        RowOutcome(ok=False, is_verdict=False),
    ]


@pytest.mark.parametrize("missing", ["lock", "unlock"])
def test_users_can_be_locked_where_they_can_be_unlocked_too(up, tokens, http, missing):
    assert up.users.can_be_locked
    http.put(f"{ONE}/{missing}", status=501)
    with pytest.raises(errors.NotOffered):
        up.users.set_locked("u-1", missing == "lock")
    assert not up.users.can_be_locked
    tokens.api_url = "https://api.elsewhere.example"
    assert up.users.can_be_locked, "another service may have it"


@pytest.mark.req("DM-48", "ER-22")
def test_a_user_who_is_already_locked_counts_as_locked(up, http):
    """The service refuses the state again; the stored state is read with a page size that the contract has."""
    http.post(f"{ALL}/bulkLock", json={"results": [{"id": "u-1", "ok": False, "code": 13011}]})
    matcher = query_param_matcher({"size": "100", "ids": "u-1"}, strict_match=False)
    http.get(ALL, json={"resultCount": 1, "results": [{"id": "u-1", "status": "LOCKED"}]}, match=[matcher])
    up.organization_id = "o-1"
    (row,) = up.users.bulk_set_locked(["u-1"], True).rows
    assert row == RowOutcome(ok=True, id="u-1", code=13011), "its code says that nothing was carried out now"
