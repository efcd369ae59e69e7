"""The fields for a new password."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.fields import NewPasswordField

# Translators: a label of an error below the fields; the sentence is given.
NO_MATCH = gettext_lazy("New Password and Confirm Password do not match")


class RepeatedPasswordField(forms.CharField):
    """The password of the field `name` again, to catch typing errors; scripts check it before the form is sent."""

    widget = forms.PasswordInput

    def __init__(self, name: str) -> None:
        # Translators: the label of a field: the new password once more. “Confirm” is a verb.
        super().__init__(label=gettext_lazy("Confirm password"), strip=False)
        self.widget.attrs |= {"autocomplete": "new-password", "data-repeats": name, "data-error": NO_MATCH}

    def validate(self, value: str) -> None:
        if not value:
            raise forms.ValidationError(_("Confirm your password"), code="required")


class NewPasswordForm(forms.Form):
    """A new password, twice."""

    # Translators: the label of a field.
    new_password = NewPasswordField(label=gettext_lazy("New password"))
    confirm_password = RepeatedPasswordField("new_password")

    def clean(self) -> None:
        check_match(self, "new_password")


def check_match(form: forms.Form, name: str) -> None:
    """Add an error to `confirm_password` unless it matches the field `name` (conformance VA-11)."""
    password, repeated = form.data.get(form.add_prefix(name), ""), form.cleaned_data.get("confirm_password")
    if repeated and repeated != password:
        form.add_error("confirm_password", NO_MATCH)
