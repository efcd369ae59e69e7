"""The stored session of the specification (section 3): base64 of JSON, encrypted and kept on the server."""

import base64
import hashlib
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from console.config.environment import DERIVED


class Unreadable(Exception):
    """The payload can't be decrypted or decoded: no key fits, or the row is damaged."""


class StoredSession(msgspec.Struct, frozen=True, kw_only=True):
    """The specification's stored session together with its stored domain data; field names are the specification's."""

    accessToken: str
    refreshToken: str
    adminAuthDetail: dict[str, Any]
    adminId: str
    isLoggedIn: bool
    isAuthPersist: bool
    serviceDomainId: int = 0
    domainUrls: dict[str, str] = {}
    variant: str = "global"

    def __repr__(self) -> str:
        return "StoredSession(...)"  # keeps tokens out of logged tracebacks

    def encrypt(self) -> str:
        return encrypt_text(base64.b64encode(msgspec.json.encode(self)).decode())

    @classmethod
    def decrypt(cls, payload: str) -> "StoredSession":
        """Read a grant's payload. Raises Unreadable."""
        try:
            return msgspec.json.decode(base64.b64decode(decrypt_text(payload)), type=cls)
        except ValueError as error:
            raise Unreadable from error


def encrypt_text(text: str) -> str:
    """Encrypt with the first of the keys."""
    return _cipher().encrypt(text.encode()).decode()


def encrypt_anew(text: str) -> str:
    """Return what was encrypted with the first of the keys as it is, and anything else encrypted with that one.

    Raises Unreadable.
    """
    with suppress(InvalidToken, ValueError):
        _multi(_keys()[:1]).decrypt(text)
        return text
    return encrypt_text(decrypt_text(text))


def key_mark() -> str:
    """Return a mark of the first of the keys, which does not tell it; what bears another is to be encrypted anew."""
    return hashlib.sha256(b"mark of " + _keys()[0].encode()).hexdigest()[:16]


def decrypt_text(text: bytes | str) -> str:
    """Decrypt with whichever key fits. Raises Unreadable."""
    try:
        return _cipher().decrypt(text).decode()
    except (InvalidToken, ValueError) as error:
        raise Unreadable from error


def _cipher() -> MultiFernet:
    return _multi(_keys())


def _keys() -> tuple[str, ...]:
    # The derived keys go on decrypting what they encrypted before GRANT_KEYS was set.
    derived = [_derived(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    return (*(derived[0] if key == DERIVED else key for key in settings.GRANT_KEYS), *derived)


@lru_cache
def _multi(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


@lru_cache
def _derived(secret: str) -> str:
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"grant payload").derive(secret.encode())
    return base64.urlsafe_b64encode(key).decode()
