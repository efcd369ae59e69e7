"""The choices of a filter that are things of the service: too many to draw them all, so they are found by name."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from console.lists.query import KEYWORD_LENGTH, Choice, ListQuery, get_choice_search
from console.web.request import ConsoleRequest, wants_json
from upstream.errors import NotDone, NotFound
from upstream.listing import Listing
from upstream.nouns import Named

Choices: TypeAlias = tuple[Choice, ...]


class FilterChoices(NamedTuple):
    """Choices of a filter: all of them if `search_term` is None, else those whose names match it."""

    choices: Choices
    search_term: str | None


class Choosable(Protocol):
    """The objects of the service that a filter offers."""

    def offered(self, *, name: str = "") -> Listing[Any]:
        """Return the first by name, of those with this in their names."""

    def get_many(self, ids: Sequence[str]) -> Sequence[Any]:
        """Return those of these that exist."""


def find_choices(request: ConsoleRequest, query: ListQuery, name: str, objects: Choosable) -> FilterChoices:
    """Return the first objects, or those that are looked for, and all that the filter of this name has.

    Where the search form is not drawn, only those that are chosen and those that are looked for.
    """
    search_term = get_choice_search(name, request.GET)
    offered: Choices = ()
    is_cut = bool(search_term)

    def first() -> Sequence[Named]:
        nonlocal is_cut
        if len(search_term) > KEYWORD_LENGTH:
            return ()  # nothing has such a name, and the service takes no such keyword
        listing = objects.offered(name=search_term)
        is_cut = is_cut or listing.result_count > len(listing.results)
        return listing.results

    if search_term or not wants_json(request):
        offered = known_choices(first)
    offered_values = {choice.value for choice in offered}
    others = [id for id in query.filters.get(name, ()) if id not in offered_values]
    unlisted = known_choices(lambda: objects.get_many(others)) if others else ()
    return FilterChoices((*unlisted, *offered), search_term if is_cut else None)


def known_choices(read: Callable[[], Sequence[Named]]) -> Choices:
    """Return the choices of a filter; none where they can't be read: the list is worth more."""
    try:
        return tuple(Choice(item.id, item.name) for item in read())
    except (NotDone, NotFound):
        return ()
