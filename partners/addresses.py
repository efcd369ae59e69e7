"""Links to web, phone and email addresses that come from the service."""

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
    """Return the URL to link to; None if it is to be shown as text only.

    Only http and https links are allowed, to a fully qualified host name in plain letters: no user name (it would look
    like the host), no IP address, no look-alike or invisible characters. Anything outside of the strict grammar of this
    module is rejected, even if browsers accept it.
    """
    text = text.strip(" ")
    if len(text) > MAX_LENGTH or any(unicodedata.category(char)[0] == "C" for char in text):
        return None
    match = _ADDRESS.fullmatch(text)
    if match is None or len(match["host"]) > 253:
        return None
    return text[: match.start("rest")] + quote(match["rest"], safe=_SAFE)


def phone_url(text: str) -> str | None:
    """Return the tel: URL of a phone number; None if the text isn't one."""
    number = "".join(char for char in text if char in "+0123456789")
    return f"tel:{number}" if _PHONE.fullmatch(text.strip()) and 3 <= len(number.lstrip("+")) <= 15 else None


def mail_url(text: str) -> str | None:
    """Return the mailto: URL of an email address; None if the text isn't one."""
    email = sent_email(text)
    return f"mailto:{quote(email, safe='@')}" if email.isascii() and email.isprintable() and is_email(email) else None
