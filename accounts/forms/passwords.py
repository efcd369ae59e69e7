"""The fields for a new password."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.fields import NewPasswordField


class RepeatedPasswordField(forms.CharField):
    """A repeated new password, to catch typing errors."""

    widget = forms.PasswordInput

    def __init__(self) -> None:
        # Translators: the label of a field: the new password once more. “Confirm” is a verb.
        super().__init__(label=gettext_lazy("Confirm password"), strip=False)
        self.widget.attrs["autocomplete"] = "new-password"

    def validate(self, value: str) -> None:
        if not value:
            raise forms.ValidationError(_("Confirm your password"), code="required")


class NewPasswordForm(forms.Form):
    """A new password, twice."""

    # Translators: the label of a field.
    new_password = NewPasswordField(label=gettext_lazy("New password"))
    confirm_password = RepeatedPasswordField()

    def clean(self) -> None:
        check_match(self, "new_password")


def check_match(form: forms.Form, name: str) -> None:
    """Add an error to `confirm_password` unless it matches the field `name` (conformance VA-11)."""
    password, repeated = form.data.get(form.add_prefix(name), ""), form.cleaned_data.get("confirm_password")
    if repeated and repeated != password:
        # Translators: a label of an error below the fields; the sentence is given.
        form.add_error("confirm_password", _("New Password and Confirm Password do not match"))
