"""Connections with hard deadlines (docs/adr/0012). Only the transport uses this module.

What it guarantees, each proved by the test of that name in tests/test_guarantees.py:

- A call ends within its total time, even if a header, a body, a TLS handshake or a proxy drips.
- A name lookup ends within the time to open a connection.
- Nothing is sent twice, except one GET on a kept connection that the service had closed.
- `NotOpened` means that nothing was sent.
"""

import errno
import http.client
import io
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

import requests
import urllib3
from requests.adapters import DEFAULT_POOLSIZE, HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH, select_proxy
from urllib3.connection import HTTPConnection, port_by_scheme
from urllib3.util import Url, parse_url

from upstream.roots import roots_at
from upstream.tasks import READ, WRITE, is_ready

T = TypeVar("T")

MAX_IDLE_CONNECTIONS = 5
"""Connections that a thread keeps to a host: a search makes this many calls at the same time, most pages fewer."""
TLS_RECORD = 16 * 1024
"""Bytes of the largest record of TLS."""


class DeadlinePassed(Exception):
    """The call's time is up. Deliberately no OSError: urllib3 and requests pass it on and close the connection."""


class NotOpened(Exception):
    """No connection could be opened, so nothing was sent."""


class LostBeforeAnswer(Exception):
    """A kept connection turned out to be closed; not a single byte of an answer arrived."""


@dataclass
class Limits:
    """The times (monotonic) by which a call must have opened its connection, and must have ended."""

    opened_by: float
    ends: float

    def remaining(self) -> float:
        seconds = self.ends - time.monotonic()
        if seconds <= 0:
            raise DeadlinePassed
        return seconds

    def wait(self, sock: socket.socket, event: int) -> None:
        if not is_ready(sock, event, self.remaining()):
            raise DeadlinePassed


_limits: ContextVar[Limits] = ContextVar("limits")
"""The limits of the current call."""


class TCP:
    """A non-blocking socket that waits within the limits of the current call."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock

    def recv_into(self, buffer: Any) -> int:
        while True:
            _limits.get().wait(self.sock, READ)
            with suppress(BlockingIOError):
                return self.sock.recv_into(buffer)

    def sendall(self, data: Any) -> None:
        unsent, limits = memoryview(data), _limits.get()
        while unsent:
            limits.remaining()
            try:
                unsent = unsent[self.sock.send(unsent) :]
            except BlockingIOError:
                limits.wait(self.sock, WRITE)


class TLS:
    """TLS over another channel, which may be the TLS of a proxy."""

    def __init__(self, channel: "TCP | TLS", context: ssl.SSLContext, host: str) -> None:
        self._channel = channel
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._buffer = memoryview(bytearray(TLS_RECORD))
        self._tls = context.wrap_bio(self._received, self._to_send, server_hostname=host.rstrip("."))
        self._run(self._tls.do_handshake)

    def recv_into(self, buffer: Any) -> int:
        try:
            return self._run(self._tls.read, len(buffer), buffer)  # type: ignore[return-value]  # a count, into a buffer
        except ssl.SSLEOFError:  # closed without the farewell of TLS, which many services leave out
            return 0

    def sendall(self, data: Any) -> None:
        unsent = memoryview(data)
        while unsent:
            unsent = unsent[self._run(self._tls.write, unsent[:TLS_RECORD]) :]

    def _run(self, operation: Callable[..., T], *args: Any) -> T:
        while True:
            try:
                result = operation(*args)
            except ssl.SSLWantReadError:
                self._flush()
                self._receive()
            else:
                self._flush()
                return result

    def _flush(self) -> None:
        if self._to_send.pending:
            self._channel.sendall(self._to_send.read())

    def _receive(self) -> None:
        if count := self._channel.recv_into(self._buffer):
            self._received.write(self._buffer[:count])
        else:
            self._received.write_eof()


class Stream:
    """A channel with the methods of a socket that http.client and urllib3 call."""

    received = 0
    """Bytes so far."""

    def __init__(self, tcp: TCP, channel: TCP | TLS) -> None:
        self._tcp = tcp
        self._channel = channel
        self._uses = 1
        self.sendall = channel.sendall

    def fileno(self) -> int:
        return self._tcp.sock.fileno()

    def settimeout(self, seconds: float | None) -> None:
        """Ignore it: the limits of the call apply."""

    def makefile(self, _mode: str) -> io.BufferedReader:
        self._uses += 1
        return io.BufferedReader(Reader(self))

    def recv_into(self, buffer: Any) -> int:
        count = self._channel.recv_into(buffer)
        self.received += count
        return count

    def close(self) -> None:
        """Close the connection, unless an answer is still being read from it."""
        self._uses -= 1
        if self._uses == 0:
            self._tcp.sock.close()


class Reader(io.RawIOBase):
    """The raw file from which an answer is read."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._stream.recv_into(buffer)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._stream.close()


@dataclass(frozen=True)
class Route:
    """The way to a host: directly or through a proxy."""

    target: Url
    proxy: Url
    """Without a host if there is none."""
    proxy_headers: Mapping[str, str]
    tls: ssl.SSLContext

    def open(self) -> Stream:
        host, port = _address(self.proxy if self.proxy.host else self.target)
        tcp = TCP(_connect(host, port))
        try:
            channel: TCP | TLS = tcp
            if self.proxy.scheme == "https":
                channel = TLS(channel, self.tls, host)
            if self.target.scheme == "https":
                if self.proxy.host:
                    self._open_tunnel(Stream(tcp, channel))
                channel = TLS(channel, self.tls, _address(self.target)[0])
            return Stream(tcp, channel)
        except BaseException:  # also if the task was canceled
            tcp.sock.close()
            raise

    def _open_tunnel(self, stream: Stream) -> None:
        authority = f"{self.target.host}:{_address(self.target)[1]}"
        headers = {"Host": authority, **self.proxy_headers}
        lines = [f"CONNECT {authority} HTTP/1.1", *map(": ".join, headers.items()), "\r\n"]
        stream.sendall("\r\n".join(lines).encode("latin-1"))
        with stream.makefile("rb") as answer:
            protocol, _, status = answer.readline(65536).decode("latin-1").strip().partition(" ")
            http.client.parse_headers(answer)
        if not protocol.startswith("HTTP/"):
            raise NotOpened("the proxy didn't answer with HTTP")
        if not status.startswith("2"):
            raise NotOpened(f"the proxy answered {status[:3]}")


