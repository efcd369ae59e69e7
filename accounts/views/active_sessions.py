"""The administrator's sessions: those of this console, and those that the service lists, if it does."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import links
from accounts.audit import account_entry
from accounts.ending import end_each, end_others
from console.errors import ObjectNotFound
from console.forms.confirm import ConfirmPage, Question
from console.forms.idempotency import idempotent
from console.forms.submit import Problem, State, WriteTexts, submit
from console.l10n.bidi import isolated
from console.l10n.dates import local_moment
from console.l10n.numbers import ngettext
from console.sessions.active_sessions import ActiveSession, list_sessions
from console.web.access import private
from console.web.paths import get_path
from console.web.request import ConsoleRequest, get_tz, require_login
from console.web.responses import done, show
from upstream.errors import NotDone, NotFound, NotOffered
from upstream.resources.admins import ServiceSession

MAX_SESSIONS = 100
"""Maximum number of the service's sessions on the page; a longer list would be hard to search."""


@dataclass(frozen=True)
class SessionRow:
    """A session as the page shows it; without `end_href` it can't be ended there."""

    name: str
    times: list[str]
    is_this: bool
    end_href: str


@dataclass(frozen=True)
class ServiceList:
    """The service's sessions. `is_read` is false if they could not be read; `more` says how many are not shown."""

    rows: list[SessionRow]
    is_read: bool = True
    more: str = ""


@private
def session_list(request: ConsoleRequest) -> HttpResponse:
    return show(
        request,
        "accounts/session_list.html",
        crumbs=[links.account_crumb()],
        sessions=[_console_row(request, session) for session in list_sessions(require_login(request))],
        at_service=_at_service(request),
    )


@private(methods=("GET", "POST"))
@idempotent
def session_end(request: ConsoleRequest, session_id: str) -> HttpResponse:
    session = {session.id: session for session in list_sessions(require_login(request))}.get(session_id)
    if session and session.is_this:
        return HttpResponseRedirect(_list_url(), status=303)  # the page has no link for it
    if session is None and request.method != "POST":
        return HttpResponseRedirect(_list_url())  # it has ended

    def end_session() -> None:
        if session is None:
            raise ObjectNotFound("the session has ended")
        end_each(request, [session])

    return _confirm_end(
        request,
        _question(_console_row(request, session) if session else None),
        end=end_session,
        action="session",
        message=_("Session ended."),
        verify=lambda: State(None, is_as_sent=True),
    )


@private(methods=("GET", "POST"))
@idempotent
def other_sessions_end(request: ConsoleRequest) -> HttpResponse:
    texts = [_("Anyone using these sessions will have to log in again. Your current session stays active.")]

    def end_sessions() -> None:
        if not end_others(request):
            raise ObjectNotFound("there is no other session")

    return _confirm_end(
        request,
        Question(_("End all other sessions in this console?"), texts, _("End all other sessions")),
        end=end_sessions,
        action="sessions",
        message=_("All your other sessions in this console were ended."),
        verify=lambda: State(None, is_as_sent=True),
    )


@private(methods=("GET", "POST"))
@idempotent
def service_session_end(request: ConsoleRequest, session_id: str) -> HttpResponse:
    admins, me = request.upstream.admins, request.admin.id

    def read_stored() -> State[None]:
        return State(None, is_as_sent=session_id not in {session.id for session in admins.sessions(me)})

    return _confirm_end(
        request,
        _question(_service_row(request, _service_session(request, session_id))),
        end=lambda: admins.end_session(me, session_id),
        action="session",
        message=_("Session ended."),
        verify=read_stored,
    )


@private(methods=("GET", "POST"))
@idempotent
def other_service_sessions_end(request: ConsoleRequest) -> HttpResponse:
    admins, me = request.upstream.admins, request.admin.id
    texts = [_("Apps that are logged in as you will have to log in again. Your current session stays active.")]

    def read_stored() -> State[None]:
        return State(None, is_as_sent=all(session.current for session in admins.sessions(me)))

    return _confirm_end(
        request,
        Question(_("End all other sessions everywhere?"), texts, _("End all other sessions")),
        end=lambda: admins.end_other_sessions(me),
        action="sessions",
        message=_("All your other sessions were ended."),
        verify=read_stored,
    )


