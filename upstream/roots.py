"""The TLS roots: a file or a folder of certificates that an operator can replace without a restart."""

import logging
import os
import ssl
from contextlib import suppress
from functools import lru_cache

logger = logging.getLogger(__name__)


class Roots:
    """The TLS context with these roots, shared by all threads; read again when the file changes.

    The previous roots stay in use while a changed file can't be read: it may be half written, or missing for a moment.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._stamp = self._read_stamp()
        self._context = _tls_context(path)

    def context(self) -> ssl.SSLContext:
        if (stamp := self._read_stamp()) != self._stamp:
            self._stamp = stamp
            try:
                self._context = _tls_context(self._path)
            except OSError as error:
                logger.warning("the file of TLS roots can't be read: %s", type(error).__name__)
        return self._context

    def _read_stamp(self) -> tuple[int, ...]:
        """Return values that change with the file. OpenSSL reads the files of a folder for each connection anyway."""
        with suppress(OSError):
            stat = os.stat(self._path)
            return stat.st_mtime_ns, stat.st_size, stat.st_ino
        return ()


@lru_cache(maxsize=4)
def roots_at(path: str) -> Roots:
    """Return the roots of this file or folder, the same for all threads."""
    return Roots(path)


def _tls_context(path: str) -> ssl.SSLContext:
    is_folder = os.path.isdir(path)
    context = ssl.create_default_context(cafile=None if is_folder else path, capath=path if is_folder else None)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context
