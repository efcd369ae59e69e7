"""Checks of translations that read wrong but break no page: terms, letters, form of address, closing marks.

Terms are those of `locale/glossary.csv`; the other rules of a language are in `locale/style.csv`.
"""

import csv
import functools
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polib

from console.i18n import po
from console.i18n.languages import DEFAULT, Language

GLOSSARY, STYLE = "glossary.csv", "style.csv"

_PLACEHOLDER = re.compile(r"%\(\w+\)s")
_SIGN = "\N{OBJECT REPLACEMENT CHARACTER}"
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LATIN_LETTERS = re.compile(r"[a-z]+")
_ALTERNATIVES = "|"
_SEARCH_WORDS = "search words"
_MARKS = {"。": ".", "．": ".", "？": "?", "؟": "?", "；": ";", "：": ":", "！": "!"}
_ENDS = {".", "?", "!", ":", "…"}
_SENTENCE_ENDS = {".", "?"}
_SPACE_BEFORE_MARK = re.compile(r"[ \t][.,;:!?。，：；！？](?:\s|$)")
# Letters of another script in the middle of a word look the same, and searches don't find the word.
_LOOKALIKES = {"LATIN", "CYRILLIC", "GREEK"}
_WITHOUT_SPACES = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI"}


class Term(NamedTuple):
    """A term of the glossary in one language.

    If the English text has the term, the translation must have one of the `stems`, in any case; without stems there is
    no check. It must never have one of the words of `never`.
    """

    english: str
    translation: str
    stems: tuple[str, ...]
    never: tuple[str, ...]


class Style(NamedTuple):
    """The rules of a language beyond its grammar."""

    scripts: frozenset[str]
    """The first words of the Unicode names of its letters."""
    encoding: str
    """An encoding of its script that lacks the characters of similar scripts, such as gb2312; or none."""
    informal: tuple[str, ...]
    """Words of a form of address that the console doesn't use."""
    has_end_marks: bool
    """True if a sentence ends with a mark: in Thai, neither statements nor questions do."""
    question: str
    """The question mark, if it is not one that is known everywhere, such as the Greek one."""


def faults(language: Language, catalog: polib.POFile, root: Path = po.SHIPPED) -> Iterator[str]:
    """Return the wording faults of a catalog, each with its English text. Languages without a style are not checked."""
    style = styles(root).get(language.tag)
    if language is DEFAULT or not style:
        return
    terms = glossary(language.tag, root)
    latin = {word for term in terms for word in _latin(term.translation)}
    for entry in catalog:
        if entry.obsolete or entry.fuzzy:
            continue
        for english, text in _pairs(entry):
            results = [*_term_faults(english, text, terms), *_letter_faults(english, text, style, latin)]
            results += [*_address_faults(text, style), *_mark_faults(english, text, style)]
            yield from (f"{fault}: {english!r}: {text!r}" for fault in results)


@functools.cache
def glossary(tag: str, root: Path = po.SHIPPED) -> tuple[Term, ...]:
    """Return the terms of a language, the longest first: a partnership request is not a request."""
    rows = _rows(root / GLOSSARY)
    terms = (
        Term(row["term"], row[tag], _split(row[f"{tag} stems"].lower()), _split(row[f"{tag} never"]))
        for row in rows
        if row.get(tag)
    )
    return tuple(sorted(terms, key=lambda term: -len(term.english)))


@functools.cache
def styles(root: Path = po.SHIPPED) -> dict[str, Style]:
    """Return the styles by language tag."""
    return {
        row["tag"]: Style(
            frozenset(_split(row["scripts"])),
            row["encoding"],
            _split(row["informal"]),
            row["end marks"] == "yes",
            row["question"] or "?",
        )
        for row in _rows(root / STYLE)
    }


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _split(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in cell.split(_ALTERNATIVES))))


def _pairs(entry: polib.POEntry) -> Iterator[tuple[str, str]]:
    """Return the English texts and their translations, with a sign for each placeholder.

    Lists of words for users' files and for the search are skipped: they contain what users write.
    """
    texts = entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]
    english = _PLACEHOLDER.sub(_SIGN, entry.msgid_plural or entry.msgid)
    if _ALTERNATIVES not in english and entry.msgctxt != _SEARCH_WORDS:
        yield from ((english, _PLACEHOLDER.sub(_SIGN, text)) for text in texts if text)


def _term_faults(english: str, text: str, terms: tuple[Term, ...]) -> Iterator[str]:
    lower = unicodedata.normalize("NFC", text).lower()  # noqa: TID251  # our own texts, of a known length
    remaining = english.lower()
    for term in terms:
        without = _pattern(term.english).sub(" ", remaining) if term.english.lower() in remaining else remaining
        if without != remaining and term.stems and not any(stem in lower for stem in term.stems):
            yield f"“{term.english}” is “{term.translation}” in the glossary"
        remaining = without
        yield from (f"the glossary excludes “{word}”" for word in term.never if _holds(text, word))


@functools.cache
def _pattern(term: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(term)}(?:e?s)?\b", re.IGNORECASE)


def _holds(text: str, word: str) -> bool:
    if _script(word[0]) in _WITHOUT_SPACES:
        return word in text
    return _whole(word).search(text) is not None


@functools.cache
def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


def _letter_faults(english: str, text: str, style: Style, latin: set[str]) -> Iterator[str]:
    """Return words in foreign letters. Latin words may also be in the English text or in the glossary."""
    allowed = {*_WORD.findall(english.lower()), *latin}
    for word in _WORD.findall(text):
        scripts = {_script(letter) for letter in word if letter.isalpha()}
        if len(scripts & _LOOKALIKES) > 1:
            yield f"“{word}” mixes {' and '.join(sorted(scripts))} letters"
        elif not scripts <= style.scripts | {"LATIN"} or ("LATIN" not in style.scripts and not _latin(word) <= allowed):
            yield f"“{word}” is not in the language's letters"
    for letter in text:
        if style.encoding and _script(letter) in _WITHOUT_SPACES and not letter.encode(style.encoding, "ignore"):
            yield f"“{letter}” belongs to another language or to the other way of writing it"


def _latin(word: str) -> set[str]:
    return set(_LATIN_LETTERS.findall(word.lower()))


@functools.cache
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _address_faults(text: str, style: Style) -> Iterator[str]:
    yield from (f"“{word}” addresses readers informally" for word in style.informal if _holds(text, word))


def _mark_faults(english: str, text: str, style: Style) -> Iterator[str]:
    """Return faults of marks: a different one at the end, a space before one, straight quotation marks."""
    wanted, given = _end(english, "?"), _end(text, style.question)
    if wanted != given and not (wanted in _SENTENCE_ENDS and given == "" and not style.has_end_marks):
        yield f"ends with {given or 'no mark'} instead of {wanted or 'none'}"
    if _SPACE_BEFORE_MARK.search(text.replace("\N{NO-BREAK SPACE}", "")) and not _SPACE_BEFORE_MARK.search(english):
        yield "a space before a mark"
    if text.count('"') > english.count('"'):
        yield "straight quotation marks; use those of the language"
    if "..." in text:
        yield "three full stops instead of …"
    if "  " in text:
        yield "two spaces"


def _end(text: str, question: str) -> str:
    stripped = text.rstrip('\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE} )）”»“」』"')
    mark = stripped[-1:]
    mark = "?" if mark == question else _MARKS.get(mark, mark)
    return mark if mark in _ENDS else ""
