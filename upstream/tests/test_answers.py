"""The result or error of each answer of the service."""

import datetime as dt
import json

import pytest

from upstream import errors
from upstream.client import Upstream
from upstream.errors import Code
from upstream.listing import ListParams
from upstream.tests.conftest import API, HANDLER
from upstream.transport import Transport

CLINIC = f"{API}/v1/bizMainGroups/g-1"
PERMISSIONS = f"{CLINIC}/permissions"
LOGIN = f"{API}/v2/oauth/requestToken"


def change(up):
    return up.permissions.change_clinic("g-1", changes={"allow_export": False}, version=3)


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        (400, 10001, errors.Refused),
        (403, 11008, errors.Refused),
        (404, 10004, errors.NotFound),
        (409, 13007, errors.Conflict),
        (412, 10005, errors.Conflict),
        (413, 10007, errors.Refused),
        (422, 12003, errors.Refused),
        (429, 10008, errors.Limited),
        (500, 10000, errors.Failed),
        (502, None, errors.Failed),
        (503, None, errors.Failed),
        (501, 99999, errors.Failed),
        (524, None, errors.TimedOut),
    ],
)
@pytest.mark.req("ST-51")
def test_a_status_becomes_its_error_and_the_call_is_made_once(up, http, tokens, status, code, expected):
    http.get(CLINIC, json={"code": code, "message": "secret"}, status=status)
    with pytest.raises(errors.UpstreamError) as caught:
        up.clinics.get("g-1")
    assert type(caught.value) is expected
    assert (caught.value.status, caught.value.code) == (status, code)
    assert (caught.value.endpoint, caught.value.request_id) == ("GET /v1/bizMainGroups/{id}", "r-1")
    assert "secret" not in str(caught.value)
    assert len(http.calls) == 1
    assert tokens.renewed == []


@pytest.mark.parametrize("status", [300, 302, 308, 399, 600, 999])
def test_a_redirect_or_an_undefined_status_is_a_bad_answer(up, http, status):
    http.get(CLINIC, json={"id": "g-1"}, status=status, headers={"Location": HANDLER})
    with pytest.raises(errors.BadAnswer, match=f"status {status}"):
        up.clinics.get("g-1")
    assert len(http.calls) == 1


@pytest.mark.parametrize("status", [200, 400, 401, 404, 429, 500, 503, 520, 524])
def test_code_15001_wins_at_any_status_and_is_not_refreshed(up, http, tokens, status):
    http.get(CLINIC, json={"code": 15001, "id": "g-1"}, status=status)
    with pytest.raises(errors.ServerCode15001):
        up.clinics.get("g-1")
    assert tokens.renewed == []


def test_the_digits_of_that_code_elsewhere_in_an_answer_mean_nothing(up, http):
    http.get(CLINIC, json={"id": "g-1", "name": "15001 Dental", "userCount": 18001})
    assert up.clinics.get("g-1").name == "15001 Dental"


@pytest.mark.parametrize("status", [401, 503, 520])
def test_code_18001_is_maintenance_with_the_notice_of_its_details(up, http, tokens, status):
    details = {"active": True, "endDate": None, "reason": {"en-US": "Upgrade"}, "unavailableServices": ["LOGIN"]}
    http.get(CLINIC, json={"code": 18001, "details": details}, status=status)
    with pytest.raises(errors.Maintenance) as caught:
        up.clinics.get("g-1")
    assert caught.value.notice
    assert caught.value.notice.unavailable_services == ["LOGIN"]
    assert tokens.renewed == []


@pytest.mark.parametrize("details", [None, {}, {"reason": "secret"}, [], "secret"])
def test_maintenance_without_a_usable_notice_is_still_maintenance(up, http, details):
    http.get(CLINIC, json={"code": 18001, "details": details}, status=503)
    with pytest.raises(errors.Maintenance) as caught:
        up.clinics.get("g-1")
    assert caught.value.notice is None


