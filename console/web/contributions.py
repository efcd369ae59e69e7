"""The contributions of apps to the console: each AppConfig returns its own, so that no module here names an app.

Labels and sentences are lazy: they are translated when they are rendered.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec
from django.apps import apps
from msgspec import UNSET, UnsetType

from upstream.client import Upstream
from upstream.listing import Listing, ListParams
from upstream.resources.dashboards import Summary


def _nothing(_value: object) -> int:
    return 0


NavigationGroup = Literal["start", "people", "devices", "records", "settings"]
"""The groups of the side navigation, in their order."""


@dataclass(frozen=True)
class NavigationEntry:
    """An entry of the side navigation; `url_name` is that of its list, "app:name"; `badge` is its count in the summary.

    `stored_count` counts the rows that the console stores, given the request, in at most one statement.
    The pages below the list belong to the entry, and those below `parts`, which are URL names of other pages.
    With a `fragment` it is a section of its page, and only `parts` of the pages below belong to it.
    """

    label: Any
    url_name: str
    icon: str
    group: NavigationGroup
    badge: Callable[[Summary], int] = _nothing
    parts: Sequence[str] = ()
    fragment: str = ""
    stored_count: Callable[[Any], int] = _nothing
    rank: int = 0
    """The position, lowest first; entries of the same rank are in the order of the installed apps."""


@dataclass(frozen=True)
class DecisionKind:
    """A kind of pending decision, for the page that lists all of them.

    `count` is the number at the service, `stored_count` the number that the console stores (see `NavigationEntry`).
    `read` gets the request and the number of rows. It may use the database, and returns a function that reads the rows,
    the oldest first; that function runs concurrently with those of other kinds, and must not use the database. `render`
    gets the request, the rows and the path of the page, and returns the list view and its bulk actions
    (`console.bulk.action.BulkList`, None without any). `all_href` returns the address of the list with all of them, ""
    if that is this page.
    """

    name: str
    title: Any
    nothing: Any
    """The text if there are none."""
    count: Callable[[Summary], int]
    waiting: Callable[[int], str]
    """The number of them in words: "8 scanners to approve"."""
    read: Callable[[Any, int], Callable[[], Any]]
    render: Callable[[Any, Any, str], tuple[Any, Any]]
    actions: tuple[str, ...]
    """The names of the offered bulk actions."""
    all_href: Callable[[], str]
    rank: int
    """The position on the page, lowest first: decisions that block someone's work come first."""
    stored_count: Callable[[Any], int] = _nothing
    is_counted: bool = True
    """False if no one waits for the decision: the navigation leaves `count` out of its own."""


@dataclass(frozen=True)
class SetupStep:
    """A step to set up an organization; it is done once its count is positive, and omitted if that is unknown (None).

    `href` returns the page for it.
    """

    label: Any
    text: Any
    count: Callable[[Summary], int | None]
    href: Callable[[Summary], str]
    rank: int
    """Its position, lowest first: steps depend on those before them."""


class SearchHit(msgspec.Struct, frozen=True):
    """A search result: its name, details to tell it from others of the same name, and its page ("" for none)."""

    label: str
    href: str
    details: tuple[str, ...] = ()
    icon: str = ""
    command: str | UnsetType = UNSET
    """The command that the browser runs instead of opening a page (static_src/behaviors/search-commands.ts)."""


@dataclass(frozen=True)
class SearchKind:
    """A kind of search result: how to read it, and how to show a row of it.

    `read` gets the client and the query, of which it uses the keyword and the size; it runs concurrently with those of
    other kinds, and must not use the database. `all_url_name` is that of the list with `all_label`, which takes the
    keyword.
    """

    name: str
    title: Any
    icon: str
    read: Callable[[Upstream, ListParams], Listing[Any]]
    hit: Callable[[Any], SearchHit]
    all_label: Any
    all_url_name: str
    all_is_more: bool = False
    """True if that list has other rows, too: then it is offered even without a result."""


@dataclass(frozen=True)
class Section:
    """A page of one object, such as a tab of a clinic: the search finds it by the object's name and the label.

    `href` returns its address, given the object; opening it changes nothing.
    """

    name: str
    label: Any
    href: Callable[[Any], str]


@dataclass(frozen=True)
class StartingPoint:
    """A page or a file that the search finds by its label or `keywords`; opening it changes nothing.

    It may be an entry of the navigation, which then has further keywords. If it `is_suggested`, the search shows it
    before anything is typed. A tab has the label of its `page`, which is shown next to it and finds it as well, and
    the `query` that selects it, if that isn't part of its path.
    """

    label: Any
    url_name: str
    icon: str
    keywords: Any = ""
    is_suggested: bool = True
    page: Any = ""
    query: str = ""


