"""Tests over many cases name each case that fails, and need as many cases as they expect."""

import pytest
from django.test import Client

from console.models import Draft
from tests.support.cases import faults, rolled_back

pytestmark = pytest.mark.sql


def check(number):
    assert number % 2, f"{number} is even"
    return 6 / (number - 5)


def test_each_case_that_fails_is_named_with_its_error():
    errors = faults([1, 2, 3, 5, 8], check, at_least=5)
    assert list(errors) == ["2", "5", "8"]
    assert errors["2"].startswith("AssertionError: 2 is even")
    assert errors["5"] == "ZeroDivisionError: division by zero"


def test_fewer_cases_than_expected_are_a_failure():
    with pytest.raises(AssertionError, match="1 cases, at least 2 expected"):
        faults([1], check, at_least=2)


@pytest.mark.django_db
def test_a_case_leaves_neither_rows_nor_cookies():
    client = Client()
    client.cookies["kept"] = "1"
    with rolled_back(client):
        Draft.objects.create(key="k", content="x")
        client.cookies["kept"] = client.cookies["other"] = "2"
    assert not Draft.objects.exists()
    assert {name: morsel.value for name, morsel in client.cookies.items()} == {"kept": "1"}
