"""A service on a raw socket, which can misbehave in ways that server libraries prevent, and a token source."""

import contextlib
import datetime as dt
import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import responses
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from upstream.calls import NotRenewed, RenewalFailure, Token
from upstream.client import Upstream
from upstream.config import Deadlines, TransportConfig
from upstream.transport import Transport

SHORT = Deadlines(connect=1, read=1, write=1, refresh=1, request=10)
LATE = 2
"""Seconds that a busy machine may need beyond a deadline. A broken limit takes longer, or ends otherwise."""
HANDLER, API = "https://handler.dental.example", "https://api.dental.example"


def ok(body: bytes = b"{}", *headers: bytes, status: bytes = b"200 OK") -> bytes:
    """Return an answer with its correct length."""
    return b"\r\n".join((b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), *headers, b"", body))


@contextlib.contextmanager
def within(limit: float) -> Iterator[None]:
    """Fail if the block takes longer than this deadline in seconds."""
    started = time.monotonic()
    yield
    assert time.monotonic() - started < limit + LATE


def run_concurrently(checks: Mapping[str, Callable[[], None]]) -> dict[str, str]:
    """Run checks that wait for a deadline in threads, so that their waits overlap; return the failures by name."""

    def failure(check: Callable[[], None]) -> str:
        try:
            check()
        except (Exception, pytest.fail.Exception) as error:
            return repr(error)
        return ""

    with ThreadPoolExecutor(len(checks)) as threads:
        results = zip(checks, threads.map(failure, checks.values()), strict=True)
        return {name: text for name, text in results if text}


@dataclass
class Request:
    line: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Service:
    """Serves each connection in its own thread; `handle` returns the answer, or None to close the connection."""

    handle: Callable[[socket.socket, Request], bytes | None] = lambda sock, request: ok()
    tls: ssl.SSLContext | None = None
    reads: bool = True
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def drip(self, sock: socket.socket, data: bytes) -> None:
        """Send a byte every 50 ms until the test ends or the other side closes the connection."""
        for byte in data:
            if self.released.wait(0.05):
                return
            sock.sendall(bytes([byte]))

    def close(self) -> None:
        self.released.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for sock in self._sockets:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
            assert not thread.is_alive()

    def _start(self, target: Callable[..., None], *args: Any) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._sockets.append(sock)
            self._start(self._serve, sock)

    def _serve(self, sock: socket.socket) -> None:
        with sock:
            try:
                if self.tls:
                    with self.tls.wrap_socket(sock, server_side=True) as secured:
                        self._converse(secured)
                else:
                    self._converse(sock)
            except OSError:
                return

    def _converse(self, sock: socket.socket) -> None:
        if not self.reads:
            self.released.wait(10)
            return
        with sock.makefile("rb") as incoming:
            while first := incoming.readline():
                headers: dict[str, str] = {}
                while (row := incoming.readline().decode("latin-1").strip()) != "":
                    name, _, value = row.partition(":")
                    headers[name.lower()] = value.strip()
                body = incoming.read(int(headers.get("content-length", 0)))
                request = Request(first.decode("latin-1").strip(), headers, body)
                self.requests.append(request)
                answer = self.handle(sock, request)
                if answer is None:
                    return
                sock.sendall(answer)


def reset(sock: socket.socket) -> None:
    """Close a connection without its farewell."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def write_certificate(folder: Path, *, days: int = 1) -> tuple[str, str]:
    """Write a self-signed certificate for localhost that ends in so many days; return the paths of it and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=9))
        .not_valid_after(now + dt.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain, none = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, plain, none))
    return str(folder / "cert.pem"), str(folder / "key.pem")


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    return write_certificate(tmp_path_factory.mktemp("tls"))


def serve(certificate: tuple[str, str]) -> Service:
    """Return a service that speaks TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    service = Service(tls=context)
    service.url = f"https://localhost:{service.port}"
    return service


def tunnel(sock: socket.socket, port: int, send: Callable[[bytes], None] | None = None) -> None:
    """Be the proxy that opened a way to this port, until an end of it closes; `send` sends what comes from there."""
    sock.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    with socket.create_connection(("127.0.0.1", port)) as service:
        while True:
            has_pending = isinstance(sock, ssl.SSLSocket) and sock.pending()
            for end in [sock] if has_pending else select.select([sock, service], [], [])[0]:
                if not (data := end.recv(16_384)):
                    return
                if end is sock:
                    service.sendall(data)
                else:
                    (send or sock.sendall)(data)


def make_proxy(certificate: tuple[str, str], scheme: str) -> Service:
    """Return a proxy with this scheme."""
    return serve(certificate) if scheme == "https" else Service()


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.close()


@pytest.fixture
def transports() -> Iterator[Callable[..., Transport]]:
    """Make transports that are closed with the test."""
    made: list[Transport] = []

    def make(url: str, *, deadlines: Deadlines = SHORT, **kwargs: Any) -> Transport:
        breaker = kwargs.pop("breaker", None)
        config = TransportConfig(url, url, insecure_loopback=True, deadlines=deadlines, **kwargs)
        made.append(Transport(config, breaker=breaker))
        return made[-1]

    yield make
    for transport in made:
        transport.close()


@dataclass
class Tokens:
    """A token source in memory that records the threads that use it."""

    api_url: str = API
    prefix: str = "token"
    generation: int = 1
    renewed: list[Token] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    ended: bool = False

    def current(self) -> Token:
        self.threads.add(threading.get_ident())
        return Token(self.generation, f"{self.prefix}-{self.generation}", self.api_url, 7)

    def renew(self, stale: Token) -> Token:
        self.renewed.append(stale)
        if self.ended:
            raise NotRenewed(RenewalFailure.SESSION_ENDED, "the session has ended")
        self.generation += 1
        return self.current()


@pytest.fixture
def tokens() -> Tokens:
    return Tokens()


@pytest.fixture
def config() -> TransportConfig:
    return TransportConfig(HANDLER, API, allowed_hosts=("dental.example",))


@pytest.fixture
def up(config: TransportConfig, tokens: Tokens) -> Iterator[Upstream]:
    """A client of the service that `http` fakes."""
    transport = Transport(config)
    yield Upstream(transport, tokens=tokens, request_id="r-1", language="ko-KR")
    transport.close()


@pytest.fixture
def http() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock() as mock:
        yield mock