def _question(row: SessionRow | None) -> Question:
    """Return the question whether to end a session, which says as much of it as the list does."""
    texts = [*(row.times if row else []), _("Anyone using this session will have to log in again.")]
    # Translators: a heading; name: a session, such as “Firefox on Windows”.
    title = _("End the “%(name)s” session?") % {"name": isolated(row.name if row else "")}
    return Question(title, texts, _("End session"))


def _confirm_end(
    request: ConsoleRequest,
    question: Question,
    *,
    end: Callable[[], object],
    action: str,
    message: str,
    verify: Callable[[], State[Any]] | None = None,
) -> HttpResponse:
    """Ask for confirmation, end sessions, and redirect to the list."""
    texts = WriteTexts(action=question.button, failed=_("Failed to end the session."))
    # Translators: a heading: where the administrator is logged in.
    crumbs = [links.account_crumb(), {"label": _("Sessions"), "href": _list_url()}]
    page = ConfirmPage(request, lambda _problem: question, texts, back=_list_url(), crumbs=crumbs)
    if not page.is_confirmed:
        return page.show()

    outcome = submit(
        request, page.form, lambda _key: end(), texts=texts, entry=account_entry(request, action), verify=verify
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    return done(request, goto=_list_url(), message=message)


def session_name(browser: str, system: str) -> str:
    """The name of a session as its owner recognizes it."""
    if browser and system:
        # Translators: the name of a session, such as “Firefox on Windows”.
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    # Translators: the name of a session whose browser isn't known.
    return browser or system or _("Unknown browser")


def _console_row(request: ConsoleRequest, session: ActiveSession) -> SessionRow:
    return SessionRow(
        name=session_name(session.browser, session.system),
        times=_times(request, session.since, session.last_active),
        is_this=session.is_this,
        end_href="" if session.is_this else reverse("accounts:session-end", args=[session.id]),
    )


def _at_service(request: ConsoleRequest) -> ServiceList | None:
    """Return the sessions that the service lists; None if it has no list."""
    try:
        rows = request.upstream.admins.sessions(request.admin.id)
    except NotOffered:
        return None
    except (NotDone, NotFound):
        return ServiceList([], is_read=False)
    visible, hidden_count = sorted(rows, key=lambda row: not row.current)[:MAX_SESSIONS], len(rows) - MAX_SESSIONS
    more = (
        # Translators: the end of a list of sessions.
        ngettext("and %(count)s more session", "and %(count)s more sessions", hidden_count) % {"count": hidden_count}
        if hidden_count > 0
        else ""
    )
    return ServiceList([_service_row(request, row) for row in visible], more=more)


def _service_session(request: ConsoleRequest, session_id: str) -> ServiceSession:
    """Return a session as the service lists it, with the ID only if that can't be read."""
    try:
        rows = request.upstream.admins.sessions(request.admin.id)
    except (NotDone, NotFound):
        rows = []
    return next((row for row in rows if row.id == session_id), ServiceSession(id=session_id))


def _service_row(request: ConsoleRequest, row: ServiceSession) -> SessionRow:
    return SessionRow(
        name=row.device or _("Unknown app"),
        times=_times(request, row.created_date, row.last_used_date),
        is_this=row.current,
        end_href="" if row.current else get_path("accounts:service-session-end", row.id),
    )


def _times(request: ConsoleRequest, since: datetime | None, last_used: datetime | None) -> list[str]:
    """Return when a session began and when it was last used; what is unknown is left out."""
    tz, times = get_tz(request), []
    if since:
        # Translators: when a session began; time: a date and a time.
        times.append(_("Started %(time)s") % {"time": isolated(local_moment(since, tz).local)})
    if last_used:
        # Translators: when a session was used last; time: a date and a time.
        times.append(_("Last seen %(time)s") % {"time": isolated(local_moment(last_used, tz).local)})
    return times


def _list_url() -> str:
    return reverse("accounts:session-list")
