"""Lists as they are drawn; Results.test.tsx compares the drawings with those of the components."""

from collections.abc import Iterator

import pytest
from msgspec import UNSET

from console.lists.query import empty_query
from console.lists.tests.list_drawings import ISLAND_TEXTS, PEOPLE, Person, drawing, fixed_texts
from console.lists.view import Cell, Column, ListTable, ListTexts, get_cells, list_view
from upstream.listing import Listing


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


def test_a_file_asks_for_no_addresses() -> None:
    def fail(_row: object) -> str:
        raise AssertionError

    columns = [Column[Person]("name", "Name", "name", lambda person: Cell(person.name), href=fail)]
    assert get_cells(PEOPLE[1], columns) == [Cell(PEOPLE[1].name)]


def test_a_value_without_an_address_is_no_link() -> None:
    column = Column[Person]("name", "Name", "name", lambda person: Cell(person.name), href=lambda _person: "")
    table = ListTable(columns=[column], row_href=lambda _person: "", texts=ListTexts("People"))
    (row,) = list_view(empty_query("people"), Listing([PEOPLE[0]], 1), table, path="/people").rows
    assert (row.cells, row.href) == ([Cell(PEOPLE[0].name)], UNSET)
