"""Names of another script inside sentences."""

import pytest
from django.template import engines
from django.utils import translation

from console.forms.blockers import reason_texts
from console.l10n.bidi import isolated, shortened
from console.l10n.countries import listed
from upstream.errors import Reason, Ref


@pytest.mark.parametrize("name", ["Nile Dental (Cairo) Co.", "أحمد", "sara@nile.example"])
def test_a_name_is_isolated_from_the_sentence_around_it(name):
    assert isolated(name) == f"\u2068{name}\u2069"


def test_a_name_can_not_break_out():
    assert isolated("A\u2069\u202eB") == "\u2068AB\u2069"


def test_no_name_leaves_no_marks():
    assert isolated("") == ""


def test_each_of_several_names_is_isolated():
    with translation.override("en"):
        assert listed(["א", "B"]) == "\u2068א\u2069 and \u2068B\u2069"


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (0, ""),
        (4, "Team"),
        (6, "Team: "),
        (12, "Team: "),
        (13, "Team: \u2068Night\u2069"),
        (99, "Team: \u2068Night\u2069"),
    ],
)
def test_a_shortened_text_has_no_isolate_without_an_end(length, text):
    assert shortened("Team: " + isolated("Night"), length) == text


def test_names_that_are_some_of_more_say_so():
    reason = Reason("NOT_EMPTY", count=3, refs=(Ref("USER", "u-1", "A"), Ref("USER", "u-2", "B")))
    assert reason_texts([reason]) == ["3 users still belong to this clinic: \u2068A\u2069, \u2068B\u2069, and 1 more"]


def test_blocking_objects_are_isolated_from_the_reason():
    reason = Reason("NOT_EMPTY", count=1, refs=(Ref("USER", "u-1", "أحمد (القاهرة)"),))
    assert reason_texts([reason]) == ["1 user still belongs to this clinic: \u2068أحمد (القاهرة)\u2069"]


def test_templates_mark_names_and_escape_them():
    template = engines["jinja2"].from_string('{{ _("Edit %(name)s", name=n|isolated) }}')
    assert template.render({"n": "A & B"}) == "Edit \u2068A &amp; B\u2069"
