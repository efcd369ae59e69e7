"""Props of the permission toggles, and the functions that build them."""

from collections.abc import Iterable, Mapping
from datetime import tzinfo

import msgspec
from django.utils.translation import gettext as _

from console.audit.query import LastChange, entry_href
from console.forms.errors import Difference
from console.l10n.bidi import isolated
from console.l10n.dates import date_text
from console.l10n.numbers import ngettext, number_text
from console.web.islands import island
from console.web.links import Link
from groups.forms.permissions import INHERIT, OFF, ON
from groups.labels import PERMISSION_EFFECTS, PERMISSIONS
from groups.links.users import user_overrides_url
from upstream.resources.clinics import Clinic
from upstream.resources.permissions import OverrideCounts, Permission, PermissionSet

NOTHING: Mapping[str, Link] = {}


class Toggle(msgspec.Struct, frozen=True):
    """One permission. `value` is the setting in force; `inherited` is True if it comes from the clinic.

    `source` describes where a user's value comes from, or how many users a clinic's value reaches; `others` links to
    the users that it doesn't reach. `inherit_label` is the choice to follow the clinic, with its setting if known.
    `changed` describes who set it last in this console, and links to that entry of the activity.
    """

    name: str
    label: str
    effect: str
    value: bool
    inherited: bool
    can_inherit: bool
    inherit_label: str
    source: str
    others: Link | None = None
    changed: Link | None = None


class PermissionState(msgspec.Struct, frozen=True):
    """The settings in force after a change, or after one that was refused; unknown permissions are left out."""

    version: int | None
    toggles: list[Toggle]
    proof: str


@island("permission-toggles")
class PermissionTogglesProps(msgspec.Struct, frozen=True):
    """The five permissions of a clinic (switches) or a user, who can follow the clinic (a choice of three).

    `url` takes the form's POST; `version` is the one that was read, if any.
    """

    url: str
    legend: str
    version: int | None
    toggles: list[Toggle]
    proof: str = ""
    """Sent with a change: proof of the settings that this administrator saw (groups.views.permissions)."""


def permission_toggles(
    current: PermissionSet,
    *,
    url: str,
    owner_name: str,
    clinic: Clinic | None = None,
    clinic_settings: Mapping[str, Permission] | None = None,
    proof: str = "",
    changed: Mapping[str, Link] = NOTHING,
) -> PermissionTogglesProps:
    """Return the permissions in force, of a clinic or (without `clinic`) of a user, with the owner's name.

    `clinic_settings` are those that a user can follow.
    """
    return PermissionTogglesProps(
        url=url,
        # Translators: heading; %(name)s: name of a clinic or of a user.
        legend=_("Permissions for %(name)s") % {"name": isolated(owner_name)},
        version=current.version,
        toggles=_toggles(current, clinic, clinic_settings, changed),
        proof=proof,
    )


def permission_state(
    current: PermissionSet,
    *,
    clinic: Clinic | None,
    clinic_settings: Mapping[str, Permission] | None,
    proof: str,
    changed: Mapping[str, Link],
) -> PermissionState:
    """Return the permissions in force, of a clinic or (without `clinic`) of a user."""
    return PermissionState(current.version, _toggles(current, clinic, clinic_settings, changed), proof)


def change_links(last: Mapping[str, LastChange], tz: tzinfo) -> dict[str, Link]:
    """Return a text for each permission that says who set it last and when, with a link to the entry."""
    return {name: Link(_change_text(change, tz), entry_href(change.entry)) for name, change in last.items()}


def _change_text(last: LastChange, tz: tzinfo) -> str:
    author, date = last.entry.content.who, date_text(last.entry.at, tz)
    words = {"name": isolated(author or "–"), "date": isolated(date)}
    if last.change.new == INHERIT:
        # Translators: a label below a permission; name: of an administrator; date: such as Nov 22, 2026.
        return _("Reset to the clinic setting by %(name)s on %(date)s") % words
    if last.change.new == ON:
        # Translators: a label below a permission; name: of an administrator; date: such as Nov 22, 2026.
        return _("Turned on by %(name)s on %(date)s") % words
    # Translators: a label below a permission; name: of an administrator; date: such as Nov 22, 2026.
    return _("Turned off by %(name)s on %(date)s") % words


def permissions_as_sent(
    changes: Mapping[str, bool | None], *, version: int | None, proof: str, can_inherit: bool
) -> PermissionState:
    """Return the settings that these changes have made, for use when they can't be read.

    Permissions that now follow the clinic are left out, because its values are not known.
    """
    values = {name: Permission(value=value) for name, value in changes.items() if value is not None}
    toggles = [_toggle(name, permission, can_inherit=can_inherit) for name, permission in values.items()]
    return PermissionState(version, toggles, proof)


