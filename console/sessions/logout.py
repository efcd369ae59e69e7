"""The end of logins by an operator: of everybody, of an organization, or of one administrator."""

from collections.abc import Callable
from dataclasses import dataclass, field

from console.config.encryption import Unreadable
from console.sessions.crypto import StoredSession
from console.sessions.models import Grant


@dataclass
class Ended:
    """What was ended, with the tokens as they were last; and how many logins no key fits, which nobody can use."""

    stored: list[StoredSession] = field(default_factory=list)
    unreadable: int = 0


def end_logins(is_meant: Callable[[StoredSession], bool]) -> Ended:
    """Delete the logins that are meant: each is over with its next request. What no key fits is left, and counted."""
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
        payload = Grant.objects.filter(pk=pk).values_list("payload", flat=True).first()  # it was refreshed meanwhile
