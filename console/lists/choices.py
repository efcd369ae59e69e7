"""The filter by clinic: there are too many to list all of them, so they are found by name."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from django.utils.translation import gettext_lazy

from console.lists.query import KEYWORD_LENGTH, Choice, Filter, ListQuery, get_choice_search
from console.web.request import ConsoleRequest, wants_json
from upstream.errors import NotDone, NotFound
from upstream.nouns import Named

Choices: TypeAlias = tuple[Choice, ...]
CLINIC = Filter(
    "clinic",
    gettext_lazy("Clinic"),
    (),
    is_open=True,
    find=gettext_lazy("Find a clinic"),
    existing=lambda upstream, ids: upstream.clinics.existing_ids(ids),
    has_names=True,
)


class FilterChoices(NamedTuple):
    """Choices of a filter: all of them if `search_term` is None, else those whose names match it."""

    choices: Choices
    search_term: str | None


def find_clinics(request: ConsoleRequest, query: ListQuery) -> FilterChoices:
    """Return the first clinics, or those that are looked for, and all that the filter has.

    Where the search form is not drawn, only those that are chosen and those that are looked for.
    """
    clinics, search_term = request.upstream.clinics, get_choice_search(CLINIC.name, request.GET)
    offered: Choices = ()
    is_cut = bool(search_term)

    def first() -> Sequence[Named]:
        nonlocal is_cut
        if len(search_term) > KEYWORD_LENGTH:
            return ()  # nothing has such a name, and the service takes no such keyword
        listing = clinics.offered(name=search_term)
        is_cut = is_cut or listing.result_count > len(listing.results)
        return listing.results

    if search_term or not wants_json(request):
        offered = known_choices(first)
    offered_values = {choice.value for choice in offered}
    others = [id for id in query.filters.get(CLINIC.name, ()) if id not in offered_values]
    unlisted = known_choices(lambda: clinics.get_many(others)) if others else ()
    return FilterChoices((*unlisted, *offered), search_term if is_cut else None)


def known_choices(read: Callable[[], Sequence[Named]]) -> Choices:
    """Return the choices of a filter; none where they can't be read: the list is worth more."""
    try:
        return tuple(Choice(item.id, item.name) for item in read())
    except (NotDone, NotFound):
        return ()
