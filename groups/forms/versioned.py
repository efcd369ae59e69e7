"""What every form of a change to something that there is has in common: the version that its sender saw."""

from django import forms


class VersionedForm(forms.Form):
    """A form of a change: `version` is what the sender saw. It is drawn by components/form_hidden.html."""

    version = forms.IntegerField(min_value=0, max_value=2**53, required=False, widget=forms.HiddenInput)

    @property
    def seen(self) -> int | None:
        """The version that the sender saw; None when it is not known."""
        return self.cleaned_data.get("version") or None
