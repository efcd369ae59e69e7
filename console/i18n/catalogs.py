"""Make every process use changed catalogs and translators' edits: translations are replaced in place.

Files are looked at with an os.stat of those that a page needs; how edits are noticed: console/i18n/edits.py.
"""

import functools
import hashlib
import logging
import os
import threading
from contextlib import suppress
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import trans_real

from console.i18n import edits, mo, po
from console.i18n.languages import TABLE

log = logging.getLogger(__name__)

File = tuple[int, int, int] | None  # time, size and inode of a .mo; None: there is none
Signature = tuple[File, str]  # with the digest of the edits

# This cache has no public name; Django's own reloader uses it, too, and a test pins it.
_django: Any = trans_real

# The language of a thread: what Django keeps for asynchronous code as well costs a page 160 times the look-up itself.
_django._active = threading.local()

_lock = threading.Lock()
_seen: dict[str, Signature] = {}


class _Translation(trans_real.DjangoTranslation):
    """Django's merged catalog of a language, which survives a broken file of ours."""

    broken = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._known: dict[str, str] = {}
        super().__init__(*args, **kwargs)

    def gettext(self, message: str) -> str:
        """Remember texts: a page looks up 150, literals of the code. Should others come, there is an end to it."""
        found = self._known.get(message)
        if found is None:
            look_up = super().gettext
            found = look_up(message)
            if len(self._known) < mo.MOST_KNOWN:
                self._known[message] = found
        return found

    def _new_gnu_trans(self, localedir: str, use_null_fallback: bool = True) -> NullTranslations:
        with suppress(FileNotFoundError):
            return mo.Catalog(po.path_of(Path(localedir), self.language(), "mo").read_bytes())
        return NullTranslations()

    def _add_local_translations(self) -> None:
        try:
            super()._add_local_translations()  # type: ignore[misc]  # private to Django, pinned by a test
        except Exception:  # the reader raises whatever its parser happens to raise
            log.exception("A catalog can't be read: %s", self.language())
            self.broken = True
        if edited := edits.translations(self.language()):
            self.merge(edited)


def refresh(code: str = "") -> bool:
    """Load what changed since this process last checked: a language and the default, or all. Return whether any has."""
    paths = _paths(str(settings.LOCALE_PATHS[0]))
    codes = {code, settings.LANGUAGE_CODE} if code else paths
    now = {code: (_file(paths[code]), edits.digest(code)) for code in codes}
    if all(code in _seen and now[code] == _seen[code] for code in now):
        return False
    with _lock:
        changed = {code for code in now if code not in _seen or now[code] != _seen[code]}
        if not changed:  # another thread was quicker
            return False
        _replace(changed)
        _seen.update({code: now[code] for code in changed})
    return True


def look(*, at_once: bool = False) -> None:
    """Use what translators have changed, once a second for those whom no session's query tells; see edits.look."""
    edits.look(at_once=at_once)
    _use()


def notice(number: int | None) -> None:
    """Use what translators have changed, if this isn't the number of the edits that are in use."""
    edits.notice(number)
    _use()


def _use() -> None:
    """Replace the translation that this thread's request has begun with, if it is no longer the current one.

    Another thread may have been quicker to notice the change.
    """
    code = translation.get_language()
    if not code:
        return
    refresh(code)
    if getattr(_django._active, "value", None) is not _django._translations.get(code):
        translation.activate(code)


def signature(code: str) -> Signature | None:
    """Identify the state of a language's catalog that this process has loaded."""
    return _seen.get(code)


def version() -> str:
    """Name what all catalogs say: the same wherever they are the same, another one as soon as a text is published."""
    paths = tuple(_paths(str(settings.LOCALE_PATHS[0])).values())
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
    return {language.code: str(po.path_of(Path(root), language.code, "mo")) for language in TABLE}


def _file(path: str) -> File:
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino  # times are coarse, but a replaced file has a new inode


def _replace(changed: set[str]) -> None:
    """Build first, then assign, and never delete: other threads read these dictionaries concurrently."""
    default = settings.LANGUAGE_CODE
    codes = {language.code for language in TABLE} if default in changed else changed
    for code in sorted(codes, key=lambda code: code != default):  # the others have the default as their fallback
        fresh = _Translation(code)
        if fresh.broken and code in _django._translations:
            continue  # keep the old one
        _django._translations[code] = fresh
        if code == default:
            _django._default = fresh
