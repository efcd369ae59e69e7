"""Read, check, write and compile catalogs, with a lock and atomic writes, and without GNU gettext."""

import fcntl
import functools
import gettext
import json
import os
import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation import to_locale

from console.i18n.languages import Language
from upstream.characters import FILLER, visible

SHIPPED = Path(__file__).resolve().parents[2] / "locale"
ISLAND_MESSAGES = Path(__file__).with_name("island_messages.json")
"""The messages that islands use, as the extraction wrote them."""
WIDTH = 78  # the same width for everything that writes catalogs, to keep diffs small

COUNT = "X-Messages"  # the header with the number of messages
# Possessive, so that a damaged line can't cause backtracking, however long it is.
_LINE = re.compile(
    r"\s*+(?:#(?![~|]).*|(?:#[~|]{1,2}\s*+)?(?:(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s*+)?"
    r'(?:"(?:[^"\\]|\\.)*+"\s*+)?)$'
)
_PERCENT = re.compile(r"%%|%\((?P<name>\w+)\)s|%")
"""A percent sign as Python's formatting reads it: an escaped sign, a placeholder, or an invalid sign."""
# The last ranges are replacements for unreadable characters.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\uffff\ud800-\udfff\U000f0000-\U0010ffff]")
# They change the characters next to them, or hide inside a word, and are invisible to translators.
_FILLER = re.compile(FILLER)
_MAX_MARKS = 4
"""The maximum of accents and marks on one letter: no language of the console needs as many."""
_ENTITY = re.compile(r"&#?\w+;")
_OTHER_PLACEHOLDER = re.compile(r"\{\w*\}")
_COUNT = re.compile(r"nplurals=(\d);")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_MARKUP = "<>"  # also matches what never becomes a tag, such as an unclosed one

Key = tuple[str | None, str, str]
Message = tuple[str | None, str, str | None]  # context, text, plural


def live() -> Path:
    """Return the directory of the catalogs in use; translators write there, so it is outside of the release."""
    return settings.LIVE_CATALOGS


def catalog_path(root: Path, code: str, suffix: str = "po") -> Path:
    """Return the path of the catalog for a Django language code within a locale directory."""
    return root / to_locale(code) / "LC_MESSAGES" / f"django.{suffix}"


def live_island_messages(root: Path) -> Path:
    """Return the path of the messages that islands use, including those of the previous release."""
    return root / ISLAND_MESSAGES.name


def island_messages(path: Path) -> list[Message]:
    """Read messages that islands use; a missing file has none."""
    rows = json.loads(path.read_bytes()) if path.exists() else []
    return [(context, one, many) for context, one, many in rows]


def key(entry: polib.POEntry | polib.MOEntry) -> Key:
    """Return what identifies a message: context, text, plural text."""
    return entry.msgctxt or None, entry.msgid, entry.msgid_plural or ""


@contextmanager
def lock(root: Path, *, write: bool = True) -> Iterator[None]:
    """Lock a locale directory against other processes of this host; readers share the lock."""
    root.mkdir(parents=True, exist_ok=True)
    with open(root / ".lock", "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX if write else fcntl.LOCK_SH)
        yield


def read(path: Path, *, drop: bool = False) -> polib.POFile:
    """Read a catalog; a missing one is empty.

    A catalog that is not UTF-8, can't be parsed or has lost entries raises ValueError with its path and line: otherwise
    damaged translations would be dropped silently. `drop` accepts the loss of entries.
    """
    if not path.exists():
        return polib.POFile(wrapwidth=WIDTH)
    data = path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}:{line}: is not UTF-8") from error
    for number, line_text in enumerate(text.splitlines(), 1):
        if not _LINE.match(line_text):  # polib accepts a text without a closing quote
            raise ValueError(f"{path}:{number}: is no line of a catalog, or its quotation marks are not closed")
    try:
        catalog = polib.pofile(text, wrapwidth=WIDTH)
    except OSError as error:  # polib's error for syntax errors
        raise ValueError(f"{path}: {str(error).strip()}") from error
    lost = int(catalog.metadata.get(COUNT) or 0) - sum(not entry.obsolete for entry in catalog)
    if lost > 0 and not drop:
        raise ValueError(f"{path}: {lost} of {catalog.metadata[COUNT]} messages are missing; restore the file")
    return catalog


def serialize(catalog: polib.POFile) -> bytes:
    """Return a catalog as a file; its header has the number of messages, so that a truncated file is detected."""
    catalog.metadata[COUNT] = str(sum(not entry.obsolete for entry in catalog))
    return str(catalog).encode()


