"""Labs and the partner list: the requests and the results of each method."""

import json

import pytest

from upstream import errors
from upstream.client import Upstream
from upstream.listing import ListParams
from upstream.tests.conftest import API

LABS = f"{API}/v1/bizLabs"
LIST = f"{API}/v1/bizPartnerLists"
FULL = {
    "id": "l-1", "name": "Crown Lab", "labType": "BOTH", "address": "1 Main Street", "zipCode": "12345",
    "countryCode": "KR", "officePhone": "+82 2 555 0100", "foundedYear": 1998,
    "businessHours": [{"day": "MON", "open": "09:00", "close": "18:00"}], "timeZone": "Asia/Seoul",
    "services": ["IMPLANTS"], "communicationLanguages": ["ko"], "servedCountries": ["KR", "US"],
    "contactEmail": "lab@labs.example", "websites": ["https://crown.labs.example"],
    "inPartnerList": True, "partneredMainGroupCount": 2, "incomingRequestCount": 1, "outgoingRequestCount": 0,
}  # fmt: skip


@pytest.fixture
def org(up: Upstream) -> Upstream:
    up.organization_id = "o-1"
    return up


@pytest.mark.req("UC-08", "EN-53")
def test_a_search_sends_every_filter_under_the_name_that_the_service_knows(org, http):
    http.get(LABS, json={"resultCount": 1, "results": [FULL], "facets": {"services": {"IMPLANTS": 1}}})
    listing = org.labs.list(
        ListParams(
            keyword="12345",
            search_field="zip_code",
            sort="founded_year",
            filters={
                "country": ("KR",),
                "service": ("IMPLANTS", "SPLINTS"),
                "lab_type": ("BOTH",),
                "language": ("ko",),
                "served_country": ("US",),
                "in_list": ("false",),
            },
        )
    )
    assert http.calls[0].request.params == {
        **{"organizationId": "o-1", "page": "1", "size": "25", "sort": "foundedYear", "order": "asc"},
        **{"searchField": "zipCode", "keyword": "12345", "countryCode": "KR", "services": ["IMPLANTS", "SPLINTS"]},
        **{"labType": "BOTH", "communicationLanguages": "ko", "servedCountries": "US", "inPartnerList": "false"},
    }
    assert listing.facets == {"service": {"IMPLANTS": 1}}
    assert (listing.results[0].partner_count, listing.results[0].incoming_count) == (2, 1)


@pytest.mark.parametrize(
    "odd",
    [
        {"businessHours": 7, "foundedYear": "old", "services": "IMPLANTS", "websites": [None, 7], "timeZone": {}},
        {"businessHours": None, "foundedYear": None, "services": None, "websites": None, "officePhone": None},
        {"businessHours": [{"day": "MON"}, 3, None], "communicationLanguages": [1, "ko"], "leftDate": "soon"},
    ],
)
def test_an_odd_field_takes_neither_the_lab_nor_the_list_away(org, http, odd):
    http.get(f"{LABS}/l-1", json=FULL | odd)
    http.get(LABS, json={"resultCount": 2, "results": [FULL | odd, FULL]})
    assert org.labs.get("l-1").name == "Crown Lab"
    assert [lab.id for lab in org.labs.list(ListParams()).results] == ["l-1", "l-1"]


def test_hours_may_be_a_text(org, http):
    http.get(f"{LABS}/l-1", json=FULL | {"businessHours": "By appointment"})
    assert org.labs.get("l-1").business_hours == "By appointment"
    assert http.calls[0].request.params == {"organizationId": "o-1"}


def test_a_lab_that_left_the_service_is_a_refusal_with_that_reason(org, http):
    http.get(f"{LABS}/l-1", json={"code": 16009}, status=409)
    with pytest.raises(errors.Conflict) as caught:
        org.labs.get("l-1")
    assert caught.value.code == errors.Code.LAB_GONE


@pytest.mark.req("UC-09")
def test_a_lab_is_added_and_removed(org, http):
    http.post(LIST, json={})
    http.delete(f"{LIST}/l%2F1", status=204)
    org.partner_lists.add("l/1", idempotency_key="k-1")
    org.partner_lists.remove("l/1")
    post, delete = (call.request for call in http.calls)
    assert json.loads(post.body) == {"organizationId": "o-1", "labId": "l/1"}
    assert post.headers["Idempotency-Key"] == "k-1"
    assert delete.params == {"organizationId": "o-1"}


@pytest.mark.req("UC-09")
def test_many_are_added_in_one_call_or_one_by_one_where_there_is_none(org, http):
    rows = [{"id": "l-1", "ok": True}, {"id": "l-2", "ok": False, "code": 16001}]
    http.post(f"{LIST}/bulkAdd", json={"resultCount": 2, "okCount": 1, "results": rows})
    result = org.partner_lists.bulk_add(["l-1", "l-2"])
    assert [(row.id, row.ok, row.code) for row in result.rows] == [("l-1", True, None), ("l-2", False, 16001)]
    assert json.loads(http.calls[0].request.body) == {"organizationId": "o-1", "labIds": ["l-1", "l-2"]}

    http.post(f"{LIST}/bulkRemove", status=404)
    http.delete(f"{LIST}/l-1", json={})
    http.delete(f"{LIST}/l-2", json={"code": 16003, "details": {"reasons": [{"reason": "ACCEPTED"}]}}, status=409)
    result = org.partner_lists.bulk_remove(["l-1", "l-2"])
    assert [(row.ok, row.code) for row in result.rows] == [(True, None), (False, 16003)]
    assert result.rows[1].reasons[0].reason == "ACCEPTED"


def test_the_list_has_labs_and_who_may_order_if_the_service_reports_it(org, http):
    rows = [
        {"lab": FULL, "addedDate": "2026-01-02T03:04:05Z", "orderAllowedMainGroupCount": 0},
        {"lab": {"id": "l-2", "name": "Gone", "leftDate": "2026-01-02T03:04:05Z"}},
        {"lab": None},
    ]
    http.get(LIST, json={"resultCount": 3, "results": rows})
    listing = org.partner_lists.list(ListParams(filters={"state": ("IN_LIST",), "service": ("IMPLANTS",)})).results
    assert [(row.id, row.ordering_clinic_count, row.lab.is_gone) for row in listing] == [
        ("l-1", 0, False),
        ("l-2", None, True),
        ("", None, False),
    ]
    assert http.calls[0].request.params["state"] == "IN_LIST"
