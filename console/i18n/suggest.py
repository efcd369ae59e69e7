"""What is kept of translations whose English text has changed or is gone: suggestions, which no page shows."""

from collections.abc import Iterable
from difflib import SequenceMatcher

import polib

from console.i18n import po

ALIKE = 0.7
"""From which likeness on, as difflib measures it, a text counts as the new wording of another one."""


def keep(catalog: polib.POFile, former: Iterable[polib.POEntry]) -> None:
    """Add translations of former entries that the catalog no longer has: obsolete ones, and fuzzy where one fits.

    A fuzzy suggestion names the text that it belonged to, so that a translator sees what has changed.
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