@dataclass(frozen=True)
class ActivityKind:
    """A kind of object that the activity reports on; `code` is stored.

    `actions` are the labels of its actions by code, as on their buttons: they are shown next to an outcome, which may
    be a refusal. `fields` are the labels of its fields by code. `value` returns the text of a field's stored value,
    None to show it as it is. `href` returns its page, "" if it has none, given its ID and that of its clinic.
    `count_text` returns a number of such objects, such as “27 users”.
    """

    code: str
    label: Any
    actions: Mapping[str, Any]
    fields: Mapping[str, Any] = field(default_factory=dict)
    value: Callable[[str, str], str | None] = lambda _field, _value: None
    href: Callable[[str, str], str] = lambda _id, _clinic_id: ""
    count_text: Callable[[int], str] | None = None
    is_only_one: bool = False
    """True if there is one such object, which its label names: the organization."""
    is_personal: bool = False
    """True for private objects, such as an account: only the administrator sees their entries."""


@dataclass(frozen=True)
class ActivityPages:
    """The addresses of an object's list (by its keyed hash), an entry (by its ID), and a search of all sources."""

    list_href: Callable[[str], str]
    entry_href: Callable[[str], str]
    all_sources_href: Callable[[str], str]


@dataclass(frozen=True)
class Bell:
    """The URL names of the bell in the header: the page that it opens, and the address of its count.

    `label` returns its label, with the number in words.
    """

    list: str
    count: str
    label: Callable[[int], str]


@dataclass(frozen=True, kw_only=True)
class Contributions:
    """The contributions of one app, or of all of them in the order of the installed apps."""

    home: str = ""
    """The URL name of the page to which / redirects after the login; one app has it."""
    navigation: Sequence[NavigationEntry] = ()
    starting_points: Sequence[StartingPoint] = ()
    """Pages that the search finds by their words, in addition to the entries of the navigation."""
    searches: Sequence[SearchKind] = ()
    sections: Mapping[str, Sequence[Section]] = field(default_factory=dict)
    """The pages of each object of a kind, in their order, by the name of the `SearchKind`."""
    lists: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    """The definition of each list that has a page of its own (`console.lists.query.ListDefinition`), by the name of its
    URL; given the request."""
    inboxes: Sequence[str] = ()
    """URL names of pages with rows of several lists, to which the pages of these lists return as well."""
    decisions: Sequence[DecisionKind] = ()
    decision_page: str = ""
    """The URL name of the page that lists all kinds of decisions."""
    setup_steps: Sequence[SetupStep] = ()
    activity: Mapping[str, ActivityKind] = field(default_factory=dict)
    """The kinds of objects by code."""
    activity_pages: ActivityPages | None = None
    bell: Bell | None = None
    targets: Mapping[str, Callable[[Any, str], str]] = field(default_factory=dict)
    """The subject of a notification, in the service's word -> its address, given the client and the ID; "" for none."""
    reasons: Mapping[str, Callable[[int], str]] = field(default_factory=dict)
    """The service's reason for a refusal -> its sentence, given the number of objects that block the action."""
    refusals: Mapping[int | str, Any] = field(default_factory=dict)
    """The service's code of a refusal, or the reason of a `Rejected` -> its sentence."""


@runtime_checkable
class Contributor(Protocol):
    """The AppConfig of an app with pages."""

    def get_contributions(self) -> Contributions:
        """Return the app's contributions; called once, after all apps are loaded."""


@cache
def contributed() -> Contributions:
    """Return the contributions of all apps."""
    contributions = [app.get_contributions() for app in apps.get_app_configs() if isinstance(app, Contributor)]
    return Contributions(
        home=next((each.home for each in contributions if each.home), ""),
        navigation=sorted((entry for each in contributions for entry in each.navigation), key=lambda entry: entry.rank),
        starting_points=[point for each in contributions for point in each.starting_points],
        searches=[kind for each in contributions for kind in each.searches],
        sections={
            kind: [section for app in contributions for section in app.sections.get(kind, ())]
            for each in contributions
            for kind in each.sections
        },
        lists={name: definition for each in contributions for name, definition in each.lists.items()},
        inboxes=[name for each in contributions for name in each.inboxes],
        decisions=[kind for each in contributions for kind in each.decisions],
        decision_page=next((each.decision_page for each in contributions if each.decision_page), ""),
        setup_steps=sorted((step for each in contributions for step in each.setup_steps), key=lambda step: step.rank),
        activity={code: kind for each in contributions for code, kind in each.activity.items()},
        activity_pages=next((each.activity_pages for each in contributions if each.activity_pages), None),
        bell=next((each.bell for each in contributions if each.bell), None),
        targets={kind: address for each in contributions for kind, address in each.targets.items()},
        reasons={reason: sentence for each in contributions for reason, sentence in each.reasons.items()},
        refusals={code: sentence for each in contributions for code, sentence in each.refusals.items()},
    )
