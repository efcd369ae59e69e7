"""What is typed to add, edit or delete a team."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.fields import NameField
from console.forms.versioned import VersionedForm
from upstream.resources.teams import Team

Choices = Iterable[tuple[str, str]]
"""Codes or ids, and names, of what can be chosen."""


class TeamForm(VersionedForm):
    """The name and the type of a team, a new one or this one."""

    name = NameField(label=gettext_lazy("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    team_type = forms.ChoiceField(label=gettext_lazy("Team type"))

    def __init__(self, data: Any = None, *, types: Choices, team: Team | None = None, team_type: str = "") -> None:
        initial = team_values(team) if team else {"team_type": team_type}
        super().__init__(data, initial=initial, stored=team.version if team else None)
        cast(forms.ChoiceField, self.fields["team_type"]).choices = list(types)

    def values(self) -> dict[str, str]:
        """What was typed, by the names of a team."""
        return {name: self.cleaned_data[name] for name in ("name", "team_type")}

    def changes(self) -> dict[str, str]:
        """What was typed and is not so already."""
        return {name: value for name, value in self.values().items() if value != self.initial[name]}


def team_values(team: Team) -> dict[str, str]:
    """The values of a team as the form shows them."""
    return {"name": team.name, "team_type": team.team_type}


class DeleteTeamForm(VersionedForm):
    """Where the users of a team go when it is deleted; without users or without another team there is no choice."""

    move_users_to = forms.ChoiceField(
        # Translators: label of a choice of teams: of a team that is deleted, where its users go.
        label=gettext_lazy("Move its users to"),
        error_messages={
            "required": gettext_lazy("Choose a team"),
            "invalid_choice": gettext_lazy("This team no longer exists. Choose another one."),
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
        """The id of the team that takes the users."""
        return self.cleaned_data.get("move_users_to") or None
