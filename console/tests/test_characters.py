"""One definition of invisible characters and of blanks; static_src/lib/characters.test.ts runs the same examples."""

import re
import sys
import unicodedata

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from console.shell.templates import initial
from tests.support.cost import is_linear
from upstream.characters import BLANK, INVISIBLE, TABLE, folded, is_visible, visible

ALL = [chr(code) for code in range(sys.maxunicode + 1)]
TRICKY = "aب山👩❤🏴1🇰\u094d\u1820" + "\u200c\u200d\ufe0f\u20e3\u180b\U000e0101\U000e0067\U000e007f\u202e\u3164\u00a0 "


@pytest.mark.req("VA-35")
@pytest.mark.parametrize("example", TABLE["examples"], ids=lambda example: ascii(example["text"]))
def test_a_text_is_folded_to_what_is_seen(example):
    assert folded(example["text"]) == example["visible"]
    assert is_visible(example["text"]) == bool(example["visible"])


@pytest.mark.parametrize("example", TABLE["initials"], ids=lambda example: ascii(example["name"]))
def test_the_letter_of_a_person_is_what_a_reader_takes_for_it(example):
    assert initial(example["name"]) == example["initial"]


def test_a_turkish_i_keeps_its_dot():
    with translation.override("tr"):
        assert [initial("ilker"), initial("ılgaz")] == ["İ", "I"]
    assert initial("ilker") == "I"


def test_every_format_character_is_invisible_and_every_kind_of_space_is_a_blank():
    formats = [char for char in ALL if unicodedata.category(char) == "Cf"]
    assert [hex(ord(char)) for char in formats if not re.fullmatch(INVISIBLE, char)] == []
    spaces = [char for char in ALL if char.isspace()]
    assert [hex(ord(char)) for char in spaces if not re.fullmatch(BLANK, char)] == []


def test_no_letter_that_is_seen_is_invisible_or_a_blank():
    hidden = [c for c in ALL if unicodedata.category(c)[0] in "LNPS" and re.fullmatch(f"{INVISIBLE}|{BLANK}", c)]
    assert [hex(ord(char)) for char in hidden] == [
        "0x115f", "0x1160", "0x2800", "0x3164", "0xffa0", "0xfffc", "0x1d159"
    ]  # fmt: skip


@given(st.text(st.one_of(st.sampled_from(TRICKY), st.characters(codec="utf-8"))))
def test_what_is_folded_once_stays_as_it_is(text):
    assert visible(visible(text)) == visible(text)
    assert folded(folded(text)) == folded(text)


@pytest.mark.req("SEC-03")
@pytest.mark.parametrize("run", ["ب\u200c", "\u200c", "👩\u200d", "🏴\U000e0067", "\ufe0f", "\u3000", "a\u00ad"])
def test_folding_costs_what_the_text_is_long(run):
    assert is_linear(folded, lambda length: run * (length // len(run)))
