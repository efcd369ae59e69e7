"""Heads of HTTP messages, written and read in one go.

http.client looks at each header of a request several times, and gives those of an answer to the parser of e-mail: a
fifth of what a call costs. Tests compare both with what http.client does.
"""

import http.client
import io
import re
from http.client import HTTPMessage, HTTPResponse
from types import FunctionType
from typing import Any

_USUAL = re.compile(rb"([!-9;-~]+):[ \t]*([^\r\n]*)\r?\n")
_lines_of: Any = http.client._read_headers  # type: ignore[attr-defined]  # with its limits; a test pins it


def line_of(name: str, value: str | bytes) -> bytes:
    """Write a header that was checked before: the transport refuses a line end."""
    return b"%s: %s" % (name.encode("ascii"), value if isinstance(value, bytes) else value.encode("latin-1"))


def read(stream: io.BufferedIOBase, *_unused: Any) -> HTTPMessage:
    """Read the headers of an answer as `http.client.parse_headers` does, which has to read what is unusual."""
    lines = _lines_of(stream)
    found = [_USUAL.fullmatch(line) for line in lines[:-1]]
    if not all(found):
        return http.client.parse_headers(io.BytesIO(b"".join(lines)))
    message = HTTPMessage()
    for name, value in (header.groups() for header in found if header):
        message[name.decode("ascii")] = value.decode("latin-1")
    return message


begin: Any = FunctionType(HTTPResponse.begin.__code__, {**vars(http.client), "parse_headers": read}, "begin")
"""`HTTPResponse.begin`, which reads the headers by the function above."""
