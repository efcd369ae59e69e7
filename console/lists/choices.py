"""The choices of a filter that are things of the service: too many to draw them all, so they are found by name."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeAlias

from console.lists.query import KEYWORD_LENGTH, Choice, ListQuery, sought_in
from console.web.request import ConsoleRequest, wants_json
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound
from upstream.nouns import Named
from upstream.resources.clinics import Clinic

Choices: TypeAlias = tuple[Choice, ...]


class FoundChoices(NamedTuple):
    """What can be chosen; `sought` is None where that is all there is, else what their names were searched for."""

    choices: Choices
    sought: str | None


def clinic_choices(request: ConsoleRequest, query: ListQuery) -> FoundChoices:
    """Return the first clinics by name, or those that are looked for, and all that the filter "clinic" has.

    Where the search form is not drawn, only those that are chosen and those that are looked for.
    """
    clinics, sought = request.upstream.clinics, sought_in("clinic", request.GET)
    offered: Choices = ()
    is_cut = bool(sought)

    def first() -> Sequence[Clinic]:
        nonlocal is_cut
        if len(sought) > KEYWORD_LENGTH:
            return ()  # no clinic has such a name, and the service takes no such keyword
        listing = clinics.offered(name=sought)
        is_cut = is_cut or listing.result_count > len(listing.results)
        return listing.results

    if sought or not wants_json(request):
        offered = known_choices(first)
    there = {choice.value for choice in offered}
    others = [id for id in query.filters.get("clinic", ()) if id not in there]
    unlisted = known_choices(lambda: clinics.get_many(others)) if others else ()
    return FoundChoices((*unlisted, *offered), sought if is_cut else None)


def existing_clinics(upstream: Upstream, ids: Collection[str]) -> set[str]:
    """Return those of these clinics that exist."""
    return {clinic.id for clinic in upstream.clinics.get_many(tuple(ids))}


def known_choices(read: Callable[[], Sequence[Named]]) -> Choices:
    """Return the choices of a filter; none where they can't be read: the list is worth more."""
    try:
        return tuple(Choice(found.id, found.name) for found in read())
    except (NotDone, NotFound):
        return ()
