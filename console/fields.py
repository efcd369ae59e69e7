"""Values that people type and the rules that every form shares."""

import re
import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

EMAIL = re.compile(r"[^\s@,;:\"<>()\[\]\\]+@[^\s@.,;:\"<>()\[\]\\]+(\.[^\s@.,;:\"<>()\[\]\\]+)+")
EMAIL_LENGTH = 254


def is_email(text: str) -> bool:
    """At most 254 characters, one @, a dot in the domain (conformance VA-34)."""
    return len(text) <= EMAIL_LENGTH and EMAIL.fullmatch(text) is not None


def is_printable(text: str) -> bool:
    """No control characters: NUL and line ends have no place in a value that becomes a header or a log line."""
    return not any(unicodedata.category(c) == "Cc" for c in text)


class EmailField(forms.CharField):
    """An e-mail address: trimmed, kept as it was typed (lower case is for comparison only)."""

    widget = forms.EmailInput

    def clean(self, value: object) -> str:
        text = str(super().clean(value)).strip()
        if text and not (is_email(text) and is_printable(text)):
            raise ValidationError(_("Invalid %(label)s") % {"label": self.label}, code="invalid")
        return text


class PresentPasswordField(forms.CharField):
    """A password that exists already: any non-empty one, untouched (conformance VA-08)."""

    widget = forms.PasswordInput

    def __init__(self, *, label: Any) -> None:
        super().__init__(label=label, strip=False, max_length=512)
