"""Bulk calls: the outcome of each row, whether or not the service has a bulk call."""

import json

import pytest

from upstream import errors
from upstream.bulk import RowOutcome
from upstream.client import Upstream
from upstream.config import Deadlines
from upstream.listing import PAGE_LIMIT
from upstream.resources.clinics import NewClinic
from upstream.tests.conftest import API, Tokens, ok

BULK = f"{API}/v1/bizUsers/bulkDelete"
ONE = f"{API}/v1/bizUsers/{{}}"


def delete_many(up, *ids, **more):
    return up.users.bulk_delete(ids, **more)


@pytest.mark.req("DM-02")
def test_outcomes_are_in_the_requested_order_and_name_the_objects_that_block_a_row(up, http):
    refs = [{"type": "CASE", "id": 88, "label": "Case 88"}]
    results = [
        {
            "id": 2,
            "ok": False,
            "code": 13002,
            "reasons": [{"reason": "ONGOING_ORDERED_CASE", "count": 2, "refs": refs}],
        },
        {"id": "other", "ok": True},
        {"id": "1", "ok": True, "new": 1, "reasons": None},
    ]
    http.post(BULK, json={"resultCount": 3, "okCount": 2, "results": results})
    result = delete_many(up, "1", "2", "1", "3", idempotency_key="k-1")
    assert [(row.id, row.ok, row.code, row.maybe_applied) for row in result.rows] == [
        ("1", True, None, False),
        ("2", False, 13002, False),
        ("3", False, None, True),
    ]
    (reason,) = result.rows[1].reasons
    assert (reason.reason, reason.count, reason.refs[0].id) == ("ONGOING_ORDERED_CASE", 2, "88")
    assert json.loads(http.calls[0].request.body) == {"ids": ["1", "2", "3"]}


@pytest.mark.req("SEC-54")
def test_the_same_rows_have_the_same_key_and_other_rows_or_values_another(up, http):
    """The service refuses a key that it knows with another body (code 10006)."""
    http.post(BULK, json={"results": []})
    http.post(BULK.replace("Delete", "Update"), json={"results": []})
    for ids in (["1", "2"], ["1", "2"], ["2"]):
        delete_many(up, *ids, idempotency_key="k-1")
    for user_type in ("STAFF", "DOCTOR"):
        up.users.bulk_update(["2"], user_type=user_type, idempotency_key="k-1")
    delete_many(up, "2", idempotency_key="k-2")
    for _ in range(2):
        delete_many(up, "2")
    first, repeated, *others = (call.request.headers["Idempotency-Key"] for call in http.calls)
    assert first == repeated
    assert len({first, *others}) == 7


def test_a_hundred_rows_are_one_call_more_are_an_error_and_none_need_no_call(up, http):
    http.post(BULK, json={"results": []})
    ids = [f"u-{n}" for n in range(PAGE_LIMIT)]
    assert len(delete_many(up, *ids, *ids).rows) == 100
    with pytest.raises(ValueError, match="101 rows"):
        delete_many(up, *ids, "u-100")
    with pytest.raises(ValueError, match="101 rows"):
        up.clinics.bulk_create([NewClinic(name="N", country_code="KR")] * 101, dry_run=True)
    assert delete_many(up).rows == ()
    assert len(http.calls) == 1


