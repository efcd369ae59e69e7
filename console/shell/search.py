"""The search of the whole console: the kinds that apps registered, each read separately, and pages by their words.

If nothing has all words, some of them may name a section of a result, such as the clinic's tab in "uptown partners".
"""

import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from msgspec.structs import replace

from console.l10n.numbers import ngettext, number_text
from console.lists.query import KEYWORD_LENGTH, cleaned, too_long
from console.web.access import private
from console.web.contributions import NavigationEntry, SearchHit, SearchKind, Section, StartingPoint, contributed
from console.web.failures import not_loaded
from console.web.islands import SearchAnswer, SearchGroup
from console.web.links import Link
from console.web.paths import get_path
from console.web.request import ConsoleRequest, get_login, wants_json
from console.web.responses import Answer, json, show
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound
from upstream.listing import PAGE_SIZES, Listing, ListParams
from upstream.nouns import plain as without_accents

MAX_HITS = 5
"""The maximum number of hits of each kind."""


class Command(msgspec.Struct, frozen=True):
    """A command of the header of each page, found by its label or keywords. `name`: see `SearchHit.command`."""

    name: str
    label: Any
    icon: str
    keywords: Any


# Translators: words that find a page or a command in the search, separated by commas: add all that people may type in
# your language.
_THEME_WORDS = pgettext_lazy("search words", "dark mode, light mode, appearance, colors")

COMMANDS = (
    Command("logout", gettext_lazy("Log out"), "log-out", pgettext_lazy("search words", "sign out, log off, exit")),
    Command(
        "language", gettext_lazy("Choose a language"), "languages", pgettext_lazy("search words", "translation, locale")
    ),
    # Translators: a command: the colors of the console are dark.
    Command("theme-dark", gettext_lazy("Theme: dark"), "moon", _THEME_WORDS),
    # Translators: a command: the colors of the console are light.
    Command("theme-light", gettext_lazy("Theme: light"), "sun", _THEME_WORDS),
    # Translators: a command: the colors of the console are those of the device.
    Command("theme-system", gettext_lazy("Theme: system"), "monitor", _THEME_WORDS),
    # Translators: a heading and an entry of a menu: the keys that do something in the console.
    Command("keys", gettext_lazy("Keyboard shortcuts"), "info", pgettext_lazy("search words", "keys, hotkeys")),
)


class _Query(NamedTuple):
    """A search for things of a kind; with a section, each result leads to that page of it."""

    kind: SearchKind
    keyword: str
    section: Section | None = None


@private
def search(request: ConsoleRequest) -> HttpResponse:
    """Answer /search?q= with a page, or JSON for the dialog; without a keyword, with starting points."""
    keyword, login = cleaned(request.GET.get("q", "")), get_login(request)
    can_search = is_long_enough(keyword) and len(keyword) <= KEYWORD_LENGTH
    queries = [_Query(kind, keyword) for kind in contributed().searches] if can_search else []
    results, pages = _read_all(request.upstream, queries), _pages(request, keyword)
    if queries and not pages and all(listing and not listing.result_count for _query, listing in results):
        results = [*_read_all(request.upstream, list(_section_queries(keyword))), *results]
    by_query = (_group(query, listing, keyword) for query, listing in results)
    groups = _with_pages([group for group in by_query if group], pages, keyword)
    total = len(pages) + sum(listing.result_count for _query, listing in results if listing)
    answer = SearchAnswer(
        sender=login.sender if login else "",
        # Translators: a hint in the field of the search.
        label=_("Search by name, email, serial number, or ID"),
        # Translators: heading: the people, clinics and scanners whose pages were opened last.
        opened=_("Recently viewed"),
        unreachable=_("Can't reach the console. Check your connection and try again."),
        messages=list(_messages(keyword, total, groups)),
        groups=groups,
    )
    if wants_json(request):
        return json(request, Answer(ok=True, item=answer))
    return show(request, "pages/search.html", keyword=keyword, results=answer)


def is_long_enough(keyword: str) -> bool:
    """Return True for two characters, or one of a script without capitals, which may be a word."""
    return len(keyword) > 1 or any(unicodedata.category(char) == "Lo" for char in keyword)


def _section_queries(keyword: str) -> Iterator[_Query]:
    """Yield, for each kind, the query for the rest of a keyword that ends or starts with the label of a section."""
    words = keyword.split()
    splits = [(words[:at], words[at:]) for at in range(1, len(words))]
    names_and_labels = [*splits, *((last, first) for first, last in reversed(splits))]  # long labels first
    for kind in contributed().searches:
        for name, label in names_and_labels:
            section = _find_section(kind, plain(" ".join(label)))
            if section and is_long_enough(" ".join(name)):
                yield _Query(kind, " ".join(name), section)
                break


def _find_section(kind: SearchKind, start: str) -> Section | None:
    """Return the first section whose label starts with `start`, or None."""
    sections = contributed().sections.get(kind.name, ()) if is_long_enough(start) else ()
    return next((section for section in sections if plain(str(section.label)).startswith(start)), None)


def _read_all(upstream: Upstream, queries: list[_Query]) -> list[tuple[_Query, Listing[Any] | None]]:
    """Return the results of each query; None where its call failed."""
    return list(zip(queries, upstream.together(*(_reader(upstream, query) for query in queries)), strict=True))


