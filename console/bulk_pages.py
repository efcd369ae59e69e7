"""The pages of a bulk action: the plan, and the result of each hundred rows. One for all lists."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeVar
from unicodedata import normalize
from urllib.parse import urlencode

import msgspec
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from console.bulk import (
    AT_ONCE,
    MOST,
    Candidate,
    Course,
    TooMany,
    Unknown,
    carry_out,
    chosen_ids,
    hundreds,
)
from console.failures import Failure, error_page
from console.form_errors import upstream_message
from console.http import ConsoleRequest
from console.lists import Label, ListQuery
from console.once import once
from console.reasons import row_texts
from console.tables import Identified
from console.upstream.bulk import BulkResult, BulkRow
from console.upstream.errors import Code, NotDone
from console.upstream.listing import Listing, ListParams

TYPED_FROM = 6
AT_A_GLANCE = 25
"""So many rows of a plan are shown without being asked for; what can't be done always is."""


T = TypeVar("T", bound=Identified)
Find = Callable[[Sequence[str]], list[Candidate]]
"""Reads chosen rows by their ids, at most a hundred; what is gone is left out."""


@dataclass(frozen=True)
class BulkAction:
    """What can be done to many rows at once: its words, its options, and the call."""

    name: str
    title: Label
    button: Label
    will: Label
    failure: Label
    run: Callable[[Sequence[str], dict[str, str], str], BulkResult]
    form: Callable[[HttpRequest | None], forms.Form] | None = None
    deletes: bool = False
    typed_from: int = TYPED_FROM
    """A deletion of so many rows is confirmed by typing: the name of one, else their number (conformance LS-15)."""


@dataclass(frozen=True)
class BarButton:
    label: str
    href: str
    tone: str = ""


@dataclass(frozen=True)
class Bar:
    """The bar below a list: the form that ticked rows belong to, and what can be done with them."""

    id: str
    path: str
    actions: list[BarButton]
    pages: str = ""
    """What the addresses of its rows' pages hold, where they don't begin with `path`: who comes back from there keeps
    the ticks."""

    @property
    def count_text(self) -> str:
        """Filled in by the browser, which can't choose a plural: so the number stands behind a colon."""
        return _("Selected: %(count)s")


def answer(
    request: ConsoleRequest, action: BulkAction, *, find: Find, all_rows: Callable[[], list[Candidate]], back: str
) -> HttpResponse:
    """Answer a POST of a bulk action: plan, result, or the next hundred. `all_rows` are those that match the query.

    A GET comes from a link that tries again, a change of the language, or a login: it leads to the list.
    """
    if request.method != "POST":
        messages.info(request, _("Choose the rows again."))
        language = urlencode({"lng": request.GET["lng"]}) if "lng" in request.GET else ""
        return HttpResponseRedirect(f"{back}?{language}" if language else back)
    try:
        if packed := request.POST.get("course"):
            course = Course.unpack(packed, action.name)
            return once(request, lambda key: _go_on(request, action, course, key, find=find, back=back))
        ids = chosen_ids(request)
        if len(ids) > MOST:
            raise TooMany
        candidates = all_rows() if request.POST.get("all") else _find_all(request, ids, find)
    except Unknown:
        return error_page(request, Failure(422, _("Not possible"), _("This plan is too old. Choose the rows again.")))
    except TooMany:
        text = _("At most %(count)s rows can be chosen at once. Narrow the list by a search or a filter.")
        return error_page(request, Failure(422, _("Not possible"), text % {"count": MOST}))
    if not candidates:
        gone = _("The chosen rows are no longer there.")
        messages.warning(request, gone if ids else _("Choose at least one row first."))
        return HttpResponseRedirect(back, status=303)
    return _plan(request, action, candidates, back=back)


def matching(request: ConsoleRequest, query: ListQuery, read: Callable[[ListParams], Listing[T]]) -> list[T]:
    """All rows that match a list's query. Raises TooMany."""
    if query.keyword_error:
        return []
    params = msgspec.structs.replace(query.params(), page=1, size=AT_ONCE)
    first = read(params)
    if first.result_count > MOST:
        raise TooMany
    others = range(2, ceil(first.result_count / AT_ONCE) + 1)
    pages = request.upstream.together(
        *(lambda page=page: read(msgspec.structs.replace(params, page=page)) for page in others)
    )
    rows = [row for listing in (first, *pages) for row in listing.results]
    return list({row.id: row for row in rows}.values())  # a row that moved between two pages is one row


def _find_all(request: ConsoleRequest, ids: Sequence[str], find: Find) -> list[Candidate]:
    """The chosen rows that are still there, a hundred with each call."""
    pieces = request.upstream.together(*(lambda piece=piece: find(piece) for piece in hundreds(ids)))
    return [candidate for piece in pieces for candidate in piece]


