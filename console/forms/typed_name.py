"""Confirm an action that can't be undone by typing a name (conformance LS-15)."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from console.forms.versioned import VersionedForm
from console.l10n.word_matching import matches_input
from console.lists.query import Label


class NameConfirmationForm(VersionedForm):
    """A form that asks for the name of an object. Subclasses set the texts `question`, `missing` and `wrong`."""

    has_initial_focus = False
    """The consequences are read first."""
    question: Label
    missing: Label
    wrong: Label

    typed_name = forms.CharField(
        max_length=500, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "dir": "auto"})
    )

    def __init__(self, data: Any = None, *, name: str, stored: int | None) -> None:
        super().__init__(data, stored=stored)
        self.name = name
        field = self.fields["typed_name"]
        field.label, field.help_text = self.question, name
        field.error_messages["required"] = self.missing

    def clean_typed_name(self) -> str:
        name = str(self.cleaned_data["typed_name"])
        if not matches_input(name, self.name):
            raise ValidationError(self.wrong, code="invalid")
        return name