def test_a_refusal_names_fields_in_our_spelling_and_reasons(up, http):
    details = {
        "fields": [{"field": "mainGroupId", "code": 10001}, {"field": "teamType"}, {"code": 1}, "x"],
        "reasons": [
            {"reason": "ONGOING_ORDERED_CASE", "count": 2, "refs": [{"type": "CASE", "id": 88, "label": "Case 88"}]},
            {"reason": "NEW_WORD", "count": None, "refs": "x"},
        ],
    }
    http.put(PERMISSIONS, json={"code": "13006", "details": details}, status=409)
    with pytest.raises(errors.Conflict) as caught:
        change(up)
    assert caught.value.code == Code.SEVERAL_REASONS
    assert [(f.field, f.code) for f in caught.value.fields] == [("clinic_id", 10001), ("team_type", 0)]
    first, second = caught.value.reasons
    assert (first.reason, first.count, first.refs[0].id) == ("ONGOING_ORDERED_CASE", 2, "88")
    assert (second.reason, second.count, second.refs) == ("NEW_WORD", 0, ())


@pytest.mark.parametrize("body", ["<html>secret</html>", "", "null", "[]", '{"code": "x", "details": 3}', "[" * 99_999])
def test_a_refusal_with_a_malformed_body_is_recognized_by_its_status(up, http, body):
    http.put(PERMISSIONS, body=body, status=422)
    with pytest.raises(errors.Refused) as caught:
        change(up)
    assert (caught.value.code, caught.value.fields, caught.value.reasons) == (None, (), ())


@pytest.mark.parametrize(
    ("header", "seconds"), [("30", 30), (" 7 ", 7), ("soon", None), ("-1", None), ("9" * 99, None), ("", None)]
)
def test_too_many_requests_has_the_time_of_the_next_try(up, http, header, seconds):
    http.get(CLINIC, json={"code": 10008}, status=429, headers={"Retry-After": header})
    with pytest.raises(errors.Limited) as caught:
        up.clinics.get("g-1")
    assert caught.value.retry_after == seconds


IN_A_MINUTE = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a, %d %b %Y %H:%M:%S -0000"]
"""The formats of dates in headers: the one of today, and older ones."""


@pytest.mark.parametrize("status", [429, 500, 503])
def test_the_time_to_try_again_can_be_a_date(up, http, status):
    later = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=60)
    earlier = later - dt.timedelta(days=1)
    for text, is_later in [
        *((later.strftime(each), True) for each in IN_A_MINUTE),
        (f"{earlier:%c}", False),
        ("Fri", False),
    ]:
        http.get(CLINIC, json={"code": 10008}, status=status, headers={"Retry-After": text})
        with pytest.raises(errors.NotDone) as caught:
            up.clinics.get("g-1")
        http.reset()
        assert (caught.value.retry_after in range(50, 61)) is is_later, text
        assert is_later or caught.value.retry_after is None, text


def test_a_wrong_password_is_a_refusal_and_refreshes_nothing(up, http, tokens):
    http.post(LOGIN, json={"code": 11001}, status=401)
    with pytest.raises(errors.Refused) as caught:
        up.oauth.request_token("a@b.example", "wrong", region=None)
    assert caught.value.code == Code.WRONG_LOGIN
    assert tokens.renewed == []


def test_a_520_of_a_login_is_a_failure(up, http, tokens):
    http.post(LOGIN, status=520)
    with pytest.raises(errors.Failed):
        up.oauth.request_token("a@b.example", "x", region=None)
    assert tokens.renewed == []


@pytest.mark.parametrize(("status", "body"), [(200, "{}"), (204, ""), (200, ""), (201, " \n")])
def test_a_write_may_answer_nothing(up, http, status, body):
    http.put(PERMISSIONS, body=body, status=status)
    assert change(up) is None


def test_a_read_may_not_answer_nothing(up, http):
    http.get(CLINIC, status=204)
    with pytest.raises(errors.BadAnswer):
        up.clinics.get("g-1")


def test_null_means_the_same_as_missing(up, http):
    sent = {"id": "g-1", "name": None, "userCount": None, "deleteBlockers": None, "info": {"a": 1}, "version": None}
    http.get(CLINIC, json=sent)
    clinic = up.clinics.get("g-1")
    assert (clinic.name, clinic.user_count, clinic.delete_blockers) == ("", 0, [])
    assert clinic.info == {"a": 1}


