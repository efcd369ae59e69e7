"""Searches for several words in any order, of a service that searches for one text only."""

import json
import re

import pytest

from upstream.listing import MAX_WORD_CALLS, ListParams
from upstream.nouns import plain
from upstream.tests.conftest import API

USERS = f"{API}/v1/bizUsers"
CLINICS = f"{API}/v1/bizMainGroups"
ORGANIZATION = "o-1"


def user(id, name, clinic="g-1", **more):
    return {"id": id, "name": name, "email": f"{id}@b.example", "mainGroupId": clinic, **more}


class Service:
    """Users whose names or addresses contain a keyword; `keywords` are those that were searched for."""

    def __init__(self, http):
        self.users = [
            user("u-1", "Anna Espósito", subGroupName="Night", mainGroupName="Seoul Dental"),
            user("u-2", "Anna Weber"),
            user("u-3", "Chiara Espósito"),
        ]
        self.keywords = []
        http.add_callback("GET", re.compile(re.escape(USERS)), self.answer_users)

    def has_clinics(self, http, *names):
        clinics = [{"id": f"g-{n}", "name": name} for n, name in enumerate(names, 2)]

        def answer(request):
            self.keywords.append(f"clinics: {request.params['keyword']}")
            return 200, {}, json.dumps({"resultCount": len(clinics), "results": clinics})

        http.add_callback("GET", re.compile(re.escape(CLINICS)), answer)

    def answer_users(self, request):
        params = request.params
        keyword, clinic = params.get("keyword", ""), params.get("mainGroupId")
        self.keywords.append(keyword)
        matches = [
            row
            for row in self.users
            if plain(keyword) in plain(f"{row['name']} {row['email']}") and clinic in (None, row["mainGroupId"])
        ]
        start = (int(params["page"]) - 1) * int(params["size"])
        page = matches[start : start + int(params["size"])]
        return 200, {}, json.dumps({"resultCount": len(matches), "results": page, "facets": {"status": {"ACTIVE": 3}}})


@pytest.fixture
def service(http):
    return Service(http)


def search(up, keyword, **more):
    listing = up.users.list(ListParams(keyword=keyword, **more), organization_id=ORGANIZATION)
    return [row.id for row in listing.results], listing.result_count


@pytest.mark.parametrize(
    "keyword", ["esposito anna", "ANNA  Espósito", "ann espo", "u-1@ anna", "anna\u3000esposito", "anna anna esposito"]
)
def test_a_user_has_all_words_in_any_order_whatever_their_case_and_accents(up, service, keyword):
    assert search(up, keyword) == (["u-1"], 1)
    assert len(service.keywords) == 1, "the longest word is enough"


def test_one_word_is_searched_for_as_it_is(up, service):
    assert search(up, "anna") == (["u-1", "u-2"], 2)
    assert service.keywords == ["anna"]


def test_words_may_be_in_texts_that_the_service_does_not_search(up, service):
    assert search(up, "seoul anna") == (["u-1"], 1)
    assert service.keywords == ["seoul", "anna"]


def test_a_word_that_is_nowhere_finds_nothing(up, http, service):
    service.has_clinics(http)
    assert search(up, "anna smith") == ([], 0)
    assert service.keywords[:2] == ["smith", "anna"]


def test_the_search_in_one_field_compares_that_one_only(up, service):
    assert search(up, "night anna", search_field="name") == ([], 0)


def test_pages_are_those_of_the_matches(up, service):
    service.users += [user(f"u-{n}", f"Kim Lee{n}") for n in range(10, 145)]
    assert search(up, "lee kim", size=25, page=6) == ([f"u-{n}" for n in range(135, 145)], 135)
    assert service.keywords == ["lee", "lee"], "the pages of a word are read once"
    assert search(up, "lee kim", size=25, page=9) == ([], 135)


def test_a_rarer_word_is_searched_for_where_the_longest_has_too_many(up, service):
    service.users += [user(f"u-{n}", "Christopher Kim") for n in range(10, 800)]
    service.users.append(user("u-9", "Christopher Lee"))
    assert search(up, "lee christopher") == (["u-9"], 1)
    assert service.keywords == ["christopher", "lee"]


def test_words_with_too_many_matches_are_searched_for_as_one_text(up, service):
    service.users += [user(f"u-{n}", "Christopher Kim") for n in range(10, 800)]
    assert search(up, "christopher kim", size=10)[1] == 790
    assert service.keywords == ["christopher", "kim", "christopher kim"]
    service.keywords.clear()
    search(up, "c h r i s t o p h e r", search_field="name")
    assert len(service.keywords) == MAX_WORD_CALLS + 1


def test_a_keyword_that_is_in_no_user_finds_the_users_of_the_clinics_with_that_name(up, http, service):
    service.has_clinics(http, "North Shore")
    service.users.append(user("u-8", "Ada", clinic="g-2"))
    assert search(up, "north shore") == (["u-8"], 1)
    assert service.keywords[-2:] == ["clinics: north", ""]
    assert search(up, "north") == (["u-8"], 1)


@pytest.mark.parametrize(
    "params", [{"search_field": "name"}, {"filters": {"clinic": ("g-1",)}}, {"word_calls": 1}, {"keyword": ""}]
)
def test_clinics_are_not_searched_where_only_users_are_meant(up, service, params):
    service.users.clear()
    search(up, **{"keyword": "north", **params})
    assert [keyword for keyword in service.keywords if "clinics" in keyword] == []


def test_too_many_clinics_of_a_name_are_no_filter(up, http, service):
    service.has_clinics(http, *["North"] * 21)
    assert search(up, "north") == ([], 0)
