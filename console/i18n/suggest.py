"""Suggestions: translations whose English text has changed or was removed; no page shows them."""

from collections.abc import Iterable
from difflib import SequenceMatcher

import polib

from console.i18n import po

ALIKE = 0.7
"""The minimum similarity, as difflib measures it, of a text that counts as the new wording of another one."""


def keep(catalog: polib.POFile, former: Iterable[polib.POEntry]) -> None:
    """Add former translations that the catalog no longer has: as obsolete entries, and fuzzy if similar to a text.

    A fuzzy suggestion has its original text, so that a translator sees the change.
    """
    known = set(po.by_key(catalog))
    gone = [entry for entry in former if po.key(entry) not in known and po.translated_texts(entry)]
    for entry in catalog:
        if not po.translated_texts(entry) and (likest := _likest(entry, gone)):
            entry.msgstr, entry.msgstr_plural = likest.msgstr, dict(likest.msgstr_plural)
            entry.flags.append("fuzzy")
            entry.previous_msgid = likest.msgid
            entry.previous_msgid_plural = likest.msgid_plural or None
            entry.previous_msgctxt = likest.msgctxt
    for entry in gone:
        catalog.append(
            polib.POEntry(
                msgctxt=entry.msgctxt,
                msgid=entry.msgid,
                msgid_plural=entry.msgid_plural,
                msgstr=entry.msgstr,
                msgstr_plural=entry.msgstr_plural,
                tcomment=entry.tcomment,
                obsolete=True,
            )
        )


def _likest(entry: polib.POEntry, gone: list[polib.POEntry]) -> polib.POEntry | None:
    matcher = SequenceMatcher(b=entry.msgid, autojunk=False)
    best, likest = ALIKE, None
    for other in gone:
        if bool(other.msgid_plural) != bool(entry.msgid_plural):
            continue
        matcher.set_seq1(other.msgid)
        if matcher.real_quick_ratio() >= best and matcher.quick_ratio() >= best and (ratio := matcher.ratio()) >= best:
            best, likest = ratio, other
    return likest
