"""The table of rules that the server and the browser share; static_src/lib/rules.test.ts runs the same examples."""

import pytest
from django import forms
from django.core.exceptions import ValidationError

from console.forms.fields import EmailField, NameField, NewPasswordField, WholeNumberField
from console.forms.rules import MAX_PASSWORD_LENGTH, PASSWORD_RULES, SHORTEST_PASSWORD, TABLE, broken_rules
from tests.support.cost import is_linear

EACH = TABLE["password"]["each_character"]


def error_messages(field, text):
    """Return the errors of a field for an input; none if it is valid."""
    try:
        field.clean(text)
    except ValidationError as error:
        return error.messages
    return []


def cleaned(field, text):
    """Return the value of an input; None if it is refused or empty."""
    try:
        return field.clean(text)
    except ValidationError:
        return None


@pytest.mark.req("VA-01", "VA-02", "VA-03", "VA-04", "VA-05", "VA-06", "VA-07", "VA-37", "CO-01", "CO-02")
@pytest.mark.parametrize("example", TABLE["password"]["examples"], ids=lambda example: ascii(example["typed"]))
def test_a_new_password_breaks_the_rules_that_the_table_says(example):
    assert [rule.name for rule in broken_rules(example["typed"])] == example["broken"]


@pytest.mark.req("VA-07", "VA-37")
def test_each_printable_ascii_character_is_classified():
    characters = EACH["symbols"] + EACH["no_symbols"] + EACH["refused"]
    assert sorted(characters) == [chr(code) for code in range(32, 127)]
    broken = {c: [rule.name for rule in broken_rules(EACH["after"] + c)] for c in characters}
    assert {c for c in characters if broken[c] == []} == set(EACH["symbols"])
    assert {c for c in characters if broken[c] == ["symbol"]} == set(EACH["no_symbols"])
    assert {c for c in characters if broken[c] == ["symbol", "characters"]} == set(EACH["refused"])


@pytest.mark.req("VA-01", "VA-16", "VA-17", "CO-01")
def test_an_invalid_new_password_is_reported_with_each_broken_rule():
    assert error_messages(NewPasswordField(label="Password"), "Pass!") == [
        "Invalid password",
        "Enter at least 8 characters",
        "Use at least one number",
    ]


@pytest.mark.req("VA-02", "CO-02")
def test_the_error_of_a_long_password_names_the_limit():
    assert error_messages(NewPasswordField(label="Password"), "Demo123!" * 3) == [
        "Invalid password",
        "Enter up to 16 characters",
    ]


@pytest.mark.req("VA-15")
def test_a_missing_password_is_reported():
    assert error_messages(NewPasswordField(label="Password"), "") == ["Enter password"]


def test_the_numbers_in_the_sentences_are_those_of_the_patterns():
    shortest, maximum = (next(r for r in PASSWORD_RULES if r.name == name) for name in ("shortest", "longest"))
    assert [shortest.is_met("x" * n) for n in (SHORTEST_PASSWORD - 1, SHORTEST_PASSWORD)] == [False, True]
    assert [maximum.is_met("x" * n) for n in (MAX_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH + 1)] == [True, False]


@pytest.mark.req("VA-09", "AX-05")
def test_a_password_manager_knows_a_new_password():
    form = type("Form", (forms.Form,), {"password": NewPasswordField(label="Password")})()
    assert 'autocomplete="new-password"' in str(form["password"])
    assert "maxlength" not in str(form["password"]), "a pasted password is never cut"


@pytest.mark.req("VA-34", "VA-37")
@pytest.mark.parametrize("example", TABLE["email"]["examples"], ids=lambda example: ascii(example["typed"]))
def test_an_email_is_what_the_table_says(example):
    assert cleaned(EmailField(label="Email"), example["typed"]) == example["email"]


@pytest.mark.req("VA-34", "VA-37")
def test_an_email_has_254_characters_at_most():
    long = "a" * (TABLE["email"]["longest"] - len("@b.example")) + "@b.example"
    assert cleaned(EmailField(label="Email"), long) == long
    assert cleaned(EmailField(label="Email"), "a" + long) is None


@pytest.mark.req("VA-35", "VA-37")
@pytest.mark.parametrize("example", TABLE["name"]["examples"], ids=lambda example: ascii(example["typed"]))
def test_a_name_is_what_the_table_says(example):
    assert cleaned(NameField(label="Name"), example["typed"]) == example["name"]


@pytest.mark.req("VA-35", "VA-37")
def test_a_name_has_100_characters_at_most():
    maximum = TABLE["name"]["longest"]
    assert cleaned(NameField(label="Name"), "김" * maximum) == "김" * maximum
    assert cleaned(NameField(label="Name"), "김" * (maximum + 1)) is None


@pytest.mark.req("VA-36", "VA-37")
@pytest.mark.parametrize("example", TABLE["number"]["examples"], ids=lambda example: ascii(example["typed"]))
def test_a_number_is_what_the_table_says(example):
    assert cleaned(WholeNumberField(label="Number"), example["typed"]) == example["number"]


@pytest.mark.req("SEC-02")
@pytest.mark.parametrize("run", ["a", "1", "!", " ", "é", "a1", "a1!", "!a", "\n"])
def test_the_cost_of_a_password_is_linear_in_its_length(run):
    assert is_linear(broken_rules, lambda length: run * (length // len(run)))
