"""Encryption of stored values with the first of the configured keys; any of the keys decrypts."""

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
from django.db import models

from console.config.environment import DERIVED


class Unreadable(Exception):
    """A stored value can't be decrypted or decoded: no key fits, or the row is damaged."""


class EncryptedTextField(models.TextField):  # type: ignore[type-arg]  # a type for the stubs only
    """Text that is stored as `encrypt_text` returns it; `manage.py keys rotate` finds it.

    `mark` is the name of the field with the `key_mark` of the key that encrypted it, if there is one.
    """

    def __init__(self, *args: Any, mark: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self.mark = mark

    def deconstruct(self) -> Any:
        """Return the field as a TextField, so that migrations don't depend on this class."""
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.TextField", args, options


class EncryptedJSONField(EncryptedTextField):
    """A value of a `type` that msgspec can encode, stored as encrypted JSON; None if it can't be read."""

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def __init__(self, *args: Any, type: Any = Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.type = type

    def from_db_value(self, value: str | None, *_: object) -> Any:
        if value is None:
            return None
        with suppress(Unreadable, msgspec.DecodeError):
            return msgspec.json.decode(decrypt_text(value), type=self.type)
        return None

    def get_prep_value(self, value: Any) -> Any:
        return None if value is None else encrypt_text(msgspec.json.encode(value).decode())

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Set the mark of the key as well; its field must come after this one."""
        if self.mark:
            setattr(model_instance, self.mark, key_mark())
        return super().pre_save(model_instance, add)


def encrypt_text(text: str) -> str:
    """Encrypt with the first of the keys."""
    return _cipher().encrypt(text.encode()).decode()


def encrypt_anew(text: str) -> str:
    """Return a text that is encrypted with the first of the keys, unchanged if it already is.

    Raises Unreadable.
    """
    with suppress(InvalidToken, ValueError):
        _multi(_keys()[:1]).decrypt(text)
        return text
    return encrypt_text(decrypt_text(text))


def key_mark() -> str:
    """Return a mark of the first of the keys that doesn't reveal it; rows with another mark are encrypted again."""
    return hashlib.sha256(b"mark of " + _keys()[0].encode()).hexdigest()[:16]


def decrypt_text(text: bytes | str) -> str:
    """Decrypt with the key that fits. Raises Unreadable."""
    try:
        return _cipher().decrypt(text).decode()
    except (InvalidToken, ValueError) as error:
        raise Unreadable from error


def _cipher() -> MultiFernet:
    return _multi(_keys())


def _keys() -> tuple[str, ...]:
    # The derived keys still decrypt values from before GRANT_KEYS was set.
    derived = [_derived(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    return (*(derived[0] if key == DERIVED else key for key in settings.GRANT_KEYS), *derived)


@lru_cache
def _multi(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


@lru_cache
def _derived(secret: str) -> str:
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"grant payload").derive(secret.encode())
    return base64.urlsafe_b64encode(key).decode()
