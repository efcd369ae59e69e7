"""The pages of a bulk action: the plan, and the result of each hundred rows. One for all lists."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol, TypeVar

import msgspec
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.bulk import (
    AT_ONCE,
    MOST,
    TYPED_FROM,
    Candidate,
    Course,
    TooMany,
    Unknown,
    carry_out,
    chosen_ids,
    hundreds,
)
from console.failures import Failure, error_page
from console.http import ConsoleRequest
from console.lists import Label, ListQuery
from console.once import once
from console.reasons import reason_texts
from console.upstream.bulk import BulkResult, BulkRow
from console.upstream.listing import Listing, ListParams

AT_A_GLANCE = 25
"""So many rows of a plan are shown without being asked for; what can't be done always is."""


class HasId(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=HasId)
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

    @property
    def count_text(self) -> str:
        """Filled in by the browser, which can't choose a plural: so the number stands behind a colon."""
        return _("Selected: %(count)s")


def answer(
    request: ConsoleRequest, action: BulkAction, *, find: Find, all_rows: Callable[[], list[Candidate]], back: str
) -> HttpResponse:
    """Answer a POST of a bulk action: plan, result, or the next hundred. `all_rows` are those that match the query."""
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
    course = Course(action.name, [c.id for c in candidates])
    context = {
        "action": action,
        "form": form or (action.form(None) if action.form else None),
        "blocked": [c for c in candidates if c.blockers],
        "possible": [c for c in candidates if not c.blockers],
        "open_to": AT_A_GLANCE,
        "total": course.total,
        "needs_number": action.deletes and course.total >= TYPED_FROM,
        "course": course.pack(),
        "error": error,
        "back": back,
        "request_id": request.request_id,
    }
    return render(request, "bulk/plan.html", context, status=422 if error or form else 200)


def _go_on(
    request: ConsoleRequest, action: BulkAction, course: Course, key: str, *, find: Find, back: str
) -> HttpResponse:
    if request.POST.get("confirm"):
        form = action.form(request) if action.form else None
        typed = request.POST.get("typed_number", "").strip()
        needs_number = action.deletes and course.total >= TYPED_FROM
        error = ""
        if needs_number and not _is_number(typed, course.total):
            error = _("Type the number of rows, %(count)s, to delete them.") % {"count": course.total}
        if error or (form and not form.is_valid()):
            return _plan(request, action, _find_all(request, course.left, find), back=back, form=form, error=error)
        options = {name: str(value or "") for name, value in form.cleaned_data.items()} if form else {}
        course = Course(action.name, course.left, options)
    names = {c.id: c for c in find(course.left[:AT_ONCE])}
    course = carry_out(
        course,
        names,
        lambda ids: action.run(ids, course.options, key),
        lambda row: _reason(row, action),
    )
    return _result(request, action, course, back=back)


def _result(request: ConsoleRequest, action: BulkAction, course: Course, *, back: str) -> HttpResponse:
    """What happened to each row so far."""
    failed = len(course.failed)
    done = len(course.rows) - failed
    context = {
        "action": action,
        "rows": sorted(course.rows, key=lambda row: row.ok),  # what needs a look comes first
        "done_text": ngettext("%(count)s row is done.", "%(count)s rows are done.", done) % {"count": done},
        "failed_text": ngettext("%(count)s row was not done.", "%(count)s rows were not done.", failed)
        % {"count": failed},
        "failed": failed,
        "seen": len(course.rows),
        "total": course.total,
        "course": course.pack() if course.left else "",
        "again": Course(action.name, course.failed, course.options).pack() if failed and not course.left else "",
        "back": back,
        "list_path": back.partition("?")[0],
    }
    return render(request, "bulk/result.html", context)


def _reason(row: BulkRow | None, action: BulkAction) -> str:
    if row is not None and row.reasons:
        return " ".join(reason_texts(row.reasons))
    if row is not None and row.unsure:
        return _("The service did not say whether it was done.")
    return str(action.failure)


def _is_number(typed: str, number: int) -> bool:
    """In any style of digits: Arabic ones are digits, too."""
    return typed.isdecimal() and int(typed) == number
