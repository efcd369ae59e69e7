"""Entries in the activity of the administrator that tests log in."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from console.audit.content import DONE, Change, Content, Ref, thing_key
from console.config.encryption import key_mark
from console.models import Activity
from console.sessions.crypto import StoredSession
from console.sessions.identity import organization_identity
from console.sessions.models import Grant

KIM = Ref("u-1", "Kim Park")
NORTH = Ref("g-1", "Clinic North")
TYPE = Change("user_type", "STAFF", "DOCTOR")
REF_FIELDS = ("clinic", "other_clinic", "team", "other_team")

_keys = count()


def me() -> tuple[str, str]:
    """Return the keys of the logged-in organization and administrator."""
    grant = Grant.objects.get()
    return organization_identity(StoredSession.decrypt(grant.payload)), grant.admin_id_hash


def create_entry(
    action: str = "edit",
    kind: str = "user",
    target: Ref = KIM,
    *,
    changes: Sequence[Change] = (TYPE,),
    owner: tuple[str, str] | None = None,
    actor: str = "Dana Admin",
    outcome: str = DONE,
    counts: dict[str, int] | None = None,
    code: int | None = None,
    reasons: Sequence[str] = (),
    refs: dict[str, Ref] | None = None,
    **columns: Any,
) -> Activity:
    """Store an entry; `owner` is organization and administrator, by default those that are logged in."""
    organization, administrator = owner or me()
    at = {"clinic": NORTH} if refs is None else refs
    stored_refs = {name: ref for name, ref in at.items() if ref}
    content = Content(
        who=actor,
        who_id="a-1",
        target=target,
        changes=list(changes),
        counts=counts or {},
        code=code,
        reasons=list(reasons),
        **stored_refs,
    )
    return Activity.objects.create(
        **{
            "organization": organization,
            "who": administrator,
            "act": action,
            "kind": kind,
            "target": thing_key(organization, kind, target.id),
            "outcome": outcome,
            "content": content.encrypt(),
            "key_mark": key_mark(),
            "key": f"test {next(_keys)}",
            **{name: thing_key(organization, name.removeprefix("other_"), ref.id) for name, ref in stored_refs.items()},
            **columns,
        }
    )
