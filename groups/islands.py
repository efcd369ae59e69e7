"""Props of the islands of user management, and how they are made."""

from collections.abc import Mapping

import msgspec
from django.utils.translation import gettext as _

from console.bidi import isolated
from console.form_errors import Difference
from console.islands import island
from console.tables import ListView
from console.upstream.permissions import Permission, PermissionSet
from groups.forms.permissions import INHERIT, LABELS, OFF, ON, PERMISSIONS


@island("user-list")
class UserListProps(msgspec.Struct, frozen=True):
    """The users of a clinic, or of all, as the server drew them; each answer of the list's own URL is one."""

    list: ListView


class Toggle(msgspec.Struct, frozen=True):
    """One permission. `value` is what is in force; `inherited` says that it comes from the clinic."""

    name: str
    label: str
    effect: str
    value: bool
    inherited: bool
    can_inherit: bool
    source: str


@island("permission-toggles")
class PermissionTogglesProps(msgspec.Struct, frozen=True):
    """The five switches of a clinic or a user. `url` takes the form's POST; `version` is what was read (0: unknown)."""

    url: str
    legend: str
    version: int
    toggles: list[Toggle]


def permission_toggles(
    current: PermissionSet, *, url: str, owner_name: str, can_inherit: bool
) -> PermissionTogglesProps:
    """The switches as they stand: value, where it comes from, and when a change takes effect."""
    effects = _effects()
    toggles = []
    for name in PERMISSIONS:
        permission = current.permissions.get(name)
        value = permission.value if permission else False
        inherited = can_inherit and permission is not None and permission.follows_clinic
        toggles.append(
            Toggle(
                name=name,
                label=str(LABELS[name]),
                effect=effects[name],
                value=value,
                inherited=inherited,
                can_inherit=can_inherit,
                source=_source(value, inherited=inherited) if permission and can_inherit else _unknown(permission),
            )
        )
    return PermissionTogglesProps(
        url=url,
        legend=_("Permissions of %(name)s") % {"name": isolated(owner_name)},
        version=current.version or 0,
        toggles=toggles,
    )


def permission_choices(current: PermissionSet, *, can_inherit: bool) -> dict[str, str]:
    """Permission -> on, off or inherit: what is in force; "" where the service does not tell."""
    return {name: _choice(current.permissions.get(name), can_inherit) for name in PERMISSIONS}


def _choice(permission: Permission | None, can_inherit: bool) -> str:
    if permission is None:
        return ""
    return INHERIT if can_inherit and permission.follows_clinic else ON if permission.value else OFF


def permission_conflicts(in_force: Mapping[str, str], chosen: Mapping[str, str]) -> list[Difference]:
    """The permissions where what was chosen is not what somebody else has made of them meanwhile."""
    names = {ON: _("On"), OFF: _("Off"), INHERIT: _("Same as the clinic"), "": ""}
    return [
        Difference(str(LABELS[name]), names[value], names[in_force[name]])
        for name, value in chosen.items()
        if in_force[name] != value
    ]


def _unknown(permission: Permission | None) -> str:
    return "" if permission else _("The service does not tell whether this is on.")


def _source(value: bool, *, inherited: bool) -> str:
    if inherited:
        return _("From the clinic: on.") if value else _("From the clinic: off.")
    return _("Set for this user: on.") if value else _("Set for this user: off.")


def _effects() -> dict[str, str]:
    """When a change takes effect (specification, section 6)."""
    return {
        "allow_order": _("Users can order from the labs that are partners. Other labs can't be chosen."),
        "allow_export": _("Takes effect after the user logs in again to the desktop program."),
        "allow_case_converting": _("Takes effect after the user logs in again to the desktop program."),
        "allow_case_talk": _(
            "Takes effect after the user logs in again to the desktop program, and at once in the web version."
        ),
        "allow_download": _("Works at once in the web version."),
    }
