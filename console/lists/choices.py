"""The choices of a filter that are things of the service: too many to draw them all, so they are found by name."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from console.lists.query import Choice, ListQuery
from console.upstream.errors import NotDone, NotFound
from console.upstream.listing import Listing
from console.upstream.nouns import Named

N = TypeVar("N", bound=Named)

Choices: TypeAlias = tuple[Choice, ...]


class FoundChoices(NamedTuple):
    """What can be chosen; `sought` is None where that is all there is, else what their names were searched for."""

    choices: Choices
    sought: str | None


def found_choices(
    query: ListQuery,
    filter_name: str,
    *,
    sought: str,
    is_drawn: bool,
    offer: Callable[[str], Listing[N]],
    chosen: Callable[[Sequence[str]], Sequence[Named]],
) -> FoundChoices:
    """Return the first things by name, or those that are looked for (`sought`), and all that are chosen.

    Where the search form is not drawn, only those that are chosen and those that are looked for.
    """
    offered: Choices = ()
    is_cut = bool(sought)

    def first() -> Sequence[N]:
        nonlocal is_cut
        listing = offer(sought)
        is_cut = is_cut or listing.result_count > len(listing.results)
        return listing.results

    if sought or is_drawn:
        offered = known_choices(first)
    there = {choice.value for choice in offered}
    others = [id for id in query.filters.get(filter_name, ()) if id not in there]
    unlisted = known_choices(lambda: chosen(others)) if others else ()
    return FoundChoices((*unlisted, *offered), sought if is_cut else None)


def known_choices(read: Callable[[], Sequence[Named]]) -> Choices:
    """Return the choices of a filter; none where they can't be read: the list is worth more."""
    try:
        return tuple(Choice(found.id, found.name) for found in read())
    except (NotDone, NotFound):
        return ()
