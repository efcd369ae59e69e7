"""The WSGI middleware that records each call and applies faults to it, outside of Django and on both ports."""

import errno
import io
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, NoReturn
from urllib.parse import parse_qs

import msgspec

from sandbox.clock import iso
from sandbox.errors import error_body, get_status
from sandbox.faults import (
    SPOILS_TRUE_ANSWER,
    Fault,
    cut_connection,
    dripped,
    gzip_bomb,
    huge,
    mistyped,
    take,
    truncated,
)
from sandbox.world import World

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
App = Callable[[Environ, StartResponse], Iterable[bytes]]

LARGEST_BODY = 1_000_000
JSON = "application/json"
RETRY_AFTER = "30"
EMPTY: Mapping[str, str] = {}


class FaultMiddleware:
    """Wraps the Django application; controls (/__...) are neither recorded nor affected by faults."""

    def __init__(self, app: App, world: World) -> None:
        self.app = app
        self.world = world

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Record a call, then apply a fault to it or execute it."""
        if environ["PATH_INFO"].startswith("/__"):
            return self.app(environ, start_response)
        body = self._body(environ)
        call = self._record(environ, body)

        def recorded(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            call["status"] = int(status[:3])
            return start_response(status, headers, exc_info)

        with self.world.lock:
            fault = take(self.world.faults, environ["REQUEST_METHOD"], environ["PATH_INFO"])
        if fault is None:
            return self.app(environ, recorded)
        time.sleep(fault.delay)
        if not fault.answers:
            return self.app(environ, recorded)
        return self._spoil(fault, environ, recorded)

    def _body(self, environ: Environ) -> bytes:
        """Read the whole body, and put it back for Django. A call with a truncated body is dropped."""
        body: bytes = environ["wsgi.input"].read(LARGEST_BODY + 1)
        if len(body) < min(int(environ.get("CONTENT_LENGTH") or 0), LARGEST_BODY):
            _gone()
        environ["wsgi.input"] = io.BytesIO(body)
        environ["CONTENT_LENGTH"] = str(len(body))
        return body

    def _record(self, environ: Environ, body: bytes) -> dict[str, Any]:
        headers = {
            key.removeprefix("HTTP_").replace("_", "-").lower(): value
            for key, value in environ.items()
            if key.startswith("HTTP_") or key == "CONTENT_TYPE"
        }
        call = {
            "time": iso(self.world.clock.now()),
            "port": int(environ["SERVER_PORT"]),
            "method": environ["REQUEST_METHOD"],
            "path": environ["PATH_INFO"],
            "query": parse_qs(environ["QUERY_STRING"], keep_blank_values=True),
            "headers": headers,
            "body": _as_json(body),
            "status": None,
        }
        with self.world.lock:
            self.world.calls.append(call)
        return call

    def _spoil(self, fault: Fault, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        connection: socket.socket = environ["gunicorn.socket"]
        status, body = "200 OK", b"{}"
        if fault.after or fault.fault in SPOILS_TRUE_ANSWER:
            status, body = self._call_app(environ)
        match fault.fault:
            case "close" | "reset":
                cut_connection(connection, reset=fault.fault == "reset")
                _gone()
            case "truncate":
                truncated(connection, status, body)
                _gone()
            case "drip":
                dripped(connection, status, body)
                _gone()
            case "wrong-type":
                answer = msgspec.json.encode(mistyped(_as_json(body)))
                return _answer(start_response, status, answer)
            case "html":
                return _answer(start_response, "200 OK", b"<!doctype html><title>Gateway</title>", "text/html")
            case "redirect":
                start_response("302 Found", [("Location", "http://192.0.2.1/elsewhere"), ("Content-Length", "0")])
                return []
            case "huge":
                start_response("200 OK", [("Content-Type", JSON)])
                return huge()
            case "gzip-bomb":
                start_response("200 OK", [("Content-Type", JSON), ("Content-Encoding", "gzip")])
                return gzip_bomb()
        return self._chosen(fault, environ, start_response)

    def _chosen(self, fault: Fault, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer with the status, code and body of the fault."""
        number = fault.status or (get_status(fault.code) if fault.code else 200)
        if isinstance(fault.body, str):
            body = fault.body.encode()
        elif fault.body is not None:
            body = msgspec.json.encode(fault.body)
        else:
            trace_id = environ.get("HTTP_X_REQUEST_ID", "")
            body = msgspec.json.encode(error_body(fault.code or 10000, "a fault of the sandbox", trace_id))
        waiting = {"Retry-After": RETRY_AFTER} if number == HTTPStatus.TOO_MANY_REQUESTS else {}
        return _answer(start_response, f"{number} {_phrase(number)}", body, headers={**waiting, **fault.headers})

    def _call_app(self, environ: Environ) -> tuple[str, bytes]:
        """Let Django respond, and return the response without sending it."""
        statuses: list[str] = []

        def keep(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            statuses.append(status)

        answer = self.app(environ, keep)
        body = b"".join(answer)
        return statuses[0], body


def _as_json(body: bytes) -> Any:
    if not body:
        return None
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        return body.decode("utf-8", "replace")


def _answer(
    start_response: StartResponse,
    status: str,
    body: bytes,
    content_type: str = JSON,
    headers: Mapping[str, str] = EMPTY,
) -> list[bytes]:
    start_response(status, [("Content-Type", content_type), ("Content-Length", str(len(body))), *headers.items()])
    return [body]


def _phrase(number: int) -> str:
    return HTTPStatus(number).phrase if number in HTTPStatus._value2member_map_ else "Upstream"


def _gone() -> NoReturn:
    """Raise an error that the server ignores silently, because the connection is gone."""
    raise BrokenPipeError(errno.EPIPE, "ended by a fault")
