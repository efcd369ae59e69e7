"""Encrypt stored values again with the first of the current keys, so that the other keys can be removed.

A row is replaced only if it has not changed since it was read, so concurrent writes, such as refreshed tokens, are not
overwritten. An interrupted run can be repeated: rows that are done stay done.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db.models import Model, QuerySet, TextField, Value
from django.db.models.functions import Cast

from console.config.encryption import EncryptedTextField, Unreadable, encrypt_anew, key_mark

CHUNK_SIZE = 500
"""Rows that are read at once."""
REENCRYPTED, ALREADY, UNREADABLE, GONE = "reencrypted", "already", "unreadable", "gone"


def encrypted_fields() -> Iterator[tuple[type[Model], EncryptedTextField]]:
    """Return every encrypted field of every model."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, EncryptedTextField):
                yield model, field


def rotate(model: type[Model], name: str) -> Counter[str]:
    """Encrypt a field of all rows with the first key; return the number of rows by outcome.

    Values that can't be decrypted stay, because a process with other keys may still read them.
    """
    field = model._meta.get_field(name)
    assert isinstance(field, EncryptedTextField)  # noqa: S101 - for the type
    counts: Counter[str] = Counter()
    rows: Any = _rows(model, field).exclude(ciphertext="")
    if field.mark:
        done = {field.mark: key_mark()}
        counts[ALREADY] = rows.filter(**done).count()
        rows = rows.exclude(**done)
    ordered = rows.order_by("pk").values_list("pk", "ciphertext")
    chunk = list(ordered[:CHUNK_SIZE])
    while chunk:
        counts.update(_rotate_row(model, field, *row) for row in chunk)
        chunk = list(ordered.filter(pk__gt=chunk[-1][0])[:CHUNK_SIZE])
    return counts


def _rows(model: type[Model], field: EncryptedTextField) -> QuerySet[Any]:
    """Return the rows of a model with the `ciphertext` of a field, whatever value it decrypts to."""
    return model._base_manager.annotate(ciphertext=Cast(field.name, TextField()))


def _rotate_row(model: type[Model], field: EncryptedTextField, pk: object, text: str) -> str:
    row = _rows(model, field).filter(pk=pk)
    mark = {field.mark: key_mark()} if field.mark else {}
    while text:
        try:
            anew = encrypt_anew(text)
        except Unreadable:
            return UNREADABLE
        if anew == text and not mark:
            return ALREADY
        if row.filter(ciphertext=text).update(**{field.name: Value(anew, TextField())}, **mark):
            return REENCRYPTED
        text = row.values_list("ciphertext", flat=True).first() or ""  # another process has changed the row
    return GONE
