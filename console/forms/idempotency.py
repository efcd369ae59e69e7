"""Process each form once: its Idempotency-Key is a hash of its content, and a repeat within a minute gets the response.

Without this a double click, or a repeat after a slow response, would invite a person twice. The row is also a lock: a
second request waits for the response of the first one. A row that stays without a response belongs to a process that
died in the middle. Its write may have been carried out, and the next request takes it over with the same key.
"""

import hashlib
import json as stdlib_json
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any, TypeVar, cast, overload

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from console.config.database_errors import insert_if_absent, log_storage_failure
from console.config.encryption import Unreadable, decrypt_text, encrypt_text
from console.errors import ActionFailed, StorageUnavailable, SubmissionInProgress
from console.models import Submission
from console.sessions.tokens import max_renewal_seconds
from console.web.request import ConsoleRequest, get_login, wants_json
from console.web.responses import is_json, repeat

FIELD = "form_id"
SENT_BEFORE = "sent_before"
"""The field of a form whose earlier outcome is unknown: an existing object may be the result of that submission."""
UNCOUNTED = frozenset({"csrfmiddlewaretoken", SENT_BEFORE, "sender", "back", "another", "stay"})
"""Fields that don't count for the key, because they are not sent to the service: sender, button and next page."""
SIGNED_FIELDS = ("job", "lines")
"""Signed fields of one action with an ID of their own, which identifies the form instead of its `form_id`."""
UNKNOWN_OUTCOME_TTL = timedelta(hours=1)
"""Time for which an unknown outcome of a form is stored."""
RESPONSE_TTL = timedelta(seconds=60)
MARGIN = 7.0
"""Seconds for everything except calls and waiting for a token, such as rendering and storing the response."""
HEADERS = ("Content-Type", "Location", "Content-Disposition")


def wait_timeout() -> float:
    """Return the seconds that a repeat waits for the first response: as long as the calls of a request may take."""
    return settings.UPSTREAM.deadlines.request


def abandoned() -> timedelta:
    """Return the time after which a first request must have ended, even if it renewed its token at the last moment."""
    return timedelta(seconds=wait_timeout() + max_renewal_seconds(settings.UPSTREAM.deadlines) + MARGIN)


def new_form_id() -> str:
    return str(uuid.uuid4())


@dataclass
class Attempt:
    """The submission of this request: its Idempotency-Key, and the error if it can't be carried out."""

    key: str
    error: ActionFailed | None = None
    is_started: bool = False
    """True if its write may have been sent."""
    is_repeat: bool = False
    """True if it was carried out a moment ago; its calls have the same keys."""


View = TypeVar("View", bound=Callable[..., HttpResponse])


