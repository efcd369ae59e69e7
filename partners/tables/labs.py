"""The search for labs: its filters, columns and cards."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from msgspec import UNSET
from msgspec.structs import replace

from console.l10n.collation import Kind, in_order
from console.l10n.countries import countries, country_name, listed, sort_key
from console.l10n.languages import language_name, languages
from console.l10n.numbers import ngettext, number_text
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, EmptyView, ListTable, ListTexts, ListView, RowAction, list_view
from console.web.links import Link
from partners import links
from partners.labels import LAB_STATES, LAB_TYPES, SERVICES, lab_name
from upstream.listing import Identified, Listing
from upstream.resources.labs import ACCEPTED, PENDING, REQUEST_SENT, Lab

T = TypeVar("T", bound=Identified)

FEW = 4
"""Number of services and languages on a card; the lab's page has all."""
OFFERED = 50
"""Number of choices of a filter that are shown; others are found by name."""

LABS = ListDefinition(
    name="labs",
    search_fields=(
        SearchField("all", gettext_lazy("All fields")),
        SearchField("name", gettext_lazy("Name")),
        # Translators: where a lab is: the street and the city.
        SearchField("address", gettext_lazy("Address")),
        SearchField("zip_code", gettext_lazy("ZIP or postal code")),
    ),
    filters=(
        Filter(
            "in_list",
            # Translators: name of a filter: whether a dental lab is on the organization's own list.
            gettext_lazy("My partner list"),
            (
                Choice("true", gettext_lazy("On my list")),
                Choice("false", gettext_lazy("Not on my list")),
            ),
            is_single=True,
        ),
        # Translators: what a dental lab offers: filter, column and label.
        Filter("service", pgettext_lazy("lab", "Services"), tuple(Choice(*s) for s in SERVICES.items()), is_open=True),
        Filter("lab_type", gettext_lazy("Lab type"), tuple(Choice(*t) for t in LAB_TYPES.items()), is_open=True),
        Filter("country", gettext_lazy("Country"), (), is_open=True, find=gettext_lazy("Find a country")),
        Filter("language", gettext_lazy("Languages spoken"), (), is_open=True, find=gettext_lazy("Find a language")),
        Filter(
            "served_country",
            # Translators: filter, column and label: the countries a dental lab delivers to.
            gettext_lazy("Countries served"),
            (),
            is_open=True,
            find=gettext_lazy("Find a country served"),
        ),
    ),
    sorts=("name", "founded_year"),
    default_sort="name",
)


class Codes(NamedTuple):
    """A filter by codes that have names in the locale data.

    `get_codes` returns those of a lab, `known` all that exist, with their names.
    """

    kind: Kind
    get_codes: Callable[[Lab], Iterable[str]]
    name: Callable[[str], str]
    known: Callable[[], list[tuple[str, str]]]


CODES: dict[str, Codes] = {
    "country": Codes("countries", lambda lab: [lab.country_code], country_name, countries),
    "language": Codes("languages", lambda lab: lab.communication_languages, language_name, languages),
    "served_country": Codes("countries", lambda lab: lab.served_countries, country_name, countries),
}
HAS_ONE_VALUE = ("country", "lab_type")
"""Filters whose values are unique per lab: only for these, the counts of all choices add up to the number of labs."""


def with_codes(query: ListQuery, listing: Listing[Lab], term_for: Callable[[str], str]) -> ListQuery:
    """Return the query with the choices of its filters.

    These are the codes that the service counts, or those of the labs on this page, and those that match the search term
    of a filter (`term_for`).
    """
    for name, codes in CODES.items():
        counts, wanted = listing.facets.get(name), sort_key(term_for(name))
        values = set(counts or (code for lab in listing.results for code in codes.get_codes(lab) if code))
        is_whole = counts is not None and len(values) <= OFFERED
        if not is_whole:
            values = set(sorted(values, key=lambda code: -(counts or {}).get(code, 0))[:OFFERED])
            values |= {code for code, text in codes.known() if wanted and wanted in sort_key(text)}
        named = {code: codes.name(code) for code in values | set(query.filters.get(name, ()))}
        choices = tuple(Choice(*one) for one in in_order(codes.kind, named))
        query = query.with_choices(name, choices, search_term=None if is_whole else term_for(name))
    for name in ("service", "lab_type"):
        known = next(f.choices for f in query.definition.filters if f.name == name)
        others = set(listing.facets.get(name, ())) - {choice.value for choice in known}
        query = query.with_choices(name, (*known, *(Choice(code, code) for code in sorted(others))))
    return query


