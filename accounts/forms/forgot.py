"""The form for a lost password."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.fields import EmailField
from console.l10n.sentences import in_sentence


class ForgotForm(forms.Form):
    """The email address of the account."""

    email = EmailField(label=gettext_lazy("Email"), widget=forms.EmailInput(attrs={"autocomplete": "username"}))

    def __init__(self, data: Any = None, *, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial)
        field = self.fields["email"]
        field.error_messages["required"] = _("Enter %(field)s") % {"field": in_sentence(field.label)}
