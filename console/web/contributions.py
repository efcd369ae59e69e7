"""What an app adds to pages of the console: its AppConfig returns it, so that nothing here has to name an app.

A label or a sentence is lazy: it is translated when it is printed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol, runtime_checkable

import msgspec
from django.apps import apps

from upstream.client import Upstream
from upstream.listing import Listing, ListParams
from upstream.resources.dashboards import Summary


def _nothing(_value: object) -> int:
    return 0


@dataclass(frozen=True)
class NavigationEntry:
    """One entry of the side navigation; `url_name` is that of its list, "app:name"; `badge` counts what waits there.

    `stored_count` counts what waits there of what the console itself keeps, given the request: one statement, or none.
    The pages below the list belong to the entry, and those below `parts`, which are URL names of other pages.
    """

    label: Any
    url_name: str
    icon: str
    badge: Callable[[Summary], int] = _nothing
    parts: Sequence[str] = ()
    stored_count: Callable[[Any], int] = _nothing
    rank: int = 0
    """Its place, the lowest first; entries of the same rank are in the order of the installed apps."""


@dataclass(frozen=True)
class DecisionKind:
    """One kind of what waits for a decision, for the page that has all of them.

    `count` is how many there are at the service, `stored_count` how many the console stores (as `NavigationEntry`).
    `read` gets the request and the number of rows. It may use the database, and returns what reads them, the oldest
    first: that is called beside those of the other kinds, so it may not. `render` gets the request, what was read, and
    the path of the page: it returns the list as it is shown, and what can be done to many of its rows
    (`console.bulk.action.BulkList`), None for nothing. `all_href` is the address of the list that has all of them, ""
    where that is this page.
    """

    name: str
    title: Any
    nothing: Any
    """Said where none waits."""
    failed: Any
    """Said where they could not be read."""
    count: Callable[[Summary], int]
    read: Callable[[Any, int], Callable[[], Any]]
    render: Callable[[Any, Any, str], tuple[Any, Any]]
    actions: tuple[str, ...]
    """The names of those bulk actions that are offered."""
    all_href: Callable[[], str]
    rank: int
    """Its place on the page, the lowest first: those who can't go on with their work until it is decided."""
    stored_count: Callable[[Any], int] = _nothing


class SearchHit(msgspec.Struct, frozen=True):
    """One thing that was found: its name, what tells it from others of that name, and its page ("" for none)."""

    label: str
    href: str
    details: tuple[str, ...] = ()
    icon: str = ""


@dataclass(frozen=True)
class SearchKind:
    """One kind of search results: how it is read, and how a row of it is shown.

    `read` gets the client and the query, of which it keeps the keyword and the size; it is called beside those of the
    other kinds, so it uses no database. `all_url_name` is that of the list with `all_label`, which takes the keyword.
    """

    name: str
    title: Any
    icon: str
    read: Callable[[Upstream, ListParams], Listing[Any]]
    hit: Callable[[Any], SearchHit]
    failed: Any
    """Said where it could not be read."""
    all_label: Any
    all_url_name: str
    all_is_more: bool = False
    """Whether that list has others, too: then it is offered also where nothing is found."""


@dataclass(frozen=True)
class StartingPoint:
    """A page that work begins with, and that is not in the navigation; to open it changes nothing."""

    label: Any
    url_name: str
    icon: str


@dataclass(frozen=True)
class ActivityKind:
    """A kind of thing that people change, in the words of the activity; `code` is stored.

    `actions` are what can be done to it, by their codes, in the words of their buttons: they stand beside an outcome,
    which may be that it was refused. `fields` are the labels of its fields, by their codes. `value` returns how the
    stored value of a field is shown; None for one that is shown as it is. `href` is its page, "" where it has none,
    given its ID and that of its clinic.
    """

    code: str
    label: Any
    actions: Mapping[str, Any]
    fields: Mapping[str, Any] = field(default_factory=dict)
    value: Callable[[str, str], str | None] = lambda _field, _value: None
    href: Callable[[str, str], str] = lambda _id, _clinic_id: ""
    is_personal: bool = False
    """Whether it is somebody's own, such as an account: nobody else is shown what was done to it."""


@dataclass(frozen=True)
class ActivityPages:
    """Where the activity is shown: the list of what was done to something, by its keyed hash; an entry, by its ID."""

    list_href: Callable[[str], str]
    entry_href: Callable[[str], str]


@dataclass(frozen=True)
class Bell:
    """What the bell in the header leads to, and where it asks for the number again: names of URLs.

    `label` is what it is called, with its number in words.
    """

    list: str
    count: str
    label: Callable[[int], str]


@dataclass(frozen=True, kw_only=True)
class Contributions:
    """What one app adds, or all of them together, in the order of the installed apps."""

    home: str = ""
    """The URL name of the page where / leads after the login; one app has it."""
    navigation: Sequence[NavigationEntry] = ()
    starting_points: Sequence[StartingPoint] = ()
    """What the search finds by its words, in addition to the entries of the navigation."""
    searches: Sequence[SearchKind] = ()
    lists: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    """The definition of each list that has a page of its own (`console.lists.query.ListDefinition`), by the name of its
    URL; given the request."""
    inboxes: Sequence[str] = ()
    """URL names of the pages with rows of several lists: the pages of all lists lead back there as well."""
    decisions: Sequence[DecisionKind] = ()
    activity: Mapping[str, ActivityKind] = field(default_factory=dict)
    """What people change, by code."""
    activity_pages: ActivityPages | None = None
    bell: Bell | None = None
    targets: Mapping[str, Callable[[Any, str], str]] = field(default_factory=dict)
    """What a notification may be about, in the service's word -> its address, given the client and the ID; "" for
    none."""
    reasons: Mapping[str, Callable[[int], str]] = field(default_factory=dict)
    """The service's reason for a refusal -> its sentence, given how many things are in the way."""
    refusals: Mapping[int | str, Any] = field(default_factory=dict)
    """The service's code of a refusal, or the reason of a `Rejected` -> its sentence."""


@runtime_checkable
class Contributor(Protocol):
    """The AppConfig of an app with pages."""

    def get_contributions(self) -> Contributions:
        """Return what it adds; called once, after all apps are loaded."""


@cache
def contributed() -> Contributions:
    """Return what all apps add."""
    contributions = [app.get_contributions() for app in apps.get_app_configs() if isinstance(app, Contributor)]
    return Contributions(
        home=next((each.home for each in contributions if each.home), ""),
        navigation=sorted((entry for each in contributions for entry in each.navigation), key=lambda entry: entry.rank),
        starting_points=[point for each in contributions for point in each.starting_points],
        searches=[kind for each in contributions for kind in each.searches],
        lists={name: definition for each in contributions for name, definition in each.lists.items()},
        inboxes=[name for each in contributions for name in each.inboxes],
        decisions=[kind for each in contributions for kind in each.decisions],
        activity={code: kind for each in contributions for code, kind in each.activity.items()},
        activity_pages=next((each.activity_pages for each in contributions if each.activity_pages), None),
        bell=next((each.bell for each in contributions if each.bell), None),
        targets={kind: address for each in contributions for kind, address in each.targets.items()},
        reasons={reason: sentence for each in contributions for reason, sentence in each.reasons.items()},
        refusals={code: sentence for each in contributions for code, sentence in each.refusals.items()},
    )
