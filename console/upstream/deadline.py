"""Hard deadlines: connections that open, write and read within the time that a call has left.

The `timeout` of requests only limits the wait for the next bytes, so a service that sends a byte now and then could
occupy a thread forever. Only the transport uses this module.
"""

import errno
import http.client
import io
import logging
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, TypeVar

import requests
import urllib3
from requests.adapters import DEFAULT_POOLSIZE, HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3.connection import HTTPConnection, HTTPSConnection

from console.upstream.tasks import READ, WRITE, is_ready

logger = logging.getLogger(__name__)

T = TypeVar("T")

_KEPT = 5
"""Connections that a thread keeps to a host: a search makes so many calls at the same time, most pages fewer."""


class DeadlinePassed(Exception):
    """The call's time is up. Deliberately no OSError: urllib3 and requests pass it on and close the connection."""


class NotOpened(Exception):
    """No connection could be opened, so nothing was sent."""


class LostBeforeAnswer(Exception):
    """A reused connection turned out to be closed; not a single byte of an answer arrived."""


class _Limits:
    """The times (monotonic) by which a call must have opened its connection, and must have ended."""

    def __init__(self, opened_by: float, ends: float) -> None:
        self.opened_by = opened_by
        self.ends = ends

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

    def wait(self, sock: socket.socket, event: int) -> None:
        if not is_ready(sock, event, self.left()):
            raise DeadlinePassed


_limits: ContextVar[_Limits] = ContextVar("limits")
"""Those of the call that is being made."""


def _when_ready(sock: socket.socket, event: int, act: Callable[..., T], *given: Any) -> T:
    """Read or write within the limits of the call, as soon as the socket is ready for it."""
    limits = _limits.get()
    while True:
        limits.left()
        try:
            return act(*given)
        except ssl.SSLWantReadError:
            limits.wait(sock, READ)
        except ssl.SSLWantWriteError:
            limits.wait(sock, WRITE)
        except BlockingIOError:
            limits.wait(sock, event)


def _send_all(sock: socket.socket, send: Callable[[Any], int], data: Any) -> None:
    left = memoryview(data)
    while left:
        left = left[_when_ready(sock, WRITE, send, left) :]


class _NeverBlocks(socket.socket):
    """Returns at once, whatever is asked of it: calls wait together (tasks.py), within their limits. So it takes no
    timeout, which urllib3 sets twice in each call; each is a system call, during which another thread may take Python's
    lock."""

    def settimeout(self, value: float | None) -> None:
        pass


class _TimedFile(io.RawIOBase):
    """The reading end of a socket, which waits as long as the call may last."""

    def __init__(self, sock: socket.socket, raw: io.RawIOBase) -> None:
        self._sock = sock
        self._raw = raw
        self.received = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        # What came with earlier bytes may be held already, by TLS or, within the TLS of a proxy, by urllib3.
        held = isinstance(self._sock, ssl.SSLSocket) and self._sock.pending()
        if isinstance(self._sock, _NeverBlocks) and not held:
            _limits.get().wait(self._sock, READ)
        count = _when_ready(self._sock, READ, self._sock.recv_into, buffer)
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
    """Opens, writes and reads within the limits of the current call."""

    answered = False  # whether this connection has already delivered an answer
    _file: _TimedFile | None = None

    def response_class(self, sock: socket.socket, *args: Any, **kwargs: Any) -> _TimedResponse:  # type: ignore[override]
        response = _TimedResponse(sock, *args, **kwargs)
        self._file = response.file
        return response

    def connect(self) -> None:
        self.answered = False
        try:
            with _limits.get().while_opening():
                super().connect()
        except DeadlinePassed:
            raise NotOpened("no time left") from None
        except ssl.SSLCertVerificationError as error:  # it says what is wrong with the certificate, such as its end
            raise NotOpened(f"{type(error).__name__}: {error.verify_message}") from None
        except (OSError, ValueError, http.client.HTTPException, urllib3.exceptions.HTTPError) as error:
            raise NotOpened(type(error).__name__) from None

    def _new_conn(self) -> socket.socket:
        limits = _limits.get()
        addresses = _resolve(self._dns_host.strip("[]"), self.port, limits)
        failure: OSError = OSError("the name has no address")
        for index, (family, kind, protocol, _, address) in enumerate(addresses):
            sock = _NeverBlocks(family, kind, protocol)
            try:
                for option in self.socket_options or ():
                    sock.setsockopt(*option)
                # Each address gets a share of the time, so that a dead one leaves time for the next.
                _connect(sock, address, limits.left() / (len(addresses) - index))
                return sock
            except OSError as error:
                sock.close()
                failure = error
            except BaseException:
                sock.close()
                raise
        raise failure

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        _send_all(self.sock, self.sock.send, data)

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


