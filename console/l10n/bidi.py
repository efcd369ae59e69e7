"""Names inside sentences: each keeps its own direction, and the sentence keeps its own."""

import re
from collections.abc import Mapping

BIDI_CONTROLS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""What turns the direction of the text around it: a name with one could make a page read differently."""

_PLACEHOLDER = re.compile(r"%\(\w+\)s")
_ISOLATE, _END = "\u2068", "\u2069"


def isolated(name: object) -> str:
    """Mark a name, an address or what somebody typed for a sentence that is read; "" stays "".

    Never for what is stored, compared, sent, or typed again: the marks are characters.
    """
    text = str(name).translate(BIDI_CONTROLS)  # a mark of its own could end ours
    return f"{_ISOLATE}{text}{_END}" if text else ""


def filled(text: object, names: Mapping[str, object]) -> str:
    """Fill the placeholders of a text that may have none: then a % sign in it is one, in any language."""
    sentence = str(text)
    return sentence % names if _PLACEHOLDER.search(sentence) else sentence
