"""Activity: the console's own entries, and the service's log, if it has one."""

from datetime import tzinfo
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.audit import words
from console.audit.content import Entry
from console.audit.query import MAX_LISTED_ENTRIES, stored_activity
from console.errors import ObjectNotFound
from console.files.links import export_links
from console.forms.return_url import return_url
from console.l10n.bidi import isolated
from console.l10n.numbers import ngettext
from console.l10n.zones import zone_name
from console.lists.answers import list_json
from console.lists.choices import find_clinics
from console.lists.filters import Tab
from console.lists.preferences import read_query
from console.lists.query import Choice, ListDefinition, ListQuery, read_list
from console.lists.view import ListTexts, ListView, with_facts
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.failures import not_offered
from console.web.links import Link
from console.web.request import ConsoleRequest, get_tz, wants_json
from console.web.responses import show
from overview import links
from overview.files.activity import ActivityExport, ServiceLogExport
from overview.reading import read_user_emails, service_log
from overview.tables.activity import (
    ROWS,
    activity_definition,
    activity_table,
    entry_facts,
    selected_period,
    service_definition,
)
from upstream.errors import NotOffered
from upstream.listing import Listing, ListParams


class ActivityList(ListPage[Entry]):
    template = "overview/activity_list.html"
    exports = ActivityExport

    def get_definition(self) -> ListDefinition:
        return activity_definition(stored_activity(self.request).people())

    def load(self, query: ListQuery) -> tuple[Listing[Entry], ListQuery]:
        stored = stored_activity(self.request)
        period = selected_period(query.filters, self.tz, timezone.now())
        listing, query = read_list(query, lambda params: stored.list(params, period=period))
        self.is_searched_completely = not query.keyword or stored.is_searched_completely(query.params(), period=period)
        query = _with_clinics(self.request, query)
        if thing := query.filters.get("thing"):
            # The object's most recent name, if there is still an entry that has it.
            names = [words.target_name(row) for row in stored.newest(thing[0], 1)]
            query = query.with_choices("thing", (Choice(thing[0], names[0] if names else "–"),))
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[Entry]) -> ListView:
        texts = ListTexts(
            caption=_("Activity"),
            search=_("Search by name"),
            nothing_yet_title=_("No activity yet."),
            nothing_yet_text=_("Changes that administrators make appear here."),
        )
        table = activity_table(query, listing, path=self.request.path, tz=self.tz, texts=texts)
        facts = [_count(table)]
        if not self.is_searched_completely:
            # Translators: below the title of a list, next to “3 changes”; the dates are a filter of the list.
            facts.append(_("Only the most recent changes were searched. Choose dates to search earlier ones."))
        # Translators: a button: searches the changes of all sources for the same keyword.
        table = _with_tabs(self.request, query, table, _("Search all sources"), is_service=False)
        return with_facts(table, *facts)

    def context(self) -> dict[str, Any]:
        return {
            "files": export_links("overview:activity"),
            "notes": [
                # Translators: a note above the console log: the title of what it lists.
                _("Only changes made in this console"),
                # Translators: for how long entries are kept.
                ngettext("Stored for %(count)s day", "Stored for %(count)s days", settings.ACTIVITY_DAYS),
                _times_in(self.tz),
            ],
        }


