"""Reading, checking, writing and compiling catalogues: one lock, atomic files, no GNU gettext."""

import fcntl
import gettext
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation import to_locale

from console.i18n.languages import Language

SHIPPED = Path(__file__).resolve().parents[2] / "locale"
WIDTH = 78  # one width for all that write catalogues: no noise in differences

_PLACEHOLDER = re.compile(r"%\((\w+)\)s")
_STRAY_PERCENT = re.compile(r"%(?!\(\w+\)s|%)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
_TAG = re.compile(r"</?[A-Za-z][^>]*>")
_MARKUP = '<>"'  # also what never becomes a tag: an attribute's quotation mark, a tag left open

Key = tuple[str | None, str, str]


def live() -> Path:
    """Name the directory of the catalogues in use; translators write there, so it is not in the release."""
    return Path(settings.LOCALE_PATHS[0])


def path_of(root: Path, code: str, suffix: str = "po") -> Path:
    """Name the catalogue of a Django language code below a locale directory."""
    return root / to_locale(code) / "LC_MESSAGES" / f"django.{suffix}"


def key(entry: polib.POEntry) -> Key:
    """Identify a message: context, text, plural text."""
    return entry.msgctxt or None, entry.msgid, entry.msgid_plural or ""


@contextmanager
def lock(root: Path, *, write: bool = True) -> Iterator[None]:
    """Hold a locale directory against the other processes of this host; readers share it."""
    root.mkdir(parents=True, exist_ok=True)
    with open(root / ".lock", "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX if write else fcntl.LOCK_SH)
        yield


def read(path: Path) -> polib.POFile:
    """Read a catalogue; a missing one is empty, a broken one raises ValueError with its path."""
    if not path.exists():
        return polib.POFile(wrapwidth=WIDTH)
    try:
        return polib.pofile(str(path), wrapwidth=WIDTH, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:  # polib reports syntax errors as OSError
        raise ValueError(f"{path}: {error}") from error


def write(path: Path, data: bytes) -> None:
    """Replace a file as a whole: readers see the old or the new one, whatever happens in between."""
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


def compiled(catalogue: polib.POFile) -> bytes:
    """Make the .mo of a catalogue, without the entries that would break or deface a page."""
    header = catalogue.metadata.get("Plural-Forms", "")
    sound = polib.POFile(wrapwidth=WIDTH)
    sound.metadata = catalogue.metadata
    sound.extend(entry for entry in catalogue if entry.translated() and not problems(entry, header))
    binary: bytes = sound.to_binary()
    return binary


def merged(template: polib.POFile, *sources: Mapping[Key, polib.POEntry], language: Language) -> polib.POFile:
    """Fill the template's messages from the first source that has them; what the code no longer has goes."""
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
        )
        if message.msgid_plural:
            entry.msgstr_plural = {form: known.msgstr_plural.get(form, "") for form in range(forms)}
        result.append(entry)
    return result


def by_key(catalogue: polib.POFile) -> dict[Key, polib.POEntry]:
    """Index a catalogue's entries, without the obsolete ones."""
    return {key(entry): entry for entry in catalogue if not entry.obsolete}


def plural_count(header: str) -> int:
    """Read nplurals of a Plural-Forms header."""
    found = re.match(r"nplurals=(\d);", header)
    if not found:
        raise ValueError(f"not a Plural-Forms header: {header!r}")
    return int(found[1])


def single_forms(header: str) -> set[int]:
    """Find the plural forms that serve exactly one number: only there the number may be left out of the text."""
    found = re.search(r"plural=(.*?);?\s*$", header)
    if not found:
        return set()
    form_of = gettext.c2py(found[1])
    served = Counter(form_of(number) for number in range(1001))
    return {form for form, times in served.items() if times == 1}


def problems(entry: polib.POEntry, header: str = "") -> list[str]:
    """Say what would break or deface the page if this entry were published; an empty list says that it may be."""
    if entry.msgid_plural:
        single = single_forms(header)
        texts = [
            (entry.msgid_plural, text, {"count"} if form in single else set[str]())
            for form, text in entry.msgstr_plural.items()
            if text
        ]
    else:
        texts = [(entry.msgid, entry.msgstr, set[str]())] if entry.msgstr else []
    found: set[str] = set()
    for source, target, optional in texts:
        wanted, given = set(_PLACEHOLDER.findall(source)), set(_PLACEHOLDER.findall(target))
        found |= {f"unknown placeholder {name}" for name in given - wanted}
        found |= {f"missing placeholder {name}" for name in wanted - given - optional}
        if (wanted or "python-format" in entry.flags) and _STRAY_PERCENT.search(target):
            found.add("stray % sign")
        if Counter(_TAG.findall(source)) != Counter(_TAG.findall(target)) or any(
            source.count(sign) != target.count(sign) for sign in _MARKUP
        ):
            found.add("markup differs from the source")
        if "$t(" in target:
            found.add("i18next nesting")
        if source[:1].isspace() != target[:1].isspace() or source[-1:].isspace() != target[-1:].isspace():
            found.add("space at an end")
        if _CONTROL.search(target):
            found.add("control character")
    return sorted(found)
