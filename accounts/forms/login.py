"""What is typed to log in."""

from django import forms
from django.utils.translation import gettext_lazy as _

from console.fields import EmailField, PresentPasswordField


class LoginForm(forms.Form):
    email = EmailField(label=_("Email"), widget=forms.EmailInput(attrs={"autocomplete": "username"}))
    password = PresentPasswordField(label=_("Password"))
    keep = forms.BooleanField(label=_("Keep me logged in"), required=False)

    def __init__(self, data: object = None, **kwargs: object) -> None:
        super().__init__(data, **kwargs)  # type: ignore[arg-type]
        self.fields["password"].widget.attrs["autocomplete"] = "current-password"
        for field, message in (("email", _("Enter Email")), ("password", _("Enter Password"))):
            self.fields[field].error_messages["required"] = message
