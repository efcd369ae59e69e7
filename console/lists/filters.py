"""The filters of a list as they are shown: choices, chips to take one back, and what a search carries along."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import msgspec
from django.utils.translation import gettext as _
from msgspec import UNSET, UnsetType

from console.l10n.dates import written_day
from console.l10n.numbers import number_text
from console.lists.query import Choice, Filter, ListQuery, parse_day

Counts: TypeAlias = Mapping[str, Mapping[str, int]]
NO_COUNTS: Counts = {}


class Option(msgspec.Struct, frozen=True):
    """One choice; `count` is how many rows it would leave, where the service tells."""

    value: str
    label: str
    selected: bool
    count: str | UnsetType = UNSET


class FilterView(msgspec.Struct, frozen=True):
    """One filter: boxes to tick, one choice (`is_single`; `any_label` is the first one), or a date field (`is_day`).

    `find` is the label of the box that finds one of many; an answer as JSON then has only the chosen ones. Where there
    are more than the page has, the server finds them, and `sought` is what it looked for.
    """

    name: str
    label: str
    any_label: str
    options: list[Option]
    is_single: bool
    find: str
    sought: str | UnsetType = UNSET
    has_names: bool | UnsetType = UNSET
    is_day: bool | UnsetType = UNSET


class Chip(msgspec.Struct, frozen=True):
    """A filter in force, and the address of the list without it."""

    label: str
    remove_label: str
    remove_href: str
    has_name: bool | UnsetType = UNSET


class Notice(msgspec.Struct, frozen=True):
    """A part of the address that the list can't apply, and the address without it."""

    text: str
    remove_label: str
    remove_href: str


class Tab(msgspec.Struct, frozen=True):
    """A part of the list: the address of its rows, and how many these are, empty where the service does not say."""

    label: str
    href: str
    count: str
    is_current: bool


def filter_views(query: ListQuery, counts: Counts = NO_COUNTS) -> list[FilterView]:
    """The filters that have anything to choose from, or may have; `counts`: how many rows each choice would leave."""
    # Translators: the choice of a filter that filters nothing: any clinic, country, state; neutral form.
    any_label = _("Any")
    return [
        FilterView(
            name=f.name,
            label=str(f.label),
            any_label="" if f.default else any_label,
            options=[
                Option(c.value, str(c.label), c.value in query.filters.get(f.name, ()), _counted(counts, f.name, c))
                for c in choices
            ],
            is_single=f.is_single,
            find=str(f.find),
            sought=UNSET if f.search_term is None else f.search_term,
            has_names=f.has_names or UNSET,
            is_day=f.is_day or UNSET,
        )
        for f, choices in _choices(query)
        if choices or f.find or f.is_day
    ]


def _counted(counts: Counts, name: str, choice: Choice) -> str | UnsetType:
    """Return the number of rows with a choice; 0 for what the service didn't count."""
    return number_text(counts[name].get(choice.value, 0)) if name in counts else UNSET


def filter_chips(query: ListQuery, path: str) -> list[Chip]:
    """Return a chip for each active value, except the tab."""
    chips = []
    for f, choices in _choices(query):
        if query.is_tab(f):
            continue
        chosen = query.filters.get(f.name, ())
        for choice in choices:
            if choice.value in chosen:
                # Translators: a filter or a column, and its value, such as “Country: Germany”.
                label = _("%(filter)s: %(value)s") % {"filter": f.label, "value": choice.label}
                remaining = {**query.filters, f.name: tuple(v for v in chosen if v != choice.value)}
                chips.append(
                    Chip(
                        label=label,
                        # Translators: filter: a filter and its value, such as “Country: Germany”.
                        remove_label=_("Remove the “%(filter)s” filter") % {"filter": label},
                        remove_href=query.url(path, filters=query.definition.fitting(remaining)),
                        has_name=f.has_names or UNSET,
                    )
                )
    return chips


def notices(query: ListQuery, path: str) -> list[Notice]:
    """One for each part of the address that the list can't apply."""
    return [
        Notice(
            part.text,
            part.remove_label,
            query.url(path, invalid=tuple(other for other in query.invalid if other != part)),
        )
        for part in query.invalid
    ]


def tabs(query: ListQuery, facets: Mapping[str, Mapping[str, int]], path: str) -> list[Tab]:
    """The tabs of the list, and the one of all; each keeps what else is asked."""
    results = []
    for f in query.definition.filters:
        if f.tabs:
            labels, counts = {choice.value: str(choice.label) for choice in f.choices}, facets.get(f.name)
            for value in f.tabs:
                count = "" if counts is None else number_text(counts.get(value, 0))
                href = query.url(path, filters={**query.filters, f.name: (value,)})
                results.append(Tab(labels[value], href, count, query.filters.get(f.name) == (value,)))
            remaining = {name: values for name, values in query.filters.items() if name != f.name}
            count = "" if counts is None else number_text(sum(counts.values()))
            # Translators: a tab of a list that shows all rows, whether clinics, users or scanners; neutral form.
            results.append(Tab(_("All"), query.url(path, filters=remaining), count, not query.is_tab(f)))
    return results


def _choices(query: ListQuery) -> Iterator[tuple[Filter, tuple[Choice, ...]]]:
    """Each filter with its choices; a value in force that is not among them is shown as it is."""
    for f in query.definition.filters:
        in_force = query.filters.get(f.name, ())
        known = {choice.value for choice in f.choices}
        unknown = (value for value in in_force if value not in known)
        if f.is_offered or in_force:
            yield f, (*f.choices, *(Choice(value, _label(f, value)) for value in unknown))


def _label(f: Filter, value: str) -> str:
    day = parse_day(value) if f.is_day else None
    return written_day(day) if day else value


def hidden_inputs(query: ListQuery) -> list[tuple[str, str]]:
    """Return the hidden inputs of the search form: sorting, size, mark of the whole list, invalid and extra parts."""
    sorting = ((name, value) for name, value in query.pairs() if name in ("sort", "order", "size"))
    return [*query.whole, *sorting, *query.invalid_pairs, *query.extra_pairs]
