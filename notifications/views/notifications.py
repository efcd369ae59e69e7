"""Notifications: the list, opening and marking. Loading the list does not mark anything as read."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.errors import Rejected
from console.forms.confirm import ConfirmPage, Question, row_result
from console.forms.idempotency import idempotent
from console.forms.return_url import return_url
from console.forms.submit import Problem, WriteTexts, submit, with_action
from console.l10n.numbers import ngettext
from console.lists.query import ListQuery, read_list
from console.lists.view import ListView
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.failures import not_offered
from console.web.links import Link
from console.web.request import ConsoleRequest, bound, get_tz, wants_json
from console.web.responses import done, show
from notifications import links
from notifications.labels import sentence
from notifications.tables.notifications import NOTIFICATIONS, notification_facts, notification_table, to_service_params
from upstream.errors import Failed, NotDone, NotFound, Refused, is_missing
from upstream.listing import PAGE_LIMIT, Listing, ListParams
from upstream.resources.notifications import Notification

VISITS = "visits"
"""The cookie with two times (seconds): the end of the last visit, and the newest request of this one."""
PAUSE = timedelta(minutes=30)
"""A request after this pause starts a new visit."""
YEAR = 365 * 24 * 3600
UNDO_TTL = 3600
"""Seconds for which it can be reverted that all notifications were marked as read."""


class NotificationList(ListPage[Notification]):
    definition = NOTIFICATIONS
    template = "notifications/notification_list.html"

    def get(self, request: HttpRequest, **kwargs: str) -> HttpResponse:
        self.now = timezone.now()
        self.last_visit = _last_visit(request, self.now)
        try:
            response = super().get(request, **kwargs)
        except (NotFound, Refused, Failed) as error:
            if not is_missing(error):
                raise
            return show(request, "notifications/not_offered.html", message=not_offered())
        return response if wants_json(request) else _store_visit(response, self.last_visit, self.now)

    def load(self, query: ListQuery) -> tuple[Listing[Notification], ListQuery]:
        notifications, admin = self.request.upstream.notifications, self.request.admin.id
        listing, query = read_list(query, lambda params: notifications.list(to_service_params(params), admin_id=admin))
        self.newest = _newest(query, listing.results)
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[Notification]) -> ListView:
        return notification_table(
            query, listing, path=self.request.path, tz=self.tz, now=self.now, last_visit=self.last_visit
        )

    def context(self) -> dict[str, Any]:
        return {"mark_all": links.read_all_url(self.newest or self.now)}


@private(methods=("GET", "POST"))
@idempotent
def notification_open(request: ConsoleRequest, notification_id: str) -> HttpResponse:
    """Mark the notification as read and redirect to its target, with a POST, because a GET must not change anything."""
    notification = _find(request, notification_id)
    try:
        address, gone = links.get_target_url(request.upstream, notification), ""
    except NotFound:
        address, gone = "", _("The item this notification refers to no longer exists.")
    # Translators: verb: opens what a notification is about.
    instead = Link(pgettext("button", "Open"), address) if address else None
    return _mark(request, notification, read=True, goto=address, message=gone, instead=instead)


@private(methods=("GET", "POST"))
@idempotent
def notification_read(request: ConsoleRequest, notification_id: str) -> HttpResponse:
    return _mark(request, _find(request, notification_id), read=True, message=_("Notification marked as read."))


@private(methods=("GET", "POST"))
@idempotent
def notification_unread(request: ConsoleRequest, notification_id: str) -> HttpResponse:
    return _mark(request, _find(request, notification_id), read=False, message=_("Notification marked as unread."))


@private(methods=("GET", "POST"))
@idempotent
def all_notification_read(request: ConsoleRequest, until: str) -> HttpResponse:
    """Mark all notifications that match the list's filter, on all pages, up to the newest one that was shown."""
    up_to, back = _moment(until), return_url(request, links.notification_list_url())
    query = ListQuery.read(NOTIFICATIONS, QueryDict(urlsplit(back).query))
    kinds = query.filters.get("kind", ())

    texts = WriteTexts(
        action=_("Mark all as read"),
        failed=_("Failed to mark the notifications as read."),
    )
    page = ConfirmPage(request, lambda _problem: _read_all_question(query), texts, back=back, crumbs=_crumbs())
    if not page.is_confirmed:
        return page.show()

    def mark(_key: str) -> int | None:
        if query.keyword or query.invalid:
            raise Rejected("only whole kinds can be marked")
        return request.upstream.notifications.read_all(kinds, up_to=up_to, admin_id=request.admin.id)

    unread = _unread_ids(request, kinds, up_to)
    outcome = submit(request, page.form, mark, texts=texts)  # no entry: which notifications a user has read is private
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    return done(
        request,
        goto=back,
        message=_mark_all_message(outcome.result),
        is_change=outcome.result != 0,
        undo=links.unread_url_for_all() if unread else "",
        undo_fields={"ids": _sign(request, unread)},
    )


