"""Add the service's refusals to the fields of a form, by code. The service's own texts are never shown."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.forms import BaseForm, BooleanField
from django.utils.translation import gettext as _

from console.errors import Rejected, ValueInUse, WrongPassword
from console.l10n.sentences import in_sentence
from upstream.errors import IN_USE, Code, FieldError, Refused

FIELD_BY_CODE = {
    **IN_USE,
    Code.EMAIL_UNCHANGED: "email",
    Code.ORGANIZATION_NAME_UNCHANGED: "name",
    Code.DASHBOARD_URL_REFUSED: "dashboard_url",
    Code.CURRENT_PASSWORD_WRONG: "current_password",
    Code.PASSWORD_UNCHANGED: "new_password",
    Code.PASSWORD_RULE_BROKEN: "new_password",
}
"""The fields that codes are about, if the service does not name them."""


@dataclass(frozen=True)
class Difference:
    """One field that two people changed: the submitted value, and the stored one."""

    label: str
    yours: str
    stored: str


def differences(form: BaseForm, newest: Mapping[str, object]) -> list[Difference]:
    """Return the fields whose submitted value differs from the stored one in `newest`, which is by field name."""
    results = []
    for name, stored in newest.items():
        yours = form.cleaned_data.get(name)
        if name in form.fields and str(yours or "") != str(stored or ""):
            results.append(
                Difference(
                    str(form.fields[name].label), _display_value(form, name, yours), _display_value(form, name, stored)
                )
            )
    return results


def add_field_errors(form: BaseForm, error: Refused | Rejected) -> None:
    """Add the errors of single fields to the form, except those of fields that it does not have."""
    if isinstance(error, Rejected):
        for field, code in _rejected_fields(error).items():
            if field in form.fields:
                form.add_error(field, field_message(code, form, field))
        return
    field_errors = error.fields or [
        FieldError(field, code) for code, field in FIELD_BY_CODE.items() if code == error.code
    ]
    for refused in field_errors:
        if refused.field in form.fields:
            form.add_error(refused.field, field_message(refused.code, form, refused.field))


def _rejected_fields(error: Rejected) -> Mapping[str, Code]:
    """Return the code for each rejected field."""
    match error:
        case ValueInUse():
            return dict.fromkeys(error.fields, Code.NAME_IN_USE)
        case WrongPassword():
            return {"current_password": Code.CURRENT_PASSWORD_WRONG}
    return {}


def field_message(code: int | None, form: BaseForm, name: str) -> str:
    """Return the text for why the service refused a field's value, by code."""
    label = in_sentence(form.fields[name].label)
    match code:
        case Code.PARAMETER_MISSING:
            return _("Enter %(field)s") % {"field": label}
        case _ if code in IN_USE:
            return in_use(form, name)
        case Code.EMAIL_UNCHANGED | Code.ORGANIZATION_NAME_UNCHANGED:
            return unchanged(form, name)
        case Code.CURRENT_PASSWORD_WRONG:
            return _("The password does not match.")
        case Code.PASSWORD_UNCHANGED:
            return _("Your new password cannot be the same as your current one.")
        case Code.AGREEMENT_MISSING:
            return str(form.fields[name].error_messages["required"])
        case _:
            return _("Invalid %(label)s") % {"label": label}


def in_use(form: BaseForm, name: str) -> str:
    """Return the message for a value that is in use (specification, section 5)."""
    # Translators: label: a field, such as “email”, of any gender; “%(label)s: …” is fine.
    return _("This %(label)s is already in use") % {"label": in_sentence(form.fields[name].label)}


def unchanged(form: BaseForm, name: str) -> str:
    """Return the message for a value that is the current one (specification, section 5)."""
    # Translators: label: a field, such as “email”, of any gender; “%(label)s: …” is fine.
    return _("This %(label)s is the same as your current one") % {"label": in_sentence(form.fields[name].label)}


def _display_value(form: BaseForm, name: str, value: object) -> str:
    """Return a value as the form shows it: the label of a choice, else the value."""
    if isinstance(form.fields[name], BooleanField):
        # Translators: a value that was typed or is stored: a box that is checked.
        yes = _("Yes")
        # Translators: a value that was typed or is stored: a box that is not checked.
        no = _("No")
        return yes if value else no
    choices = dict(getattr(form.fields[name], "choices", ()))
    return str(choices.get(value, value) or "")
