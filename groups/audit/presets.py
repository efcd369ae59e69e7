"""Audit entries of permission presets."""

from django.forms import BaseForm

from console.audit.content import Ref
from console.audit.record import AuditAction, form_changes
from groups.models import Preset


def preset_action(action: str, preset: Preset | None, form: BaseForm | None = None) -> AuditAction:
    """Return the audit entry of an action on a preset; without `preset` it is a new one."""
    target = Ref(preset.id, preset.name) if preset else Ref("", form.cleaned_data["name"] if form else "")
    return AuditAction("preset", action, target, changes=form_changes(form, "preset") if form else [])
