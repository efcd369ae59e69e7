"""Changes of permissions and of labs to order from, for audit entries."""

from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import gettext_lazy

from console.audit.content import Change, Ref
from console.audit.record import AuditAction
from groups.labels import PERMISSIONS
from upstream.resources.permissions import PermissionSet

SETTINGS = {"on": gettext_lazy("On"), "off": gettext_lazy("Off"), "inherit": gettext_lazy("Clinic setting")}
"""The values of a permission as they are stored, with their labels."""


def permission_changes(chosen: Mapping[str, str], was: Mapping[str, str]) -> list[Change]:
    """Return a change for each chosen permission; its old value is None if the sender didn't see one."""
    return [Change(name, was.get(name) if was.get(name) in SETTINGS else None, new) for name, new in chosen.items()]


def lab_changes(current: PermissionSet, changes: Mapping[str, bool]) -> list[Change]:
    """Return the labs that a clinic may order from as one change, before and after, by name; empty without changes."""
    before = [lab.lab_name for lab in current.order_labs if lab.allowed]
    after = [lab.lab_name for lab in current.order_labs if changes.get(lab.lab_id, lab.allowed)]
    return [Change("order_labs", before, after)] if changes else []


def permission_mark(settings: Mapping[str, bool]) -> Ref:
    """Return the permissions of a row in a short form, because a plan carries it for thousands of rows."""
    words = {True: "on", False: "off", None: ""}
    return Ref(",".join(words[settings.get(name)] for name in PERMISSIONS))


def chosen_permissions(
    action: AuditAction, was: Ref, options: Mapping[str, str], names: Mapping[str, str]
) -> AuditAction:
    """Add the chosen permissions to an entry, with the old values that the list has read (`permission_mark`)."""
    chosen = {name: options[name] for name in PERMISSIONS if options.get(name)}
    before = dict(zip(PERMISSIONS, was.id.split(","), strict=False))
    preset = options.get("preset", "")
    by = [Change("preset", None, names.get(preset, preset))] if preset else []
    return replace(action, changes=[*by, *permission_changes(chosen, before)])
