"""The fields for names and whole numbers."""

import pytest
from django import forms
from django.core.exceptions import ValidationError

from console.forms.fields import EmailField, NameField, WholeNumberField
from console.forms.versioned import VersionedForm

NAME = NameField(label="Name")
COUNT = WholeNumberField(label="Number of dentists")


@pytest.mark.req("VA-35")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Clinic A \n", "Clinic A"),
        ("\u00a0\u3000Clinic\u3000", "Clinic"),
        ("Cafe\u0301", "Café"),
        ("a\u202eb\u2066c\u2069\u200f", "abc"),
        ("\u200e Clinic \u061c", "Clinic"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("x" * 100, "x" * 100),
        (" " + "é" * 100 + " ", "é" * 100),
        ("e\u0301" * 100, "é" * 100),
    ],
)
def test_a_name_is_trimmed_and_normalized(text, expected):
    assert NAME.clean(text) == expected


@pytest.mark.req("VA-35")
@pytest.mark.parametrize(
    "text", ["", "   ", None, "\u200e\u202e", "x" * 101, "a\x00b", "a\nb", "a\tb", "a\x7fb", "a\x85b"]
)
def test_an_invalid_name_is_refused(text):
    with pytest.raises(ValidationError):
        NAME.clean(text)


@pytest.mark.req("VA-35")
def test_the_refusal_says_which_name():
    with pytest.raises(ValidationError, match="Enter name"):
        NAME.clean(" ")
    with pytest.raises(ValidationError, match="Invalid name"):
        NAME.clean("a\x00b")


def test_a_name_that_is_not_required_may_be_empty():
    assert NameField(label="Name", required=False).clean("  ") == ""


@pytest.mark.req("VA-36")
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        (" 9999 ", 9999),
        ("007", 7),
        ("٣٤", 34),
        ("۱۲", 12),
        ("\u200f٥", 5),
        ("१२३", 123),
        ("１２", 12),
        (12, 12),
        ("", None),
        (None, None),
        ("  ", None),
    ],
)
def test_a_number_may_be_typed_in_the_digits_of_any_script(text, number):
    assert COUNT.clean(text) == number


@pytest.mark.req("VA-36")
@pytest.mark.parametrize(
    "text", ["10000", "-1", "+1", "1.0", "1,5", "1_0", "1e3", "½", "²", "five", "9" * 5000, "٩٩٩٩٩", "1 2"]
)
def test_anything_but_a_whole_number_up_to_9999_is_refused(text):
    with pytest.raises(ValidationError, match=r"Enter a whole number from 0 to 9999\."):
        COUNT.clean(text)


class Person(forms.Form):
    name = NameField(label="Name")
    email = EmailField(label="Email", required=False)
    user_type = forms.ChoiceField(choices=(("", "Choose a type"), ("STAFF", "Staff")))


def test_names_are_typed_in_their_own_direction_and_addresses_from_left_to_right():
    assert 'dir="auto"' in str(Person()["name"])
    assert 'dir="ltr"' in str(Person()["email"])


def test_a_required_field_is_not_invalid_before_it_is_sent():
    assert 'aria-invalid="false"' in str(Person()["user_type"])
    assert "aria-invalid" not in str(Person()["email"])
    assert 'aria-invalid="true"' in str(Person({"name": "A", "user_type": ""})["user_type"])


class RequiresAny(Person):
    requires_any = True


def with_focus(form):
    return [field.name for field in form if " autofocus" in str(field)]


def test_the_first_empty_field_that_a_new_form_requires_has_the_focus():
    assert with_focus(Person()) == ["name"]
    assert with_focus(Person(initial={"name": "Ada"})) == ["user_type"]
    assert with_focus(RequiresAny(initial={"name": "Ada"})) == ["email"]
    assert with_focus(Person(initial={"name": "Ada", "user_type": "STAFF"})) == []


def test_a_form_with_errors_or_of_something_stored_leaves_the_focus_alone():
    class Change(VersionedForm, Person):
        pass

    assert with_focus(Person({"name": ""})) == []
    assert with_focus(Change(stored=3)) == []
    assert with_focus(Change()) == ["name"], "it adds something"
