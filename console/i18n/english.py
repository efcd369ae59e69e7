"""Checks of the English texts: phrases we replaced, and sentences without a full stop.

The other rules of the texts are in `locale/glossary.csv` (terms) and `lint` (what makes a text hard to translate).
"""

import re
from collections.abc import Iterator

import polib

_SEARCH_WORDS = "search words"
# Each has a plainer wording, which the texts use instead.
_REPLACED = {
    "it is not known": "we couldn't confirm",
    "look at": "check, review",
    "became of": "say what happened",
    "at most %": "you can … up to %",
    "nothing matches": "no matches",
    "here you see": "say what the page has",
    "could not be read": "couldn't load",
    "can't be read right now": "couldn't load",
    "load the page again": "reload the page",
    "load this page again": "reload this page",
    "what you typed": "your entries",
    "was sent before": "you already sent this",
    "is too old": "has expired",
    "for good": "permanently",
    "nobody": "no one",
    "somebody": "someone",
    "meanwhile": "in the meantime",
    "asks for a partnership": "requested a partnership",
    "is planned": "is scheduled",
    "no longer in the service": "no longer available",
    "in my list": "on my list",
    "in your list": "on your list",
    "at this console": "in this console",
    "at the service": "everywhere",
    "former email": "previous email address",
    "take back": "revert",
    "taken back": "reverted",
    "may order": "can order",
}
_REPLACED_PHRASE = re.compile(rf"\b({'|'.join(map(re.escape, _REPLACED))})", re.IGNORECASE)
# A label is no sentence; its comment for translators says which one it is.
_LABEL = re.compile(
    r"\b(label|heading|title|button|link|field|column|choice|option|menu|command|status|state|badge|tab|hint|list|"
    r"name|count|progress|caption|shortcut|example)\b",
    re.IGNORECASE,
)
_MIN_SENTENCE_WORDS = 6
_ENDS = (".", "?", ":", "…")
# What the placeholder holds after a colon is a sentence of its own.
_SENTENCE_AT_END = re.compile(r": %\(\w+\)s$")
_CLOSING_MARKS = "”)\N{POP DIRECTIONAL ISOLATE}"


def faults(entry: polib.POEntry) -> Iterator[str]:
    """Return what a reader would stumble over in an English text."""
    if entry.msgctxt == _SEARCH_WORDS:
        return
    for text in filter(None, (entry.msgid, entry.msgid_plural)):
        for phrase in _REPLACED_PHRASE.findall(text):
            yield f"“{phrase}”; write “{_REPLACED[phrase.lower()]}”"
    if entry.msgctxt or _LABEL.search(entry.comment):
        return
    if entry.msgid[0].islower():
        yield "starts in lower case, and no translators' comment says what label it is"
    has_end = entry.msgid.rstrip(_CLOSING_MARKS).endswith(_ENDS) or _SENTENCE_AT_END.search(entry.msgid)
    if len(entry.msgid.split()) >= _MIN_SENTENCE_WORDS and not has_end:
        yield "has no full stop, and no translators' comment says what label it is"