@overload
def idempotent(view: View) -> View: ...
@overload
def idempotent(
    *, writes: Callable[[ConsoleRequest], bool] = ..., keeps_format: bool = ...
) -> Callable[[View], View]: ...
def idempotent(
    view: View | None = None,
    *,
    writes: Callable[[ConsoleRequest], bool] = lambda _request: True,
    keeps_format: bool = False,
) -> Any:
    """Run a view once per form: the same form sent again within a minute gets the first response.

    The view finds its `Attempt` in `request.submission`. A form that is sent again unchanged has the same key. A
    corrected form has another one, because the service refuses a known key with another body (code 10006). Only the
    response of a successful write (2xx or 3xx) is stored, so a refused form may be sent again.

    `writes` decides which POSTs write; the others only read, and have no `Attempt`. The first response is converted to
    the format that the repeat accepts, a page or JSON. With `keeps_format` it is not, and the view runs again, as a
    repeat.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def run(request: ConsoleRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method != "POST" or not writes(request):
                return view(request, *args, **kwargs)
            attempt = request.submission = Attempt(compute_key(request))
            lock = _lock(request, attempt.key)
            stored: HttpResponse | None = None
            try:
                stored = _claim_or_wait(request, lock)
            except SubmissionInProgress as error:
                attempt.error = error
            except DatabaseError as error:
                log_storage_failure("a form could not be claimed", error)
                attempt.error = StorageUnavailable(type(error).__name__)
            if stored is not None and not keeps_format:
                return repeat(request, stored)
            if stored is not None and is_json(stored) == wants_json(request):
                return stored
            attempt.is_repeat = stored is not None
            if attempt.error or attempt.is_repeat:
                return view(request, *args, **kwargs)
            try:
                response = view(request, *args, **kwargs)
            except BaseException:
                if attempt.is_started:
                    mark_outcome_unknown(request)
                _store_answer(lock, "")
                raise
            is_success = attempt.is_started and response.status_code < 400
            _store_answer(lock, _pack(response) if is_success else "")
            return response

        return cast(View, run)

    return decorate(view) if view else decorate


def mark_outcome_unknown(request: HttpRequest) -> None:
    """Record that the outcome of this form is unknown, for the same form and for corrected ones."""
    mark = _mark(request)
    try:
        Submission.objects.update_or_create(key=mark, defaults={"form": mark, "created_at": timezone.now()})
    except DatabaseError as error:
        log_storage_failure("a possible success could not be stored", error)  # the form also carries it


def may_be_done(request: ConsoleRequest) -> bool:
    """Return whether an earlier submission of this form may have been carried out and created what exists now."""
    if SENT_BEFORE in request.POST:
        return True
    lock = _lock(request, compute_key(request))
    with suppress(DatabaseError):  # then nothing could be recorded, either
        return Submission.objects.filter(form=_mark(request), answer="").exclude(pk=lock).exists()
    return False


def get_form_id(request: HttpRequest) -> str:
    """Return the ID of the form that was sent; a new one if it has none."""
    try:
        return str(uuid.UUID(request.POST.get(FIELD, "")))
    except ValueError:
        return new_form_id()


def compute_key(request: HttpRequest, *values: str) -> str:
    """Return the Idempotency-Key for these values of the sent form, by default for all its values."""
    uncounted = UNCOUNTED | {FIELD}  # the ID is already in `_what`
    sent = [(name, value) for name, items in request.POST.lists() if name not in uncounted for value in items]
    parts: list[object] = [*_what(request), values or sorted(sent)]
    return str(uuid.UUID(bytes=hashlib.sha256(stdlib_json.dumps(parts).encode()).digest()[:16], version=4))


def in_progress() -> int:
    """Return the number of forms in progress. Rows of unknown outcomes have their mark as their key."""
    since = timezone.now() - abandoned()
    return Submission.objects.filter(answer="", created_at__gt=since).exclude(key=F("form")).count()


def purge_expired() -> None:
    """Delete expired responses and unknown outcomes."""
    now = timezone.now()
    Submission.objects.filter(created_at__lt=now - UNKNOWN_OUTCOME_TTL).delete()
    # The row outlasts its response: if that got lost, the form may be repeated later, and its object exists then.
    Submission.objects.filter(created_at__lt=now - RESPONSE_TTL).exclude(answer="").update(answer="")


def _mark(request: HttpRequest) -> str:
    return hashlib.sha256(stdlib_json.dumps(_what(request)).encode()).hexdigest()


def _lock(request: ConsoleRequest, key: str) -> str:
    login = get_login(request)
    return hashlib.sha256(f"{login.identity if login else ''}\n{key}".encode()).hexdigest()


def _what(request: HttpRequest) -> list[str]:
    """Return sender, path and ID of the form: forms of other people or other pages never have the same key."""
    login = get_login(request)
    signed = next((request.POST[name] for name in SIGNED_FIELDS if name in request.POST), "")
    return [login.identity if login else "", request.path, signed or get_form_id(request)]


def _claim_or_wait(request: ConsoleRequest, lock: str) -> HttpResponse | None:
    """Return the response of the first request; None if this one is the first, or takes over from a dead one."""
    give_up, now = time.monotonic() + wait_timeout(), timezone.now()
    purge_expired()
    # Only one request takes it over. Earlier ones keep waiting: their own response would be too late for a proxy.
    if Submission.objects.filter(pk=lock, answer="", created_at__lt=now - abandoned()).update(created_at=now):
        mark_outcome_unknown(request)
        return None
    while time.monotonic() < give_up:
        if insert_if_absent(Submission(key=lock, form=_mark(request))):
            return None
        row = Submission.objects.filter(pk=lock).first()
        if row and row.answer:
            with suppress(Unreadable):  # its encryption key is gone, so the response is unknown
                return _unpack(row.answer)
        time.sleep(0.05)
    raise SubmissionInProgress("the first of two equal forms has no answer yet")


def _store_answer(lock: str, answer: str) -> None:
    """Store the response of a form; without one it may be sent again. A database error does not affect the response."""
    rows = Submission.objects.filter(pk=lock)
    try:
        rows.update(answer=answer) if answer else rows.delete()
    except DatabaseError as error:
        log_storage_failure("the answer of a form could not be kept", error)


def _pack(response: HttpResponse) -> str:
    headers = {name: response.headers[name] for name in HEADERS if name in response.headers}
    return encrypt_text(stdlib_json.dumps([response.status_code, headers, response.content.decode()]))


def _unpack(answer: str) -> HttpResponse:
    status, headers, body = stdlib_json.loads(decrypt_text(answer))
    return HttpResponse(body, status=status, headers=headers)