class Connection(HTTPConnection):
    """A connection of urllib3 over a stream of ours."""

    sock: Any
    _is_reused = False
    """True if this connection has already delivered an answer."""

    def __init__(self, *args: Any, route: Route, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A Host header goes without the default port.
        self.default_port = port_by_scheme[str(route.target.scheme)]  # type: ignore[misc]
        self._route = route

    def connect(self) -> None:
        self._is_reused = False
        limits = _limits.get()
        ends, limits.ends = limits.ends, min(limits.opened_by, limits.ends)
        try:
            self.sock = self._route.open()
        except DeadlinePassed:
            raise NotOpened("no time left") from None
        except ssl.SSLCertVerificationError as error:  # its text names the problem, such as an expired one
            raise NotOpened(f"{type(error).__name__}: {error.verify_message}") from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise NotOpened(type(error).__name__) from None
        finally:
            limits.ends = ends

    def getresponse(self) -> Any:
        stream, received = self.sock, self.sock.received
        try:
            response = super().getresponse()
        except ConnectionError:
            if self._is_reused and stream.received == received:
                raise LostBeforeAnswer from None
            raise
        self._is_reused = True
        return response


class Pool(urllib3.HTTPConnectionPool):
    """The connections to a host, encrypted or not: TLS is a matter of their streams."""

    ConnectionCls = Connection


class DeadlineAdapter(HTTPAdapter):
    """Sends with `timeout=(seconds to open, seconds in all)`, both hard limits; requires TLS 1.2 and these roots.

    A file of roots that was replaced is used by all connections from then on.
    """

    def __init__(self, ca_bundle: str | None) -> None:
        self._roots = roots_at(ca_bundle or DEFAULT_CA_BUNDLE_PATH)
        self._tls = self._roots.context()
        self._pools: dict[str, Pool] = {}
        super().__init__()

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        if (tls := self._roots.context()) is not self._tls:
            self._tls = tls
            self.close()
        to_open, in_all = options["timeout"]
        now = time.monotonic()
        _limits.set(Limits(now + to_open, now + in_all))
        return super().send(request, *args, **options)

    def get_connection_with_tls_context(self, request: Any, verify: Any, proxies: Any = None, cert: Any = None) -> Pool:
        """Find the pool by the host: the other criteria of requests are the same for all calls."""
        origin = "/".join(request.url.split("/", 3)[:3])
        if (pool := self._pools.get(origin)) is None:
            if len(self._pools) == DEFAULT_POOLSIZE:
                self.close()
            proxy = select_proxy(origin, proxies) or ""
            route = Route(parse_url(origin), parse_url(proxy), self.proxy_headers(proxy), self._tls)
            pool = self._pools[origin] = Pool(*_address(route.target), maxsize=MAX_IDLE_CONNECTIONS, route=route)
        return pool

    def cert_verify(self, conn: Any, url: str, verify: Any, cert: Any) -> None:
        """Leave it to the context of TLS, which always verifies."""

    def add_headers(self, request: requests.PreparedRequest, **kwargs: Any) -> None:
        """Authenticate a call that isn't encrypted at its proxy; other calls do so when they open their tunnel."""
        if str(request.url).startswith("http:") and (proxy := select_proxy(str(request.url), kwargs["proxies"])):
            request.headers.update(self.proxy_headers(proxy))

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()
        self._pools.clear()
        super().close()


def _address(url: Url) -> tuple[str, int]:
    return str(url.host).strip("[]"), url.port or port_by_scheme[str(url.scheme)]


def _connect(host: str, port: int) -> socket.socket:
    """Connect to the first address that answers."""
    limits = _limits.get()
    addresses = _resolve(host, port, limits)
    failure = OSError("the name has no address")
    for index, (family, kind, protocol, _, address) in enumerate(addresses):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # Each address gets a share of the time, so that a dead one leaves time for the next.
            seconds = limits.remaining() / (len(addresses) - index)
            if (error := sock.connect_ex(address)) == errno.EINPROGRESS:
                if not is_ready(sock, WRITE, seconds):
                    raise TimeoutError
                error = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if error:
                raise OSError(error, os.strerror(error))
            return sock
        except BaseException as reason:  # also if the task was canceled
            sock.close()
            if not isinstance(reason, OSError):
                raise
            failure = reason
    raise failure


def _resolve(host: str, port: int, limits: Limits) -> list[Any]:
    """Look up a name within the limit, in a thread because the system's lookup can't be interrupted."""
    results: list[list[Any] | OSError | ValueError] = []
    finished, worker_end = socket.socketpair()

    def resolve() -> None:
        with worker_end:
            try:
                results.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
            except (OSError, ValueError) as error:  # a name that can't be encoded is a ValueError
                results.append(error)

    threading.Thread(target=resolve, name="name-lookup", daemon=True).start()
    with finished:
        limits.wait(finished, READ)
    if isinstance(results[0], Exception):
        raise results[0]
    return results[0]
