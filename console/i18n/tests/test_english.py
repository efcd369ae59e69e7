"""Checks of the English texts."""

import polib
import pytest

from console.i18n import english


def faults(text: str, *, plural: str = "", comment: str = "", context: str | None = None) -> list[str]:
    entry = polib.POEntry(msgid=text, msgid_plural=plural, comment=comment, msgctxt=context)
    return list(english.faults(entry))


@pytest.mark.parametrize(
    "text",
    [
        "It is not known whether the clinic was created.",
        "Look at the list.",
        "See what became of it.",
        "Nothing matches.",
        "Here you see your clinics.",
        "The list could not be read.",
        "Load the page again.",
        "The clinic will be deleted for good.",
    ],
)
def test_a_replaced_phrase_is_reported_with_its_replacement(text):
    (fault,) = faults(text)
    assert "; write “" in fault


def test_a_replaced_phrase_is_found_in_the_plural():
    (fault,) = faults("You can add %(count)s lab.", plural="At most %(count)s labs can be added.")
    assert fault == "“At most %”; write “you can … up to %”"


@pytest.mark.parametrize("text", ["The clinic was created by someone else", "Do you want to delete this clinic"])
def test_a_sentence_ends_with_a_mark(text):
    assert faults(text) == ["has no full stop, and no translators' comment says what label it is"]
    assert faults(f"{text}.") == faults(f"{text}?") == []


def test_a_sentence_in_quotation_marks_or_parentheses_ends_within_them():
    assert faults("The service says “this is not possible now.”") == []
    assert faults("The clinic was created (by someone else).") == []


def test_a_text_starts_with_a_capital_letter():
    assert faults("and more") == ["starts in lower case, and no translators' comment says what label it is"]
    assert faults("and more", comment="Translators: the end of a list.") == []


@pytest.mark.parametrize("comment", ["a heading", "the label of a check box", "A button."])
def test_a_label_is_no_sentence(comment):
    assert faults("Show this view when I open the list", comment=f"Translators: {comment}") == []


def test_search_words_are_what_people_type():
    assert faults("somebody, people, dark mode, light mode, colors", context="search words") == []