@pytest.mark.parametrize("sent", [{}, {"id": None}, {"name": None, "userCount": "5"}, [], ["secret"], "secret"])
def test_a_response_that_is_no_object_or_has_no_id_is_a_bad_answer(up, http, sent):
    http.get(CLINIC, json=sent)
    with pytest.raises(errors.BadAnswer, match=r"missing required field `id`|Expected `") as caught:
        up.clinics.get("g-1")
    assert "secret" not in str(caught.value)


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize(
    "odd", ['"5"', "-1", "1.5", "1e999", "9" * 400, "9" * 5000, "true", "[]", "{}", "NaN", '"\\ud800"', "null"]
)
def test_an_odd_value_counts_as_missing_and_the_others_stay(up, http, odd):
    http.get(CLINIC, body=f'{{"userCount": {odd}, "version": {odd}, "id": "g-1", "name": "Kim", "info": {odd}}}')
    clinic = up.clinics.get("g-1")
    assert (clinic.name, clinic.user_count) == ("Kim", 0)


@pytest.mark.req("SEC-38")
@pytest.mark.parametrize("odd", ['"7"', '"abc"', "-1", "1.5", "true", "[]", str(2**53 + 1), "9" * 400])
def test_an_object_with_an_unreadable_version_is_not_changed(up, http, odd):
    http.get(CLINIC, body=f'{{"id": "g-1", "name": "Kim", "version": {odd}}}')
    clinic = up.clinics.get("g-1")
    with pytest.raises(errors.Failed, match="version") as caught:
        up.clinics.update("g-1", version=clinic.version, name="Lee")
    assert not caught.value.may_be_done
    assert [call.request.method for call in http.calls] == ["GET"]


@pytest.mark.req("SEC-38")
def test_a_version_may_be_zero(up, http):
    http.get(CLINIC, json={"id": "g-1", "name": "Kim", "version": 0})
    http.put(CLINIC, json={})
    up.clinics.update("g-1", version=up.clinics.get("g-1").version, name="Lee")
    assert http.calls[-1].request.headers["If-Match"] == '"0"'


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("odd", [["o-2"], {"id": "o-2"}, True, 1.5])
def test_an_object_that_may_belong_to_another_organization_is_not_found(config, tokens, http, odd):
    up = Upstream(Transport(config), tokens=tokens, organization_id="o-1")
    http.get(CLINIC, json={"id": "g-1", "name": "Kim", "organizationId": odd})
    with pytest.raises(errors.NotFound):
        up.clinics.get("g-1")


@pytest.mark.req("SEC-41")
def test_an_expired_access_token_is_renewed_to_end_the_pair(config, http):
    http.post(f"{API}/v2/oauth/expireToken", json={"code": 10001}, status=401)
    http.post(f"{API}/v2/oauth/requestToken", json={"accessToken": "a-2", "refreshToken": "r-2", "adminType": "BIZ"})
    http.post(f"{API}/v2/oauth/expireToken", json={})
    Upstream(Transport(config)).oauth.expire("r-1", access_token="a-1", api_url=API, service_id=4)
    ended = http.calls[-1].request
    assert ended.headers["Authorization"] == "Bearer a-2"
    assert json.loads(ended.body) == {"refreshToken": "r-2"}


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("depth", [100, 460, 900, 5000])
def test_a_notice_of_any_depth_is_maintenance(up, http, depth):
    deep = "[" * depth + "]" * depth
    http.get(CLINIC, body=f'{{"code": 18001, "details": {{"active": true, "startDate": 5, "x": {deep}}}}}', status=503)
    with pytest.raises((errors.Maintenance, errors.Failed)):
        up.clinics.get("g-1")


@pytest.mark.req("SEC-10")
def test_a_text_with_half_a_character_keeps_the_rest(up, http):
    http.get(CLINIC, body='{"id": "g-1", "name": "Kim \\ud83d", "info": {"\\udc00": ["\\ud83d\\ude00"]}}')
    clinic = up.clinics.get("g-1")
    assert (clinic.name, clinic.info) == ("Kim \ufffd", {"\ufffd": ["\U0001f600"]})


@pytest.mark.req("SEC-10")
def test_a_refusal_that_holds_odd_values_keeps_its_code(up, http):
    reasons = '[{"reason": "NOT_EMPTY", "count": -1, "refs": [5, {"id": [], "label": ["raw"]}]}, {"reason": 5}, "x"]'
    http.put(
        PERMISSIONS, body=f'{{"code": 13006, "message": "\\ud800", "details": {{"reasons": {reasons}}}}}', status=409
    )
    with pytest.raises(errors.Conflict) as caught:
        change(up)
    assert caught.value.code == Code.SEVERAL_REASONS
    (reason,) = caught.value.reasons
    assert (reason.reason, reason.count, {ref.label for ref in reason.refs}) == ("NOT_EMPTY", 0, {""})


