"""The form of a reminder: the day, the topic, and a note."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.fields import NoteField
from console.forms.versioned import VersionedForm
from console.l10n.bidi import isolated
from console.l10n.dates import written_day
from console.l10n.sentences import in_sentence
from console.lists.query import Label
from groups.models import Reminder

AHEAD = timedelta(days=2 * 365)
"""A later day is a typing mistake, or the reason will be forgotten by then."""
ISO = "%Y-%m-%d"


class ReminderForm(VersionedForm):
    """A new reminder about one of `offered`, by code; without those, the change of `reminder`."""

    # Translators: label of a choice: the user or the clinic as a whole, or one of the permissions.
    about = forms.ChoiceField(label=gettext_lazy("What to review"))
    # Translators: label of a date: on that day an administrator is reminded of a user or a permission.
    day = forms.DateField(label=gettext_lazy("Reminder date"), input_formats=[ISO])
    note = NoteField()

    def __init__(
        self,
        data: Any = None,
        *,
        today: date,
        offered: Mapping[str, Label] | None = None,
        reminder: Reminder | None = None,
    ) -> None:
        initial = {"day": reminder.day, "note": reminder.content.note} if reminder else {}
        super().__init__(data, initial=initial, stored=reminder.version if reminder else None)
        self._first, self._last = today, today + AHEAD
        about, day = cast(forms.ChoiceField, self.fields["about"]), self.fields["day"]
        limits = {"min": self._first.isoformat(), "max": self._last.isoformat()}
        day.widget = forms.DateInput({"type": "date", **limits}, format=ISO)
        day.error_messages = dict.fromkeys(("required", "invalid"), self._which_days())
        if offered is None:
            del self.fields["about"]
        else:
            about.choices = [(code, str(label)) for code, label in offered.items()]
            invalid = _("Invalid %(label)s") % {"label": in_sentence(about.label)}
            about.error_messages = dict.fromkeys(("required", "invalid_choice"), invalid)

    def clean_day(self) -> date:
        day: date = self.cleaned_data["day"]
        if not self._first <= day <= self._last:
            raise ValidationError(self._which_days(), code="invalid")
        return day

    def _which_days(self) -> str:
        days = {"first": isolated(written_day(self._first)), "last": isolated(written_day(self._last))}
        # Translators: first and last: dates, such as Nov 25, 2026.
        return _("Choose a date between %(first)s and %(last)s.") % days
