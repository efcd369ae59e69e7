"""Saving of a translator's edit: published, or kept with the reason, and never lost."""

import hashlib
import json
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F

from console.i18n import catalogs, edits, po
from console.i18n.languages import Language
from console.models import Edit, EditVersion
from translations import texts
from translations.texts import Entry


@dataclass(frozen=True)
class Outcome:
    """The saved edit; None if nothing was changed. `problems`: as po.problems names them."""

    edit: Edit | None
    problems: tuple[str, ...] = ()
    other_forms: tuple[str, ...] = ()
    """The text that another translator has published since."""


def get_digest(forms: list[str]) -> str:
    """Return a digest of the texts on a page, to detect concurrent changes."""
    return hashlib.sha256(json.dumps(forms).encode()).hexdigest()[:16]


def save(language: Language, entry: Entry, forms: list[str], *, digest: str, author: str) -> Outcome:
    """Publish an edit, unless it would break a page or another edit was faster; keep it in any case.

    `digest` is that of the texts on the translator's page.
    """
    with transaction.atomic():
        version = _lock()
        now = _stored(language, entry)
        if forms == now or get_digest(forms) == digest:
            return Outcome(None)
        problems = tuple(find_problems(language, entry, forms))
        state = Edit.State.PUBLISHED
        if problems:
            state = Edit.State.ON_HOLD
        elif get_digest(now) != digest:
            state = Edit.State.COLLIDED
        waiting = Edit.objects.filter(code=language.code, message=entry.name, author=author, state=state)
        same = [edit for edit in waiting if state != Edit.State.PUBLISHED and edit.forms == forms]  # sent once more
        edit = same[0] if same else _create(language, entry, forms, now, author=author, state=state)
        if state == Edit.State.PUBLISHED:
            _close_waiting(edit, version)
    _notice()
    return Outcome(edit, problems, tuple(now) if state == Edit.State.COLLIDED else ())


def publish(language: Language, entry: Entry, edit: Edit, *, author: str) -> Outcome:
    """Publish an edit that was kept or has collided, unless it would break a page."""
    problems = tuple(find_problems(language, entry, edit.forms))
    if problems:
        return Outcome(None, problems)
    with transaction.atomic():
        version = _lock()
        state = Edit.State.PUBLISHED
        published = _create(language, entry, edit.forms, _stored(language, entry), author=author, state=state)
        _close_waiting(published, version)
    _notice()
    return Outcome(published)


def revert(edit: Edit) -> None:
    """Restore the text before an edit: the previous edit, or the shipped text."""
    with transaction.atomic():
        version = _lock()
        if Edit.objects.filter(pk=edit.pk, state=Edit.State.PUBLISHED).update(state=Edit.State.REVERTED):
            _raise(version)
    _notice()


def discard(edit: Edit) -> None:
    """Discard an edit that was kept or has collided; it stays in the history."""
    Edit.objects.filter(pk=edit.pk, state__in=Edit.OPEN).update(state=Edit.State.DISCARDED)


def find_problems(language: Language, entry: Entry, forms: list[str]) -> list[str]:
    """Return the problems of a text, as po.problems names them; a text without some of its forms is unfinished."""
    if any(forms) and not all(forms):
        return ["a form is empty"]
    return po.problems(edits.build_entry(po.key(entry), forms), language.plural_forms)


def _stored(language: Language, entry: Entry) -> list[str]:
    rows = Edit.objects.filter(code=language.code, message=entry.name, state=Edit.State.PUBLISHED).order_by("-id")
    newest = rows.first()
    if newest:
        return list(newest.forms)
    shipped = next(known for known in texts.shipped(language) if known.name == entry.name)
    return texts.get_forms(shipped)


def _create(language: Language, entry: Entry, forms: list[str], former: list[str], *, author: str, state: str) -> Edit:
    context, text, plural = po.key(entry)
    return Edit.objects.create(
        code=language.code,
        message=entry.name,
        context=context or "",
        text=text,
        plural=plural,
        forms=forms,
        former=former,
        author=author,
        state=state,
    )


def _close_waiting(published: Edit, version: EditVersion) -> None:
    """Discard waiting edits of the same text with the same forms."""
    waiting = Edit.objects.filter(code=published.code, message=published.message, state__in=Edit.OPEN)
    for edit in waiting:
        if edit.forms == published.forms:
            discard(edit)
    _raise(version)


def _lock() -> EditVersion:
    """Lock the edits, because each change compares with the stored result of the previous one."""
    EditVersion.objects.get_or_create(pk=1)
    return EditVersion.objects.select_for_update().get(pk=1)


def _raise(version: EditVersion) -> None:
    EditVersion.objects.filter(pk=version.pk).update(number=F("number") + 1)


def _notice() -> None:
    catalogs.sync(at_once=True)
