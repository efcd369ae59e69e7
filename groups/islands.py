"""Props of the islands of user management, and how they are made."""

from collections.abc import Iterable, Mapping

import msgspec
from django.utils.translation import gettext as _

from console.forms.errors import Difference
from console.islands import island
from console.respond import Answer
from console.text.bidi import isolated
from console.upstream.resources.permissions import Permission, PermissionSet
from groups.forms.permissions import INHERIT, OFF, ON
from groups.labels import PERMISSION_EFFECTS, PERMISSIONS


def teams_answer(clinic_name: str, choices: Iterable[tuple[object, object]]) -> Answer:
    """Return the teams of the clinic that was chosen in a form, with the sentence that says so (behaviors/teams.ts)."""
    told = _("Choose a team of %(clinic)s, or none.") % {"clinic": isolated(clinic_name)}
    return Answer(ok=True, message=told, item=[(str(value), str(label)) for value, label in choices])


class Toggle(msgspec.Struct, frozen=True):
    """One permission. `value` is what is in force; `inherited` says that it comes from the clinic."""

    name: str
    label: str
    effect: str
    value: bool
    inherited: bool
    can_inherit: bool
    source: str


class PermissionState(msgspec.Struct, frozen=True):
    """What is in force after a change, or after one that was refused; toggles that are not known are left out."""

    version: int | None
    toggles: list[Toggle]


@island("permission-toggles")
class PermissionTogglesProps(msgspec.Struct, frozen=True):
    """The five switches of a clinic or a user. `url` takes the form's POST; `version` is what was read, if any."""

    url: str
    legend: str
    version: int | None
    toggles: list[Toggle]
    proof: str = ""
    """Sent with a change: it says that the owner was shown to this organization (groups.views.permissions)."""


def permission_toggles(
    current: PermissionSet, *, url: str, owner_name: str, can_inherit: bool, proof: str = ""
) -> PermissionTogglesProps:
    """Return the switches as they stand, with whose they are."""
    return PermissionTogglesProps(
        url=url,
        legend=_("Permissions of %(name)s") % {"name": isolated(owner_name)},
        version=current.version,
        toggles=_toggles(current, can_inherit),
        proof=proof,
    )


def permission_state(current: PermissionSet, *, can_inherit: bool) -> PermissionState:
    """Return what is in force."""
    return PermissionState(current.version, _toggles(current, can_inherit))


def permissions_as_sent(
    changes: Mapping[str, bool | None], *, version: int | None, can_inherit: bool
) -> PermissionState:
    """Return what must be in force after these changes, where it can't be read; without the clinic's own values."""
    values = {name: Permission(value=value) for name, value in changes.items() if value is not None}
    toggles = _toggles(PermissionSet(permissions=values), can_inherit)
    return PermissionState(version, [toggle for toggle in toggles if toggle.name in values])


def permission_choices(current: PermissionSet, *, can_inherit: bool) -> dict[str, str]:
    """Return permission -> on, off or inherit: what is in force; "" where the service does not say."""
    return {name: _choice(current.permissions.get(name), can_inherit) for name in PERMISSIONS}


def permission_conflicts(in_force: Mapping[str, str], chosen: Mapping[str, str]) -> list[Difference]:
    """Return the permissions where what was chosen is not what is in force now."""
    names = {ON: _("On"), OFF: _("Off"), INHERIT: _("Same as the clinic"), "": ""}
    return [
        Difference(str(PERMISSIONS[name]), names.get(value, ""), names[in_force[name]])
        for name, value in chosen.items()
        if in_force[name] != value
    ]


def _toggles(current: PermissionSet, can_inherit: bool) -> list[Toggle]:
    """The switches: value, where it comes from, and when a change takes effect."""
    toggles = []
    for name, label in PERMISSIONS.items():
        permission = current.permissions.get(name)
        inherited = can_inherit and permission is not None and permission.follows_clinic
        toggles.append(
            Toggle(
                name=name,
                label=str(label),
                effect=str(PERMISSION_EFFECTS[name]),
                value=permission.value if permission else False,
                inherited=inherited,
                can_inherit=can_inherit,
                source=_source(permission, can_inherit, inherited),
            )
        )
    return toggles


def _choice(permission: Permission | None, can_inherit: bool) -> str:
    if permission is None:
        return ""
    return INHERIT if can_inherit and permission.follows_clinic else ON if permission.value else OFF


def _source(permission: Permission | None, can_inherit: bool, inherited: bool) -> str:
    if permission is None:
        return _("The service doesn't say whether this is on.")
    if not can_inherit:
        return ""
    if inherited:
        return _("On (clinic setting)") if permission.value else _("Off (clinic setting)")
    return _("On (this user only)") if permission.value else _("Off (this user only)")