@pytest.mark.req("SEC-10")
def test_a_notice_with_an_odd_value_closes_nothing(up, http):
    http.get(f"{HANDLER}/v1/maintenance", json={"active": True, "endDate": "soon", "unavailableServices": ["LOGIN"]})
    with pytest.raises(errors.BadAnswer):
        up.maintenance.notice()


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("odd", [[], {}, True, 1.5, ""])
def test_an_object_keeps_the_id_that_it_was_read_by(up, http, odd):
    http.get(CLINIC, json={"id": odd, "name": "Kim"})
    clinic = up.clinics.get("g-1")
    assert (clinic.id, clinic.name) == ("g-1", "Kim")


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize("read", ["of a clinic", "of a team", "of a user", "permissions"])
def test_an_object_of_which_nothing_can_be_read_is_no_answer(up, http, read):
    """An empty page would claim that there is nothing, and its form would store that."""
    path, get = {
        "of a clinic": ("bizMainGroups/g-1", lambda: up.clinics.get("g-1")),
        "of a team": ("bizSubGroups/g-1", lambda: up.teams.get("g-1")),
        "of a user": ("bizUsers/g-1", lambda: up.users.get("g-1")),
        "permissions": ("bizMainGroups/g-1/permissions", lambda: up.permissions.get_for_clinic("g-1")),
    }[read]
    permissions = {"allowExport": {"value": "x", "source": [1]}}
    http.get(f"{API}/v1/{path}", json={"id": [3], "name": [1], "info": {}, "permissions": permissions, "version": "x"})
    with pytest.raises(errors.BadAnswer):
        get()


@pytest.mark.req("SEC-10", "SEC-42")
@pytest.mark.parametrize("odd", [{"refreshToken": 5}, {"adminDetail": "x"}, {"adminId": [1]}, {"accessToken": {}}])
def test_tokens_with_an_odd_value_are_no_answer(up, http, odd):
    """Without it the answer would mean something else: the same tokens, or the rights of an administrator."""
    http.post(LOGIN, json={"accessToken": "a", "refreshToken": "b", "adminDetail": {"type": 1}, "adminId": "a-1"} | odd)
    with pytest.raises(errors.BadAnswer):
        up.oauth.refresh("r", api_url=API, service_id=7)


@pytest.mark.req("SEC-10")
@pytest.mark.parametrize(
    "odd", [{"serviceDomainId": "x"}, {"domainUrls": "x"}, {"domainUrls": [{"kind": 2, "url": 5}]}]
)
def test_a_region_with_an_odd_value_is_no_answer(up, http, odd):
    http.post(f"{HANDLER}/v1/accounts/search", json={"serviceDomainId": 4, "domainUrls": {"2": API}} | odd)
    with pytest.raises(errors.BadAnswer):
        up.regions.lookup("a@b.example")


def test_missing_values_in_a_region_or_notice_may_be_null(up, http):
    urls = [{"kind": 2, "url": API}, {"kind": 3, "url": None}]
    http.post(f"{HANDLER}/v1/accounts/search", json={"serviceDomainId": None, "domainUrls": urls})
    assert up.regions.lookup("a@b.example").api_url == API
    http.get(f"{HANDLER}/v1/maintenance", json={"active": True, "reason": {"en": None}, "endDate": None})
    assert up.maintenance.notice().active


def test_a_number_as_an_id_becomes_a_string_and_unknown_keys_are_ignored(up, http):
    http.get(f"{API}/v1/bizUsers/5", json={"id": 5, "mainGroupId": 7, "subGroupId": None, "new": [1]})
    user = up.users.get("5")
    assert (user.id, user.clinic_id, user.team_id) == ("5", "7", None)


@pytest.mark.parametrize("sent", ["2026-11-21T08:00:00Z", "2026-11-21T17:00:00+09:00", "2026-11-21T08:00:00"])
def test_dates_are_aware_and_in_utc(up, http, sent):
    http.get(CLINIC, json={"id": "g-1", "createdDate": sent})
    created = up.clinics.get("g-1").created_date
    assert created.isoformat() == "2026-11-21T08:00:00+00:00"
    assert created.tzinfo is dt.UTC


@pytest.mark.parametrize(
    "sent",
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-05:00"],
)
def test_a_date_at_the_edge_of_the_calendar_is_none(up, http, sent):
    http.get(CLINIC, json={"id": "g-1", "createdDate": sent})
    assert up.clinics.get("g-1").created_date is None


