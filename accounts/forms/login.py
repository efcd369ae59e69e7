"""The login form."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.fields import EmailField, PresentPasswordField
from console.l10n.sentences import in_sentence


class LoginForm(forms.Form):
    # Translators: an email address: a field, a column and a page; the messages are called “an email” in the texts.
    email = EmailField(label=gettext_lazy("Email"), widget=forms.EmailInput(attrs={"autocomplete": "username"}))
    # Translators: a field and a page of the account.
    password = PresentPasswordField(label=gettext_lazy("Password"))
    # Translators: the label of a check box.
    keep = forms.BooleanField(label=gettext_lazy("Keep me logged in"), required=False)

    def __init__(self, data: object = None, **kwargs: object) -> None:
        super().__init__(data, **kwargs)  # type: ignore[arg-type]
        self.fields["password"].widget.attrs["autocomplete"] = "current-password"
        for name in ("email", "password"):
            field = self.fields[name]
            field.error_messages["required"] = _("Enter %(field)s") % {"field": in_sentence(field.label)}
