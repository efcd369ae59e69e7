"""Logout by an operator: of all administrators, of an organization, or of one administrator."""

from collections.abc import Callable
from dataclasses import dataclass, field

from console.config.encryption import Unreadable
from console.sessions.crypto import StoredSession
from console.sessions.models import Grant


@dataclass
class Ended:
    """The ended logins with their latest tokens, and the number of logins that no key decrypts."""

    stored: list[StoredSession] = field(default_factory=list)
    unreadable: int = 0


def end_logins(is_meant: Callable[[StoredSession], bool]) -> Ended:
    """Delete the matching logins; their next requests are refused. Unreadable ones stay, and are counted."""
    ended = Ended()
    for pk, payload in list(Grant.objects.values_list("pk", "payload")):
        _end(ended, pk, payload, is_meant)
    return ended


def _end(ended: Ended, pk: str, payload: str | None, is_meant: Callable[[StoredSession], bool]) -> None:
    while payload:
        try:
            stored = StoredSession.decrypt(payload)
        except Unreadable:
            ended.unreadable += 1
            return
        if not is_meant(stored):
            return
        if Grant.objects.filter(pk=pk, payload=payload).delete()[0]:
            ended.stored.append(stored)
            return
        payload = Grant.objects.filter(pk=pk).values_list("payload", flat=True).first()  # refreshed concurrently
