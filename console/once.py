"""One form, one act: a form's id becomes the Idempotency-Key, and a repeat within a minute gets the first answer.

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
REMEMBERED = timedelta(seconds=60)
PATIENCE = 25.0
"""Seconds that a repeat waits for the first answer: as long as a request may take."""
HEADERS = ("Content-Type", "Location", "Content-Disposition")


def new_form_id() -> str:
    return str(uuid.uuid4())


def once(request: ConsoleRequest, act: Callable[[str], HttpResponse]) -> HttpResponse:
    """Carry out a POST unless this form was carried out already; `act` gets the Idempotency-Key.

    Only an answer of success (2xx or 3xx) is remembered: a form that was refused may be sent again.
    """
    form_id = id_of_form(request)
    key = _key(request, form_id)
    if (known := _claim_or_wait(key)) is not None:
        return known
    try:
        response = act(form_id)
    except BaseException:
        Submission.objects.filter(pk=key).delete()
        raise
    if response.status_code < 400:
        Submission.objects.filter(pk=key).update(answer=_pack(response))
    else:
        Submission.objects.filter(pk=key).delete()
    return response


def id_of_form(request: HttpRequest) -> str:
    """The id of the form that was sent; a new one when there is none."""
    try:
        return str(uuid.UUID(request.POST.get(FIELD, "")))
    except ValueError:
        return new_form_id()


def _key(request: ConsoleRequest, form_id: str) -> str:
    """The lock of this form as it was filled in; a corrected one is not a repeat."""
    login = login_of(request)
    values = sorted((k, v) for k, vs in request.POST.lists() if k != "csrfmiddlewaretoken" for v in vs)
    parts = [login.grant.pk if login else "", request.path, form_id, values]
    return hashlib.sha256(stdlib_json.dumps(parts).encode()).hexdigest()


def _claim_or_wait(key: str) -> HttpResponse | None:
    """None when this request is the first; else the first one's answer."""
    give_up = time.monotonic() + PATIENCE
    Submission.objects.filter(created_at__lt=timezone.now() - REMEMBERED).delete()
    while time.monotonic() < give_up:
        try:
            with transaction.atomic():
                Submission.objects.create(key=key)
            return None
        except IntegrityError:
            row = Submission.objects.filter(pk=key).first()
            if row and row.answer:
                return _unpack(row.answer)
        time.sleep(0.05)
    raise TimedOut("the first of two equal forms has no answer yet")


def _pack(response: HttpResponse) -> str:
    kept = {name: response.headers[name] for name in HEADERS if name in response.headers}
    return encrypt_text(stdlib_json.dumps([response.status_code, kept, response.content.decode()]))


def _unpack(answer: str) -> HttpResponse:
    status, headers, body = stdlib_json.loads(decrypt_text(answer))
    return HttpResponse(body, status=status, headers=headers)
