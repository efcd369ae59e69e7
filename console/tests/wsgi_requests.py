"""Requests as gunicorn passes them on, before any Django code runs."""

import io
from http.cookies import SimpleCookie
from typing import Any
from wsgiref.util import setup_testing_defaults

from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from console.files.write import XLSX
from console.wsgi import application

SIGNALS = (request_started, request_finished)


class Answer:
    """The console's response, with the headers and cookies that were sent."""

    def __init__(self, status, headers, content):
        self.status_code, self.headers = int(status.split()[0]), dict(headers)
        self.text = "" if self.headers.get("Content-Type") == XLSX else content.decode()
        self.cookies = SimpleCookie("; ".join(value.split(";")[0] for name, value in headers if name == "Set-Cookie"))


def ask(path, method="GET", *, body=b"", **environ):
    """Send a request, and return its response once the server has closed it."""
    wsgi_environ = {"PATH_INFO": path, "REQUEST_METHOD": method, "HTTP_HOST": "testserver", "REMOTE_ADDR": "127.0.0.1"}
    wsgi_environ |= {"QUERY_STRING": "", "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body), **environ}
    setup_testing_defaults(wsgi_environ)
    started: list[Any] = []
    handled: Any = application
    for signal in SIGNALS:  # Django closes connections around a request, which would end the test's transaction
        signal.disconnect(close_old_connections)
    try:
        chunks = handled(wsgi_environ, lambda *start: started.extend(start))
        try:
            return Answer(started[0], started[1], b"".join(chunks))
        finally:
            chunks.close()
    finally:
        for signal in SIGNALS:
            signal.connect(close_old_connections)
