"""No password and no token is recorded: entries have only fields with a label, and none of those is secret."""

import importlib
import pkgutil

import pytest
from django import forms

from console.audit.record import form_changes
from console.web.contributions import contributed

SECRET = ("password", "token", "secret", "csrf", "proof", "typed_name", "form_id")


def all_forms():
    """Yield the forms of all apps."""
    for app in ("accounts", "groups", "scanners", "partners", "overview", "notifications"):
        package = importlib.import_module(app)
        for module_info in pkgutil.walk_packages(package.__path__, f"{app}."):
            if ".forms" in module_info.name:
                module = importlib.import_module(module_info.name)
                yield from (
                    form
                    for form in vars(module).values()
                    if isinstance(form, type) and issubclass(form, forms.BaseForm)
                )


@pytest.mark.req("SEC-111")
def test_no_kind_registers_a_secret_field():
    recorded = {name for kind in contributed().activity.values() for name in kind.fields}
    assert recorded
    assert not [name for name in recorded if any(part in name for part in SECRET)]
    hidden = {
        name
        for form in all_forms()
        for name, field in getattr(form, "base_fields", {}).items()
        if isinstance(field.widget, forms.PasswordInput) or "password" in name
    }
    assert hidden, "there are such fields"
    assert not recorded & hidden


@pytest.mark.req("SEC-111")
def test_a_field_without_a_label_is_not_recorded():
    class Form(forms.Form):
        name = forms.CharField()
        current_password = forms.CharField(widget=forms.PasswordInput)

    form = Form({"name": "Front", "current_password": "Demo123!"})
    assert form.is_valid()
    for kind in contributed().activity:
        assert {change.field for change in form_changes(form, kind)} <= {"name"}


def test_each_kind_has_labels_for_its_actions_and_fields():
    for code, kind in contributed().activity.items():
        assert code == kind.code
        assert str(kind.label)
        assert all(str(label) for label in (*kind.actions.values(), *kind.fields.values()))