@pytest.mark.parametrize(
    ("status", "body"), [(404, ""), (404, "<html>no</html>"), (404, '{"code": 1}'), (405, ""), (501, "{}")]
)
def test_without_a_bulk_call_single_calls_give_the_same_outcomes(up, http, status, body):
    reasons = {"reasons": [{"reason": "PARTNER_WITH_LAB", "count": 1}]}
    http.post(BULK, body=body, status=status)
    http.delete(ONE.format("u-1"), json={})
    http.delete(ONE.format("u-2"), json={"code": 13003, "details": reasons}, status=409)
    http.delete(ONE.format("u-3"), status=404)
    http.delete(ONE.format("u-4"), status=429)
    http.delete(ONE.format("u-5"), status=500)
    http.delete(ONE.format("u-6"), status=504)
    result = delete_many(up, "u-1", "u-2", "u-3", "u-4", "u-5", "u-6")
    assert result.rows == (
        RowOutcome(ok=True, id="u-1"),
        RowOutcome(ok=False, id="u-2", code=13003, reasons=(errors.Reason("PARTNER_WITH_LAB", 1),)),
        RowOutcome(ok=False, id="u-3", code=10004),
        RowOutcome(ok=False, id="u-4", code=10008, is_verdict=False),
        RowOutcome(ok=False, id="u-5", maybe_applied=True, is_verdict=False),
        RowOutcome(ok=False, id="u-6", maybe_applied=True, is_verdict=False),
    )


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        (404, 10004, errors.NotFound),
        (413, 10007, errors.Refused),
        (409, 10006, errors.Conflict),
        (500, 10000, errors.Failed),
        (503, 18001, errors.Maintenance),
        (501, 15001, errors.ServerCode15001),
    ],
)
def test_a_bulk_call_that_exists_and_fails_is_not_replaced_by_single_calls(up, http, status, code, expected):
    http.post(BULK, json={"code": code}, status=status)
    with pytest.raises(expected):
        delete_many(up, "u-1")
    assert len(http.calls) == 1


def test_an_empty_answer_is_a_bad_one(up, http):
    http.post(BULK, json={})
    with pytest.raises(errors.BadAnswer):
        delete_many(up, "u-1")


@pytest.mark.req("ST-14")
def test_a_bulk_call_is_replayed_with_the_same_key(up, http, tokens):
    http.post(BULK, status=520)
    http.post(BULK, json={"results": [{"id": "u-1", "ok": True}]})
    assert delete_many(up, "u-1").rows == (RowOutcome(ok=True, id="u-1"),)
    first, second = (call.request for call in http.calls)
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    assert (first.body, len(tokens.renewed)) == (second.body, 1)


def test_an_id_that_no_path_can_contain_is_not_found(up, http):
    http.post(BULK, status=404)
    http.delete(ONE.format("u-1"), json={})
    assert [(row.ok, row.code) for row in delete_many(up, "..", "u-1").rows] == [(False, 10004), (True, None)]


def test_sixty_single_calls_survive_blockers_a_failure_and_an_expired_token(service, transports):
    tokens = Tokens(service.url)
    blocked = {f"u-{n}" for n in range(5)}

    def handle(sock, request):
        id = request.line.split()[1].rpartition("/")[2]
        if id == "bulkDelete":
            return ok(status=b"404 Not Found")
        if id == "u-30" and request.headers["authorization"] == "Bearer token-1":
            return ok(b'{"code": 11002}', status=b"401 Unauthorized")
        if id in blocked:
            return ok(b'{"code": 13002}', status=b"409 Conflict")
        return ok(status=b"500 No") if id == "u-59" else ok()

    service.handle = handle
    up = Upstream(transports(service.url, deadlines=Deadlines()), tokens=tokens)
    result = up.users.bulk_delete([f"u-{n}" for n in range(60)])
    assert [row.ok for row in result.rows].count(True) == 54
    assert {row.id for row in result.rows if row.code == 13002} == blocked
    assert [(row.id, row.code) for row in result.rows if not row.ok and row.id not in blocked] == [("u-59", None)]
    assert (len(tokens.renewed), len(service.requests)) == (1, 62)


def test_rows_for_which_no_time_was_left_can_be_tried_again(service, transports):
    def handle(sock, request):
        if "bulkDelete" in request.line:
            return ok(status=b"404 Not Found")
        up._ends = 0.0  # the clock is moved while the calls are under way
        service.released.wait(0.05)
        return ok()

    service.handle = handle
    up = Upstream(transports(service.url), tokens=Tokens(service.url))
    rows = up.users.bulk_delete([f"u-{n}" for n in range(20)]).rows
    done = [row for row in rows if row.ok]
    assert 1 <= len(done) <= 4
    assert all((row.code, row.maybe_applied) == (None, False) for row in rows if not row.ok)
