"""A page as it is read."""

import re


def as_read(html: str) -> str:
    """Return a page in which each name of its own direction, linked or not, is the text that sentences have it as."""
    return re.sub(r'(?:<a href="[^"]*">)?<bdi>([^<]*)</bdi>(?:</a>)?', "\u2068\\1\u2069", html)
