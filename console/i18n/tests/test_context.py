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


def asked(path: str):
    request = RequestFactory().get(path)
    LanguageMiddleware(lambda request: HttpResponse())(request)
    return request


@pytest.mark.req("LN-34", "AX-14")
def test_the_menu_names_each_language_in_itself_and_marks_the_current_one():
    request = asked("/user-manage/clinic?searchField=all&q=%26a%3D%C3%9F&lng=ko")

    template = engines["jinja2"].from_string("{{ header_tools(console) }}")
    page = template.render({"console": {"languages": languages_for(request), "is_logged_in": False, "bell": None}})

    lines = re.findall(r'<a href="([^"]*)" lang="([^"]*)"( aria-current="true")?>([^<]*)</a>', page)
    assert [(lang, name) for _, lang, _, name in lines] == [(language.tag, language.name) for language in TABLE]
    assert [lang for _, lang, current, _ in lines if current] == ["ko-KR"]
    href = f"?searchField=all&q=%26a%3D%C3%9F&lng={lines[2][1]}"
    assert lines[2][0] == escape(href)


@pytest.mark.req("LN-34")
def test_a_menu_link_keeps_page_and_query_and_has_one_language():
    request = asked("/user-manage/clinic?status=a&status=b&page=2&lng=ko&lng=de")

    choices = languages_for(request)
    assert len(choices) == len(TABLE)
    for choice in choices:
        assert choice.href.startswith("?")  # relative: it stays on the page, and can't lead to another host
        query = QueryDict(choice.href[1:])
        assert dict(query.lists()) == {"status": ["a", "b"], "page": ["2"], "lng": [choice.tag]}


def test_a_menu_link_leads_to_the_language_that_it_names():
    for choice in languages_for(asked("//elsewhere.example/login")):
        assert asked(f"/login{choice.href}").lng == choice.tag
