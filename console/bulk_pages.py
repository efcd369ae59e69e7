"""The pages of a bulk action: the plan, and the result of each hundred rows. One for all lists."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.bulk import AT_ONCE, MOST, TYPED_FROM, Candidate, Course, Result, Unknown, carry_out, chosen_ids
from console.failures import Failure, error_page
from console.http import ConsoleRequest
from console.lists import Label, ListQuery
from console.once import once
from console.reasons import reason_texts
from console.upstream.bulk import BulkResult, BulkRow
from console.upstream.listing import Listing, ListParams

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
    request: ConsoleRequest, action: BulkAction, *, find: Find, all_ids: Callable[[], list[str]], back: str
) -> HttpResponse:
    """Answer a POST of a bulk action: plan, result, or the next hundred. `all_ids` are those that match the query."""
    try:
        if packed := request.POST.get("course"):
            course = Course.unpack(packed, action.name)
            return once(request, lambda key: _go_on(request, action, course, key, find=find, back=back))
        ids = all_ids() if request.POST.get("all") else chosen_ids(request)
    except Unknown:
        return error_page(request, Failure(422, _("Not possible"), _("This plan is too old. Choose the rows again.")))
    if not ids:
        return HttpResponseRedirect(back, status=303)
    if len(ids) > MOST:
        text = _("At most %(count)s rows can be chosen at once. Narrow the list by a search or a filter.")
        return error_page(request, Failure(422, _("Not possible"), text % {"count": MOST}))
    return _plan(request, action, Course(action.name, ids), find=find, back=back)


def matching_ids(query: ListQuery, read: Callable[[ListParams], Listing[Any]]) -> list[str]:
    """The ids of all rows that match a list's query; a few more than MOST when there are too many."""
    if query.keyword_error:
        return []
    ids: list[str] = []
    params = msgspec.structs.replace(query.params(), page=1, size=AT_ONCE)
    while len(ids) <= MOST:
        listing = read(params)
        ids += [row.id for row in listing.results]
        if not listing.results or len(ids) >= listing.result_count:
            break
        params = msgspec.structs.replace(params, page=params.page + 1)
    return ids


def _plan(
    request: ConsoleRequest,
    action: BulkAction,
    course: Course,
    *,
    find: Find,
    back: str,
    form: forms.Form | None = None,
    error: str = "",
) -> HttpResponse:
    """What will happen, before it does: the first hundred rows by name, those that can't be done with their reason."""
    candidates = find(course.left[:AT_ONCE])
    blocked = [c for c in candidates if c.blockers]
    context = {
        "action": action,
        "form": form or (action.form(None) if action.form else None),
        "candidates": candidates,
        "blocked": blocked,
        "more": max(0, course.total - len(candidates)),
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
        if form and not form.is_valid():
            return _plan(request, action, course, find=find, back=back, form=form)
        typed = request.POST.get("typed_number", "").strip()
        if action.deletes and course.total >= TYPED_FROM and not _is_number(typed, course.total):
            message = _("Type the number of rows, %(count)s, to delete them.") % {"count": course.total}
            return _plan(request, action, course, find=find, back=back, error=message)
        options = {name: str(value or "") for name, value in form.cleaned_data.items()} if form else {}
        course = Course(action.name, course.left, options)
    names = {c.id: c for c in find(course.left[:AT_ONCE])}
    result = carry_out(
        course,
        names,
        lambda ids: action.run(ids, course.options, key),
        lambda row: _reason(row, action),
    )
    return _result(request, action, result, back=back)


def _result(request: ConsoleRequest, action: BulkAction, result: Result, *, back: str) -> HttpResponse:
    course = result.course
    failed = len(course.failed)
    context = {
        "action": action,
        "rows": sorted(result.rows, key=lambda row: row.ok),  # what needs a look comes first
        "done_text": ngettext("%(count)s row is done.", "%(count)s rows are done.", course.done)
        % {"count": course.done},
        "failed_text": ngettext("%(count)s row was not done.", "%(count)s rows were not done.", failed)
        % {"count": failed},
        "failed": failed,
        "seen": course.done + failed,
        "total": course.total,
        "course": course.pack() if result.goes_on else "",
        "again": Course(action.name, course.failed, course.options).pack() if failed and not result.goes_on else "",
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
