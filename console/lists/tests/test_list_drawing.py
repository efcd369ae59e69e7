"""Lists drawn in another language; Results.test.tsx compares these drawings with those of the components."""

from collections.abc import Iterator

import pytest

from console.lists.tests.list_drawings import ISLAND_TEXTS, PEOPLE, drawing, fixed_texts


@pytest.fixture(autouse=True)
def _fixed_texts() -> Iterator[None]:
    with fixed_texts():
        yield


@pytest.mark.parametrize("text", [text for text in ISLAND_TEXTS if "%" not in text])
def test_a_list_in_arabic_shows_no_english_of_its_own(text: str) -> None:
    html = drawing("arabic")["html"]
    assert ISLAND_TEXTS[text] in html
    assert f">{text}<" not in html
    assert f'"{text}"' not in html


def test_the_button_of_a_rows_actions_is_named_after_the_row() -> None:
    html = drawing("arabic")["html"]
    assert f'aria-label="أوامر {PEOPLE[1].name}">…</button>' in html
    assert "Actions for" not in html
