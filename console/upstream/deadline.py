"""Hard deadlines: connections that open, write and read within the time that a call has left.

The `timeout` of requests only limits the wait for the next bytes, so a service that sends a byte now and then could
occupy a thread forever. Only the transport uses this module.
"""

import http.client
import io
import os
import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3.connection import HTTPConnection, HTTPSConnection


class DeadlinePassed(Exception):
    """The call's time is up. Deliberately no OSError: urllib3 and requests pass it on and close the connection."""


class NotOpened(Exception):
    """No connection could be opened, so nothing was sent."""


class LostBeforeAnswer(Exception):
    """A reused connection turned out to be closed; not a single byte of an answer arrived."""


class _Limits(threading.local):
    """The times (monotonic) by which this thread's call must have opened its connection, and must have ended."""

    opened_by = 0.0
    ends = 0.0

    @contextmanager
    def while_opening(self) -> Iterator[None]:
        ends, self.ends = self.ends, min(self.opened_by, self.ends)
        try:
            yield
        finally:
            self.ends = ends

    def left(self) -> float:
        left = self.ends - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        return left


_limits = _Limits()


class _TimedFile(io.RawIOBase):
    """The reading end of a socket; sets the remaining time as the timeout of every read."""

    def __init__(self, sock: socket.socket, raw: io.RawIOBase) -> None:
        self._sock = sock
        self._raw = raw
        self.received = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_limits.left())
        try:
            count: int | None = self._raw.readinto(buffer)
        except TimeoutError:
            raise DeadlinePassed from None
        self.received = self.received or bool(count)
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedResponse(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.file = _TimedFile(sock, self.fp.detach())
        self.fp = io.BufferedReader(self.file)


class _TimedConnection(HTTPConnection):
    """Opens, writes and reads within the limits of the current thread."""

    answered = False  # whether this connection has already delivered an answer
    _file: _TimedFile | None = None

    def response_class(self, sock: socket.socket, *args: Any, **kwargs: Any) -> _TimedResponse:  # type: ignore[override]
        response = _TimedResponse(sock, *args, **kwargs)
        self._file = response.file
        return response

    def connect(self) -> None:
        self.answered = False
        try:
            with _limits.while_opening():
                super().connect()
        except DeadlinePassed:
            raise NotOpened("no time left") from None
        except ssl.SSLCertVerificationError as error:  # it says what is wrong with the certificate, such as its end
            raise NotOpened(f"{type(error).__name__}: {error.verify_message}") from None
        except (OSError, ValueError, http.client.HTTPException, urllib3.exceptions.HTTPError) as error:
            raise NotOpened(type(error).__name__) from None

    def _new_conn(self) -> socket.socket:
        addresses = _resolve(self._dns_host.strip("[]"), self.port, _limits.left())
        failure: OSError = OSError("the name has no address")
        for index, (family, kind, protocol, _, address) in enumerate(addresses):
            sock = socket.socket(family, kind, protocol)
            try:
                for option in self.socket_options or ():
                    sock.setsockopt(*option)
                # Each address gets a share of the time, so that a dead one leaves time for the next.
                sock.settimeout(_limits.left() / (len(addresses) - index))
                sock.connect(address)
                sock.settimeout(_limits.left())  # the rest is for the TLS handshake
                return sock
            except OSError as error:
                sock.close()
                failure = error
            except DeadlinePassed:
                sock.close()
                raise
        raise failure

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        view = memoryview(data)
        for start in range(0, len(view), 16_384):  # one TLS record; each gets only the remaining time
            self.sock.settimeout(_limits.left())
            try:
                super().send(view[start : start + 16_384])
            except TimeoutError:
                raise DeadlinePassed from None

    def getresponse(self) -> Any:
        try:
            response = super().getresponse()
        except ConnectionError:
            if self.answered and not (self._file and self._file.received):
                raise LostBeforeAnswer from None
            raise
        finally:
            self._file = None
        self.answered = True
        return response


class _TimedTLSConnection(_TimedConnection, HTTPSConnection):
    pass


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _TimedConnection


class _TLSPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _TimedTLSConnection


class DeadlineAdapter(HTTPAdapter):
    """Sends with `timeout=(seconds to open, seconds in all)`, both hard limits; requires TLS 1.2 and these roots."""

    def __init__(self, ca_bundle: str | None) -> None:
        self._tls = _tls_context(ca_bundle)
        super().__init__(pool_maxsize=1)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, ssl_context=self._tls, **kwargs)
        _use_timed_pools(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(proxy, ssl_context=self._tls, **kwargs)
        _use_timed_pools(manager)
        return manager

    def cert_verify(self, conn: Any, url: str, verify: Any, cert: Any) -> None:
        """Always verify; the roots are in the context, which is read once instead of for every connection."""
        conn.cert_reqs = "CERT_REQUIRED"

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        to_open, in_all = timeout
        now = time.monotonic()
        _limits.opened_by, _limits.ends = now + to_open, now + in_all
        return super().send(request, stream, timeout, verify, cert, proxies)


def _use_timed_pools(manager: Any) -> None:
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}


@lru_cache(maxsize=4)
def _tls_context(ca_bundle: str | None) -> ssl.SSLContext:
    roots = ca_bundle or DEFAULT_CA_BUNDLE_PATH
    folder = os.path.isdir(roots)
    context = ssl.create_default_context(cafile=None if folder else roots, capath=roots if folder else None)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _resolve(host: str, port: int, seconds: float) -> list[Any]:
    """Look up a name within the limit, in a thread because the system's lookup can't be interrupted."""
    answers: queue.SimpleQueue[list[Any] | OSError | UnicodeError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=look_up, name="name-lookup", daemon=True).start()
    try:
        found = answers.get(timeout=seconds)
    except queue.Empty:
        raise DeadlinePassed from None
    if isinstance(found, Exception):
        raise found
    return found