class ServiceLogList(ListPage[Entry]):
    template = "overview/activity_list.html"
    exports = ServiceLogExport

    def get(self, request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            return super().get(request, **kwargs)
        except NotOffered:
            return show(request, "overview/activity_not_offered.html", message=not_offered())

    def get_definition(self) -> ListDefinition:
        return service_definition()

    def load(self, query: ListQuery) -> tuple[Listing[Entry], ListQuery]:
        upstream = self.request.upstream
        period = selected_period(query.filters, self.tz, timezone.now())
        listing, query = read_list(query, lambda params: service_log(upstream, params, period))
        return listing, _with_clinics(self.request, query)

    def rows(self, query: ListQuery, listing: Listing[Entry]) -> ListView:
        texts = ListTexts(
            caption=_("Activity"),
            search=_("Search by name"),
            nothing_yet_title=_("No activity yet."),
            nothing_yet_text=_("Changes appear here, including those made outside this console."),
        )
        table = activity_table(query, listing, path=self.request.path, tz=self.tz, texts=texts)
        # Translators: a button: searches the changes that were made in this console for the same keyword.
        table = _with_tabs(self.request, query, table, _("Search in this console"), is_service=True)
        return with_facts(table, _count(table))

    def context(self) -> dict[str, Any]:
        return {
            "files": export_links("overview:service-log"),
            # Translators: a note above the service log: the title of what it lists.
            "notes": [_("Includes changes made outside this console"), _times_in(self.tz)],
        }


@private
def activity_show(request: ConsoleRequest, entry_id: str) -> HttpResponse:
    """Show an entry; that of a bulk action with a list of its rows."""
    stored = stored_activity(request)
    entry = stored.get(entry_id)
    if not entry.is_bulk:
        return _entry_page(request, entry, bulk_entry=stored.get_bulk_entry(entry))
    query, tz = read_query(request, ROWS), get_tz(request)
    listing, query = read_list(query, lambda params: stored.rows(entry, params))
    table = activity_table(query, listing, path=request.path, tz=tz)
    rows = with_facts(table, once=["action", "person"])
    if wants_json(request):
        return list_json(request, rows)
    return _entry_page(request, entry, rows=rows)


@private
def service_log_show(request: ConsoleRequest, entry_id: str) -> HttpResponse:
    try:
        listing = service_log(request.upstream, ListParams(size=10, ids=(entry_id,)))
    except NotOffered:
        return show(request, "overview/activity_not_offered.html", message=not_offered())
    for entry in listing.results:
        if entry.id == entry_id:
            return _entry_page(request, entry, back=links.service_log_url())
    raise ObjectNotFound("no such entry of the service's log")


def _entry_page(
    request: ConsoleRequest,
    entry: Entry,
    *,
    bulk_entry: Entry | None = None,
    rows: ListView | None = None,
    back: str = "",
) -> HttpResponse:
    tz, list_url = get_tz(request), back or links.activity_list_url()
    email = read_user_emails(request.upstream, [entry]).get(entry.content.target.id, "")
    return show(
        request,
        "overview/activity_show.html",
        title=words.entry_title(entry),
        facts=entry_facts(entry, tz=tz, email=email, bulk_entry=bulk_entry),
        changes=words.change_texts(entry, tz),
        rows=rows,
        files=export_links("overview:activity-row", entry.id) if rows else [],
        crumbs=[{"label": _("Activity"), "href": list_url}],
        back=return_url(request, list_url),
    )


def _with_clinics(request: ConsoleRequest, query: ListQuery) -> ListQuery:
    clinics = find_clinics(request, query)
    return query.with_choices("clinic", clinics.choices, search_term=clinics.search_term)


def _count(table: ListView) -> str:
    if table.total >= MAX_LISTED_ENTRIES:
        return _("Only the most recent changes are listed. Export the log to get them all.")
    return ngettext("%(count)s change", "%(count)s changes", table.total)


def _times_in(tz: tzinfo) -> str:
    # Translators: of dates in a list; %(zone)s: a time zone by its city and country, such as “Paris, France”.
    return _("Times in %(zone)s") % {"zone": isolated(zone_name(str(tz)))}


def _with_tabs(
    request: ConsoleRequest, query: ListQuery, table: ListView, search_other: str, *, is_service: bool
) -> ListView:
    """Return the list with its tabs; a list without matches has a link `search_other` to the other tab."""
    tabs, empty = _tabs(request, query, is_service=is_service), table.empty
    if query.is_narrowed and query.can_be_read and not table.rows:
        others = [Link(search_other, tab.href) for tab in tabs if not tab.is_current]
        empty = replace(empty, first_steps=[*empty.first_steps, *others])
    return replace(table, tabs=tabs, empty=empty)


def _tabs(request: ConsoleRequest, query: ListQuery, *, is_service: bool) -> list[Tab]:
    """Return the tabs, which keep the keyword and common filters; none if the service is known to have no log."""
    if not request.upstream.audit_logs.are_offered:
        return []
    # The service's log has no filters that the console's list doesn't have.
    names = {f.name for f in service_definition().filters}
    filters = {name: values for name, values in query.filters.items() if name in names}
    return [
        # Translators: tab: the changes that were made in this console.
        Tab(_("In this console"), query.url(links.activity_list_url(), filters=filters), "", not is_service),
        # Translators: tab: the changes of all sources, those made in this console and those made outside it.
        Tab(_("All sources"), query.url(links.service_log_url(), filters=filters), "", is_service),
    ]
