"""Clinics: what is sent for each verb, and what the caller gets."""

import json

import pytest

from console.upstream import errors
from console.upstream.bulk import BulkRow, Change
from console.upstream.client import Upstream
from console.upstream.clinics import NewClinic
from console.upstream.tests.conftest import API
from console.upstream.transport import Transport

ALL = f"{API}/v1/bizMainGroups"
ONE = f"{ALL}/g-1"


def sent(line, number=-1):
    return json.loads(line.calls[number].request.body)


def headers(line, number=-1):
    return line.calls[number].request.headers


@pytest.mark.parametrize(("count", "taken"), [(0, False), (1, True)])
def test_a_name_is_looked_for_in_the_organization_except_at_one_clinic(up, line, count, taken):
    line.get(f"{ALL}/exist", json={"resultCount": count})
    assert up.clinics.exists("Süd & West", organization_id="o-1", except_id="g-1") is taken
    assert line.calls[0].request.params == {"organizationId": "o-1", "name": "Süd & West", "exceptId": "g-1"}
    up.clinics.exists("Süd", organization_id="o-1")
    assert line.calls[1].request.params == {"organizationId": "o-1", "name": "Süd"}


@pytest.mark.req("UC-04", "EN-36", "EN-37", "EN-38")
def test_a_clinic_is_created_with_what_is_known_of_it(up, line):
    line.post(ALL, json={"id": 17})
    made = up.clinics.create(
        organization_id="o-1", name="North", country_code="KR", info={"a": [1]}, dentist_count=0, idempotency_key="k-1"
    )
    assert made == "17"
    assert sent(line) == {
        "organizationId": "o-1",
        "name": "North",
        "countryCode": "KR",
        "info": {"a": [1]},
        "dentistCount": 0,
    }
    assert headers(line)["Idempotency-Key"] == "k-1"


@pytest.mark.req("ST-14")
def test_a_creation_is_replayed_with_the_key_of_the_form(up, line, tokens):
    line.post(ALL, status=520)
    line.post(ALL, json={"id": "g-9"})
    assert up.clinics.create(organization_id="o-1", name="N", country_code="KR", idempotency_key="k-1") == "g-9"
    assert [headers(line, n)["Idempotency-Key"] for n in range(2)] == ["k-1", "k-1"]


def test_a_creation_whose_id_is_not_told_is_done(up, line):
    line.post(ALL, status=204)
    assert up.clinics.create(organization_id="o-1", name="N", country_code="KR") == ""


@pytest.mark.parametrize(("body", "version"), [('{"version": 5}', 5), ("{}", None), ("", None)])
def test_only_changed_fields_are_sent_with_the_version_that_they_were_read_at(up, line, body, version):
    line.put(ONE, body=body)
    assert up.clinics.update("g-1", version=4, name="South", info=None) == version
    assert sent(line) == {"name": "South", "info": None}
    assert headers(line)["If-Match"] == '"4"'


@pytest.mark.parametrize("info", ["text", {"unknown": {"kept": [1, None]}}, ["x"]])
def test_the_info_that_was_read_is_written_back_unchanged(up, line, info):
    line.get(ONE, json={"id": "g-1", "info": info, "version": None})
    line.put(ONE, json={})
    clinic = up.clinics.get("g-1")
    up.clinics.update("g-1", version=clinic.version, info=clinic.info)
    assert sent(line) == {"info": info}
    assert "If-Match" not in headers(line)


def test_the_server_location_cannot_be_changed(up):
    with pytest.raises(TypeError, match="server_location"):
        up.clinics.update("g-1", version=4, **{"server_location": "EU"})


def test_a_change_that_somebody_else_was_quicker_with_is_a_conflict(up, line):
    line.put(ONE, json={"code": 10005}, status=412)
    with pytest.raises(errors.Conflict) as caught:
        up.clinics.update("g-1", version=4, name="South")
    assert caught.value.code == errors.Code.CHANGED_MEANWHILE


@pytest.mark.req("VA-29", "ER-24")
def test_a_clinic_is_deleted_or_the_reasons_are_told(up, line):
    line.delete(ONE, json={})
    details = {"reasons": [{"reason": "CLINIC_HAS_PARTNER", "count": 2}]}
    line.delete(ONE, json={"code": 13001, "details": details}, status=409)
    up.clinics.delete("g-1", version=4)
    assert headers(line)["If-Match"] == '"4"'
    with pytest.raises(errors.Conflict) as caught:
        up.clinics.delete("g-1")
    assert [(r.reason, r.count) for r in caught.value.reasons] == [("CLINIC_HAS_PARTNER", 2)]
    assert "If-Match" not in headers(line)


