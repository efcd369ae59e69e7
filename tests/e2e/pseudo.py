"""The pseudo-locale: each text of the console in brackets, with accents, and longer than in any language.

It takes the place of Greek, because what does not come from the catalog, such as names of countries, is then Greek:
what is Latin and outside of brackets was not marked for translation.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import cycle
from pathlib import Path

from playwright.sync_api import Page

from console.i18n import po
from console.i18n.languages import CODES, LANGUAGES
from sandbox import demo
from sandbox.names import TEAM_TYPES
from tests.e2e.rendering import TEXTS
from tools.templates import WORDS

TAG = "el-GR"
NAMES = {"Enterprise for Admin", "Reception", *WORDS, *(name for _code, name in LANGUAGES)}
"""Texts that are the same in all languages: the product, the name of a preset, the demo's server locations, and
languages in their own words."""

_PLACEHOLDERS = re.compile(r"(%\(\w+\)s|%%|</?[A-Za-z][^<>]*>)")
_ACCENTED = str.maketrans("aceinosuyACEINOSUYZ", "áçéíñóšúýÁÇÉÍÑÓŠÚÝŽ")
_FILLER = ("ípsúm", "dólór", "sít", "ámét", "térrá", "lúx", "úndá", "sólís")
_INNERMOST = re.compile(r"⟦[^⟦⟧]*⟧")
_LATIN = re.compile(r"[A-Za-z]{2,}")


def pseudo(text: str) -> str:
    """A text with accents in brackets, two fifths longer; a short one, twice as long."""
    parts = [part if _PLACEHOLDERS.fullmatch(part) else part.translate(_ACCENTED) for part in _PLACEHOLDERS.split(text)]
    missing, filler = max(len(text) * 2 // 5, min(len(text), 12)), ""
    for word in cycle(_FILLER):
        if len(filler) >= missing:
            break
        filler += f" {word}"
    return f"⟦{''.join(parts)}{filler}⟧"


@contextmanager
def published(root: Path) -> Iterator[None]:
    """Replace one live language with the pseudo-locale within the block."""
    code = CODES[TAG]
    catalog = po.read(po.catalog_path(root, code))
    for entry in catalog:
        if entry.msgid_plural:
            singular, plural = pseudo(entry.msgid), pseudo(entry.msgid_plural)
            entry.msgstr_plural = {form: plural if form else singular for form in entry.msgstr_plural}
        else:
            entry.msgstr = pseudo(entry.msgid)
        entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]
    compiled = po.catalog_path(root, code, "mo")
    before = compiled.read_bytes()
    po.write(compiled, po.compiled(catalog))
    try:
        yield
    finally:
        po.write(compiled, before)  # a new file, which every process of the console notices


def unmarked(page: Page) -> list[str]:
    """Return the texts of a page with words outside of brackets that are no data of the sandbox."""
    return [f"not marked: {text}" for text in page.evaluate(TEXTS) if _LATIN.search(_outside(text))]


def _outside(text: str) -> str:
    while _INNERMOST.search(text):
        text = _INNERMOST.sub(" ", text)
    if not _LATIN.search(text):
        return ""
    for known in _data():
        text = text.replace(known, " ")
    return text


@cache
def _data() -> list[str]:
    """Names, and all that the sandbox says; the longest first."""
    texts = set(NAMES)

    def collect(value: object) -> None:
        match value:
            case str():
                texts.add(value)
            case dict():
                list(map(collect, value.values()))
            case list() | tuple():
                list(map(collect, value))

    collect([demo.build(0), TEAM_TYPES])
    return sorted((text for text in texts if _LATIN.search(text)), key=len, reverse=True)
