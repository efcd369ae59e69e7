"""The export of the selected rows of a list."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponseRedirect
from django.http.response import HttpResponseBase

from console.bulk.action import NOTHING_SELECTED, SELECTION_NOT_USABLE, TOO_MANY_SELECTED, BulkList
from console.bulk.job import MAX_EXCLUDED, MAX_PLANNED, Matching, NotUsable, sent_ids
from console.files.exporter import Export
from console.files.views import export_matching, export_selected
from console.files.write import Kind
from console.web.request import ConsoleRequest


def export_selection(
    request: ConsoleRequest, source: Export[Any], kind: Kind, bulk_list: BulkList[Any]
) -> HttpResponseBase:
    """Return the selected rows as a file; without any, redirect to the list with the reason."""
    data = request.POST
    ids, excluded = sent_ids(*data.getlist("id"), data.get("ids", "")), sent_ids(data.get("except", ""))
    bulk_list.check()
    try:
        query = Matching.read(request, bulk_list.path, bulk_list.definition, data.get("query", "")).query
    except NotUsable:
        return _to_list(request, bulk_list, str(SELECTION_NOT_USABLE))
    if data.get("all"):
        return export_matching(request, source, kind, query, excluded)
    if not ids:
        return _to_list(request, bulk_list, str(NOTHING_SELECTED))
    if len(ids) > MAX_PLANNED + MAX_EXCLUDED:
        return _to_list(request, bulk_list, str(TOO_MANY_SELECTED))
    return export_selected(request, source, kind, query, ids)


def _to_list(request: ConsoleRequest, bulk_list: BulkList[Any], message: str) -> HttpResponseBase:
    messages.error(request, message)
    return HttpResponseRedirect(bulk_list.back(), status=303)
