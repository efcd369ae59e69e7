"""Email addresses of the world, in the forms that are shown, sent and compared.

The console shows and stores domains as people write them (kim@bücher.example), and sends them as the DNS has them
(kim@xn--bcher-kva.example), by IDNA 2008. Both are the same address.
"""

import idna

from upstream.characters import folded, normalized

_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0xFE6B: "@"}
"""Letters and signs in full width, as keyboards of Japanese and Chinese write them."""
_MAX_DOMAIN_LENGTH = 253


def cleaned_email(text: str) -> str:
    """Return user input as an address in the form that is shown; it may still be invalid."""
    return readable_email(normalized("NFC", folded(text).translate(_NARROW)))


def readable_email(email: str) -> str:
    """Return an address with its domain as people write it; unchanged if it has no such form."""
    local, at, domain = email.rpartition("@")
    if not at or (domain.isascii() and "xn--" not in domain.lower()):
        return email
    try:
        return f"{local}@{idna.decode(_in_ascii(domain))}"
    except idna.IDNAError:
        return email


def sent_email(email: str) -> str:
    """Return an address with its domain as the DNS has it; unchanged if its domain is invalid."""
    local, at, domain = email.rpartition("@")
    if not at or domain.isascii():
        return email
    try:
        return f"{local}@{_in_ascii(domain)}"
    except idna.IDNAError:
        return email


def email_key(text: str) -> str:
    """Return a key that is the same for all spellings of an address."""
    # No letter may become two: "ß" and "ss" are different addresses.
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in sent_email(cleaned_email(text)))


def _in_ascii(domain: str) -> str:
    if len(domain) > _MAX_DOMAIN_LENGTH:
        raise idna.IDNAError("too long")  # IDNA is slow for texts that are too long for a domain
    return idna.encode(domain, uts46=True).decode("ascii")
