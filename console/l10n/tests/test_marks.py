"""Marks for the words of a search."""

import pytest

from console.l10n.marks import marked


@pytest.mark.parametrize(
    ("text", "keyword", "html"),
    [
        ("Anna Esposito", "esposito anna", "<mark>Anna</mark> <mark>Esposito</mark>"),
        ("Anna", "ann na", "<mark>Anna</mark>"),
        ("Bergström", "bergstrom", "<mark>Bergström</mark>"),
        ("Bergstro\u0308m", "stro", "Berg<mark>stro\u0308</mark>m"),
        ("Bergstrom", "BERGSTRÖM", "<mark>Bergstrom</mark>"),
        ("Straße 5", "strasse", "<mark>Straße</mark> 5"),
        ("Straße", "s", "<mark>S</mark>tra<mark>ß</mark>e"),
        ("عمر الفاروق", "عمر", "<mark>عمر</mark> الفاروق"),
        ("田中 太郎", "太", "田中 <mark>太</mark>郎"),
        ("<b>A&B</b>", "a&b", "&lt;b&gt;<mark>A&amp;B</mark>&lt;/b&gt;"),
        ("Anna", "", "Anna"),
        ("Anna", " \u0301", "Anna"),
        ("<b>", "x", "&lt;b&gt;"),
    ],
)
def test_the_words_of_a_keyword_are_marked_whatever_their_case_and_accents(text, keyword, html):
    assert marked(text, keyword) == html
