"""Rules for texts in the sources that keep them translatable and safe in a page."""

import re
from collections.abc import Iterator

import polib

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
_OTHER_PERCENT = re.compile(r"%(?!\(\w+\)s|%)")
_OTHER_FORMAT = re.compile(r"%\(\w+\)(?!s)")
_TAG_NAME = re.compile(r"</?([A-Za-z][\w-]*)")
_ALLOWED_TAGS = {"a", "b", "br", "code", "i"}

_TEMPLATE_TOKEN = re.compile(
    r"{%\s*comment\b.*?{%\s*endcomment\s*%}|{%.*?%}|{{.*?}}|{#.*?#}|<!--.*?-->|</?[A-Za-z]|[<>\"']|\n", re.DOTALL
)
_TRANSLATE = re.compile(r"{%\s*(blocktranslate|blocktrans|translate|trans)\b\s*(.*?)\s*%}", re.DOTALL)
_PRINTED_LITERAL = re.compile(r"{{\s*_\(")


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


def template_faults(source: str) -> Iterator[str]:
    """Return, as `line: fault`, texts in a template that extraction misses, and translations within an HTML tag."""
    line = 1
    in_tag = False
    quote = ""
    comment_line = 0
    for found in _TEMPLATE_TOKEN.finditer(source):
        piece = found[0]
        if piece.startswith("{"):
            if translate := _TRANSLATE.match(piece):
                if comment_line == line:
                    yield f"{line}: a translators' comment on the line of its text, which loses the text"
                yield from (f"{line}: {fault}" for fault in _tag_faults(translate[1], translate[2], in_tag=in_tag))
            elif in_tag and _PRINTED_LITERAL.match(piece):
                yield f"{line}: a translation printed inside of a tag; use translate … as"
        elif in_tag and piece in ('"', "'"):
            if piece == "'" and not quote:
                yield f"{line}: an attribute in single quotation marks, which translations may hold"
            quote = "" if quote == piece else quote or piece
        elif piece == ">" and not quote:
            in_tag = False
        elif piece[0] == "<" and len(piece) > 1 and not piece.startswith("<!--"):
            in_tag = True
        line += piece.count("\n")
        if piece.startswith("{") and "Translators" in piece:
            comment_line = line


def _tag_faults(name: str, arguments: str, *, in_tag: bool) -> Iterator[str]:
    block = name.startswith("block")
    if not block and not arguments.startswith(('"', "'")):
        yield "translate with something that is not a literal"
    # For readability. Django escapes neither form: no translation with more quotation marks than its source gets
    # this far, because po.problems keeps it out of the .mo.
    if in_tag and not re.search(r"\basvar\s+\w+" if block else r"\bas\s+\w+$", arguments):
        yield "a translation printed inside of a tag; use translate … as"
