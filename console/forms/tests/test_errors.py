"""Refusals of the service have the texts of the specification."""

import pytest
from django import forms

from console.forms.errors import add_field_errors
from upstream.errors import Code, FieldError, Refused


class AccountForm(forms.Form):
    email = forms.EmailField(label="Email")
    name = forms.CharField(label="Organization name")
    current_password = forms.CharField(label="Current password")
    new_password = forms.CharField(label="New password")


def field_errors(error):
    form = AccountForm({"email": "a@b.example", "name": "A", "current_password": "x", "new_password": "y"})
    assert form.is_valid()
    add_field_errors(form, error)
    return {name: list(errors) for name, errors in form.errors.items()}


@pytest.mark.req("VA-20", "ER-15")
@pytest.mark.parametrize(
    ("code", "field", "text"),
    [
        (Code.EMAIL_UNCHANGED, "email", "This email is the same as your current one"),
        (Code.ORGANIZATION_NAME_UNCHANGED, "name", "This organization name is the same as your current one"),
        (Code.PASSWORD_UNCHANGED, "new_password", "Your new password cannot be the same as your current one."),
        (Code.CURRENT_PASSWORD_WRONG, "current_password", "The password does not match."),
    ],
)
def test_each_code_has_its_sentence_at_its_field(code, field, text):
    assert field_errors(Refused(code=code, fields=(FieldError(field, code),))) == {field: [text]}


@pytest.mark.req("ER-15")
@pytest.mark.parametrize(
    ("code", "field"), [(Code.PASSWORD_UNCHANGED, "new_password"), (Code.CURRENT_PASSWORD_WRONG, "current_password")]
)
def test_a_code_about_one_field_is_added_to_that_field(code, field):
    assert list(field_errors(Refused(code=code))) == [field]
