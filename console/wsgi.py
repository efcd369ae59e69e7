"""The console as gunicorn runs it."""

import io
import os
import re
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from gunicorn.errors import AppImportError

from console.turns import turn

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

FORM = re.compile(
    r"(application/x-www-form-urlencoded)(?:; ?charset=utf-8)?"
    r"|multipart/form-data; ?boundary=\"?[\w'()+,./:=?-]{1,70}\"?",
    re.ASCII | re.IGNORECASE,
)
"""The content types of forms as browsers send them; all of them are in UTF-8."""
PIECE = 2**18
"""Bytes of a body that are read at a time."""
TOLD = {"method", "path", "resolver_match"}
"""What a line of the log about a request may still ask for."""


class _Request(WSGIRequest):
    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.method}>"

    def close(self) -> None:
        """Let go of what belongs to the request, once its answer is sent.

        Much of it knows the request in turn, so that all of it would wait for the collector: 4 MB in each process.
        """
        super().close()
        for name in self.__dict__.keys() - TOLD:
            del self.__dict__[name]


class _Handler(WSGIHandler):
    request_class = _Request


try:
    django.setup(set_prefix=False)
    _django = _Handler()
except ImproperlyConfigured as error:
    raise AppImportError(str(error)) from None  # which gunicorn tells as it stands, without a traceback


class _Sent(io.RawIOBase):
    """The body of a request, which may come slowly: others work meanwhile."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with turn.away():
            piece = self._body.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Hand a request to Django, without a content type that is not a form's: its body is then not read.

    Django would look up and decode with any codec that a stranger names, and fail outside of all error handling when
    the header can't be parsed; for the codec that it uses anyway it would read the query there, too.
    """
    form = FORM.fullmatch(environ.get("CONTENT_TYPE", ""))
    environ["CONTENT_TYPE"] = (form[1] or form[0]) if form else ""
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):  # whose body nobody reads
        environ["wsgi.input"] = io.BufferedReader(_Sent(environ["wsgi.input"]), PIECE)
    return _django(environ, start_response)
