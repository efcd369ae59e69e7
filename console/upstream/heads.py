"""Heads of HTTP messages, written and read in one go.

http.client looks at each header of a request several times, and gives those of an answer to the parser of emails: a
fifth of what a call costs. Tests compare both with what http.client does. This can go when http.client, or what
requests is built on, reads headers without that parser.
"""

import http.client
import io
import re
from http.client import HTTPMessage, HTTPResponse
from types import FunctionType
from typing import Any

MOST_HEADERS, LONGEST_LINE = 100, 65_536
"""The limits of http.client; the blank line counts as well."""

_FIELD = re.compile(rb"([!-9;-~]+):[ \t]*([^\r\n]*)\r?\n")


def line_of(name: str, value: str | bytes) -> bytes:
    """Write a header that was checked before: the transport refuses a line end."""
    return b"%s: %s" % (name.encode("ascii"), value if isinstance(value, bytes) else value.encode("latin-1"))


def read(stream: io.BufferedIOBase, **_unused: Any) -> HTTPMessage:
    """Read the headers of an answer as `http.client.parse_headers` does, which has to read what is unusual."""
    lines = _lines(stream)
    fields = [_FIELD.fullmatch(line) for line in lines]
    if not all(fields):
        return http.client.parse_headers(io.BytesIO(b"".join([*lines, b"\r\n"])))
    message = HTTPMessage()
    for name, value in (field.groups() for field in fields if field):
        message[name.decode("ascii")] = value.decode("latin-1")
    return message


def _lines(stream: io.BufferedIOBase) -> list[bytes]:
    """Read up to the blank line, which is left out."""
    lines: list[bytes] = []
    while (line := stream.readline(LONGEST_LINE + 1)) not in (b"\r\n", b"\n", b""):
        if len(line) > LONGEST_LINE:
            raise http.client.LineTooLong("header line")
        lines.append(line)
        if len(lines) == MOST_HEADERS:
            raise http.client.HTTPException("too many headers")
    return lines


begin: Any = FunctionType(HTTPResponse.begin.__code__, {**vars(http.client), "parse_headers": read}, "begin")
"""`HTTPResponse.begin`, which reads the headers by the function above."""
begin.__kwdefaults__ = HTTPResponse.begin.__kwdefaults__
