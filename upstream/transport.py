"""The only module that speaks HTTP. There is one Transport per process; each thread keeps its own connections."""

import logging
import re
import threading
import time
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakSet

import requests
import urllib3
from requests.hooks import default_hooks
from requests.structures import CaseInsensitiveDict

from upstream.answers import Answer
from upstream.breaker import Breaker
from upstream.calls import Token, TokenSource
from upstream.capabilities import CapabilityCache
from upstream.config import Deadlines, TransportConfig
from upstream.deadline import DeadlineAdapter, DeadlinePassed, LostBeforeAnswer, NotOpened
from upstream.errors import BadAnswer, TimedOut, Unreachable

__all__ = ["Deadlines", "Token", "TokenSource", "Transport", "TransportConfig"]

MAX_BODY = 8 * 1024 * 1024  # bytes after decompression
_CHUNK_SIZE = 64 * 1024
_HEADERS = {"User-Agent": "enterprise-for-admin", "Accept-Encoding": "gzip"}
_SAFE = r"[A-Za-z0-9_~&=+:,@!$*()-]|%(?!2D|2E|5F|7E|3[0-9]|[46][1-9A-F]|[57][0-9A])[0-9A-F]{2}"
_PLAIN_URL = re.compile(
    rf"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::[0-9]{{1,5}})?"
    rf"(?:/(?!\.{{1,2}}(?:[/?]|$))(?:{_SAFE}|\.)*)+(?:\?(?:{_SAFE}|[/.])+)?"
)
_PLAIN = re.compile(r"[!-~]([ -~]*[!-~])?")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9-]+")

logging.getLogger("urllib3").setLevel(logging.ERROR)  # it logs query strings, which contain email addresses


class Transport:
    """Sends a request and reads its answer within the limits. It knows nothing of tokens, sessions and nouns."""

    def __init__(self, config: TransportConfig, *, breaker: Breaker | None = None) -> None:
        self.config = config
        self.breaker = breaker or Breaker()
        self.capabilities = CapabilityCache()
        self._proxies = {"http": config.proxy, "https": config.proxy} if config.proxy else {}
        self._threads = threading.local()
        self._adapters: WeakSet[DeadlineAdapter] = WeakSet()

    def close(self) -> None:
        """Close all connections; needed in tests only."""
        for adapter in list(self._adapters):
            adapter.close()

    def send(
        self,
        method: str,
        url: str,
        *,
        headers: dict[str, str],
        body: bytes | None,
        seconds: float,
        essential: bool = False,
        reopen: bool = False,
        breaker_neutral: bool = False,
    ) -> Answer:
        """Send the request and return its answer; raise Unreachable, TimedOut or BadAnswer.

        Nothing is sent twice, except a GET over a reused connection that the service has closed in the meantime.
        With `reopen`, a connection that could not be opened is tried once more.
        """
        if essential:
            return self._send(method, url, headers, body, seconds, reopen)
        host = urlsplit(url).netloc
        if self.breaker.is_open(host):
            raise Unreachable("this host has not been answering")
        if breaker_neutral:
            return self._send(method, url, headers, body, seconds, reopen)
        try:
            answer = self._send(method, url, headers, body, seconds, reopen)
        except (Unreachable, TimedOut):
            self.breaker.note(host, answered=False)
            raise
        except BadAnswer:
            self.breaker.note(host, answered=True)
            raise
        self.breaker.note(host, answered=True)
        return answer

    def _send(
        self, method: str, url: str, headers: dict[str, str], body: bytes | None, seconds: float, reopen: bool
    ) -> Answer:
        # Every error is raised `from None`: messages of requests and urllib3 contain addresses and header values.
        ends = time.monotonic() + seconds
        repeats = 1
        while True:
            remaining = ends - time.monotonic()
            if remaining <= 0:
                raise TimedOut("no time left", sent=False)
            try:
                return self._exchange(method, url, headers, body, remaining)
            except NotOpened as error:
                if not (reopen and repeats):
                    raise Unreachable(str(error)) from None
            except LostBeforeAnswer:
                if not (method == "GET" and repeats):
                    raise BadAnswer("the connection was closed before the answer") from None
            except (DeadlinePassed, requests.Timeout):
                raise TimedOut("no complete answer in time") from None
            except requests.ConnectionError as error:
                # Our connections raise NotOpened while opening, TLS handshake included; these errors come later.
                broken = isinstance(error, requests.exceptions.SSLError) or (
                    error.args and isinstance(error.args[0], urllib3.exceptions.ProtocolError)
                )
                raise (BadAnswer if broken else Unreachable)(_kind(error)) from None
            except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
                raise BadAnswer(_kind(error)) from None
            repeats -= 1

    def _exchange(self, method: str, url: str, headers: dict[str, str], body: bytes | None, seconds: float) -> Answer:
        # No requests.Session: it keeps cookies, which would mix up administrators, looks for .netrc and proxies in the
        # environment, reads the whole body of a redirect that is not followed, and makes a call 50% slower.
        request = _prepared(method, url, {**_HEADERS, **headers}, body)
        timeout = (self.config.deadlines.connect, seconds)
        response = self._adapter().send(request, stream=True, timeout=timeout, proxies=self._proxies)
        with closing(response):  # also closes the connection, unless the whole body was read
            return Answer(response.status_code, _read(response.raw), response.headers.get("Retry-After", ""))

    def _adapter(self) -> DeadlineAdapter:
        adapter: DeadlineAdapter | None = getattr(self._threads, "adapter", None)
        if adapter is None:
            adapter = self._threads.adapter = DeadlineAdapter(self.config.ca_bundle)
            self._adapters.add(adapter)
        return adapter


def _prepared(method: str, url: str, headers: dict[str, str], body: bytes | None) -> requests.PreparedRequest:
    """Prepare a request. A read with nothing to quote or refuse is filled in directly: preparing it takes a sixth of
    the call. All else goes through requests, which refuses line ends in headers and quotes what is not ASCII."""
    request = requests.PreparedRequest()
    plain = all(map(_PLAIN_NAME.fullmatch, headers)) and all(map(_PLAIN.fullmatch, headers.values()))
    if method == "GET" and body is None and plain and _PLAIN_URL.fullmatch(url):
        request.method, request.url, request.hooks = method, url, default_hooks()
        request.headers = CaseInsensitiveDict(headers)
    else:
        request.prepare(method, url, headers=headers, data=body)
    return request


def _read(raw: Any) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while chunk := raw.read1(_CHUNK_SIZE, decode_content=True):
        size += len(chunk)
        if size > MAX_BODY:
            raise BadAnswer("too large")
        chunks.append(chunk)
    return b"".join(chunks)


def _kind(error: Exception) -> str:
    """Return the type names of an error and of its cause, without their messages."""
    cause = next((part for part in error.args if isinstance(part, Exception)), None)
    return f"{type(error).__name__} ({type(cause).__name__})" if cause else type(error).__name__