def _reader(upstream: Upstream, query: _Query) -> Callable[[], Listing[Any] | None]:
    def read() -> Listing[Any] | None:
        try:
            return query.kind.read(upstream, ListParams(keyword=query.keyword, size=min(PAGE_SIZES), word_calls=1))
        except (NotDone, NotFound):
            return None

    return read


def _group(query: _Query, listing: Listing[Any] | None, keyword: str) -> SearchGroup | None:
    """Return the results of a query; None for no results."""
    kind, title = query.kind, str(query.kind.title)
    if listing is None:
        retry = Link(_("Try again"), f"{get_path('search')}?{urlencode({'q': keyword})}")
        return SearchGroup(kind.name, title, [], failed=not_loaded(), more=retry)
    hits = [_hit(query, row) for row in listing.results[:MAX_HITS]]
    has_more = listing.result_count > len(hits)
    if not hits and not kind.all_is_more:
        return None
    all_link = Link(str(kind.all_label), f"{get_path(kind.all_url_name)}?{urlencode({'keyword': query.keyword})}")
    return SearchGroup(
        kind.name,
        title,
        hits,
        count=number_text(listing.result_count) if has_more and not kind.all_is_more else "",
        more=all_link if has_more or kind.all_is_more else None,
    )


def _hit(query: _Query, row: Any) -> SearchHit:
    hit, section = query.kind.hit(row), query.section
    if section:
        hit = replace(hit, href=section.href(row), details=(str(section.label), *hit.details))
    return replace(hit, icon=query.kind.icon, details=tuple(detail for detail in hit.details if detail.strip()))


def _with_pages(groups: list[SearchGroup], pages: list[SearchHit], keyword: str) -> list[SearchGroup]:
    """Add the pages: first if one of them begins with the keyword, otherwise after what was found."""
    if not pages:
        return groups
    with_hits, others = [group for group in groups if group.hits], [group for group in groups if not group.hits]
    # Translators: heading: pages of the console, and what can be begun with one of them, such as "Invite user".
    group = SearchGroup("pages", _("Pages and actions"), pages)
    is_first = plain(pages[0].label).startswith(plain(keyword))
    return [group, *with_hits, *others] if is_first else [*with_hits, group, *others]


def plain(text: str) -> str:
    """Return a text for comparison: without case and accents, including the dot of a Turkish i."""
    return without_accents(text).replace("ı", "i")


def _pages(request: ConsoleRequest, keyword: str) -> list[SearchHit]:
    """Return pages and commands that have all words in their labels, or at the start of their keywords, those whose
    labels begin with them first; without a keyword, starting points."""
    words = plain(keyword).split()
    if not keyword:
        return [_page(point) for point in contributed().starting_points if point.is_suggested]
    if not is_long_enough(keyword) or not words:
        return []
    fitting = []
    for hit, keywords in _offers(request):
        label, others = plain(hit.label), plain(keywords).replace(",", " ").split()
        if all(word in label or any(other.startswith(word) for other in others) for word in words):
            position = label.find(words[0])
            fitting.append((position if position >= 0 else len(label), hit))
    by_target: dict[object, SearchHit] = {}
    for _position, hit in sorted(fitting, key=lambda each: each[0]):
        by_target.setdefault(hit.command or hit.href, hit)
    return list(by_target.values())[:MAX_HITS]


def _offers(request: ConsoleRequest) -> Iterator[tuple[SearchHit, str]]:
    """Yield pages and commands with their keywords. Commands need a script, and are in the header of each page."""
    yield from ((_page(entry), "") for entry in contributed().navigation)
    yield from ((_page(point), f"{point.keywords} {point.page}") for point in contributed().starting_points)
    if settings.SUPPORT_EMAIL:
        contact = SearchHit(_("Contact support"), f"mailto:{settings.SUPPORT_EMAIL}", icon="life-buoy")
        yield contact, pgettext("search words", "help, email, problem")
    if wants_json(request):
        yield from (
            (SearchHit(str(one.label), "", icon=one.icon, command=one.name), str(one.keywords)) for one in COMMANDS
        )


def _page(entry: NavigationEntry | StartingPoint) -> SearchHit:
    hit = SearchHit(str(entry.label), get_path(entry.url_name), icon=entry.icon)
    if isinstance(entry, NavigationEntry):
        return hit
    return replace(
        hit,
        href=f"{hit.href}?{entry.query}" if entry.query else hit.href,
        details=(str(entry.page),) if entry.page else (),
    )


def _messages(keyword: str, total: int, groups: list[SearchGroup]) -> Iterator[str]:
    """Yield the messages about the results, and about kinds that could not be read."""
    if not is_long_enough(keyword):
        if keyword:
            yield _("Enter at least two characters.")
        return
    if len(keyword) > KEYWORD_LENGTH:
        yield too_long(keyword)
        return
    failed = [
        _("%(filter)s: %(value)s") % {"filter": group.title, "value": group.failed} for group in groups if group.failed
    ]
    if total:
        # Translators: how many things a search found.
        yield ngettext("%(count)s result", "%(count)s results", total)
    elif not failed:
        yield _("No matches.")
    yield from failed
