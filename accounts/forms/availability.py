"""Whether an email or the name of an organization is free, as a form shows it, and the proof that somebody asked."""

from dataclasses import dataclass
from typing import Literal

from django import forms
from django.core import signing
from django.utils.translation import gettext as _

from console.forms.errors import in_use
from console.text.fields import in_sentence

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
            return Availability(state, _("This %(label)s is available") % label, proof(name, value))
    text = _("This %(label)s can't be checked right now. You can go on: it is checked again when you send the form.")
    return Availability(state, text % label, proof(name, value))


def proof(name: str, value: str) -> str:
    """Sign that this value of a field was checked."""
    return signing.dumps([name, value.lower()], salt=SALT)


def was_checked(name: str, value: str, proof: str) -> bool:
    """Tell whether this proof is for this value of a field, and not too old."""
    try:
        return bool(signing.loads(proof, salt=SALT, max_age=HOLDS) == [name, value.lower()])
    except signing.BadSignature:
        return False
