"""The base of all forms that change an existing object: they carry the version that the user saw."""

from typing import Any

from django import forms

from console.errors import VersionConflict
from upstream.nouns import UNREADABLE_VERSION


class VersionedForm(forms.Form):
    """A form of a change; `stored` is the current version. `form_hidden` in components/form.html renders the field."""

    version = forms.IntegerField(
        min_value=UNREADABLE_VERSION, max_value=2**53, required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, stored: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stored = stored
        self._is_rebased = False

    @property
    def sent_version(self) -> int | None:
        """The version that the user saw; None if it is unknown."""
        version: int | None = self.cleaned_data.get("version")
        return version

    @property
    def has_no_version(self) -> bool:
        """True if the form has no version, or the version could not be read."""
        return self.sent_version in (None, UNREADABLE_VERSION)

    @property
    def next_version(self) -> int | None:
        """The version for the rendered form: after an invalid submission still the one that the user saw first."""
        value = str(self["version"].value() or "") if self.is_bound and not self._is_rebased else ""
        return int(value) if value.isascii() and value.isdigit() and len(value) < 17 else self._stored

    def check_version(self, stored: int | None = None) -> None:
        """Raise VersionConflict if the form lacks the version of an object that has one.

        An unreadable version of the form only matches an unreadable one of the object. `stored` is the current
        version, for a form that was created without it.
        """
        stored = self._stored if stored is None else stored
        if self.has_no_version and stored is not None and self.sent_version != stored:
            raise VersionConflict("a form without its version")

    def rebase(self, version: int | None) -> None:
        """Base the next save on this version, because the user now sees the newest state."""
        self._stored, self._is_rebased = version, True
