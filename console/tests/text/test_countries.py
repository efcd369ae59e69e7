"""Countries: in the reader's language, in its order."""

import pytest
from django.utils import translation

from console.text.countries import countries, country_name


@pytest.mark.parametrize(("language", "name"), [("en", "Germany"), ("de", "Deutschland"), ("ar", "ألمانيا")])
def test_countries_have_their_names_in_the_readers_language(language, name):
    with translation.override(language):
        assert ("DE", name) in countries()


def test_countries_are_sorted_by_name_whatever_its_accents():
    with translation.override("en"):
        names = [name for _, name in countries()]
    assert names.index("Afghanistan") < names.index("Åland Islands") < names.index("Albania")
    assert names.index("Peru") < names.index("Türkiye") < names.index("Zimbabwe")


def test_unions_and_test_codes_are_no_countries():
    codes = {code for code, _ in countries()}
    assert {"KR", "US", "EG", "XK"} <= codes
    assert not {"EU", "UN", "ZZ", "XA", "001"} & codes


def test_a_code_that_nobody_knows_is_shown_as_it_is():
    assert country_name("Q9") == "Q9"
