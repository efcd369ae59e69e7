"""Availability of an email or organization name in a form, and the signed proof of a check."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from django import forms
from django.core import signing
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from console.forms.errors import in_use
from console.l10n.sentences import in_sentence
from upstream.characters import folded
from upstream.emails import email_key

SALT = "accounts.availability"
PROOF_TTL_S = 3600
"""Seconds for filling in the remaining fields of the form."""
State = Literal["free", "taken", "unknown", "invalid"]


@dataclass(frozen=True)
class Availability:
    """The result of one check; with its `proof` the form can be submitted."""

    state: State
    text: str
    proof: str = ""

    @property
    def is_error(self) -> bool:
        """True if another value is needed."""
        return self.state in ("taken", "invalid")


def availability_for(form: forms.Form, name: str, state: Literal["free", "taken", "unknown"]) -> Availability:
    """Return the result of checking a field. An unchecked value is allowed: the service decides."""
    label, value = {"label": in_sentence(form.fields[name].label)}, form.cleaned_data[name]
    match state:
        case "taken":
            return Availability(state, in_use(form, name))
        case "free":
            # Translators: label: a field, such as “email” or “organization name”; “%(label)s: …” is fine.
            return Availability(state, _("This %(label)s is available") % label, proof(name, value))
    # Translators: label: a field, such as “email” or “organization name”; “%(label)s: …” is fine.
    text = _("We can't check this %(label)s right now. You can continue; we'll check it when you submit the form.")
    return Availability(state, text % label, proof(name, value))


def proof(name: str, value: str) -> str:
    """Sign that this value of a field was checked."""
    return signing.dumps([name, _key(name, value)], salt=SALT)


def was_checked(name: str, value: str, proof: str) -> bool:
    """Return True if this proof is for this value of a field and has not expired."""
    try:
        return bool(signing.loads(proof, salt=SALT, max_age=PROOF_TTL_S) == [name, _key(name, value)])
    except signing.BadSignature:
        return False


def _key(name: str, value: str) -> str:
    """Return a key that is the same for all spellings of a value."""
    return email_key(value) if name == "email" else folded(value).lower()


class CheckedForm(forms.Form):
    """A form with fields whose values must be free, which can be checked before the form is submitted."""

    @cached_property
    def checks(self) -> dict[str, Availability]:
        """The results of checks in this request, by field name."""
        return {}

    def clean_one(self, name: str) -> str:
        """Return the value of one field alone. Raises ValidationError."""
        self.cleaned_data: dict[str, Any] = {}
        self.cleaned_data[name] = value = str(self.fields[name].clean(self.data.get(name, "")))
        return value

    def set_check(self, name: str, check: Availability) -> None:
        """Show the result of a check without the errors of other fields."""
        self.checks[name] = check
        self.errors.clear()
        if check.is_error:
            self.add_error(name, ValidationError(check.text))
        # Without scripts, a new page is loaded: move the focus to this field.
        self.fields[name].widget.attrs["autofocus"] = True

    def invalid_text(self, name: str) -> str:
        """Return the browser's message for an invalid value."""
        return _("Invalid %(label)s") % {"label": in_sentence(self.fields[name].label)}

    def get_proof(self, name: str) -> str:
        """Return the proof for the page: that of the check just made, or the submitted one if it is still valid."""
        if name in self.checks:
            return self.checks[name].proof
        value, sent = str(self[name].value() or ""), str(self.data.get(f"{name}_checked", ""))
        return sent if was_checked(name, value, sent) else ""