def permission_change_messages(
    names: Iterable[str], current: PermissionSet, *, owner_name: str, clinic: Clinic | None
) -> list[str]:
    """Return sentences for each of these permissions: its setting now, who it applies to, and who keeps another one."""
    return [
        sentence
        for name in names
        if name in current.permissions
        for sentence in (_change_message(name, current, owner_name, clinic), _unchanged_users(name, current))
        if sentence
    ]


def permission_choices(current: PermissionSet, *, can_inherit: bool) -> dict[str, str]:
    """Return permission -> on, off or inherit for the settings in force; "" if the service doesn't say."""
    return {name: _choice(current.permissions.get(name), can_inherit) for name in PERMISSIONS}


def permission_conflicts(in_force: Mapping[str, str], chosen: Mapping[str, str]) -> list[Difference]:
    """Return the permissions whose chosen setting is not the one in force."""
    names = {
        ON: _("On"),
        OFF: _("Off"),
        # Translators: choice for a user's permission: the setting of the clinic applies.
        INHERIT: _("Clinic setting"),
        "": "",
    }
    return [
        Difference(str(PERMISSIONS[name]), names.get(value, ""), names[in_force[name]])
        for name, value in chosen.items()
        if in_force[name] != value
    ]


def _toggles(
    current: PermissionSet,
    clinic: Clinic | None,
    clinic_settings: Mapping[str, Permission] | None,
    changed: Mapping[str, Link],
) -> list[Toggle]:
    """Return a toggle for each permission, with the link to its last change."""
    toggles = [
        _clinic_toggle(name, current, clinic) if clinic else _user_toggle(name, current, clinic_settings or {})
        for name in PERMISSIONS
    ]
    return [msgspec.structs.replace(toggle, changed=changed.get(toggle.name)) for toggle in toggles]


def _user_toggle(name: str, current: PermissionSet, clinic_settings: Mapping[str, Permission]) -> Toggle:
    permission = current.permissions.get(name)
    toggle = _toggle(name, permission, can_inherit=True)
    setting = permission if toggle.inherited else clinic_settings.get(name)
    if setting is None:
        return toggle
    # Translators: choice for a user's permission: the setting of the clinic applies, which is on.
    label = _("Clinic setting (on)") if setting.value else _("Clinic setting (off)")
    return msgspec.structs.replace(toggle, inherit_label=label)


def _clinic_toggle(name: str, current: PermissionSet, clinic: Clinic) -> Toggle:
    permission, overrides = current.permissions.get(name), current.override_counts.get(name)
    toggle = _toggle(name, permission, can_inherit=False)
    if permission is None:
        return toggle
    followers = _followers(name, current, clinic)
    if followers is None:
        reach = (
            # Translators: about a permission that is switched on for a clinic.
            _("On for this clinic's users, except those with their own setting.")
            if permission.value
            # Translators: about a permission that is switched off for a clinic.
            else _("Off for this clinic's users, except those with their own setting.")
        )
    elif permission.value:
        # Translators: about a permission that is switched on for a clinic.
        reach = ngettext("On for %(count)s user.", "On for %(count)s users.", followers) % {"count": followers}
    else:
        # Translators: about a permission that is switched off for a clinic.
        reach = ngettext("Off for %(count)s user.", "Off for %(count)s users.", followers) % {"count": followers}
    others = None
    if overrides and overrides.on + overrides.off:
        others = Link(_overrides_text(overrides), user_overrides_url(clinic.id, name))
    return msgspec.structs.replace(toggle, source=reach, others=others)


def _toggle(name: str, permission: Permission | None, *, can_inherit: bool) -> Toggle:
    """Return a toggle with the source of a user's setting; that of a clinic has none."""
    return Toggle(
        name=name,
        label=str(PERMISSIONS[name]),
        effect=str(PERMISSION_EFFECTS[name]),
        value=permission.value if permission else False,
        inherited=can_inherit and permission is not None and permission.follows_clinic,
        can_inherit=can_inherit,
        # Translators: choice for a user's permission: the setting of the clinic applies.
        inherit_label=_("Clinic setting") if can_inherit else "",
        source=_source(permission, can_inherit),
    )


