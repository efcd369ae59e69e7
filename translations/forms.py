"""The forms of translators, except those of translations."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from console.l10n.sentences import in_sentence
from translations.accounts import MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH


class TranslatorForm(forms.Form):
    """A form whose fields must all be filled in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.error_messages["required"] = _("Enter %(field)s") % {"field": in_sentence(field.label)}


class LoginForm(TranslatorForm):
    name = forms.CharField(
        # Translators: a field of the translators' login: the name of their account.
        label=gettext_lazy("Translator's name"),
        max_length=64,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "dir": "auto"}),
    )
    password = forms.CharField(
        # Translators: a field and a page of the account.
        label=gettext_lazy("Password"),
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class PasswordForm(TranslatorForm):
    current = forms.CharField(
        label=gettext_lazy("Current password"),
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    new = forms.CharField(
        label=gettext_lazy("New password"),
        max_length=MAX_PASSWORD_LENGTH,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        text = ngettext("Use at least %(count)s character.", "Use at least %(count)s characters.", MIN_PASSWORD_LENGTH)
        self.fields["new"].help_text = text % {"count": MIN_PASSWORD_LENGTH}

    def clean_new(self) -> str:
        new: str = self.cleaned_data["new"]
        if len(new) < MIN_PASSWORD_LENGTH:
            raise ValidationError(str(self.fields["new"].help_text))
        return new
