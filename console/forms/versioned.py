"""What every form of a change to an existing object has in common: the version that its sender saw."""

from typing import Any

from django import forms

from console.errors import VersionConflict
from upstream.nouns import UNREADABLE_VERSION


class VersionedForm(forms.Form):
    """A form of a change; `stored` is the object's version now. `form_hidden` in components/form.html draws it."""

    version = forms.IntegerField(
        min_value=UNREADABLE_VERSION, max_value=2**53, required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, stored: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stored = stored
        self._is_rebased = False

    @property
    def sent_version(self) -> int | None:
        """The version that the sender saw; None when it is not known."""
        version: int | None = self.cleaned_data.get("version")
        return version

    @property
    def has_no_version(self) -> bool:
        """Whether the sender saw none, or none that can be read."""
        return self.sent_version in (None, UNREADABLE_VERSION)

    @property
    def next_version(self) -> int | None:
        """What the form carries when it is drawn: after a mistake in typing still what its sender saw first."""
        value = str(self["version"].value() or "") if self.is_bound and not self._is_rebased else ""
        return int(value) if value.isascii() and value.isdigit() and len(value) < 17 else self._stored

    def check_version(self, stored: int | None = None) -> None:
        """Raise VersionConflict when the sender does not say which of the versions they saw, or that it was unreadable.

        `stored` is the version of what is stored now, for a form that was made without it.
        """
        stored = self._stored if stored is None else stored
        if self.has_no_version and stored is not None and self.sent_version != stored:
            raise VersionConflict("a form without its version")

    def rebase(self, version: int | None) -> None:
        """Let the next save be based on this version: its sender is shown the newest state."""
        self._stored, self._is_rebased = version, True