class _TLSSocket(ssl.SSLSocket, _NeverBlocks):
    def do_handshake(self, block: bool = False) -> None:
        limits = _limits.get()
        self.setblocking(False)  # it is a new object: what was set before did not come with it
        try:
            while not self._has_shaken_hands():
                limits.wait(self, READ)
        except BaseException:  # also when the call is ended by others
            self.close()
            raise

    def _has_shaken_hands(self) -> bool:
        with suppress(ssl.SSLWantReadError):  # the few bytes that it writes always have space
            super().do_handshake()
            return True
        return False

    # urllib3 calls these two for what it sends through the TLS of a proxy.
    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        return _when_ready(self, READ, super().recv, buflen, flags)

    def sendall(self, data: Any, flags: int = 0) -> None:
        _send_all(self, super().send, data)


class _TimedTLSConnection(_TimedConnection, HTTPSConnection):
    pass


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _TimedConnection


class _TLSPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _TimedTLSConnection


class DeadlineAdapter(HTTPAdapter):
    """Sends with `timeout=(seconds to open, seconds in all)`, both hard limits; requires TLS 1.2 and these roots.

    A file of roots that was replaced is used by all connections from then on.
    """

    def __init__(self, ca_bundle: str | None) -> None:
        self._roots = _roots(ca_bundle or DEFAULT_CA_BUNDLE_PATH)
        self._tls = self._roots.context()
        self._pools: dict[str, Any] = {}
        super().__init__(pool_maxsize=_KEPT)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, ssl_context=self._tls, **kwargs)
        _use_timed_pools(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(proxy, ssl_context=self._tls, proxy_ssl_context=self._tls, **kwargs)
        _use_timed_pools(manager)
        return manager

    def get_connection_with_tls_context(
        self, request: requests.PreparedRequest, verify: Any, proxies: Any = None, cert: Any = None
    ) -> Any:
        """Find the pool by the host: what else requests looks at is the same for all calls."""
        origin = "/".join(str(request.url).split("/", 3)[:3])
        if (pool := self._pools.get(origin)) is None:
            if len(self._pools) == DEFAULT_POOLSIZE:  # the manager keeps no more either
                self._pools.clear()
            pool = self._pools[origin] = super().get_connection_with_tls_context(request, verify, proxies, cert)
        return pool

    def build_response(self, req: requests.PreparedRequest, resp: Any) -> requests.Response:
        """Leave out what a call never asks for: cookies, which nobody keeps, and the encoding of texts."""
        response = requests.Response()
        response.status_code, response.headers = resp.status, resp.headers
        response.raw, response.request = resp, req
        return response

    def close(self) -> None:
        for pool in self._pools.values():  # their manager leaves it to the garbage collection
            pool.close()
        self._pools.clear()
        super().close()

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
        self._use_new_roots()
        to_open, in_all = timeout
        now = time.monotonic()
        _limits.set(_Limits(now + to_open, now + in_all))
        return super().send(request, stream, timeout, verify, cert, proxies)

    def _use_new_roots(self) -> None:
        if (context := self._roots.context()) is self._tls:
            return
        self._tls = context
        self.close()
        self.proxy_manager.clear()
        self.init_poolmanager(DEFAULT_POOLSIZE, _KEPT)


def _use_timed_pools(manager: Any) -> None:
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}


class _Roots:
    """The context of TLS with the roots of a file or a folder, shared by all threads; read again when the file changed.

    While a changed file can't be read, the former roots stay: it may be half written, or gone for a moment.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._stamp = self._read_stamp()
        self._context = _tls_context(path)

    def context(self) -> ssl.SSLContext:
        stamp = self._read_stamp()
        if stamp != self._stamp:
            with self._lock:
                if stamp != self._stamp:
                    self._stamp = stamp
                    self._read_again()
        return self._context

    def _read_again(self) -> None:
        try:
            self._context = _tls_context(self._path)
        except OSError as error:
            logger.warning("the file of TLS roots can't be read: %s", type(error).__name__)

    def _read_stamp(self) -> tuple[int, ...]:
        """Return what changes with the file; the names in a folder are looked up for each connection anyway."""
        with suppress(OSError):
            found = os.stat(self._path)
            return found.st_mtime_ns, found.st_size, found.st_ino
        return ()


@lru_cache(maxsize=4)
def _roots(path: str) -> _Roots:
    return _Roots(path)


def _tls_context(roots: str) -> ssl.SSLContext:
    folder = os.path.isdir(roots)
    context = ssl.create_default_context(cafile=None if folder else roots, capath=roots if folder else None)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.sslsocket_class = _TLSSocket
    return context


def _connect(sock: socket.socket, address: Any, seconds: float) -> None:
    sock.setblocking(False)
    error = sock.connect_ex(address)
    if error == errno.EINPROGRESS:
        if not is_ready(sock, WRITE, seconds):
            raise TimeoutError
        error = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if error:
        raise OSError(error, os.strerror(error))


def _resolve(host: str, port: int, limits: _Limits) -> list[Any]:
    """Look up a name within the limit, in a thread because the system's lookup can't be interrupted."""
    found: list[list[Any] | OSError | UnicodeError] = []
    ended, ends = socket.socketpair()

    def look_up() -> None:
        with ends:
            try:
                found.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
            except (OSError, UnicodeError) as error:
                found.append(error)

    threading.Thread(target=look_up, name="name-lookup", daemon=True).start()
    with ended:
        limits.wait(ended, READ)
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]