def write(path: Path, data: bytes) -> None:
    """Replace a file atomically: readers see either the old or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def compiled(catalog: polib.POFile) -> bytes:
    """Return the .mo of a catalog, without the entries that would break or deface a page."""
    header = catalog.metadata.get("Plural-Forms", "")
    sound = polib.POFile(wrapwidth=WIDTH)
    sound.metadata = catalog.metadata
    sound.extend(entry for entry in catalog if entry.translated() and not problems(entry, header))
    binary: bytes = sound.to_binary()
    return binary


def merged(
    template: Iterable[polib.POEntry], *sources: Mapping[Key, polib.POEntry], language: Language
) -> polib.POFile:
    """Fill the template's messages from the first source that has them, and drop those no longer in the code."""
    forms = plural_count(language.plural_forms)
    result = polib.POFile(wrapwidth=WIDTH)
    result.metadata = {
        "Project-Id-Version": "Enterprise for Admin",
        "Language": to_locale(language.code),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": language.plural_forms,
    }
    for message in template:
        known = next((source[key(message)] for source in sources if key(message) in source), polib.POEntry())
        entry = polib.POEntry(
            msgctxt=message.msgctxt,
            msgid=message.msgid,
            msgid_plural=message.msgid_plural,
            msgstr=known.msgstr,
            occurrences=message.occurrences,
            comment=message.comment,
            tcomment=known.tcomment,
            flags=[*message.flags, *(["fuzzy"] if known.fuzzy else [])],
            previous_msgctxt=known.previous_msgctxt,
            previous_msgid=known.previous_msgid,
            previous_msgid_plural=known.previous_msgid_plural,
        )
        if message.msgid_plural:
            entry.msgstr_plural = {form: known.msgstr_plural.get(form, "") for form in range(forms)}
        result.append(entry)
    return result


def by_key(catalog: polib.POFile, *, obsolete: bool = False) -> dict[Key, polib.POEntry]:
    """Return a catalog's entries by key: those in use, or those kept as suggestions."""
    return {key(entry): entry for entry in catalog if bool(entry.obsolete) == obsolete}


def translated_texts(entry: polib.POEntry) -> list[str]:
    """Return the translations of an entry: all its forms if any has a text, or none."""
    texts = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
    return texts if any(texts) else []


def plural_count(header: str) -> int:
    """Return nplurals of a Plural-Forms header."""
    result = _COUNT.match(header)
    if not result:
        raise ValueError(f"not a Plural-Forms header: {header!r}")
    return int(result[1])


@functools.cache
def single_forms(header: str) -> frozenset[int]:
    """Return the plural forms that apply to exactly one number: only their texts may omit the number."""
    plural = header.partition("plural=")[2].strip().removesuffix(";")
    if not plural:
        return frozenset()
    plural_form = gettext.c2py(plural)
    served = Counter(plural_form(number) for number in range(1001))
    return frozenset(form for form, times in served.items() if times == 1)


def max_length(source: str) -> int:
    """Return the maximum length of a translation: far more than needed, and too short to bury a page."""
    return 200 + 5 * len(source)


def problems(entry: polib.POEntry, header: str = "") -> list[str]:
    """Return what would break or deface a page if this entry were published; an empty list if nothing does."""
    if entry.msgid_plural:
        single = single_forms(header)
        # The only placeholder of a plural is its number, whatever it is called.
        names = _placeholders(entry.msgid_plural)
        number = names if len(names) == 1 else {"count"}
        texts = [
            (entry.msgid_plural, text, number if form in single else set[str]())
            for form, text in entry.msgstr_plural.items()
            if text
        ]
    else:
        texts = [(entry.msgid, entry.msgstr, set[str]())] if entry.msgstr else []
    faults: set[str] = set()
    for source, target, optional in texts:
        wanted, given = _placeholders(source), _placeholders(target)
        faults |= {f"unknown placeholder {name}" for name in given - wanted}
        faults |= {f"missing placeholder {name}" for name in wanted - given - optional}
        # Only a text with placeholders is formatted, where two signs become one.
        wrong = "%" if wanted or "python-format" in entry.flags else "%%" if "%%" not in source else ""
        if wrong and wrong in (match[0] for match in _PERCENT.finditer(target)):
            faults.add("stray % sign")
        if Counter(_TAG.findall(source)) != Counter(_TAG.findall(target)) or any(
            source.count(sign) != target.count(sign) for sign in _MARKUP
        ):
            faults.add("markup differs from the source")
        if "$t(" in target:
            faults.add("i18next nesting")
        if source[:1].isspace() != target[:1].isspace() or source[-1:].isspace() != target[-1:].isspace():
            faults.add("space at an end")
        if _CONTROL.search(target):
            faults.add("control character")
        if visible(target) != target or _FILLER.search(target):
            faults.add("invisible character")
        if _max_marks(target) > _MAX_MARKS:
            faults.add("too many accents on one letter")
        if _ENTITY.search(target):
            faults.add("HTML entity; type the character itself")
        if len(target) > max_length(source):
            faults.add(f"more than {max_length(source)} characters")
        if "\n" in target.strip() and "\n" not in source:
            faults.add("line break")
        if _OTHER_PLACEHOLDER.search(target) and not _OTHER_PLACEHOLDER.search(source):
            faults.add("placeholder in braces; they are written %(name)s")
    return sorted(faults)


def _placeholders(text: str) -> set[str]:
    return {match["name"] for match in _PERCENT.finditer(text) if match["name"]}


def _max_marks(text: str) -> int:
    """Return the highest number of marks on one letter."""
    runs = groupby(text, key=lambda char: unicodedata.category(char) in ("Mn", "Me"))
    return max((sum(1 for _mark in run) for is_mark, run in runs if is_mark), default=0)