@pytest.mark.parametrize("info", ["text", {"a": {"b": 1}}, ["x"], 3])
def test_the_info_of_a_clinic_keeps_its_shape(up, http, info):
    http.get(CLINIC, json={"id": "g-1", "info": info})
    assert up.clinics.get("g-1").info == info


def test_an_object_of_another_organization_is_not_found(config, tokens, http):
    http.get(CLINIC, json={"id": "g-1", "organizationId": "o-2"})
    http.get(f"{API}/v1/bizOrganizationAdmins/a-1", json={"id": "a-1", "organizationId": "o-2"})
    http.get(f"{API}/v1/bizOrganizations/o-2", json={"id": "o-2"})
    up = Upstream(Transport(config), tokens=tokens, organization_id="o-1")
    for read in (
        lambda: up.clinics.get("g-1"),
        lambda: up.admins.get("a-1"),
        lambda: up.organizations.get("o-2"),
    ):
        with pytest.raises(errors.NotFound):
            read()


@pytest.mark.parametrize("id", ["", ".", "..", " "])
def test_an_id_that_no_path_can_hold_is_not_found_and_nothing_is_sent(up, http, id):
    with pytest.raises(errors.NotFound):
        up.clinics.get(id)
    assert len(http.calls) == 0


def test_an_id_stays_within_its_path_segment(up, http):
    http.get(f"{API}/v1/bizMainGroups/..%2FbizUsers%3Fa%23%25", json={"id": "g-1"})
    up.clinics.get("../bizUsers?a#%")
    assert "/v1/bizMainGroups/..%2F" in http.calls[0].request.url


def test_a_service_without_team_types_has_the_default_one(up, http):
    url = f"{API}/v1/bizSubGroups/teamTypes"
    http.get(url, json={"resultCount": 1, "results": [{"code": "NIGHT", "name": "Night"}]})
    http.get(url, status=404)
    http.get(url, status=501)
    assert [tuple(t.code for t in up.teams.types()) for _ in range(3)] == [("NIGHT",), ("GENERAL",), ("GENERAL",)]


def test_a_list_is_requested_in_the_services_spelling_and_returned_in_ours(up, http):
    params = ListParams(
        page=2,
        size=50,
        sort="last_login_date",
        order="desc",
        search_field="team",
        keyword="Süd&West",
        filters={"team": ("t-1", "t-2"), "status": ("ACTIVE",)},
    )
    user = {"id": "u-1", "status": "INVITED", "userType": "DOCTOR", "subGroupName": "Team 1", "mainGroupName": "Clinic"}
    facets = {"subGroupId": {"t-1": 3}, "status": {"ACTIVE": 1}}
    http.get(f"{API}/v1/bizUsers", json={"resultCount": 51, "page": 2, "results": [user], "facets": facets})
    result = up.users.list(params, clinic_id="g-1")
    assert http.calls[0].request.params == {
        "mainGroupId": "g-1",
        "page": "2",
        "size": "50",
        "sort": "lastLoginDate",
        "order": "desc",
        "searchField": "team",
        "keyword": "Süd&West",
        "subGroupId": ["t-1", "t-2"],
        "status": "ACTIVE",
    }
    assert result.facets == {"team": {"t-1": 3}, "status": {"ACTIVE": 1}}
    (first,) = result.results
    assert (first.clinic_name, first.team_name, first.is_invited) == ("Clinic", "Team 1", True)


@pytest.mark.parametrize("params", [ListParams(sort="x"), ListParams(filters={"x": ("1",)})])
def test_a_name_that_a_list_does_not_have_is_a_mistake_of_the_caller(up, params):
    with pytest.raises(ValueError, match="has no 'x'"):
        up.teams.list(params, clinic_id="g-1")


