"""The check of the templates finds what would go wrong silently."""

import pytest

from tools.templates import faults

MACRO = "{{% macro one(name) %}}{}{{% endmacro %}}"


IMPORT = "an import: what stands in a folder `components` is known by its name"
ONCE = "a translation outside of a macro, which is made once for all languages"


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("<p>Save</p>", "a text that is not translated: Save"),
        ('<p>\n{% if x %}<b class="a>b">Save</b>{% endif %}</p>', "a text that is not translated: Save"),
        ('<p aria-label="Close">', "a text that is not translated: Close"),
        ('{{ "Save" }}', "a text that is not translated: Save"),
        ('{{ alert("danger", title="It failed") }}', "a text that is not translated: It failed"),
        ("{{ counts.items }}", "items is a method of dictionaries, and not called"),
        ("<p title='{{ x }}'>", "a value in a tag without quotation marks"),
        ("<p title={{ x }}>", "a value in a tag without quotation marks"),
        ("<p {{ x }}>", "a value in a tag without quotation marks"),
        ("{{ x|safe }}", "something printed past the escaping"),
        ("{% autoescape false %}{{ x }}{% endautoescape %}", "something printed past the escaping"),
        (
            '{% extends "base.html" %}<form data-guard></form>',
            "a guarded form without leave(), which asks before one leaves it",
        ),
        ("{{ csrf_input }}", "csrf_input: use console.csrf_token, which is masked once for the page"),
        ('{% from "a.html" import b %}{{ b() }}', IMPORT),
        ('{% import "a.html" as a %}{{ a.b() }}', IMPORT),
        (MACRO.format("{{ request.path }}"), "request is not handed to its macro"),
        (MACRO.format("{{ nmae }}"), "nmae is not handed to its macro"),
        (
            '{% set save = _("Save") %}' + MACRO.format("{{ save }}"),
            ONCE,
        ),
    ],
)
def test_it_finds(source, fault):
    assert [message.partition(": ")[2] for message in faults(source)] == [fault]


@pytest.mark.parametrize(
    "source",
    [
        '<p title="{{ x }}"{{ " hidden" if x }}>{{ _("Save") }} UTC &nbsp;</p>',
        '{# Save #}<p{% if a > b %} class="a"{% endif %} data-{{ x }}="1">{{ x }}</p>',
        '{% extends "base.html" %}{% set save = _("Save") %}{% macro one() %}{{ console.product }}{% endmacro %}',
        '{{ alert("danger", _("It failed"), role="alert") }}{{ counts.items() }}<p title="{{ x }}">',
        MACRO.format('{{ name }}{{ icon("x") }}{{ _("Save") }}{{ caller() }}'),
    ],
)
def test_it_accepts(source):
    assert list(faults(source)) == []


def test_a_long_line_is_reported_with_its_place():
    assert list(faults(f"<p>\n{'{{ x }}' * 20}\n</p>")) == ["page.html:2: a line of 140 characters, more than 120"]
    assert list(faults("é" * 120 + "\n{# 1 #}")) == ["page.html:1: a text that is not translated: " + "é" * 120]
