"""The reference page: a session, one pooled call, a typed decode, a table of 25 rows; nothing more."""

import os
import threading
from datetime import datetime

import msgspec
import requests
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import render
from django.urls import path

UPSTREAM = os.environ["REFERENCE_UPSTREAM"]
LIMITS = (2, 10)
"""Timeouts in seconds: to connect, and between bytes."""


class Switches(msgspec.Struct, rename="camel"):
    order_labs: bool
    allow_export: bool
    case_convert: bool
    case_talk: bool
    download: bool


class Person(msgspec.Struct, rename="camel"):
    id: str
    name: str
    email: str
    user_type: str
    team_name: str
    last_login_date: datetime
    permissions: Switches


class People(msgspec.Struct, rename="camel"):
    result_count: int
    results: list[Person]


_decoder = msgspec.json.Decoder(People)
_threads = threading.local()


def people(request: HttpRequest) -> HttpResponse:
    token = request.session.get("access_token")
    if not token:
        return HttpResponseForbidden()
    headers = {"Authorization": f"Bearer {token}", "service-id": "1", "X-Request-Id": "reference"}
    for _ in range(int(request.GET.get("calls", "1")) - 1):  # to count what further calls cost
        _decoder.decode(_session().get(f"{UPSTREAM}/v1/people?size=25", headers=headers, timeout=LIMITS).content)
    answer = _session().get(f"{UPSTREAM}/v1/people?size=25", headers=headers, timeout=LIMITS)
    return render(request, "people.html", {"page": _decoder.decode(answer.content)})


def _session() -> requests.Session:
    session: requests.Session | None = getattr(_threads, "session", None)
    if session is None:
        session = _threads.session = requests.Session()
        session.trust_env = False
    return session


urlpatterns = [path("people", people)]


def log_in() -> str:
    """Create the tables and a session with a token of typical length; return the value of the cookie."""
    call_command("migrate", verbosity=0)
    session = SessionStore()
    session["access_token"] = "t" * 900
    session.save()
    return str(session.session_key)


application = get_wsgi_application()

if __name__ == "__main__":
    print(log_in())
