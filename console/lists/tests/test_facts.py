"""Facts in the head of a list's page instead of in each row."""

from dataclasses import dataclass

import pytest
from django.http import QueryDict

from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, list_view, with_facts
from upstream.listing import Listing

DEFINITION = ListDefinition(
    name="chairs",
    search_fields=(SearchField("all", "All"),),
    filters=(Filter("color", "Color", (Choice("2", "2"), Choice("3", "3"))),),
    sorts=("name",),
    default_sort="name",
)


@dataclass(frozen=True)
class Chair:
    id: str
    color: str


def chairs(*colors: str, total: int = 0, params: str = "") -> ListView:
    listing = Listing([Chair(f"r-{number}", color) for number, color in enumerate(colors)], total or len(colors))
    columns = (
        Column[Chair]("name", "Name", "name", lambda chair: Cell(chair.id)),
        Column[Chair]("color", "Color", "text", lambda chair: Cell(chair.color)),
    )
    texts = ListTexts("Chairs", "Search", "None", "Add one.")
    query = ListQuery.read(DEFINITION, QueryDict(params))
    return list_view(
        query,
        listing,
        ListTable(
            columns=columns,
            row_href=lambda _: "",
            texts=texts,
        ),
        path="/chairs",
    )


def summarize(view: ListView) -> tuple[list[str], list[int], list[str]]:
    return [c.name for c in view.columns], [len(row.cells) for row in view.rows], view.facts


def test_a_value_that_all_rows_share_is_a_fact_of_the_page():
    assert summarize(with_facts(chairs("2", "2"), "2 chairs", once=["color"])) == (
        ["name"],
        [1, 1],
        ["2 chairs", "Color: \u20682\u2069"],
    )


def test_what_differs_is_empty_or_stands_in_one_row_stays_a_column():
    for colors in (("1", "2"), ("", ""), ("1",), ()):
        view = chairs(*colors)
        assert summarize(with_facts(view, once=["color"])) == (["name", "color"], [2] * len(colors), [])
    assert summarize(with_facts(chairs("2", "2")))[0] == ["name", "color"], "only where the page asks for it"


@pytest.mark.parametrize(
    ("params", "has_fact"),
    [("", False), ("page=2&size=10", False), ("color=2&color=3", False), ("keyword=2", False), ("color=2", True)],
)
def test_what_only_the_rows_of_one_page_say_alike_is_no_fact_of_all(params, has_fact):
    columns, _cells, facts = summarize(
        with_facts(chairs("2", "2", total=30, params=params), "30 chairs", once=["color"])
    )
    assert (columns, facts[1:]) == ((["name"], ["Color: \u20682\u2069"]) if has_fact else (["name", "color"], []))
