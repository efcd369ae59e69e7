"""What a list says in the head of its page, and not in each row."""

from dataclasses import dataclass

from django.http import QueryDict

from console.lists.query import ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, ListTexts, ListView, list_view, with_facts
from console.upstream.listing import Listing

DEFINITION = ListDefinition(
    name="chairs", search_fields=(SearchField("all", "All"),), filters=(), sorts=("name",), default_sort="name"
)


@dataclass(frozen=True)
class Chair:
    id: str
    color: str


def chairs(*colors: str) -> ListView:
    listing = Listing([Chair(f"r-{number}", color) for number, color in enumerate(colors)], len(colors))
    columns = (
        Column[Chair]("name", "Name", "name", lambda chair: Cell(chair.id)),
        Column[Chair]("color", "Color", "text", lambda chair: Cell(chair.color)),
    )
    texts = ListTexts("Chairs", "Search", "None", "Add one.")
    query = ListQuery.read(DEFINITION, QueryDict())
    return list_view(query, listing, path="/chairs", columns=columns, row_href=lambda _: "", texts=texts)


def drawn(view: ListView) -> tuple[list[str], list[int], list[str]]:
    return [c.name for c in view.columns], [len(row.cells) for row in view.rows], view.facts


def test_what_all_rows_say_alike_is_told_once():
    assert drawn(with_facts(chairs("2", "2"), "2 chairs", once=["color"])) == (
        ["name"],
        [1, 1],
        ["2 chairs", "Color: \u20682\u2069"],
    )


def test_what_differs_is_empty_or_stands_in_one_row_stays_a_column():
    for colors in (("1", "2"), ("", ""), ("1",), ()):
        view = chairs(*colors)
        assert drawn(with_facts(view, once=["color"])) == (["name", "color"], [2] * len(colors), [])
    assert drawn(with_facts(chairs("2", "2")))[0] == ["name", "color"], "only where the page asks for it"
