"""Clinics: the requests and the results of each method."""

import json

import pytest

from upstream import errors
from upstream.bulk import RowOutcome, RowUpdate
from upstream.client import Upstream
from upstream.resources.clinics import NewClinic
from upstream.tests.conftest import API
from upstream.transport import Transport

ALL = f"{API}/v1/bizMainGroups"
ONE = f"{ALL}/g-1"


def sent(http, number=-1):
    return json.loads(http.calls[number].request.body)


def headers(http, number=-1):
    return http.calls[number].request.headers


NEW = NewClinic(name="N", country_code="KR")


@pytest.mark.parametrize(("count", "in_use"), [(0, False), (1, True)])
def test_a_name_is_looked_up_in_the_organization_ignoring_one_clinic(up, http, count, in_use):
    http.get(f"{ALL}/exist", json={"resultCount": count})
    assert up.clinics.exists("Süd & West", organization_id="o-1", except_id="g-1") is in_use
    assert http.calls[0].request.params == {"organizationId": "o-1", "name": "Süd & West", "exceptId": "g-1"}
    up.clinics.exists("Süd", organization_id="o-1")
    assert http.calls[1].request.params == {"organizationId": "o-1", "name": "Süd"}


@pytest.mark.req("UC-04", "EN-36", "EN-37", "EN-38")
def test_a_clinic_is_created_with_the_values_that_are_known(up, http):
    http.post(ALL, json={"id": 17})
    item = NewClinic(name="North", country_code="KR", info={"a": [1]}, dentist_count=0)
    made = up.clinics.create(item, organization_id="o-1", idempotency_key="k-1")
    assert made == "17"
    assert sent(http) == {
        "organizationId": "o-1",
        "name": "North",
        "countryCode": "KR",
        "info": {"a": [1]},
        "dentistCount": 0,
    }
    assert headers(http)["Idempotency-Key"] == "k-1"


@pytest.mark.req("ST-14")
def test_a_creation_is_replayed_with_the_key_of_the_form(up, http, tokens):
    http.post(ALL, status=520)
    http.post(ALL, json={"id": "g-9"})
    assert up.clinics.create(NEW, organization_id="o-1", idempotency_key="k-1") == "g-9"
    assert [headers(http, n)["Idempotency-Key"] for n in range(2)] == ["k-1", "k-1"]


def test_a_creation_without_an_id_in_the_answer_succeeds(up, http):
    http.post(ALL, status=204)
    assert up.clinics.create(NEW, organization_id="o-1") == ""


@pytest.mark.parametrize(("body", "version"), [('{"version": 5}', 5), ("{}", None), ("", None)])
def test_only_changed_fields_are_sent_with_the_version_that_was_read(up, http, body, version):
    http.put(ONE, body=body)
    assert up.clinics.update("g-1", version=4, name="South", info=None) == version
    assert sent(http) == {"name": "South", "info": None}
    assert headers(http)["If-Match"] == '"4"'


@pytest.mark.parametrize("info", ["text", {"unknown": {"kept": [1, None]}}, ["x"]])
def test_the_info_that_was_read_is_written_back_unchanged(up, http, info):
    http.get(ONE, json={"id": "g-1", "info": info, "version": None})
    http.put(ONE, json={})
    clinic = up.clinics.get("g-1")
    up.clinics.update("g-1", version=clinic.version, info=clinic.info)
    assert sent(http) == {"info": info}
    assert "If-Match" not in headers(http)


def test_the_server_location_cannot_be_changed(up):
    with pytest.raises(ValueError, match="server_location"):
        up.clinics.update("g-1", version=4, **{"server_location": "EU"})


def test_a_concurrent_change_is_a_conflict(up, http):
    http.put(ONE, json={"code": 10005}, status=412)
    with pytest.raises(errors.Conflict) as caught:
        up.clinics.update("g-1", version=4, name="South")
    assert caught.value.code == errors.Code.CHANGED_MEANWHILE


@pytest.mark.req("VA-29", "ER-24")
def test_a_clinic_is_deleted_or_the_error_has_the_reasons(up, http):
    http.delete(ONE, json={})
    details = {"reasons": [{"reason": "CLINIC_HAS_PARTNER", "count": 2}]}
    http.delete(ONE, json={"code": 13001, "details": details}, status=409)
    up.clinics.delete("g-1", version=4)
    assert headers(http)["If-Match"] == '"4"'
    with pytest.raises(errors.Conflict) as caught:
        up.clinics.delete("g-1")
    assert [(r.reason, r.count) for r in caught.value.reasons] == [("CLINIC_HAS_PARTNER", 2)]
    assert "If-Match" not in headers(http)


