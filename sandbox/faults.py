"""Faults on demand: matching calls, and sending each kind of broken response."""

import gzip
import re
import socket
import struct
import time
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

Kind = Literal["close", "reset", "truncate", "drip", "html", "wrong-type", "huge", "gzip-bomb", "redirect"]

HUGE_CHUNK = b" " * 65_536
HUGE_CHUNKS = 4_000  # 262 MB
GZIP_BOMB_MEMBER = 1_000_000  # bytes in each of 200 members
GZIP_BOMB_MEMBERS = 200
# These modify the true response, so the call is executed first.
SPOILS_TRUE_ANSWER = frozenset({"truncate", "drip", "wrong-type"})


class Fault(msgspec.Struct, forbid_unknown_fields=True):
    """A rule: the next `times` matching calls fail in this way."""

    path: str = ""
    method: str = ""
    times: int = 1
    status: int | None = None
    code: int | None = None
    delay: float = 0
    body: Any = None
    headers: dict[str, str] = {}
    fault: Kind | None = None
    after: bool = False  # execute the call first: "done, but the response was lost"

    def matches(self, method: str, path: str) -> bool:
        """Return True if this rule applies to a call; `path` is a regular expression to find in the call's path."""
        return self.times != 0 and self.method.upper() in ("", method) and re.search(self.path, path) is not None

    @property
    def answers(self) -> bool:
        """True if the rule replaces the response instead of only delaying it."""
        return bool(self.fault or self.status or self.code or self.body is not None)


def take(faults: list[Fault], method: str, path: str) -> Fault | None:
    """Return the first rule that matches a call, and count it as used."""
    for fault in faults:
        if fault.matches(method, path):
            if fault.times > 0:
                fault.times -= 1
                if fault.times == 0:
                    faults.remove(fault)
            return fault
    return None


def cut_connection(connection: socket.socket, *, reset: bool) -> None:
    """End the connection without a response, with a reset or an orderly close."""
    if reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    else:
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


def truncated(connection: socket.socket, status: str, body: bytes) -> None:
    """Announce the whole body, send half of it, and close."""
    connection.sendall(_head(status, len(body)) + body[: len(body) // 2])
    cut_connection(connection, reset=False)


def dripped(connection: socket.socket, status: str, body: bytes, pause: float = 0.5) -> None:
    """Send the body one byte at a time."""
    connection.sendall(_head(status, len(body)))
    for byte in body:
        time.sleep(pause)
        connection.sendall(bytes((byte,)))
    cut_connection(connection, reset=False)


def _head(status: str, length: int) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    ).encode()


def huge() -> Iterator[bytes]:
    """Yield 262 MB of meaningless JSON."""
    yield b'{"results": ['
    for _ in range(HUGE_CHUNKS):
        yield HUGE_CHUNK
    yield b"]}"


def gzip_bomb() -> Iterator[bytes]:
    """Yield a small gzip stream that unpacks to 200 MB of JSON."""
    yield gzip.compress(b'{"results": [')
    member = gzip.compress(b" " * GZIP_BOMB_MEMBER)
    for _ in range(GZIP_BOMB_MEMBERS):
        yield member
    yield gzip.compress(b"]}")


def mistyped(value: Any) -> Any:
    """Return the same JSON with the right keys and a value of a wrong type for each."""
    if isinstance(value, dict):
        return {key: mistyped(member) for key, member in value.items()}
    if isinstance(value, list):
        return {"not": "a list"}
    if isinstance(value, str):
        return [len(value)]
    if isinstance(value, bool) or value is None:
        return {"not": "a scalar"}
    return "not a number"
