"""What the upstream refused, told in the form: by code, then by the action, then in general. Never in its own words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.forms import BaseForm
from django.utils.translation import gettext as _

from console.failures import describe, generic_message
from console.upstream.errors import Code, Conflict, Limited, NotDone, Refused, TimedOut


def add_upstream_errors(form: BaseForm, error: NotDone, action_message: str) -> None:
    """Put an upstream refusal into a form: field errors at their fields, all else above the form."""
    form.add_error(None, upstream_message(error, action_message))
    if isinstance(error, Refused):
        for refused in error.fields:
            if refused.field in form.fields and (text := field_message(refused.code, form, refused.field)):
                form.add_error(refused.field, text)


@dataclass(frozen=True)
class Difference:
    """One field that two people changed: what was typed, and what is stored now."""

    label: str
    yours: str
    theirs: str


def differences(form: BaseForm, newest: Mapping[str, object]) -> list[Difference]:
    """The fields whose typed value is not the stored one; `newest` is by the form's names."""
    found = []
    for name, theirs in newest.items():
        yours = form.cleaned_data.get(name)
        if name in form.fields and str(yours or "") != str(theirs or ""):
            found.append(
                Difference(str(form.fields[name].label), _shown(form, name, yours), _shown(form, name, theirs))
            )
    return found


def _shown(form: BaseForm, name: str, value: object) -> str:
    """A value as the form's reader knows it: the label of a choice, else the value."""
    choices = dict(getattr(form.fields[name], "choices", ()))
    return str(choices.get(value, value) or "")


def upstream_message(error: NotDone, action_message: str = "") -> str:
    """One sentence (or two) for a write that was not done."""
    match error:
        case TimedOut():
            return describe(error, was_write=True).text
        case Limited():
            return describe(error).text
        case Conflict() if error.code == Code.CHANGED_MEANWHILE:
            return _("Somebody else changed this meanwhile. What is shown now is the newest state.")
        case _:
            return action_message or generic_message()


def field_message(code: int | None, form: BaseForm, name: str) -> str:
    """Why the service did not take a field's value, by its code."""
    label = form.fields[name].label
    match code:
        case Code.PARAMETER_MISSING:
            return _("Enter %(field)s") % {"field": label}
        case Code.EMAIL_IN_USE | Code.ORGANIZATION_NAME_IN_USE | Code.NAME_IN_USE | Code.USER_EMAIL_IN_USE:
            return _("This %(label)s is already in use") % {"label": label}
        case Code.EMAIL_UNCHANGED | Code.ORGANIZATION_NAME_UNCHANGED:
            return _("This %(label)s is the same as your current one") % {"label": label}
        case _:
            return _("Invalid %(label)s") % {"label": label}
