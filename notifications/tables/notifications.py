"""The list of notifications: its filters, columns and rows, grouped by day."""

from datetime import datetime, tzinfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from msgspec import UNSET
from msgspec.structs import replace

from console.l10n.dates import day_text, exact_time, time_text
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import (
    Cell,
    Column,
    EmptyView,
    Fact,
    ListTable,
    ListTexts,
    ListView,
    RowAction,
    date_cell,
    list_view,
)
from notifications import links
from notifications.labels import KINDS, sentence
from upstream.listing import Listing, ListParams
from upstream.resources.notifications import Notification

UNREAD = {"filter": ("unread",)}

_UNREAD_ONLY = Filter(
    "filter",
    # Translators: a verb: name of the filter that can be set to "Unread".
    pgettext_lazy("filter", "Show"),
    (Choice("unread", pgettext_lazy("notifications", "Unread")),),
    is_single=True,
    is_offered=False,
    tabs=("unread",),
)
"""The name and value are fixed by the URL (conformance RT-27)."""

NOTIFICATIONS = ListDefinition(
    name="notifications",
    search_fields=(SearchField("all", gettext_lazy("All fields")),),
    filters=(
        _UNREAD_ONLY,
        # Translators: noun: the kind of a notification. Keep short: label of a filter.
        Filter("kind", gettext_lazy("Type"), tuple(Choice(code, label) for code, label in KINDS.items())),
    ),
    sorts=("created_date",),
    default_sort="created_date",
    default_order="desc",
)


def to_service_params(params: ListParams) -> ListParams:
    """Return the parameters for the service, in which unread is a value of the filter `read`."""
    filters = {name: values for name, values in params.filters.items() if name != "filter"}
    return replace(params, filters={**filters, "read": ("false",)} if params.filters.get("filter") else filters)


def notification_table(
    query: ListQuery,
    listing: Listing[Notification],
    *,
    path: str,
    tz: tzinfo,
    now: datetime,
    last_visit: datetime | None,
) -> ListView:
    """Return the notifications by day, with a heading between new and older ones since the last visit.

    The name of a row opens its target with a POST, because that marks the notification as read.
    """

    def href(row: Notification) -> str:
        return links.notification_pages(row.id) if links.can_be_opened(row) else ""

    def received(row: Notification) -> Cell:
        moment = row.created_date
        return Cell(time_text(moment, tz), at=exact_time(moment)) if moment else Cell("")

    columns: tuple[Column[Notification], ...] = (
        # Translators: column head: what the notification says.
        Column("notification", _("Notification"), "word", lambda row: Cell(sentence(row, tz)), href=href),
        # Translators: column head and label: when a notification was received.
        Column("received", pgettext("date", "Received"), "date", received, sort="created_date"),
    )
    view = list_view(
        query,
        listing,
        ListTable(
            columns=columns,
            row_href=lambda row: links.notification_pages(row.id),
            actions=(
                RowAction(_("Mark as read"), "/read", lambda row: not row.is_read, is_act=True),
                RowAction(_("Mark as unread"), "/unread", lambda row: row.is_read, is_act=True),
            ),
            texts=ListTexts(
                caption=_("Notifications"),
                search=_("Search notifications"),
                nothing_yet_title=_("No notifications yet."),
                nothing_yet_text=_("You'll be notified here about scanners, lab requests, and invitations."),
            ),
            opening=links.OPENING,
        ),
        path=path,
    )
    # Translators: state of one notification.
    # Translators: name of a tab or filter: only the notifications that were not read; plural.
    unread = pgettext("state", "Unread")
    marks = [UNSET if row.is_read else unread for row in listing.results]
    view = replace(view, rows=[replace(row, mark=mark) for row, mark in zip(view.rows, marks, strict=True)])
    view = _with_headings(view, listing, tz=tz, now=now, last_visit=last_visit)
    return replace(view, empty=_all_read(path)) if not listing.results and dict(query.filters) == UNREAD else view


def _with_headings(
    view: ListView, listing: Listing[Notification], *, tz: tzinfo, now: datetime, last_visit: datetime | None
) -> ListView:
    """Add headings: the day above its first row, and the start of the notifications that are not new."""
    is_new = [bool(last_visit and row.created_date and row.created_date > last_visit) for row in listing.results]
    newer = _("New since your last visit")
    # Translators: heading above the notifications that came before the last visit.
    earlier = _("Earlier")
    rows, before = [], ("", "")
    for row, row_view, new in zip(listing.results, view.rows, is_new, strict=True):
        day = day_text(row.created_date, tz, now)
        section = (newer if new else earlier) if any(is_new) else ""
        headings = [text for text, former in ((section, before[1]), (day, before[0])) if text and text != former]
        rows.append(replace(row_view, headings=headings) if headings else row_view)
        before = (day, section)
    return replace(view, rows=rows)


def _all_read(path: str) -> EmptyView:
    return EmptyView(
        title=_("No unread notifications."),
        text=_("You've read all your notifications."),
        action_label=_("Show all notifications"),
        action_href=path,
    )


def notification_facts(notification: Notification, tz: tzinfo) -> list[Fact]:
    """Return the facts shown below the sentence in a confirmation."""
    kind = str(KINDS.get(notification.kind, notification.kind))
    return [
        Fact(_("Type"), Cell(kind)),
        Fact(pgettext("date", "Received"), date_cell(notification.created_date, tz), "date"),
    ]