def test_many_clinics_get_permissions_in_one_call(up, line):
    line.post(f"{ALL}/bulkPermissions", json={"results": [{"id": "g-1", "ok": True}]})
    result = up.clinics.bulk_permissions(["g-1"], changes={"allow_export": False}, idempotency_key="k-1")
    assert result.ok_count == 1
    assert sent(line) == {"ids": ["g-1"], "permissions": {"allowExport": False}}
    assert headers(line)["Idempotency-Key"] == "k-1"


def test_many_clinics_get_permissions_one_by_one_from_a_service_without_that_call(up, line):
    line.post(f"{ALL}/bulkPermissions", status=501)
    line.put(f"{ONE}/permissions", json={"version": 2})
    assert up.clinics.bulk_permissions(["g-1"], changes={"allow_export": False}).rows == (BulkRow(ok=True, id="g-1"),)
    assert sent(line) == {"permissions": {"allowExport": False}}


ITEMS = (NewClinic(name="North", country_code="KR", dentist_count=0), NewClinic(name="South", country_code="XX"))


def test_clinics_are_made_in_one_call_and_told_by_index(up, line):
    results = [{"index": 1, "ok": False, "code": 10002, "field": "countryCode"}, {"index": 0, "ok": True, "id": "g-9"}]
    line.post(f"{ALL}/bulkCreate", json={"resultCount": 2, "okCount": 1, "results": results})
    result = up.clinics.bulk_create(ITEMS, dry_run=False)
    assert result.rows == (
        BulkRow(ok=True, index=0, id="g-9"),
        BulkRow(ok=False, index=1, code=10002, field="country_code"),
    )
    items = [{"name": "North", "countryCode": "KR", "dentistCount": 0}, {"name": "South", "countryCode": "XX"}]
    assert sent(line) == {"dryRun": False, "items": items}


@pytest.fixture
def ours(config, tokens):
    transport = Transport(config)
    yield Upstream(transport, tokens=tokens, organization_id="o-1")
    transport.close()


def test_clinics_are_made_one_by_one_with_keys_that_a_second_sending_of_the_form_repeats(ours, line):
    line.post(f"{ALL}/bulkCreate", status=404)
    refusal = {"code": 13007, "details": {"fields": [{"field": "name", "code": 13007}]}}

    def create(request):
        taken = json.loads(request.body)["name"] == "South"
        return (409, {}, json.dumps(refusal)) if taken else (200, {}, '{"id": "g-9"}')

    line.add_callback("POST", ALL, create)
    for _ in range(2):
        assert ours.clinics.bulk_create(ITEMS, dry_run=False, idempotency_key="k-1").rows == (
            BulkRow(ok=True, index=0, id="g-9"),
            BulkRow(ok=False, index=1, code=13007, field="name"),
        )
    singles = [call.request for call in line.calls if call.request.url == ALL]
    assert {json.loads(one.body)["organizationId"] for one in singles} == {"o-1"}
    keys = [one.headers["Idempotency-Key"] for one in singles]
    assert (len(keys), len(set(keys))) == (4, 2)


def test_a_dry_run_without_that_call_looks_for_the_names_and_makes_nothing(ours, line):
    line.post(f"{ALL}/bulkCreate", status=405)
    found: dict[str, tuple[int, dict[str, str], str]] = {
        "North": (200, {}, '{"resultCount": 0}'),
        "South": (200, {}, '{"resultCount": 1}'),
    }
    line.add_callback("GET", f"{ALL}/exist", lambda request: found.get(request.params["name"], (504, {}, "")))
    items = [*ITEMS, NewClinic(name="West", country_code="KR")]
    assert ours.clinics.bulk_create(items, dry_run=True).rows == (
        BulkRow(ok=True, index=0),
        BulkRow(ok=False, index=1, code=13007, field="name"),
        BulkRow(ok=False, index=2),
    )
    assert {call.request.method for call in line.calls[1:]} == {"GET"}


@pytest.mark.req("DM-14")
def test_clinics_are_found_by_name_and_changed_each(ours, line):
    known = [
        {"id": "g-1", "name": "Nórth"},
        {"id": "g-2", "name": "North 2"},
        {"id": 3, "name": "W"},
        {"id": 4, "name": "w"},
    ]
    found: tuple[int, dict[str, str], str] = (200, {}, json.dumps({"resultCount": 4, "results": known}))
    line.add_callback("GET", ALL, lambda request: (502, {}, "") if request.params["keyword"] == "Lost" else found)
    clinics = ours.clinics.named(["north ", "South", "W", "Lost"])
    assert [clinic and clinic.id for clinic in clinics] == ["g-1", None, None, None]
    line.put(ONE, json={})
    assert ours.clinics.change_each([Change("g-1", 2, {"country_code": "DE"})]).rows == (BulkRow(ok=True, id="g-1"),)
    assert sent(line) == {"countryCode": "DE"}
    assert headers(line)["If-Match"] == '"2"'
