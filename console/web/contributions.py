"""What the apps register in their AppConfig, so that nothing here has to name an app.

A label or a sentence is translated when it is printed, not when it is registered.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from upstream.client import Upstream
from upstream.listing import Listing, ListParams
from upstream.resources.dashboards import Summary


def _nothing(_of: object) -> int:
    return 0


@dataclass(frozen=True)
class NavigationEntry:
    """One entry of the side navigation; `url_name` is that of its list, "app:name"; `badge` counts what waits there.

    `kept` counts what waits there of what the console itself keeps, given the request: one statement, or none.
    Where more than that list belongs to it, all pages below `part` do, the URL name of another page.
    """

    label: Any
    url_name: str
    icon: str
    badge: Callable[[Summary], int] = _nothing
    part: str = ""
    kept: Callable[[Any], int] = _nothing
    rank: int = 0
    """Its place, the lowest first; entries of the same rank are in the order of the installed apps."""


@dataclass(frozen=True)
class DecisionKind:
    """One kind of what waits for a decision, for the page that has all of them.

    `count` is how many there are at the service, `kept` how many the console itself keeps (as `NavigationEntry.kept`).
    `read` gets the request and the number of rows. It may use the database, and returns what reads them, the oldest
    first: that is called beside those of the other kinds, so it may not. `draw` gets the request, what was read, and
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
    draw: Callable[[Any, Any, str], tuple[Any, Any]]
    actions: tuple[str, ...]
    """The names of those bulk actions that are offered."""
    all_href: Callable[[], str]
    rank: int
    """Its place on the page, the lowest first: those who can't go on with their work until it is decided."""
    kept: Callable[[Any], int] = _nothing


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

    `acts` are what can be done to it, by their codes, in the words of their buttons: they stand beside an outcome,
    which may be that it was refused. `fields` are the labels of its fields, by their codes. `value` returns how the
    stored value of a field is shown; None for one that is shown as it is. `href` is its page, "" where it has none,
    given its ID and that of its clinic.
    """

    code: str
    label: Any
    acts: Mapping[str, Any]
    fields: Mapping[str, Any] = field(default_factory=dict)
    value: Callable[[str, str], str | None] = lambda _field, _value: None
    href: Callable[[str, str], str] = lambda _id, _clinic_id: ""
    is_own: bool = False
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


navigation: dict[str, NavigationEntry] = {}
"""By their URL names, in order."""

home: list[str] = []
"""The URL name of the page where / leads who is logged in; one app registers it."""

reasons: dict[str, Callable[[int], str]] = {}
"""The service's reason for a refusal -> its sentence, given how many things stand in the way."""

refusals: dict[int | str, Any] = {}
"""The service's code of a refusal, or the reason of a `Rejected` -> its sentence, which only an app can say."""

targets: dict[str, Callable[[Any, str], str]] = {}
"""What a notification may be about, in the service's word -> its address, given the client and the ID; "" for none."""

decisions: dict[str, DecisionKind] = {}
"""What can be decided, by name."""

activity: dict[str, ActivityKind] = {}
"""What people change, by code."""

searches: dict[str, SearchKind] = {}
"""What the search of the whole console looks for, by name, in the order in which it was registered."""

starting_points: dict[str, StartingPoint] = {}
"""What the same search finds by its words, beside the entries of the navigation; by URL name."""

activity_pages: list[ActivityPages] = []
"""One."""

bell: list[Bell] = []
"""At most one."""

lists: dict[str, Callable[[Any], Any]] = {}
"""What can be asked of each list that has a page of its own (`console.lists.query.ListDefinition`), by the name of its
URL; given the request."""

inboxes: list[str] = []
"""URL names of the pages with things of several lists: the pages of all of these lead back there, too."""


def register_navigation(*entries: NavigationEntry) -> None:
    """Add entries to the side navigation."""
    known = sorted([*navigation.values(), *entries], key=lambda entry: entry.rank)
    navigation.clear()
    navigation.update({entry.url_name: entry for entry in known})


def register_home(url_name: str) -> None:
    """Say where / leads who is logged in."""
    home[:] = [url_name]


def register_targets(addresses: Mapping[str, Callable[[Any, str], str]]) -> None:
    """Say where those things are that notifications may be about."""
    targets.update(addresses)


def register_decisions(*kinds: DecisionKind) -> None:
    """Add kinds of what waits for a decision."""
    decisions.update({kind.name: kind for kind in kinds})


def register_activity(*kinds: ActivityKind) -> None:
    """Add kinds of what people change."""
    activity.update({kind.code: kind for kind in kinds})


def register_searches(*kinds: SearchKind) -> None:
    """Add kinds of search results."""
    searches.update({kind.name: kind for kind in kinds})


def register_starting_points(*points: StartingPoint) -> None:
    """Add pages that are found by their words."""
    starting_points.update({point.url_name: point for point in points})


def register_activity_pages(pages: ActivityPages) -> None:
    """Say where the activity is shown."""
    activity_pages[:] = [pages]


def register_bell(shown: Bell) -> None:
    """Say what the bell is about."""
    bell[:] = [shown]


def register_lists(definitions: Mapping[str, Callable[[Any], Any]]) -> None:
    """Say what can be asked of the lists."""
    lists.update(definitions)


def register_inbox(url_name: str) -> None:
    """Let the pages of all lists lead back to this page."""
    if url_name not in inboxes:
        inboxes.append(url_name)


def register_reasons(sentences: Mapping[str, Callable[[int], str]]) -> None:
    """Add the sentences of reasons, such as ONGOING_ORDERED_CASE."""
    reasons.update(sentences)


def register_refusals(sentences: Mapping[Any, Any]) -> None:
    """Add the sentences of codes, such as Code.NOT_INVITED, and of our own reasons."""
    refusals.update(sentences)