def _overrides_text(overrides: OverrideCounts) -> str:
    """Return a text that counts the users who don't follow the clinic, by their own setting."""
    numbers = {
        "count": overrides.on + overrides.off,
        "on": number_text(overrides.on),
        "off": number_text(overrides.off),
    }
    if not overrides.off:
        # Translators: a link: users for whom a permission is set themselves, not by the clinic: on for all of them.
        text = ngettext(
            "%(count)s user has their own setting (on)",
            "%(count)s users have their own setting (all on)",
            overrides.on,
        )
    elif not overrides.on:
        # Translators: a link: users for whom a permission is set themselves, not by the clinic: off for all of them.
        text = ngettext(
            "%(count)s user has their own setting (off)",
            "%(count)s users have their own setting (all off)",
            overrides.off,
        )
    else:
        # Translators: a link; %(on)s and %(off)s: how many of these users have the permission on, and how many off.
        text = ngettext(
            "%(count)s user has their own setting (on: %(on)s, off: %(off)s)",
            "%(count)s users have their own setting (on: %(on)s, off: %(off)s)",
            overrides.on + overrides.off,
        )
    return text % numbers


def _followers(name: str, current: PermissionSet, clinic: Clinic) -> int | None:
    """Return how many users the clinic's setting reaches; None if the service's counts are missing or wrong."""
    overrides = current.override_counts.get(name)
    count = clinic.user_count - overrides.on - overrides.off if overrides else -1
    return count if count >= 0 else None


def _change_message(name: str, current: PermissionSet, owner_name: str, clinic: Clinic | None) -> str:
    permission = current.permissions[name]
    followers = _followers(name, current, clinic) if clinic else None
    words = {"permission": PERMISSIONS[name], "name": isolated(owner_name), "count": followers}
    if clinic is None and permission.follows_clinic:
        if permission.value:
            # Translators: %(permission)s: name of a permission, such as Allow export; %(name)s: a user.
            return _("“%(permission)s” is on for %(name)s (clinic setting).") % words
        # Translators: %(permission)s: name of a permission, such as Allow export; %(name)s: a user.
        return _("“%(permission)s” is off for %(name)s (clinic setting).") % words
    if clinic and clinic.user_count and followers == 0:
        return (
            # Translators: %(permission)s: name of a permission, such as Allow export; %(name)s: a clinic.
            _("“%(permission)s” is on for %(name)s, but no user follows the clinic setting.")
            if permission.value
            # Translators: %(permission)s: name of a permission, such as Allow export; %(name)s: a clinic.
            else _("“%(permission)s” is off for %(name)s, but no user follows the clinic setting.")
        ) % words
    if not followers:
        return (
            # Translators: %(permission)s: name of a permission, such as Allow export; %(name)s: a clinic or a user.
            _("“%(permission)s” is on for %(name)s.")
            if permission.value
            # Translators: %(permission)s: name of a permission, such as Allow export; %(name)s: a clinic or a user.
            else _("“%(permission)s” is off for %(name)s.")
        ) % words
    if permission.value:
        return (
            # Translators: %(permission)s: name of a permission, such as Allow export; %(name)s: a clinic.
            ngettext(
                "“%(permission)s” is on for %(count)s user in %(name)s.",
                "“%(permission)s” is on for %(count)s users in %(name)s.",
                followers,
            )
            % words
        )
    return (
        # Translators: %(permission)s: name of a permission, such as Allow export; %(name)s: a clinic.
        ngettext(
            "“%(permission)s” is off for %(count)s user in %(name)s.",
            "“%(permission)s” is off for %(count)s users in %(name)s.",
            followers,
        )
        % words
    )


def _unchanged_users(name: str, current: PermissionSet) -> str:
    """Return a sentence that counts the users whose own setting is the opposite of their clinic's; "" for none."""
    overrides, is_on = current.override_counts.get(name), current.permissions[name].value
    count = 0 if overrides is None else overrides.off if is_on else overrides.on
    if not count:
        return ""
    if is_on:
        # Translators: follows a sentence about a permission that was switched on for a clinic.
        return ngettext(
            "Still off for %(count)s user with their own setting.",
            "Still off for %(count)s users with their own setting.",
            count,
        )
    # Translators: follows a sentence about a permission that was switched off for a clinic.
    return ngettext(
        "Still on for %(count)s user with their own setting.",
        "Still on for %(count)s users with their own setting.",
        count,
    )


def _choice(permission: Permission | None, can_inherit: bool) -> str:
    if permission is None:
        return ""
    return INHERIT if can_inherit and permission.follows_clinic else ON if permission.value else OFF


def _source(permission: Permission | None, can_inherit: bool) -> str:
    if permission is None:
        return _("The service doesn't report whether this is on.")
    if not can_inherit:
        return ""
    if permission.follows_clinic:
        # Translators: the value of a user's permission, and where it comes from.
        return _("On (clinic setting)") if permission.value else _("Off (clinic setting)")
    # Translators: the value of a user's permission, and where it comes from: it is set for this user, not by the
    # clinic.
    return _("On (own setting)") if permission.value else _("Off (own setting)")
