"""Validation rules that several calls share: names, counts, email addresses and passwords."""

import re
from typing import Annotated

import msgspec

from sandbox.errors import Code, Refusal

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=r"\S")]
Country = Annotated[str, msgspec.Meta(pattern="^[A-Z]{2}$")]
HeadCount = Annotated[int, msgspec.Meta(ge=0, le=9_999)]
EMAIL = re.compile(r"[A-Za-z0-9._%+'-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}")
LETTERS_WANTED = 3
SPECIALS = r"!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~"
PASSWORD = re.compile(
    rf"(?=.*[0-9])(?=.*[{SPECIALS}])(?=(?:.*[A-Za-z]){{{LETTERS_WANTED}}})[A-Za-z0-9{SPECIALS}]{{8,16}}"
)


def is_email(text: str) -> bool:
    """Return whether text is a single email address."""
    return len(text) <= 254 and EMAIL.fullmatch(text) is not None


def check_email(text: str, field: str = "email") -> str:
    """Return an address as it is stored, or refuse it."""
    if not is_email(text):
        raise Refusal(Code.PARAMETER_INVALID, "no email address", fields=[field])
    return text.lower()


def check_password(text: str, field: str) -> None:
    """Refuse a password that breaks the rule: 8 to 16 characters, a number, a special symbol, three letters."""
    if PASSWORD.fullmatch(text) is None:
        raise Refusal(Code.PASSWORD_RULE, fields=[field])