def test_permissions_are_read_and_changed_by_our_names(up, http):
    sent = {
        "owner": {"type": "USER", "id": 1},
        "permissions": {"allowExport": {"value": False, "source": "MAIN_GROUP"}, "allowNewThing": {"value": True}},
        "orderLabs": [{"labId": "l-1", "status": "ACCEPTED", "allowed": True}],
        "version": 2,
    }
    http.get(f"{API}/v1/bizUsers/u-1/permissions", json=sent)
    http.put(f"{API}/v1/bizUsers/u-1/permissions", json={"version": 3})
    result = up.permissions.get_for_user("u-1")
    assert set(result.permissions) == {"allow_export", "allow_new_thing"}
    assert result.permissions["allow_export"].follows_clinic
    assert (result.owner.id, result.order_labs[0].lab_id) == ("1", "l-1")
    assert up.permissions.change_user("u-1", changes={"allow_case_talk": None}, version=2) == 3
    put = http.calls[1].request
    assert json.loads(put.body) == {"permissions": {"allowCaseTalk": None}}
    assert put.headers["If-Match"] == '"2"'
    labs = {"l-1": False, "l-2": True}
    up.permissions.change_user("u-1", changes={}, order_labs=labs, version=3)
    chosen = [{"labId": "l-1", "allowed": False}, {"labId": "l-2", "allowed": True}]
    assert json.loads(http.calls[2].request.body) == {"permissions": {}, "orderLabs": chosen}
    with pytest.raises(ValueError, match="allow_flying"):
        up.permissions.change_user("u-1", changes={"allow_flying": True}, version=2)


@pytest.mark.req("CA-31", "CA-32", "EN-33", "EN-34", "EN-35")
@pytest.mark.parametrize(
    "urls",
    [
        {"1": "https://m.dental.example", "2": API, "99": "https://new.dental.example"},
        [
            {"kind": 1, "url": "https://m.dental.example"},
            {"kind": "2", "url": API},
            {"kind": 99, "url": "https://new.dental.example"},
        ],
    ],
)
def test_the_region_lookup_accepts_both_shapes_and_keeps_unknown_kinds(up, http, urls):
    http.post(f"{HANDLER}/v1/accounts/search", json={"serviceDomainId": 4, "domainUrls": urls})
    region = up.regions.lookup("a@b.example")
    assert (region.service_domain_id, region.api_url) == (4, API)
    assert region.domain_urls["99"] == "https://new.dental.example"
    assert json.loads(http.calls[0].request.body) == {"email": "a@b.example", "type": 1, "env": "dev"}


@pytest.mark.parametrize(("status", "body"), [(404, '{"code":10004}'), (200, "{}"), (204, ""), (200, "")])
def test_a_region_lookup_without_a_result_is_not_found(up, http, status, body):
    http.post(f"{HANDLER}/v1/accounts/search", body=body, status=status)
    with pytest.raises(errors.NotFound):
        up.regions.lookup("a@b.example")


@pytest.mark.req("EN-08", "EN-09", "EN-10", "EN-11", "EN-21", "CA-26", "CA-27", "CA-28", "CA-39")
def test_tokens_of_any_length_are_read_and_never_shown(up, http):
    long = "secret" * 1000
    detail = {"type": 1, "organizationId": "o-1", "new": {"kept": True}}
    http.post(LOGIN, json={"accessToken": long, "refreshToken": long, "adminDetail": detail, "adminId": 5})
    info = up.oauth.refresh("secret", api_url=API, service_id=7)
    assert (info.access_token, info.refresh_token, info.admin_id) == (long, long, "5")
    assert info.admin_detail == detail
    assert "secret" not in f"{info!r} {info}"
    assert json.loads(http.calls[0].request.body) == {"grantType": "refresh_token", "refreshToken": "secret"}


@pytest.mark.req("CA-29")
@pytest.mark.parametrize("body", ["", "{}", '{"valid": true, "expiresDate": null}'])
def test_any_success_of_the_check_means_that_the_token_is_valid(up, http, body):
    http.get(f"{API}/v2/oauth/checkToken", body=body)
    assert up.oauth.check_token("a-1").valid
    assert http.calls[0].request.params == {"adminId": "a-1"}


def test_the_summary_and_the_notice_are_read(up, http):
    http.get(f"{API}/v1/bizDashboards/summary", json={"mainGroupCount": 3, "scannerCounts": {"PENDING": 2}})
    notice = {"active": False, "planned": {"active": True, "startDate": "2026-11-22T00:00:00Z"}}
    http.get(f"{HANDLER}/v1/maintenance", json=notice)
    assert up.dashboards.summary("o-1").scanner_counts == {"PENDING": 2}
    planned = up.maintenance.notice().planned
    assert planned.start_date.day == 22


def test_a_call_that_the_fake_does_not_know_is_unreachable(up, http):
    with pytest.raises(errors.Unreachable):
        up.clinics.get("g-1")
