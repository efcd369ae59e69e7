"""Saved views: store the state of a list under a name, rename or delete it; the list shows links to them."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.errors import NameInUse
from console.forms.confirm import ConfirmPage, Question
from console.forms.drafts import form_data_or_draft, get_draft
from console.forms.fields import NameField
from console.forms.form_page import INVALID, refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.return_url import FIELD, is_short, return_url
from console.forms.submit import Problem, WriteTexts, deleted, submit
from console.l10n.bidi import isolated
from console.lists.query import ListQuery, report_missing
from console.lists.saved_views import ListState, StoredViews, View
from console.shell.error_pages import error_page
from console.web.access import private
from console.web.contributions import contributed
from console.web.failures import Failure
from console.web.paths import get_path
from console.web.request import ConsoleRequest, sent_from, split_address
from console.web.responses import done, show

HIDDEN = "hidden"
MAX_COLUMNS, MAX_FIELDS = 20, 200
_COLUMN = re.compile(r"[a-z_]{1,30}")


class SavedViewForm(forms.Form):
    """The name of a new or existing saved view."""

    name = NameField(label=gettext_lazy("Name"))
    # Translators: the label of a check box.
    is_default = forms.BooleanField(label=gettext_lazy("Show this view when I open the list"), required=False)
    # Translators: the label of a check box.
    replaces = forms.BooleanField(label=gettext_lazy("Replace the existing view with this name"), required=False)

    def __init__(self, data: Any = None, *, view: View | None = None) -> None:
        super().__init__(data, initial={"name": view.name, "is_default": view.is_default} if view else {})


@private(methods=("GET", "POST"))
@idempotent
def saved_view_create(request: ConsoleRequest) -> HttpResponse:
    """Save the state of the list from which this page was opened; without a list there is nothing to save."""
    form, address = SavedViewForm(form_data_or_draft(request)), _address(request)
    if _is_too_long(address):
        text = _("The address of this list is too long for a saved view. Remove some filters, then save the view.")
        # Translators: the heading of an error page.
        failure = Failure(INVALID, _("The view wasn't saved"), text)
        return error_page(request, failure, list_href=split_address(address).path)
    view_state = _view_state_at(request, address)
    if view_state is None:
        return HttpResponseRedirect(get_path("home"), status=303)
    if invalid := _invalid_text(request, view_state):
        failure = Failure(INVALID, _("The view wasn't saved"), invalid)
        return error_page(request, failure, list_href=view_state.address)
    page, texts = partial(_page, request, form, view_state), _texts()
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts, extra_fields=[HIDDEN])

    # No audit entry: it belongs to one administrator, and changes nothing of the organization.
    outcome = submit(
        request, form, lambda _key: _stored(request).save(state=view_state, **form.cleaned_data), texts=texts
    )
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=view_state.address)
    return done(request, goto=view_state.address, message=_("View saved."))


@private(methods=("GET", "POST"))
@idempotent
def saved_view_edit(request: ConsoleRequest, view_id: str) -> HttpResponse:
    view, texts = _stored(request).get(view_id), _texts()
    form = SavedViewForm(form_data_or_draft(request), view=view)
    page = partial(_page, request, form, view.state, view)
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    def update(_key: str) -> None:
        values = form.cleaned_data
        _stored(request).update(view.id, name=values["name"], is_default=values["is_default"])

    outcome = submit(request, form, update, texts=texts)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=_back(request, view))
    return done(request, goto=_back(request, view), message=_("View saved."))


@private(methods=("GET", "POST"))
@idempotent
def saved_view_delete(request: ConsoleRequest, view_id: str) -> HttpResponse:
    view = _stored(request).get(view_id)
    failed = _("Failed to delete the view.")
    texts = WriteTexts(failed=failed, unknown=failed)  # it is our own database: the outcome is always known
    question = Question(
        # Translators: %(name)s: the name of a saved view of a list.
        _("Delete the “%(name)s” view?") % {"name": isolated(view.name)},
        [_("The list itself won't change.")],
        _("Delete view"),
    )
    page = ConfirmPage(request, lambda _problem: question, texts, back=_back(request, view), crumbs=[])
    if not page.is_confirmed:
        return page.show()

    outcome = submit(
        request,
        page.form,
        lambda _key: _stored(request).delete(view.id),
        texts=texts,
        verify=lambda: deleted(lambda: _stored(request).get(view.id)),
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    return done(request, goto=_back(request, view), message=_("View deleted."))


def _page(
    request: ConsoleRequest,
    form: SavedViewForm,
    view_state: ListState,
    view: View | None = None,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    return show(
        request,
        "pages/saved_view.html",
        status=status,
        problem=problem,
        form=form,
        view=view,
        is_name_in_use=problem is not None and isinstance(problem.error, NameInUse),
        hidden=".".join(view_state.hidden),
        back=_back(request, view) if view else view_state.address,
    )


def _texts() -> WriteTexts:
    failed = _("Failed to save the view.")
    return WriteTexts(failed=failed, unknown=failed)  # it is our own database: the outcome is always known


def _stored(request: ConsoleRequest) -> StoredViews:
    return StoredViews(request.admin.identity)


def _back(request: ConsoleRequest, view: View) -> str:
    """Return the address of the view's list, in its previous state."""
    return return_url(request, view.state.path)


def _invalid_text(request: ConsoleRequest, view_state: ListState) -> str:
    """Return the message about parts of the address that the list can't apply: the saved view would show more."""
    definition = contributed().lists[resolve(view_state.path).view_name](request)
    return report_missing(request.upstream, ListQuery.read(definition, QueryDict(view_state.query))).invalid_text


def _sent(request: ConsoleRequest) -> Mapping[str, str]:
    return request.POST or getattr(get_draft(request), "data", None) or request.GET


def _address(request: ConsoleRequest) -> str:
    """Return the address of the list that is to be saved; "" if it is not a list of the console."""
    address = _sent(request).get(FIELD) or sent_from(request)
    try:
        match = resolve(split_address(address).path)
    except Resolver404:
        return ""
    return address if match.view_name in contributed().lists else ""


def _is_too_long(address: str) -> bool:
    return not is_short(address) or split_address(address).query.count("&") >= MAX_FIELDS


def _view_state_at(request: ConsoleRequest, address: str) -> ListState | None:
    """Return the state of the list at this address; None without an address, or if it has unprintable characters."""
    parts = split_address(address)
    if not address or not parts.query.isprintable():
        return None
    hidden = [name for name in _sent(request).get(HIDDEN, "").split(".")[:MAX_COLUMNS] if _COLUMN.fullmatch(name)]
    return ListState(parts.path, parts.query, tuple(sorted(hidden)))
