"""Whether an email or the name of an organization is free, as a form shows it, and the proof that somebody asked."""

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
HOLDS = 3600
"""Seconds: as long as somebody may take for the rest of the form."""
State = Literal["free", "taken", "unknown", "invalid"]


@dataclass(frozen=True)
class Availability:
    """What became of one check; with the `proof` the form may be sent."""

    state: State
    text: str
    proof: str = ""

    @property
    def is_error(self) -> bool:
        """Whether another value is needed."""
        return self.state in ("taken", "invalid")


def told(form: forms.Form, name: str, state: Literal["free", "taken", "unknown"]) -> Availability:
    """Return how the check of a field ended. What could not be checked may be sent: the service decides."""
    label, value = {"label": in_sentence(form.fields[name].label)}, form.cleaned_data[name]
    match state:
        case "taken":
            return Availability(state, in_use(form, name))
        case "free":
            # Translators: label: a field, such as “email” or “organization name”; “%(label)s: …” is fine.
            return Availability(state, _("This %(label)s is available") % label, proof(name, value))
    # Translators: label: a field, such as “email” or “organization name”; “%(label)s: …” is fine.
    text = _("This %(label)s can't be checked right now. You can go on: it is checked again when you send the form.")
    return Availability(state, text % label, proof(name, value))


def proof(name: str, value: str) -> str:
    """Sign that this value of a field was checked."""
    return signing.dumps([name, _key(name, value)], salt=SALT)


def was_checked(name: str, value: str, proof: str) -> bool:
    """Tell whether this proof is for this value of a field, and not too old."""
    try:
        return bool(signing.loads(proof, salt=SALT, max_age=HOLDS) == [name, _key(name, value)])
    except signing.BadSignature:
        return False


def _key(name: str, value: str) -> str:
    """Return what all ways to type a value have in common."""
    return email_key(value) if name == "email" else folded(value).lower()


class CheckedForm(forms.Form):
    """A form with fields whose values must be free, and that can be asked about before the form is sent."""

    @cached_property
    def checks(self) -> dict[str, Availability]:
        """What was just asked, by the fields' names."""
        return {}

    def clean_one(self, name: str) -> str:
        """Return the value of one field alone. Raises ValidationError."""
        self.cleaned_data: dict[str, Any] = {}
        self.cleaned_data[name] = value = str(self.fields[name].clean(self.data.get(name, "")))
        return value

    def note_check(self, name: str, check: Availability) -> None:
        """Have the form drawn with what became of a check, and with nothing said about the other fields."""
        self.checks[name] = check
        self.errors.clear()
        if check.is_error:
            self.add_error(name, ValidationError(check.text))
        # Where there is no script, the page is a new one: who asked goes on there.
        self.fields[name].widget.attrs["autofocus"] = True

    def invalid_text(self, name: str) -> str:
        """Return what a browser says of a value that can't be right."""
        return _("Invalid %(label)s") % {"label": in_sentence(self.fields[name].label)}

    def proof_of(self, name: str) -> str:
        """Return the proof that the page carries: that of the check just made, else what was sent if it still holds."""
        if name in self.checks:
            return self.checks[name].proof
        value, sent = str(self[name].value() or ""), str(self.data.get(f"{name}_checked", ""))
        return sent if was_checked(name, value, sent) else ""