def _plan(
    request: ConsoleRequest,
    action: BulkAction,
    candidates: list[Candidate],
    *,
    back: str,
    form: forms.Form | None = None,
    error: str = "",
) -> HttpResponse:
    """What will happen to each row, before it does; what can't be done comes first, with its reason."""
    course = Course.planned(action.name, candidates)
    context = {
        "action": action,
        "form": form or (action.form(None) if action.form else None),
        "blocked": [c for c in candidates if c.blockers],
        "possible": course.left,
        "open_to": AT_A_GLANCE,
        "total": course.total,
        "to_type": _to_type(action, course),
        "course": course.pack(),
        "error": error,
        "typed": request.POST.get("typed", ""),
        "back": back,
        "request_id": request.request_id,
    }
    return render(request, "bulk/plan.html", context, status=422 if error or form else 200)


def _to_type(action: BulkAction, course: Course) -> str:
    """What must be typed before this course is carried out; empty for nothing."""
    if not action.deletes or len(course.left) < action.typed_from:
        return ""
    return course.left[0].name if len(course.left) == 1 else str(len(course.left))


def _go_on(
    request: ConsoleRequest, action: BulkAction, course: Course, key: str, *, find: Find, back: str
) -> HttpResponse:
    if not course.confirmed:
        form = action.form(request) if action.form else None
        to_type = _to_type(action, course)
        error = ""
        if to_type and not _is_typed(request.POST.get("typed", ""), to_type):
            error = _("Type “%(text)s” to delete.") % {"text": to_type}
        if error or (form and not form.is_valid()):
            ids = [*(row.id for row in course.rows), *(target.id for target in course.left)]
            return _plan(request, action, _find_all(request, ids, find), back=back, form=form, error=error)
        options = {name: str(value or "") for name, value in form.cleaned_data.items()} if form else {}
        course = msgspec.structs.replace(course, options=options, confirmed=True)
    ids = [target.id for target in course.left[:AT_ONCE]]
    failure = None
    try:
        told = {row.id: row for row in action.run(ids, course.options, key).rows}
        texts = {id: _reason(told.get(id), action) for id in ids if id not in told or not told[id].ok}
    except NotDone as error:
        # The rows before these are done, and those after may be: what happened to which must not get lost.
        failure = upstream_message(error, str(action.failure))
        texts = dict.fromkeys(ids, _unsure() if error.may_be_done else failure)
    return _result(request, action, carry_out(course, texts), back=back, failure=failure)


def _result(
    request: ConsoleRequest, action: BulkAction, course: Course, *, back: str, failure: str | None = None
) -> HttpResponse:
    """What happened to each row so far. After a call that failed as a whole nothing goes on by itself."""
    failed = len(course.failed)
    done = len(course.rows) - failed
    context = {
        "action": action,
        "rows": sorted(course.rows, key=lambda row: row.ok),  # what needs a look comes first
        "done_text": ngettext("%(count)s row is done.", "%(count)s rows are done.", done) % {"count": done},
        "failed_text": ngettext("%(count)s row was not done.", "%(count)s rows were not done.", failed)
        % {"count": failed},
        "failed": failed,
        "failure": failure,
        "seen": len(course.rows),
        "total": course.total,
        "course": course.pack() if course.left else "",
        "again": course.again().pack() if failed and not course.left else "",
        "back": back,
        "list_path": back.partition("?")[0],
        "request_id": request.request_id,
    }
    return render(request, "bulk/result.html", context)


def _reason(row: BulkRow | None, action: BulkAction) -> str:
    """Why a row was not done, by what the service says of it."""
    if row is None or row.unsure:
        return _unsure()
    if texts := row_texts(row.code, row.reasons):
        return " ".join(texts)
    return str(_BY_CODE.get(row.code, action.failure))


def _unsure() -> str:
    return _("The service did not say whether it was done.")


_BY_CODE: dict[int | None, Label] = {
    Code.NOT_FOUND: gettext_lazy("It is no longer there."),
    Code.CHANGED_MEANWHILE: gettext_lazy("Somebody else changed this meanwhile."),
    Code.TOO_MANY_REQUESTS: gettext_lazy("Too many requests at once. Try again in a moment."),
    Code.NOT_INVITED: gettext_lazy("This user is not waiting for an invitation."),
}


def _is_typed(typed: str, text: str) -> bool:
    """Names however they are composed, numbers in any style of digits: Arabic ones are digits, too."""
    typed = normalize("NFC", typed.strip())
    if text.isdecimal() and typed.isdecimal():
        return int(typed) == int(text)
    return typed == normalize("NFC", text.strip())
