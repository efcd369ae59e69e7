"""Forms to add, edit or delete a team."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.fields import NameField
from console.forms.versioned import VersionedForm
from upstream.resources.teams import Team

Choices = Iterable[tuple[str, str]]
"""Choices: codes or IDs, and their names."""


class TeamForm(VersionedForm):
    """The name and the type of a team, a new or an existing one."""

    name = NameField(label=gettext_lazy("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    team_type = forms.ChoiceField(label=gettext_lazy("Team type"))

    def __init__(self, data: Any = None, *, types: Choices, team: Team | None = None, team_type: str = "") -> None:
        initial = team_values(team) if team else {"team_type": team_type}
        super().__init__(data, initial=initial, stored=team.version if team else None)
        cast(forms.ChoiceField, self.fields["team_type"]).choices = list(types)

    def values(self) -> dict[str, str]:
        """Return the cleaned values by the names of a team's fields."""
        return {name: self.cleaned_data[name] for name in ("name", "team_type")}

    def changes(self) -> dict[str, str]:
        """Return the values that differ from those of the team."""
        return {name: value for name, value in self.values().items() if value != self.initial[name]}


def team_values(team: Team) -> dict[str, str]:
    """Return the values of a team as the form shows them."""
    return {"name": team.name, "team_type": team.team_type}


class DeleteTeamForm(VersionedForm):
    """The team that gets the users of a deleted team; without users or another team there is no choice."""

    has_initial_focus = False
    """The consequences are read first."""

    move_users_to = forms.ChoiceField(
        # Translators: label of a choice of teams: of a team that is deleted, where its users go.
        label=gettext_lazy("Move users to"),
        error_messages={
            "required": gettext_lazy("Choose a team"),
            "invalid_choice": gettext_lazy("This item no longer exists. Choose another one."),
        },
    )

    def __init__(self, data: Any = None, *, teams: Choices, stored: int | None = None) -> None:
        super().__init__(data, stored=stored)
        if offered := list(teams):
            cast(forms.ChoiceField, self.fields["move_users_to"]).choices = [("", _("Choose a team")), *offered]
        else:
            del self.fields["move_users_to"]

    @property
    def target(self) -> str | None:
        """The ID of the team that gets the users."""
        return self.cleaned_data.get("move_users_to") or None
