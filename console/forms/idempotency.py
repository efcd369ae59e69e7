"""One form, one act: what was sent becomes the Idempotency-Key, and a repeat within a minute gets the first answer.

Without it a double click, or a repeat after a slow answer, would invite a person twice. The row is the lock as well:
who comes second waits for the first one's answer.
"""

import hashlib
import json as stdlib_json
import time
import uuid
from collections.abc import Callable
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from console.grants.payload import decrypt_text, encrypt_text
from console.http import ConsoleRequest, login_of
from console.models import Submission
from console.upstream.errors import TimedOut

FIELD = "form_id"
SENT_BEFORE = "sent_before"
"""The field that a form gets when nobody knows what became of it: then what is there already may be its own work."""
UNCOUNTED = frozenset({"csrfmiddlewaretoken", SENT_BEFORE, "sender", "back", "another", "stay"})
"""Fields that are not sent to the service: they say who sends the form, with which button, and what comes next."""
UNSURE_FOR = timedelta(hours=1)
"""How long a form is known as one that may have been carried out."""
REMEMBERED = timedelta(seconds=60)
PATIENCE = 25.0
"""Seconds that a repeat waits for the first answer: as long as a request may take."""
HEADERS = ("Content-Type", "Location", "Content-Disposition")


def new_form_id() -> str:
    return str(uuid.uuid4())


def once(request: ConsoleRequest, act: Callable[[str], HttpResponse]) -> HttpResponse:
    """Carry out a POST unless this form was carried out already; `act` gets the Idempotency-Key.

    A form that is sent again unchanged has the same key; one that was corrected has another, because the service
    refuses a key that it knows with another body (code 10006). Only an answer of success (2xx or 3xx) is remembered:
    a form that was refused may be sent again.
    """
    key = key_of(request)
    lock = _lock(request, key)
    if (known := _claim_or_wait(lock)) is not None:
        return known
    try:
        response = act(key)
    except BaseException:
        Submission.objects.filter(pk=lock).delete()
        raise
    if response.status_code < 400:
        Submission.objects.filter(pk=lock).update(answer=_pack(response))
    else:
        Submission.objects.filter(pk=lock).delete()
    return response


class StillRunning(TimedOut):
    """The first of two equal forms has no answer yet."""


def note_may_be_done(request: HttpRequest) -> None:
    """Remember that nobody knows what became of this form, in whatever version it comes again."""
    Submission.objects.update_or_create(
        key=_mark(request), defaults={"created_at": timezone.now() + UNSURE_FOR - REMEMBERED}
    )


def may_be_done(request: HttpRequest) -> bool:
    """Tell whether an earlier submission of this form may have been carried out: what exists may be its own work."""
    return SENT_BEFORE in request.POST or Submission.objects.filter(pk=_mark(request)).exists()


def id_of_form(request: HttpRequest) -> str:
    """Return the id of the form that was sent; a new one when there is none."""
    try:
        return str(uuid.UUID(request.POST.get(FIELD, "")))
    except ValueError:
        return new_form_id()


def key_of(request: HttpRequest, *values: str) -> str:
    """Return the Idempotency-Key of these values in the form that was sent; of all its values when none are named."""
    sent = [(name, value) for name, found in request.POST.lists() if name not in UNCOUNTED for value in found]
    parts: list[object] = [request.path, id_of_form(request), values or sorted(sent)]
    return str(uuid.UUID(bytes=hashlib.sha256(stdlib_json.dumps(parts).encode()).digest()[:16], version=4))


def _mark(request: HttpRequest) -> str:
    return hashlib.sha256(f"{request.path}\n{id_of_form(request)}".encode()).hexdigest()


def _lock(request: ConsoleRequest, key: str) -> str:
    login = login_of(request)
    return hashlib.sha256(f"{login.grant.pk if login else ''}\n{key}".encode()).hexdigest()


def _claim_or_wait(lock: str) -> HttpResponse | None:
    """None when this request is the first; else the first one's answer."""
    give_up = time.monotonic() + PATIENCE
    Submission.objects.filter(created_at__lt=timezone.now() - REMEMBERED).delete()
    while time.monotonic() < give_up:
        try:
            with transaction.atomic():
                Submission.objects.create(key=lock)
            return None
        except IntegrityError:
            row = Submission.objects.filter(pk=lock).first()
            if row and row.answer:
                return _unpack(row.answer)
        time.sleep(0.05)
    raise StillRunning("the first of two equal forms has no answer yet")


def _pack(response: HttpResponse) -> str:
    kept = {name: response.headers[name] for name in HEADERS if name in response.headers}
    return encrypt_text(stdlib_json.dumps([response.status_code, kept, response.content.decode()]))


def _unpack(answer: str) -> HttpResponse:
    status, headers, body = stdlib_json.loads(decrypt_text(answer))
    return HttpResponse(body, status=status, headers=headers)
