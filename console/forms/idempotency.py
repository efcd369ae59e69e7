"""One form, one act: what was sent becomes the Idempotency-Key, and a repeat within a minute gets the first answer.

Without it a double click, or a repeat after a slow answer, would invite a person twice. The row is the lock as well:
who comes second waits for the first one's answer. A row that stays without an answer is that of a process that ended
in the middle: what it did may be done, and the next one takes it over with the same key.
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
"""The field that a form gets when nobody knows what became of it: then what is there already may be its own work."""
UNCOUNTED = frozenset({"csrfmiddlewaretoken", SENT_BEFORE, "sender", "back", "another", "stay"})
"""Fields that are not sent to the service: they say who sends the form, with which button, and what comes next."""
SIGNED_FIELDS = ("job", "lines")
"""Fields that are signed for one act, with an id of their own: they tell one form from another, whatever id it has."""
UNKNOWN_OUTCOME_TTL = timedelta(hours=1)
"""How long a form is known as one that may have been carried out."""
RESPONSE_TTL = timedelta(seconds=60)
MARGIN = 7.0
"""Seconds for all that is neither a call nor the wait for a token: drawing the page, storing the answer."""
HEADERS = ("Content-Type", "Location", "Content-Disposition")


def wait_timeout() -> float:
    """Seconds that a repeat waits for the first answer: as long as the calls of a request may take."""
    return settings.UPSTREAM.deadlines.request


def abandoned() -> timedelta:
    """After this the first one has ended without an answer, even if it got a new token at the last moment."""
    return timedelta(seconds=wait_timeout() + max_renewal_seconds(settings.UPSTREAM.deadlines) + MARGIN)


def new_form_id() -> str:
    return str(uuid.uuid4())


@dataclass
class Attempt:
    """The submission of this request: its Idempotency-Key, and why it can't be carried out, if it can't."""

    key: str
    error: ActionFailed | None = None
    is_started: bool = False
    """Whether its write may have been sent."""
    is_repeat: bool = False
    """Whether it was carried out a moment ago: its calls have the same keys."""


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
    """Let a view carry a POST out once: the same form sent again within a minute gets the first answer.

    The view finds its `Attempt` in `request.submission`. A form that is sent again unchanged has the same key; one that
    was corrected has another, because the service refuses a key that it knows with another body (code 10006). Only an
    answer of success (2xx or 3xx) of a write is stored: a form that was refused may be sent again.

    `writes` says which POSTs write; the others only read, and have no `Attempt`. The first answer becomes what the
    repeat asks for, a page or JSON. Where that can't be (`keeps_format`), the view runs again, as a repeat.
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
    """Remember that nobody knows what became of this form, in whatever version it comes again."""
    mark = _mark(request)
    try:
        Submission.objects.update_or_create(key=mark, defaults={"form": mark, "created_at": timezone.now()})
    except DatabaseError as error:
        log_storage_failure("what may be done could not be noted", error)  # the page that comes back carries it, too


def may_be_done(request: ConsoleRequest) -> bool:
    """Tell whether an earlier submission of this form may have been carried out: what exists may be its own work."""
    if SENT_BEFORE in request.POST:
        return True
    lock = _lock(request, compute_key(request))
    with suppress(DatabaseError):  # of which nothing was noted, either
        return Submission.objects.filter(form=_mark(request), answer="").exclude(pk=lock).exists()
    return False


def get_form_id(request: HttpRequest) -> str:
    """Return the id of the form that was sent; a new one when there is none."""
    try:
        return str(uuid.UUID(request.POST.get(FIELD, "")))
    except ValueError:
        return new_form_id()


def compute_key(request: HttpRequest, *values: str) -> str:
    """Return the Idempotency-Key of these values in the form that was sent; of all its values when none are named."""
    uncounted = UNCOUNTED | {FIELD}  # the id is counted by itself
    sent = [(name, value) for name, items in request.POST.lists() if name not in uncounted for value in items]
    parts: list[object] = [*_what(request), values or sorted(sent)]
    return str(uuid.UUID(bytes=hashlib.sha256(stdlib_json.dumps(parts).encode()).digest()[:16], version=4))


def in_progress() -> int:
    """Return how many forms are being carried out. What is only noted as perhaps done has its mark as its key."""
    since = timezone.now() - abandoned()
    return Submission.objects.filter(answer="", created_at__gt=since).exclude(key=F("form")).count()


def purge_expired() -> None:
    """Delete the answers, and what may have been done, whose time is over."""
    now = timezone.now()
    Submission.objects.filter(created_at__lt=now - UNKNOWN_OUTCOME_TTL).delete()
    # The row outlasts its answer: who never got that may repeat the form later, and what exists is its own work then.
    Submission.objects.filter(created_at__lt=now - RESPONSE_TTL).exclude(answer="").update(answer="")


def _mark(request: HttpRequest) -> str:
    return hashlib.sha256(stdlib_json.dumps(_what(request)).encode()).hexdigest()


def _lock(request: ConsoleRequest, key: str) -> str:
    login = get_login(request)
    return hashlib.sha256(f"{login.identity if login else ''}\n{key}".encode()).hexdigest()


def _what(request: HttpRequest) -> list[str]:
    """Return whose form was sent where, and which one: another person's or another page's never has the same key."""
    login = get_login(request)
    signed = next((request.POST[name] for name in SIGNED_FIELDS if name in request.POST), "")
    return [login.identity if login else "", request.path, signed or get_form_id(request)]


def _claim_or_wait(request: ConsoleRequest, lock: str) -> HttpResponse | None:
    """None when this request is the first, or takes over from one that ended; else the first one's answer."""
    give_up, now = time.monotonic() + wait_timeout(), timezone.now()
    purge_expired()
    # One of several takes it over. Who came earlier goes on waiting: its own answer would come too late for a proxy.
    if Submission.objects.filter(pk=lock, answer="", created_at__lt=now - abandoned()).update(created_at=now):
        mark_outcome_unknown(request)
        return None
    while time.monotonic() < give_up:
        if insert_if_absent(Submission(key=lock, form=_mark(request))):
            return None
        row = Submission.objects.filter(pk=lock).first()
        if row and row.answer:
            with suppress(Unreadable):  # its key is gone: what was answered isn't known
                return _unpack(row.answer)
        time.sleep(0.05)
    raise SubmissionInProgress("the first of two equal forms has no answer yet")


def _store_answer(lock: str, answer: str) -> None:
    """Keep the answer of a form; without one it may be sent again. What was done is told even if that fails."""
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
