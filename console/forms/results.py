"""The results of bulk actions and imports: stored for an hour, encrypted, and only for their administrator.

Each has an address, so that going back to its page or reloading it sends no form again.
"""

from collections.abc import Mapping
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
    return HttpResponseRedirect(f"{request.path}?{PARAM}={row.pk}", status=303)


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


def remove_undo(request: ConsoleRequest, undo_key: str) -> None:
    """Remove an undo that was executed from the result that offers it.

    If its form is sent again later, the service only repeats its answer, although the objects may have changed since.
    """
    _update(request, "undo_key", undo_key, {"undo_job": ""})


def mark_retried(request: ConsoleRequest, job: str) -> None:
    """Record on the result of a job that its failed rows were retried; see `remove_undo` for the reason."""
    _update(request, "job", job, {"retried": "1"})


def find_retried(request: ConsoleRequest, job: str) -> str:
    """Return the address of the result of a job whose failed rows were retried; "" if there is none."""
    with suppress(StorageUnavailable), storing("the results could not be read"):
        for row in StoredResult.objects.for_owner(_owner(request)):
            content: ResultContent | None = row.content
            if content and content.values.get("job") == job and content.values.get("retried"):
                return f"{content.path}?{PARAM}={row.pk}"
    return ""


def _update(request: ConsoleRequest, name: str, value: str, changes: Mapping[str, str]) -> None:
    """Change the stored results that have this value."""
    with suppress(StorageUnavailable), storing("a result could not be changed"):
        for row in StoredResult.objects.for_owner(_owner(request)):
            content: ResultContent | None = row.content
            if content and content.values.get(name) == value:
                row.content = replace(content, values={**content.values, **changes})
                row.save()


def _owner(request: ConsoleRequest) -> str:
    return keyed_hash("result", request.admin.identity)
