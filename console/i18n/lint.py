"""Rules for texts in the sources that keep them translatable and safe in a page."""

import re
from collections.abc import Iterator

import polib

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
_OTHER_PERCENT = re.compile(r"%(?!\(\w+\)s|%)")
_OTHER_FORMAT = re.compile(r"%\(\w+\)(?!s)")
_TAG_NAME = re.compile(r"</?([A-Za-z][\w-]*)")
_ALLOWED_TAGS = {"a", "b", "br", "code", "i"}


def has_placeholder(text: str) -> bool:
    """Return whether a text contains a `%(name)s` placeholder."""
    return bool(_PLACEHOLDER.search(text))


def is_unexplained(entry: polib.POEntry) -> bool:
    """Return whether translators would have to guess what a single word means, or what a placeholder stands for.

    The only placeholder of a plural is its number. A translators' comment or a context explains the rest.
    """
    names = set(_PLACEHOLDER.findall(entry.msgid + entry.msgid_plural))
    has_value = len(names) > 1 if entry.msgid_plural else bool(names)
    is_word = len(entry.msgid.split()) == 1
    return (is_word or has_value) and entry.msgctxt is None and not entry.comment


def text_faults(text: str) -> Iterator[str]:
    """Return what makes an English text hard to translate, or different on server and client."""
    if _OTHER_FORMAT.search(text) or (has_placeholder(text) and _OTHER_PERCENT.search(text.replace("%%", ""))):
        yield "a per cent sign that is not %(name)s"
    elif has_placeholder(text) and "%%" in text:
        yield "a literal per cent sign beside a placeholder; pass it in"
    if "..." in text:
        yield "three full stops instead of …"
    if set(_TAG_NAME.findall(text)) - _ALLOWED_TAGS:
        yield "markup other than <a> <b> <br> <code> <i>"
    if "$t(" in text:
        yield "i18next nesting"
    if text != text.strip():
        yield "space at an end"