def lab_table(query: ListQuery, listing: Listing[Lab], *, path: str) -> ListView:
    """Return the labs, each with its state and the one action that it allows."""
    types = {code: str(label) for code, label in LAB_TYPES.items()}
    services = {code: str(label) for code, label in SERVICES.items()}
    columns: tuple[Column[Lab], ...] = (
        Column(
            "name",
            _("Name"),
            "heading",
            lambda lab: Cell(lab_name(lab)),
            sort="name",
            href=lambda lab: links.lab_url(lab.id),
        ),
        Column("state", _("Status"), "badge", state_cell),
        # Translators: filter, column and label: which dentists a dental lab works for.
        Column("type", _("Lab type"), "word", lambda lab: Cell(types.get(lab.lab_type, lab.lab_type))),
        Column("place", _("Address"), "text", lambda lab: Cell(address_line(lab))),
        # Translators: column and label: the year in which a lab was founded.
        Column("founded_year", _("Founded"), "word", lambda lab: Cell(founded(lab)), sort="founded_year"),
        Column(
            "services",
            pgettext("lab", "Services"),
            "word",
            lambda lab: _few(lab.services, lambda c: services.get(c, c)),
        ),
        Column(
            # Translators: filter, column and label: the languages in which one can talk to a dental lab.
            "languages",
            _("Languages spoken"),
            "word",
            lambda lab: _few(lab.communication_languages, language_name),
        ),
    )
    texts = ListTexts(
        # Translators: caption of a table: dental labs.
        caption=_("Labs"),
        # Translators: a hint in the field of the search.
        search=_("Search by name, address, or ZIP code"),
        nothing_yet_title=_("No labs yet."),
        nothing_yet_text=_("No labs available."),
    )
    view = list_view(
        query,
        listing,
        ListTable(
            columns=columns,
            row_href=lambda lab: links.lab_url(lab.id),
            actions=_actions(),
            texts=texts,
            selection="bulk-labs",
            detail=address_line,
            shows_actions=True,
            has_sort_select=True,
        ),
        path=path,
        counts={name: counts for name, counts in listing.facets.items() if name != "in_list"},
    )
    if view.rows or view.notices or not query.is_narrowed:
        return view
    return replace(view, empty=_loosened(query, listing, view))


def state_cell(lab: Lab) -> Cell:
    """Return the state of a lab with the number of clinics; "" if there is none."""
    if not lab.state:
        return Cell("")
    label, tone = LAB_STATES[lab.state]
    count = {PENDING: lab.incoming_count, ACCEPTED: lab.partner_count, REQUEST_SENT: lab.outgoing_count}.get(lab.state)
    note = ngettext("%(count)s clinic", "%(count)s clinics", count) % {"count": count} if count else UNSET
    return Cell(str(label), tone=tone, note=note)


def address_line(lab: Lab) -> str:
    """Return the address in one line, with the country's name in the reader's language."""
    return ", ".join(filter(None, (lab.address, lab.zip_code, country_name(lab.country_code))))


def founded(lab: Lab) -> str:
    """Return the year without thousands separators."""
    return str(lab.founded_year or "")


def _few(codes: Sequence[str], name: Callable[[str], str]) -> Cell:
    return Cell(listed([name(code) for code in codes[:FEW]], total=len(codes)) if codes else "")


def _actions() -> list[RowAction[Lab]]:
    return [
        # Translators: button: adds a lab to the list of our partners.
        RowAction(_("Add to my list"), "/add", lambda lab: lab.can_be_added, is_act=True),
        RowAction(
            _("Send request"), links.REQUEST, lambda lab: lab.accepts_request and bool(links.request_url(lab.id))
        ),
        RowAction(_("View request"), links.STATES, lambda lab: lab.state in (PENDING, REQUEST_SENT)),
        *cancellations(lambda lab: lab.outgoing_count),
        RowAction(_("View partnership"), links.STATES, lambda lab: lab.state == ACCEPTED),
        # Translators: button: removes a lab from the list of our partners.
        RowAction(_("Remove from my list"), "/remove", lambda lab: lab.can_be_removed, is_act=True),
    ]


def cancellations(count: Callable[[T], int]) -> list[RowAction[T]]:
    """Return the actions of a lab that was sent a request, or several; `count` returns their number."""
    return [
        RowAction(_("Cancel request"), links.CANCEL, lambda row: count(row) == 1),
        RowAction(_("Cancel requests"), links.CANCEL, lambda row: count(row) > 1),
    ]


def _loosened(query: ListQuery, listing: Listing[Lab], view: ListView) -> EmptyView:
    """Suggest filters to remove, with the resulting number of labs if the service counts them."""
    ways = [
        way for f in query.definition.filters if f.name in query.filters for way in _without(query, listing, f, view)
    ]
    ways.sort(key=lambda way: -way[0])
    if not ways:
        return view.empty
    return replace(view.empty, first_steps=[link for _count, link in ways])


def _without(query: ListQuery, listing: Listing[Lab], f: Filter, view: ListView) -> list[tuple[int, Link]]:
    """Return the link to the list without a filter, and its number of labs; nothing if the list would be empty."""
    counts = listing.facets.get(f.name)
    remaining = {name: values for name, values in query.filters.items() if name != f.name}
    href = query.url(view.path, filters=remaining)
    if counts is None:
        # Translators: link to more labs; %(filter)s: name of the filter that is removed, such as Country.
        return [(0, Link(_("Remove the “%(filter)s” filter") % {"filter": f.label}, href))]
    if not any(counts.values()):
        return []
    # If labs can have several values, there are at least as many labs as have the most frequent one.
    is_exact = f.name in HAS_ONE_VALUE
    count = sum(counts.values()) if is_exact else max(counts.values())
    # Translators: link to more labs; %(filter)s: name of the filter that is removed, such as Country.
    exactly = ngettext(
        "Remove the “%(filter)s” filter (%(count)s lab)", "Remove the “%(filter)s” filter (%(count)s labs)", count
    )
    # Translators: link to more labs; %(filter)s: name of the filter that is removed, such as Country.
    at_least = ngettext(
        "Remove the “%(filter)s” filter (at least %(count)s lab)",
        "Remove the “%(filter)s” filter (at least %(count)s labs)",
        count,
    )
    text = exactly if is_exact else at_least
    return [(count, Link(text % {"filter": f.label, "count": number_text(count)}, href))]
