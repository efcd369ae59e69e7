"""Saving what a translator made of a text: published, or kept with the reason, and never lost."""

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
    """What became of an edit; None when nothing was changed. `problems`: as po.problems names them."""

    edit: Edit | None
    problems: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()
    """What somebody else has made of the text meanwhile."""


def digest_of(forms: list[str]) -> str:
    """Identify the texts that a page shows, so that it is noticed when they were changed meanwhile."""
    return hashlib.sha256(json.dumps(forms).encode()).hexdigest()[:16]


def save(language: Language, entry: Entry, forms: list[str], *, seen: str, author: str) -> Outcome:
    """Publish an edit, if nothing in it would deface a page and nobody was quicker; keep it in any case.

    `seen` is the digest of the texts that the translator saw.
    """
    with transaction.atomic():
        version = _lock()
        now = _stored(language, entry)
        if forms == now or digest_of(forms) == seen:
            return Outcome(None)
        problems = tuple(problems_of(language, entry, forms))
        state = Edit.State.PUBLISHED
        if problems:
            state = Edit.State.KEPT
        elif digest_of(now) != seen:
            state = Edit.State.COLLIDED
        waiting = Edit.objects.filter(code=language.code, message=entry.name, author=author, state=state)
        same = [edit for edit in waiting if state != Edit.State.PUBLISHED and edit.forms == forms]  # sent once more
        edit = same[0] if same else _create(language, entry, forms, now, author=author, state=state)
        if state == Edit.State.PUBLISHED:
            _settle(edit, version)
    _notice()
    return Outcome(edit, problems, tuple(now) if state == Edit.State.COLLIDED else ())


def publish(language: Language, entry: Entry, edit: Edit, *, author: str) -> Outcome:
    """Publish what was kept or has collided, if nothing in it would deface a page."""
    problems = tuple(problems_of(language, entry, edit.forms))
    if problems:
        return Outcome(None, problems)
    with transaction.atomic():
        version = _lock()
        state = Edit.State.PUBLISHED
        published = _create(language, entry, edit.forms, _stored(language, entry), author=author, state=state)
        _settle(published, version)
    _notice()
    return Outcome(published)


def take_back(edit: Edit) -> None:
    """Show again what was shown before an edit: the edit before it, or the shipped text."""
    with transaction.atomic():
        version = _lock()
        if Edit.objects.filter(pk=edit.pk, state=Edit.State.PUBLISHED).update(state=Edit.State.TAKEN_BACK):
            _raise(version)
    _notice()


def discard(edit: Edit) -> None:
    """Decide against what was kept or has collided; it stays in the history."""
    Edit.objects.filter(pk=edit.pk, state__in=Edit.OPEN).update(state=Edit.State.DISCARDED)


def problems_of(language: Language, entry: Entry, forms: list[str]) -> list[str]:
    """Return what would deface a page, as po.problems names it; a text without a part of its forms is unfinished."""
    if any(forms) and not all(forms):
        return ["a form is empty"]
    return po.problems(edits.entry_of(po.key(entry), forms), language.plural_forms)


def _stored(language: Language, entry: Entry) -> list[str]:
    rows = Edit.objects.filter(code=language.code, message=entry.name, state=Edit.State.PUBLISHED).order_by("-id")
    newest = rows.first()
    if newest:
        return list(newest.forms)
    shipped = next(known for known in texts.shipped(language) if known.name == entry.name)
    return texts.forms_of(shipped)


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


def _settle(published: Edit, version: EditVersion) -> None:
    """What waited for a decision about the same text with the same words is decided."""
    waiting = Edit.objects.filter(code=published.code, message=published.message, state__in=Edit.OPEN)
    for edit in waiting:
        if edit.forms == published.forms:
            discard(edit)
    _raise(version)


def _lock() -> EditVersion:
    """One change at a time: each compares with what the one before it has stored."""
    EditVersion.objects.get_or_create(pk=1)
    return EditVersion.objects.select_for_update().get(pk=1)


def _raise(version: EditVersion) -> None:
    EditVersion.objects.filter(pk=version.pk).update(number=F("number") + 1)


def _notice() -> None:
    catalogs.look(at_once=True)
