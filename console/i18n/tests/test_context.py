"""The language menu: the same page in each language."""

import re

import pytest
from django.http import HttpResponse, QueryDict
from django.template import engines
from django.test import RequestFactory
from django.utils.html import escape

from console.i18n.context import languages_for
from console.i18n.detect import LanguageMiddleware
from console.i18n.languages import TABLE
from tests.support.page import Page, get_text


def detect_language(path: str):
    request = RequestFactory().get(path)
    LanguageMiddleware(lambda request: HttpResponse())(request)
    return request


@pytest.mark.req("LN-34", "AX-14")
def test_the_menu_names_each_language_in_itself_and_marks_the_current_one():
    request = detect_language("/user-manage/clinic?searchField=all&q=%26a%3D%C3%9F&lng=ko")

    template = engines["jinja2"].from_string("{{ header_tools(console) }}")
    page = template.render({"console": {"languages": languages_for(request), "is_logged_in": False, "bell": None}})

    lines = re.findall(r'<a href="([^"]*)" lang="([^"]*)"( aria-current="true")?>([^<]*)</a>', page)
    assert [(lang, name) for _, lang, _, name in lines] == [(language.tag, language.name) for language in TABLE]
    assert [lang for _, lang, current, _ in lines if current] == ["ko-KR"]
    href = f"?searchField=all&q=%26a%3D%C3%9F&lng={lines[2][1]}"
    assert lines[2][0] == escape(href)


@pytest.mark.req("LN-34")
def test_a_menu_link_keeps_page_and_query_and_has_one_language():
    request = detect_language("/user-manage/clinic?status=a&status=b&page=2&lng=ko&lng=de")

    choices = languages_for(request)
    assert len(choices) == len(TABLE)
    for choice in choices:
        assert choice.href.startswith("?")  # relative: it stays on the page, and can't lead to another host
        query = QueryDict(choice.href[1:])
        assert dict(query.lists()) == {"status": ["a", "b"], "page": ["2"], "lng": [choice.tag]}


def test_a_menu_link_leads_to_the_language_that_it_names():
    for choice in languages_for(detect_language("//elsewhere.example/login")):
        assert detect_language(f"/login{choice.href}").lng == choice.tag


@pytest.mark.req("LN-01", "LN-02", "LN-03", "LN-04", "LN-05", "LN-06", "LN-07", "LN-08", "LN-09", "LN-10", "LN-11")
@pytest.mark.req("LN-12", "LN-13", "LN-14", "LN-15", "LN-16", "LN-17", "LN-18", "LN-19", "LN-20", "LN-21")
def test_a_page_is_shown_in_each_language_that_is_asked_for(visit):
    faults = {}
    for language in TABLE:
        page = visit(f"/login?lng={language.tag}", lng=language.tag)
        current = [
            (link.attributes["lang"], get_text(link)) for link in page.all("nav.language-menu a[aria-current=true]")
        ]
        if set(current) != {(language.tag, language.name)}:
            faults[language.tag] = current
    assert faults == {}
    assert len(TABLE) == 21


@pytest.mark.req("LN-30", "LN-34")
def test_without_scripts_a_choice_in_the_menu_is_kept(client, visit):
    links = visit("/login?next=%2Fuser-manage").all("a[lang=th-TH]")
    assert {link.attributes["href"] for link in links} == {"?next=%2Fuser-manage&lng=th-TH"}
    visit(f"/login{links[0].attributes['href']}", lng="th-TH")
    html = client.get("/login", headers={"Accept-Language": "en-US"}).content.decode()
    assert Page(html).one("html").attributes["lang"] == "th-TH"


def test_only_a_page_that_is_read_says_what_decided_its_language(client, visit):
    assert visit("/login?lng=cs-CZ", lng="cs-CZ").one("html").attributes["data-lng-from"] == "query"
    answer = Page.from_response(client.post("/login", {"email": ""}))
    assert "data-lng-from" not in answer.one("html").attributes
