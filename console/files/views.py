"""The views of export, which all lists share, and the template files of imports."""

from collections.abc import Collection, Generator, Sequence
from contextlib import ExitStack
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _

from console.files.exporter import Export
from console.files.importer import template
from console.files.slots import ExportSlot, NotExported
from console.files.spec import Import
from console.files.write import Kind, csv_response, file_response, head_response, workbook_response
from console.forms.form_page import INVALID
from console.lists.query import ListQuery, report_missing
from console.shell.error_pages import error_page
from console.web.failures import Failure
from console.web.request import ConsoleRequest, get_tz, wants_json
from console.web.responses import Answer, json
from upstream.errors import Refused

Batches = Generator[list[list[str]], None, None]


def export(request: ConsoleRequest, source: Export[Any], kind: Kind) -> HttpResponseBase:
    """Return all rows of a list as a file; if that is not possible, redirect to the list with the reason.

    The status is 422 if the list can't apply a part of the address: without it the file would have more rows.
    """
    query = report_missing(request.upstream, ListQuery.read(source.definition, request.GET))
    address = query.url(source.list_path)
    if query.invalid:
        return _refuse_export(request, address, query.invalid_text)
    if query.keyword_error:  # the list shows this error
        return _redirect_to_list(request, address, str(query.keyword_error))
    if request.method == "HEAD":
        return head_response(source.definition.name, kind, day=local_day(request))
    return _respond(request, source, kind, query, source.batches(query))


def export_selected(
    request: ConsoleRequest, source: Export[Any], kind: Kind, query: ListQuery, ids: Sequence[str]
) -> HttpResponseBase:
    """Return the rows with these IDs as a file, sorted as in the query."""
    return _respond(request, source, kind, query, source.selected_batches(query, ids))


def export_matching(
    request: ConsoleRequest, source: Export[Any], kind: Kind, query: ListQuery, excluded: Collection[str]
) -> HttpResponseBase:
    """Return all rows of a query but the excluded ones as a file."""
    query = report_missing(request.upstream, query)
    if query.invalid:
        return _refuse_export(request, query.url(source.list_path), query.invalid_text)
    return _respond(request, source, kind, query, source.batches(query, excluded=excluded))


def _respond(
    request: ConsoleRequest, source: Export[Any], kind: Kind, query: ListQuery, batches: Batches
) -> HttpResponseBase:
    """Return the file; if that is not possible, redirect to the list with the reason."""
    address = query.url(source.list_path)
    respond = csv_response if kind == "csv" else workbook_response
    slot = ExportSlot(request.admin.identity)
    try:
        with ExitStack() as ending:
            slot.acquire()
            ending.callback(slot.release)
            response = respond(source.definition.name, batches, slot, day=local_day(request))
            ending.pop_all()  # from here on closing the response ends the export
        return response
    except Refused as error:
        if not query.is_keyword_refused(error):
            raise
        return _refuse_export(request, address, str(query.with_refused_keyword().keyword_error))
    except NotExported as error:
        if not wants_json(request):
            messages.error(request, str(error))
        return _redirect_to_list(request, address, str(error))


def _refuse_export(request: ConsoleRequest, address: str, text: str) -> HttpResponse:
    # Translators: the heading of an error page.
    return error_page(request, Failure(INVALID, _("The list wasn't exported"), text), list_href=address)


def _redirect_to_list(request: ConsoleRequest, address: str, text: str) -> HttpResponse:
    if wants_json(request):
        return json(request, Answer(ok=False, message=text, goto=address), status=INVALID)
    return HttpResponseRedirect(address, status=303)


def template_file(definition: Import) -> HttpResponse:
    """Return a template file: the header and one example."""
    return file_response(f"{definition.name}-template", template(definition.spec, definition.example))


def local_day(request: ConsoleRequest) -> date:
    """Return the current day in the reader's time zone."""
    return timezone.now().astimezone(get_tz(request)).date()
