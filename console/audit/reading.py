"""The activity of one organization, read where it is stored."""

from datetime import datetime
from typing import Any

import msgspec
from django.db.models import QuerySet

from console.audit.content import Content
from console.models import Activity
from console.sessions.crypto import Unreadable
from console.sessions.identity import keyed_hash


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry; `content` is empty where it can't be decrypted any more, and then it is not `is_readable`.

    `key` is what its rows have as their `parent`, where it is a bulk act; `parent` is that of the act it is a row of.
    `target` is the `thing_key` of what it is about, which is known even where the rest can't be decrypted.
    """

    id: str
    at: datetime | None
    act: str
    kind: str
    outcome: str
    key: str
    parent: str
    target: str = ""
    is_bulk: bool
    content: Content
    is_readable: bool = True


def entries(organization: str) -> QuerySet[Activity]:
    """Return the entries of an organization, by its keyed identity."""
    return Activity.objects.filter(organization=organization)


def thing_key(organization: str, kind: str, id: str) -> str:
    """Return the keyed hash under which something is found: as `target`, `clinic`, `other_clinic` and so on."""
    return keyed_hash("activity", organization, kind, id) if id else ""


def read(row: Activity) -> Entry:
    """Return an entry with what it tells."""
    content, told = Content(), True
    try:
        content = Content.decrypt(row.content)
    except Unreadable:
        told = False
    fields: Any = {name: getattr(row, name) for name in ("at", "act", "kind", "outcome", "parent", "target", "is_bulk")}
    return Entry(**fields, id=str(row.pk), key=row.key, content=content, is_readable=told)
