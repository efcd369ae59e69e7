"""The results of bulk actions and imports: stored for an hour, encrypted, and only for their administrator.

Each has an address, so that going back to its page or reloading it sends no form again.
"""

from collections.abc import Iterator
from contextlib import suppress

from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone
from msgspec.structs import replace

from console.config.database_errors import storing
from console.errors import ObjectNotFound, StorageUnavailable
from console.models import ResultContent, StoredResult
from console.sessions.identity import keyed_hash
from console.web.request import ConsoleRequest

PARAM = "result"
MAX_RESULTS = 5
"""Results of one administrator; another one replaces the oldest."""


def redirect_to_result(request: ConsoleRequest, back: str, **values: str) -> HttpResponse | None:
    """Store the signed values of a result and redirect to its page; None if they can't be stored."""
    owner, content = _owner(request), ResultContent(request.path, back, values)
    try:
        with storing("a result could not be stored"):
            StoredResult.purge(timezone.now())
            row = StoredResult.objects.create(owner=owner, content=content)
            StoredResult.objects.keep_newest(owner, MAX_RESULTS)
    except StorageUnavailable:
        return None
    return redirect_to(row)


def redirect_to(result: StoredResult) -> HttpResponse:
    return HttpResponseRedirect(f"{result.content.path}?{PARAM}={result.pk}", status=303)


def find_result(request: ConsoleRequest) -> ResultContent | None:
    """Return the result at the address of this request, if it is stored for this administrator.

    The signatures of its values end after an hour.
    """
    if PARAM not in request.GET:
        return None
    try:
        row = StoredResult.objects.for_owner(_owner(request)).find(request.GET[PARAM])
    except ObjectNotFound:
        return None
    content: ResultContent | None = row.content
    return content if content and content.path == request.path else None


def find_run(request: ConsoleRequest, run: str) -> StoredResult | None:
    """Return the stored result of a run of a bulk action, if there is one."""
    with suppress(StorageUnavailable), storing("the results could not be read"):
        return next(_results(request, run), None)
    return None


def remove_undo(request: ConsoleRequest, run: str) -> None:
    """Remove an undo that was executed from the result that offers it.

    If its form is sent again later, the service only repeats its answer, although the objects may have changed since.
    """
    _update(request, run, undo_job="")


def mark_retried(request: ConsoleRequest, run: str) -> None:
    """Record on the result of a run that its failed rows were retried; see `remove_undo` for the reason."""
    _update(request, run, retried="1")


def _results(request: ConsoleRequest, run: str) -> Iterator[StoredResult]:
    for row in StoredResult.objects.for_owner(_owner(request)):
        if row.content and row.content.values.get("run") == run:
            yield row


def _update(request: ConsoleRequest, run: str, **values: str) -> None:
    with suppress(StorageUnavailable), storing("a result could not be changed"):
        for row in _results(request, run):
            row.content = replace(row.content, values={**row.content.values, **values})
            row.save()


def _owner(request: ConsoleRequest) -> str:
    return keyed_hash("result", request.admin.identity)