def test_many_clinics_get_permissions_in_one_call(up, http):
    http.post(f"{ALL}/bulkPermissions", json={"results": [{"id": "g-1", "ok": True}]})
    result = up.clinics.bulk_permissions(["g-1"], changes={"allow_export": False})
    assert [row.ok for row in result.rows].count(True) == 1
    assert sent(http) == {"ids": ["g-1"], "permissions": {"allowExport": False}}


def test_many_clinics_get_permissions_one_by_one_without_a_bulk_call(up, http):
    http.post(f"{ALL}/bulkPermissions", status=501)
    http.put(f"{ONE}/permissions", json={"version": 2})
    assert up.clinics.bulk_permissions(["g-1"], changes={"allow_export": False}).rows == (
        RowOutcome(ok=True, id="g-1"),
    )
    assert sent(http) == {"permissions": {"allowExport": False}}


ITEMS = (NewClinic(name="North", country_code="KR", dentist_count=0), NewClinic(name="South", country_code="XX"))


def test_clinics_are_created_in_one_call_and_identified_by_index(up, http):
    results = [{"index": 1, "ok": False, "code": 10002, "field": "countryCode"}, {"index": 0, "ok": True, "id": "g-9"}]
    http.post(f"{ALL}/bulkCreate", json={"resultCount": 2, "okCount": 1, "results": results})
    result = up.clinics.bulk_create(ITEMS, dry_run=False)
    assert result.rows == (
        RowOutcome(ok=True, index=0, id="g-9"),
        RowOutcome(ok=False, index=1, code=10002, field="country_code"),
    )
    items = [{"name": "North", "countryCode": "KR", "dentistCount": 0}, {"name": "South", "countryCode": "XX"}]
    assert sent(http) == {"dryRun": False, "items": items}


@pytest.fixture
def org(config, tokens):
    transport = Transport(config)
    yield Upstream(transport, tokens=tokens, organization_id="o-1")
    transport.close()


def test_clinics_are_created_one_by_one_with_keys_that_resending_the_form_repeats(org, http):
    http.post(f"{ALL}/bulkCreate", status=404)
    refusal = {"code": 13007, "details": {"fields": [{"field": "name", "code": 13007}]}}

    def create(request):
        in_use = json.loads(request.body)["name"] == "South"
        return (409, {}, json.dumps(refusal)) if in_use else (200, {}, '{"id": "g-9"}')

    http.add_callback("POST", ALL, create)
    for _ in range(2):
        assert org.clinics.bulk_create(ITEMS, dry_run=False, idempotency_key="k-1").rows == (
            RowOutcome(ok=True, index=0, id="g-9"),
            RowOutcome(ok=False, index=1, code=13007, field="name"),
        )
    singles = [call.request for call in http.calls if call.request.url == ALL]
    assert {json.loads(one.body)["organizationId"] for one in singles} == {"o-1"}
    keys = [one.headers["Idempotency-Key"] for one in singles]
    assert (len(keys), len(set(keys))) == (4, 2)


def test_a_dry_run_without_a_bulk_call_looks_up_the_names_and_creates_nothing(org, http):
    http.post(f"{ALL}/bulkCreate", status=405)
    answers: dict[str, tuple[int, dict[str, str], str]] = {
        "North": (200, {}, '{"resultCount": 0}'),
        "South": (200, {}, '{"resultCount": 1}'),
    }
    http.add_callback("GET", f"{ALL}/exist", lambda request: answers.get(request.params["name"], (504, {}, "")))
    items = [*ITEMS, NewClinic(name="West", country_code="KR")]
    assert org.clinics.bulk_create(items, dry_run=True).rows == (
        RowOutcome(ok=True, index=0),
        RowOutcome(ok=False, index=1, code=13007, field="name"),
        RowOutcome(ok=False, index=2, is_verdict=False),
    )
    assert {call.request.method for call in http.calls[1:]} == {"GET"}


@pytest.mark.req("DM-14")
def test_clinics_are_found_by_name_and_updated_one_by_one(org, http):
    known = [
        {"id": "g-1", "name": "Nórth"},
        {"id": "g-2", "name": "North 2"},
        {"id": 3, "name": "W"},
        {"id": 4, "name": "w"},
    ]
    answers: tuple[int, dict[str, str], str] = (200, {}, json.dumps({"resultCount": 4, "results": known}))
    http.add_callback("GET", ALL, lambda request: (502, {}, "") if request.params["keyword"] == "Lost" else answers)
    clinics = org.clinics.find_by_names(["north ", "South", "W", "Lost"])
    assert [clinic and clinic.id for clinic in clinics] == ["g-1", None, None, None]
    http.put(ONE, json={})
    assert org.clinics.update_each([RowUpdate("g-1", 2, {"country_code": "DE"})]).rows == (
        RowOutcome(ok=True, id="g-1"),
    )
    assert sent(http) == {"countryCode": "DE"}
    assert headers(http)["If-Match"] == '"2"'
