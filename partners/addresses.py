"""Which addresses that somebody else wrote may become links."""

import re
import unicodedata
from urllib.parse import quote

from console.forms.fields import is_email
from upstream.emails import sent_email

MAX_LENGTH = 2000
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ADDRESS = re.compile(
    rf"(?i:https?)://(?P<host>(?i:(?:{_LABEL}\.)+(?:[a-z]{{2,63}}|xn--[a-z0-9-]{{1,59}})))(?::\d{{2,5}})?"
    r"(?P<rest>(?:[/?#][^\s\\<>\"'`{|}^]*)?)"
)
_PHONE = re.compile(r"\+?[0-9 ()./-]{3,40}")
_SAFE = "/?#:@!$&()*+,;=%~[]-._"


def safe_url(text: str) -> str | None:
    """Return the address to link to; None for what is shown as text only.

    A link is http or https, to a host with a full name in plain letters: no user name (it would look like the host), no
    number, nothing that resembles another letter or can't be seen. What does not match the strict grammar of this
    module is no address, however a browser would read it.
    """
    text = text.strip(" ")
    if len(text) > MAX_LENGTH or any(unicodedata.category(char)[0] == "C" for char in text):
        return None
    match = _ADDRESS.fullmatch(text)
    if match is None or len(match["host"]) > 253:
        return None
    return text[: match.start("rest")] + quote(match["rest"], safe=_SAFE)


def phone_url(text: str) -> str | None:
    """Return the address that calls a number; None for what is not written as one."""
    number = "".join(char for char in text if char in "+0123456789")
    return f"tel:{number}" if _PHONE.fullmatch(text.strip()) and 3 <= len(number.lstrip("+")) <= 15 else None


def mail_url(text: str) -> str | None:
    """Return the address that writes to an email address; None for what is none."""
    email = sent_email(text)
    return f"mailto:{quote(email, safe='@')}" if email.isascii() and email.isprintable() and is_email(email) else None
