"""Forms to send a request, and to end a partnership."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from console.forms.fields import clean_lines
from console.forms.typed_name import NameConfirmationForm
from console.l10n.numbers import ngettext
from upstream.resources.partnerships import MAX_MESSAGE_LENGTH


class MessageField(forms.CharField):
    """A message in plain text, up to the service's limit.

    There is no `maxlength`, because browsers count some characters twice and the service does not.
    """

    widget = forms.Textarea(attrs={"rows": 4, "dir": "auto"})

    def __init__(self) -> None:
        # Translators: label of a field: words that are sent with a request for a partnership.
        super().__init__(label=gettext_lazy("Message to the lab"), required=False)

    def clean(self, value: object) -> str:
        text = clean_lines(str(value or ""), self.label).strip()
        if (over := len(text) - MAX_MESSAGE_LENGTH) > 0:
            message = ngettext(
                "The message is %(count)s character too long.", "The message is %(count)s characters too long.", over
            )
            raise ValidationError(message % {"count": over}, code="too_long")
        return text


class MessageForm(forms.Form):
    message = MessageField()

    def __init__(self, data: Any = None, *, message: str = "") -> None:
        super().__init__(data, initial={"message": message})
        text = ngettext(
            "You can enter up to %(count)s character.", "You can enter up to %(count)s characters.", MAX_MESSAGE_LENGTH
        )
        self.fields["message"].help_text = text % {"count": MAX_MESSAGE_LENGTH}


class EndForm(NameConfirmationForm):
    """The name of the lab, which has to be typed: Enter alone ends nothing."""

    # Translators: the label of a field.
    question = gettext_lazy("Enter the lab name to end the partnership")
    missing = gettext_lazy("Enter the lab name")
    wrong = gettext_lazy("The name doesn't match")
