"""Which addresses that somebody else wrote may become links."""

import re
import unicodedata
from urllib.parse import quote

LONGEST = 2000
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ADDRESS = re.compile(
    rf"(?i:https?)://(?P<host>(?i:(?:{_LABEL}\.)+(?:[a-z]{{2,63}}|xn--[a-z0-9-]{{1,59}})))(?::\d{{2,5}})?"
    r"(?P<rest>(?:[/?#][^\s\\<>\"'`{|}^]*)?)"
)
_KEPT = "/?#:@!$&()*+,;=%~[]-._"


def safe_url(text: str) -> str | None:
    """Return the address to link to; None for what is shown as text only.

    A link is http or https, to a host with a full name in plain letters: no user name (it would look like the host), no
    number, nothing that resembles another letter or can't be seen. What does not match the strict grammar of this
    module is no address, however a browser would read it.
    """
    text = text.strip(" ")
    if len(text) > LONGEST or any(unicodedata.category(char)[0] == "C" for char in text):
        return None
    found = _ADDRESS.fullmatch(text)
    if found is None or len(found["host"]) > 253:
        return None
    return text[: found.start("rest")] + quote(found["rest"], safe=_KEPT)
