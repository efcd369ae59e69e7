"""Make every process use changed catalogs and translators' edits: translations are replaced in place.

Each page checks its files with os.stat; console/i18n/edits.py checks for edits.
"""

import functools
import hashlib
import logging
import os
import threading
from contextlib import suppress
from gettext import NullTranslations
from pathlib import Path

from django.conf import settings
from django.utils import translation
from django.utils.translation import trans_real

from console.i18n import edits, po
from console.i18n.languages import TABLE
from console.i18n.mo import Catalog

log = logging.getLogger(__name__)

File = tuple[int, int, int] | None  # time, size and inode of a .mo; None: there is none
Signature = tuple[File, str]  # with the digest of the edits

_lock = threading.Lock()
_signatures: dict[str, Signature] = {}


class Translation(NullTranslations):
    """The texts of a language, from the first source that has them, then from Django and from the default language.

    Lookups of `gettext` are cached.
    """

    def __init__(self, code: str, *sources: NullTranslations) -> None:
        super().__init__()
        self.code = code
        self.known: dict[str, str] = {}
        for source in (*sources, trans_real.DjangoTranslation(code)):
            self.add_fallback(source)

    def gettext(self, message: str) -> str:
        if (text := self.known.get(message)) is None:
            super_gettext = super().gettext
            text = self.known[message] = super_gettext(message)
        return text

    def to_language(self) -> str:
        """Return the language's code; Django asks for it."""
        return self.code


def refresh(code: str = "") -> bool:
    """Load what changed since this process last checked: a language and the default, or all. Return whether any has."""
    paths = _paths(str(po.live()))
    codes = {code, settings.LANGUAGE_CODE} if code else paths
    now = {code: (_file(paths[code]), edits.digest(code)) for code in codes}
    if all(code in _signatures and now[code] == _signatures[code] for code in now):
        return False
    with _lock:
        changed = {code for code in now if code not in _signatures or now[code] != _signatures[code]}
        if not changed:  # another thread was quicker
            return False
        _replace(changed)
        _signatures.update({code: now[code] for code in changed})
    return True


def sync(*, at_once: bool = False) -> None:
    """Apply translators' changes; a check within the last second is recent enough, unless `at_once`.

    It replaces the translations with which this thread's request has started.
    """
    edits.sync(at_once=at_once)
    if code := translation.get_language():
        refresh(code)
        translation.activate(code)  # another thread may have replaced them since the request began


def loaded() -> dict[str, NullTranslations]:
    """Return the translations that Django has loaded, by language: the ones that a language's activation uses."""
    return trans_real._translations  # type: ignore[attr-defined, no-any-return]  # ADR-0006


def signature(code: str) -> Signature | None:
    """Identify the state of a language's catalog that this process has loaded."""
    return _signatures.get(code)


def version() -> str:
    """Return a version of all catalogs: equal if their texts are equal, and new after each published text."""
    paths = tuple(_paths(str(po.live())).values())
    return _digest(paths, tuple(map(_file, paths)), tuple(edits.digest(language.code) for language in TABLE))


@functools.lru_cache(maxsize=1)
def _digest(paths: tuple[str, ...], _files: tuple[File, ...], edited: tuple[str, ...]) -> str:
    digest = hashlib.sha256("".join(edited).encode())
    for path in paths:
        with suppress(OSError):  # a language without its texts reads English
            digest.update(Path(path).read_bytes())
    return digest.hexdigest()[:12]


@functools.cache
def _paths(root: str) -> dict[str, str]:
    return {language.code: str(po.catalog_path(Path(root), language.code, "mo")) for language in TABLE}


def _file(path: str) -> File:
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino  # times are coarse, but a replaced file has a new inode


def _replace(changed: set[str]) -> None:
    """Build each translation, then assign it: other threads look texts up concurrently."""
    default = settings.LANGUAGE_CODE
    codes = {language.code for language in TABLE} if default in changed else changed
    for code in sorted(codes, key=lambda code: code != default):  # the others have the default as their fallback
        edited = edits.translations(code)
        try:
            catalog = _read(po.catalog_path(po.live(), code, "mo"))
        except Exception:  # damaged data raises errors of several types
            log.exception("A catalog can't be read: %s", code)
            if code in _signatures:
                continue  # keep the old one
            catalog = None
        loaded()[code] = Translation(code, *filter(None, (edited, catalog)))


def _read(path: Path) -> Catalog | None:
    try:
        return Catalog(path.read_bytes())
    except FileNotFoundError:
        return None
