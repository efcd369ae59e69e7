"""Names inside sentences: each keeps its own direction, and the sentence keeps its own."""

import re
from collections.abc import Mapping

BIDI_CONTROLS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Characters that change the direction of the text around them: in a name they could reorder a page."""

_PLACEHOLDER = re.compile(r"%\(\w+\)s")
_ISOLATE, _END = "\u2068", "\u2069"


def isolated(name: object) -> str:
    """Isolate the direction of a name, an address or user input inside a sentence; "" stays "".

    Not for values that are stored, compared, sent or edited: the marks are characters.
    """
    text = str(name).translate(BIDI_CONTROLS)  # marks inside the name could end ours
    return f"{_ISOLATE}{text}{_END}" if text else ""


def isolated_sentence(text: str) -> str:
    """Isolate the direction of a sentence, whose names are isolated in it; "" stays ""."""
    return f"{_ISOLATE}{text}{_END}" if text else ""


def shortened(text: str, length: int) -> str:
    """Return the beginning of a text, without an isolated part that would be cut: its isolation would have no end."""
    text = text[:length]
    while text.count(_ISOLATE) > text.count(_END):
        text = text[: text.rindex(_ISOLATE)]
    return text


def filled(text: object, names: Mapping[str, object]) -> str:
    """Fill the placeholders of a text; if it has none, a % sign in it stays, in every language."""
    sentence = str(text)
    return sentence % names if _PLACEHOLDER.search(sentence) else sentence
