"""The search for labs: queries, cards, and suggestions if nothing matches."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest

from partners.labels import LAB_TYPES, SERVICES
from tests.support import factories
from tests.support.factories import lab
from tests.support.page import Page
from tests.support.reading import one_line

SEARCH = "/partner-manage/search"
CALL = "/v1/bizLabs"
CATALOG = [
    "GENERAL_DENTISTRY", "PREVENTIVE_DENTISTRY", "PROSTHODONTICS", "ORTHODONTICS", "IMPLANTS", "PEDIATRIC",
    "FULL_SERVICES", "HIGH_END_ESTHETICS", "CROWN_AND_BRIDGE", "FULL_DENTURES_PARTIAL_DENTURES", "CLEAR_ALIGNERS",
    "INDIRECT_BONDING_TRAYS", "ORTHODONTIC_APPLIANCE", "RETAINERS", "SPLINTS", "SURGICAL_GUIDES", "SLEEP_DEVICES",
    "STUDY_MODELS", "INDIVIDUAL_TRAYS", "BLEACHING_TRAYS",
]  # fmt: skip
"""The services of the specification."""
JSON = {"Accept": "application/json"}


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.answers("GET", CALL, factories.listing([lab()]))
    return admin_client


def faceted(results, **facets):
    return {**factories.listing(results), "facets": facets}


@pytest.mark.req("UC-08", "RT-19", "EN-53", "EN-54", "EN-55", "EN-57")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_labs_are_listed_with_services_and_address(administrator, visit, lng):
    html = visit(SEARCH, lng=lng).response.content.decode()
    for part in ("Lab 1", "1 Main Street, 12345, ", ">1998<", 'href="lab/l-1"'):
        assert part in html
    if lng == "en-US":
        for part in ("South Korea", "Clear aligners", "Korean", "English", "Prosthodontists and orthodontists"):
            assert part in html
    else:
        assert "كوريا الجنوبية" in html
        assert "الكورية" in html


@pytest.mark.req("AX-02")
def test_a_link_leads_past_the_filters_to_the_results(administrator, upstream):
    page = Page.from_response(administrator.get(SEARCH))
    assert page.links["Skip to the results"] == "#results"
    assert "Lab 1" in page.one("#results[tabindex='-1']").text()


@pytest.mark.req("UC-08", "LS-01")
def test_cards_are_sorted_by_a_select_that_leaves_the_default_out_of_the_address(administrator, upstream):
    page = Page.from_response(administrator.get(SEARCH + "?sort=-founded_year"))
    assert (upstream.query(CALL)["sort"], upstream.query(CALL)["order"]) == (["foundedYear"], ["desc"])
    form = page.form(".list-search")
    assert form.options("sort") == {
        "": "Name, ascending",
        "-name": "Name, descending",
        "founded_year": "Founded, ascending",
        "-founded_year": "Founded, descending",
    }
    assert (form.values["sort"], "order" in form.values) == ("-founded_year", False)
    assert not page.all("thead a")


@pytest.mark.req("UC-08", "LS-01", "EN-64", "EN-65", "EN-66")
def test_every_parameter_of_the_search_is_sent_to_the_service(administrator, upstream):
    query = (
        "?keyword=seoul&searchField=address&country=KR&service=IMPLANTS&service=SPLINTS&lab_type=BOTH&language=ko"
        "&served_country=US&in_list=false&sort=founded_year&order=desc&size=10&page=2"
    )
    upstream.answers("GET", CALL, factories.listing([lab(n) for n in range(10)], total=40, page=2, size=10))
    html = administrator.get(SEARCH + query).content.decode()
    assert upstream.query(CALL) == {
        **{"organizationId": ["o-1"], "keyword": ["seoul"], "searchField": ["address"], "countryCode": ["KR"]},
        **{"services": ["IMPLANTS", "SPLINTS"], "labType": ["BOTH"], "communicationLanguages": ["ko"]},
        **{"servedCountries": ["US"], "inPartnerList": ["false"], "sort": ["foundedYear"], "order": ["desc"]},
        **{"size": ["10"], "page": ["2"]},
    }
    assert 'name="language" value="ko" checked' in html
    assert 'name="service" value="SPLINTS" checked' in html


@pytest.mark.req("LS-03", "UC-08")
@pytest.mark.parametrize("query", ["sort=distance", "page=0", "size=7"])
def test_invalid_parameters_are_omitted(administrator, upstream, query):
    assert administrator.get(f"{SEARCH}?{query}").status_code == 200
    assert upstream.query(CALL) == {
        "organizationId": ["o-1"], "sort": ["name"], "order": ["asc"], "size": ["25"], "page": ["1"]
    }  # fmt: skip


@pytest.mark.req(
    "EN-81",
    "EN-82",
    "EN-83",
    "EN-84",
    "EN-85",
    "EN-86",
    "EN-87",
    "EN-88",
    "EN-89",
    "EN-90",
    "EN-91",
    "EN-92",
    "EN-93",
    "EN-94",
    "EN-95",
    "EN-96",
    "EN-97",
    "EN-98",
    "EN-99",
    "EN-100",
)
def test_the_catalog_has_exactly_twenty_services_and_each_has_a_name_of_its_own():
    assert list(SERVICES) == CATALOG
    assert len(CATALOG) == 20
    names = {str(label) for label in SERVICES.values()}
    assert len(names) == 20
    assert not names & set(CATALOG)


@pytest.mark.req("EN-64", "EN-65", "EN-66")
def test_there_are_three_lab_types_and_each_has_a_name():
    assert {code: str(label) for code, label in LAB_TYPES.items()} == {
        "PROSTHODONTIST": "Prosthodontists",
        "ORTHODONTIST": "Orthodontists",
        "BOTH": "Prosthodontists and orthodontists",
    }


@pytest.mark.req("EN-59")
def test_unknown_codes_are_shown_and_offered_unchanged(administrator, upstream):
    odd = lab(services=["LASER"], labType="DENTURIST", communicationLanguages=["tlh-XX"], countryCode="QQ")
    upstream.answers("GET", CALL, faceted([odd], services={"LASER": 1}, labType={"DENTURIST": 1}))
    html = administrator.get(SEARCH).content.decode()
    for part in ("LASER", "DENTURIST", "QQ"):
        assert part in html
    assert 'name="service" value="LASER"' in html


@pytest.mark.req("UC-08")
def test_no_choice_is_empty_whatever_the_service_counts(administrator, upstream):
    counts = {"": 4, " ": 2, "\u200b": 1}
    facets = dict.fromkeys(("services", "labType", "countryCode", "communicationLanguages"), counts)
    upstream.answers("GET", CALL, faceted([lab(countryCode="")], **facets))
    html = administrator.get(SEARCH).content.decode()
    assert 'name="service" value="IMPLANTS"' in html
    assert not re.search(r'type=checkbox name="\w+" value="[\s\u200b]*"', html)


@pytest.mark.req("UC-08", "EN-60", "EN-61")
def test_the_choices_are_those_the_service_counts_with_their_numbers(administrator, upstream):
    counts = {"countryCode": {"KR": 7, "DE": 3}, "services": {"IMPLANTS": 4}, "communicationLanguages": {"ko": 5}}
    upstream.answers("GET", CALL, faceted([lab()], **counts))
    html = one_line(administrator.get(SEARCH).content.decode())
    offered = '<input type=checkbox name="{}" value="{}"><span>{} <small>{}</small></span>'
    assert offered.format("country", "DE", "Germany", 3) in html
    assert offered.format("country", "KR", "South Korea", 7) in html
    assert offered.format("language", "ko", "Korean", 5) in html
    assert offered.format("service", "IMPLANTS", "Implants", 4) in html
    assert offered.format("service", "SPLINTS", "Splints", 0) in html
    assert 'name="country" value="FR"' not in html


@pytest.mark.req("UC-08")
def test_without_counts_no_number_is_shown_and_choices_are_searched_by_name(administrator, upstream):
    html = one_line(administrator.get(SEARCH).content.decode())
    assert "<small>" not in html
    assert 'name="find_country"' in html
    assert 'name="country" value="KR"><span>South Korea</span>' in html, "what the labs of this page have"
    assert 'value="FR"' not in html
    response = administrator.get(SEARCH + "?find_country=fran&find_language=aleman&country=DE")
    html = one_line(response.content.decode())
    assert 'name="country" value="FR"><span>France</span>' in html
    assert 'name="country" value="DE" checked><span>Germany</span>' in html
    assert "find_country" not in upstream.calls("GET", CALL)[-1].url


STATES = [
    ({}, "", ["/add"]),
    ({"inPartnerList": True}, "On my list", ["/request", "/remove"]),
    ({"inPartnerList": True, "outgoingRequestCount": 1}, "Request sent", ["#clinics", "/cancel"]),
    ({"inPartnerList": True, "outgoingRequestCount": 2}, "Request sent", ["#clinics", "/cancel"]),
    ({"inPartnerList": True, "partneredMainGroupCount": 1}, "Partner", ["#clinics"]),
    (
        {"inPartnerList": True, "partneredMainGroupCount": 1, "incomingRequestCount": 1},
        "Request received",
        ["#clinics"],
    ),
    ({"incomingRequestCount": 1}, "Request received", ["#clinics"]),
]


@pytest.mark.req("UC-08", "UC-09")
@pytest.mark.parametrize(("values", "state", "actions"), STATES)
def test_each_state_has_its_label_and_action_in_page_and_json(administrator, upstream, values, state, actions):
    upstream.answers("GET", CALL, factories.listing([lab(**values)]))
    html = administrator.get(SEARCH).content.decode()
    view = json.loads(administrator.get(SEARCH, headers=JSON).content)["item"]["list"]
    (row,) = view["rows"]
    assert row["cells"][1]["text"] == state
    assert [view["actions"][index]["path"] for index in row["actions"]] == actions
    cell = html.rpartition('<td class="row-actions"')[2]
    assert [part.split('"')[0] for part in cell.split("lab/l-1")[1:]] == actions


@pytest.mark.req("UC-08")
def test_if_nothing_matches_the_filters_to_remove_are_suggested_with_their_results(administrator, upstream):
    facets = {"countryCode": {"KR": 4, "DE": 3}, "services": {"SPLINTS": 2, "IMPLANTS": 1}, "labType": {}}
    upstream.answers("GET", CALL, faceted([], **facets))
    html = administrator.get(SEARCH + "?country=FR&service=RETAINERS&lab_type=BOTH").content.decode()
    assert "No matches." in html
    assert f'href="{SEARCH}?service=RETAINERS&amp;lab_type=BOTH">Remove the “Country” filter (7 labs)</a>' in html
    assert f'href="{SEARCH}?lab_type=BOTH&amp;country=FR">Remove the “Services” filter (at least 2 labs)</a>' in html
    assert "Remove the “Lab type” filter" not in html, "it would lead to nothing"


@pytest.mark.req("UC-08")
def test_without_counts_each_filter_can_be_removed_if_nothing_matches(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([]))
    html = administrator.get(SEARCH + "?country=FR&language=ko&keyword=x").content.decode()
    assert ">Remove the “Country” filter</a>" in html
    assert ">Remove the “Languages spoken” filter</a>" in html


ODD = {
    "name": "<script>alert(1)</script>" + "x" * 400, "labType": None, "address": None, "zipCode": 7, "countryCode": [],
    "foundedYear": -3, "businessHours": {"a": 1}, "services": "IMPLANTS", "communicationLanguages": [None, "../x"],
    "servedCountries": None, "websites": "https://x.example", "partneredMainGroupCount": -1, "inPartnerList": "yes",
}  # fmt: skip


@pytest.mark.req("UC-08")
@pytest.mark.parametrize("id", ["l-1", "a/b", "..", "", "x" * 400])
def test_an_odd_lab_breaks_neither_the_page_nor_the_other_labs(administrator, upstream, visit, id):
    upstream.answers("GET", CALL, factories.listing([{**lab(), **ODD, "id": id}, lab(2)]))
    html = visit(SEARCH).response.content.decode()
    assert "Lab 2" in html
    assert "<script>alert" not in html
    assert administrator.get(SEARCH, headers=JSON).status_code == 200


@pytest.mark.req("UC-08")
def test_twenty_thousand_labs_cost_the_same_as_a_hundred(administrator, upstream, django_assert_max_num_queries):
    weights: dict[str, list[Any]] = {}
    for total in (100, 20_000):
        facets = {
            "countryCode": dict.fromkeys(("KR", "DE"), total),
            "services": dict.fromkeys(CATALOG, total),
        }
        upstream.answers("GET", CALL, {**faceted([lab(n) for n in range(25)], **facets), "resultCount": total})
        for query in ("", "?keyword=lab", "?country=KR&service=IMPLANTS"):
            before = len(upstream.calls())
            with django_assert_max_num_queries(3) as queries:
                page = administrator.get(SEARCH + query)
            calls = [(call.method, urlsplit(call.url).path) for call in upstream.calls()[before:]]
            weights.setdefault(query, []).append((calls, len(queries), len(page.content)))
    for (calls, sql, few), (same_calls, same_sql, many) in weights.values():
        paths = ["/v1/bizDashboards/summary", CALL, "/v1/bizPartnerships"]
        assert sorted(calls) == sorted(same_calls) == [("GET", path) for path in paths]
        assert sql == same_sql
        assert many - few < 600, "the numbers have more digits, and the pager has more pages"