@private(methods=("GET", "POST"))
@idempotent
def all_notification_unread(request: ConsoleRequest) -> HttpResponse:
    """Revert that all notifications were marked as read: mark those as unread that were unread before."""
    back = return_url(request, links.notification_list_url())
    ids = _signed_ids(request) if request.method == "POST" else []
    if not ids:
        return HttpResponseRedirect(back, status=303)
    texts = WriteTexts(action=_("Mark as unread"), failed=_("Failed to mark the notifications as unread."))
    mark = request.upstream.notifications.mark_unread
    outcome = submit(request, forms.Form(request.POST), lambda _key: mark(ids), texts=texts)
    if isinstance(outcome, Problem):
        messages.warning(request, " ".join(outcome.sentences))
    elif not outcome.result or not all(row.ok for row in outcome.result.rows):
        messages.warning(request, with_action(texts.action, str(texts.unknown)))
    else:
        done_text = ngettext(
            "%(count)s notification marked as unread.", "%(count)s notifications marked as unread.", len(ids)
        )
        messages.success(request, done_text % {"count": len(ids)})
    return HttpResponseRedirect(back, status=303)


def _unread_ids(request: ConsoleRequest, kinds: Sequence[str], up_to: datetime) -> list[str]:
    """Return the notifications that are about to be marked as read; none if they are more than one page or unknown."""
    params = ListParams(size=PAGE_LIMIT, filters={"read": ("false",), **({"kind": tuple(kinds)} if kinds else {})})
    try:
        listing = request.upstream.notifications.list(params, admin_id=request.admin.id)
    except (NotDone, NotFound):
        return []
    if listing.result_count > len(listing.results):
        return []
    return [row.id for row in listing.results if row.id and row.created_date and row.created_date <= up_to]


def _sign(request: ConsoleRequest, ids: Sequence[str]) -> str:
    return signing.dumps(ids, salt=bound(request, "unread notifications", links.unread_url_for_all()), compress=True)


def _signed_ids(request: ConsoleRequest) -> list[str]:
    """Return the notifications that were unread; none for a form that this console did not make for this user."""
    salt = bound(request, "unread notifications", request.path)
    try:
        ids: list[str] = signing.loads(request.POST.get("ids", ""), salt=salt, max_age=UNDO_TTL)
    except signing.BadSignature:
        return []
    return ids


def _read_all_question(query: ListQuery) -> Question:
    title = _("Mark all as read?")
    if query.invalid:
        return Question(title, [query.invalid_text])
    if query.keyword:
        return Question(title, [_("You can't mark all search results at once. Clear the search first.")])
    # Translators: kinds: of notifications; marked: as read.
    chosen = [_("Only notifications that match the type filter will be marked.")] if query.filters.get("kind") else []
    text = _("Notifications that arrived after you opened the list stay unread.")
    return Question(title, [text, *chosen], _("Mark all as read"), is_danger=False)


def _mark_all_message(count: int | None) -> str:
    if count is None:
        return _("All notifications marked as read.")
    return ngettext("%(count)s notification marked as read.", "%(count)s notifications marked as read.", count) % {
        "count": count
    }


def _find(request: ConsoleRequest, notification_id: str) -> Notification:
    return request.upstream.notifications.get(notification_id, admin_id=request.admin.id)


def _mark(
    request: ConsoleRequest,
    notification: Notification,
    *,
    read: bool,
    message: str,
    goto: str = "",
    instead: Link | None = None,
) -> HttpResponse:
    title, button = (_("Mark as read?"), _("Mark as read")) if read else (_("Mark as unread?"), _("Mark as unread"))
    facts, back = notification_facts(notification, get_tz(request)), return_url(request, links.notification_list_url())
    question = Question(title, [sentence(notification, get_tz(request))], button, False, facts, instead=instead)
    texts = WriteTexts(
        action=button,
        failed=_("Failed to update the notification."),
    )
    page = ConfirmPage(request, lambda _problem: question, texts, back=back, crumbs=_crumbs())
    if not page.is_confirmed:
        return page.show()

    # No entry: which notifications a user has read is private.
    notifications = request.upstream.notifications
    outcome = submit(request, page.form, lambda _key: notifications.set_read(notification.id, read), texts=texts)
    if isinstance(outcome, Problem):
        return page.refuse(outcome, item=None if goto else row_result(notification.id, problem=outcome), url=goto)
    return done(
        request,
        goto=goto or back,
        message=message,
        item=None if goto else row_result(notification.id),
        undo="" if goto else links.mark_url(notification.id, read=not read),
    )


def _crumbs() -> list[dict[str, str]]:
    return [{"label": _("Notifications"), "href": links.notification_list_url()}]


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise Http404 from None
    if moment.tzinfo is None:
        raise Http404
    return moment


def _newest(query: ListQuery, rows: list[Notification]) -> datetime | None:
    """Return the date of the newest notification shown, if the page starts with it."""
    return rows[0].created_date if rows and query.page == 1 and query.order == "desc" else None


def _last_visit(request: HttpRequest, now: datetime) -> datetime | None:
    """Return the end of the last visit, which stays the same during a visit."""
    times = [_at(part) for part in request.COOKIES.get(VISITS, "").split(".")]
    if len(times) != 2 or times[1] is None:
        return None
    return times[1] if now - times[1] > PAUSE else times[0]


def _at(seconds: str) -> datetime | None:
    is_time = seconds.isascii() and seconds.isdigit() and 0 < len(seconds) <= 10
    return datetime.fromtimestamp(int(seconds), UTC) if is_time else None


def _store_visit(response: HttpResponse, last: datetime | None, now: datetime) -> HttpResponse:
    value = f"{int(last.timestamp()) if last else ''}.{int(now.timestamp())}"
    response.set_cookie(
        VISITS,
        value,
        max_age=YEAR,
        path=links.notification_list_url(),
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response
