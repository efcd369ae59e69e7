"""Countries: in the reader's language, in its order."""

import pytest
from django.utils import translation

from console.l10n.collation import in_order, orders
from console.l10n.countries import countries, country_name
from console.l10n.languages import languages
from console.l10n.zones import zones
from console.management.commands.orders import codes_in_order


@pytest.mark.parametrize(("language", "name"), [("en", "Germany"), ("de", "Deutschland"), ("ar", "ألمانيا")])
def test_countries_have_their_names_in_the_readers_language(language, name):
    with translation.override(language):
        assert ("DE", name) in countries()


def test_countries_are_sorted_by_name_whatever_its_accents():
    with translation.override("en"):
        names = [name for _, name in countries()]
    assert names.index("Afghanistan") < names.index("Åland Islands") < names.index("Albania")
    assert names.index("Peru") < names.index("Türkiye") < names.index("Zimbabwe")


@pytest.mark.req("LN-32")
@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("pl", ["Litwa", "Luksemburg", "Łotwa", "Macedonia Północna", "Świętej Heleny", "Zambia"]),
        ("sv", ["Albanien", "Zimbabwe", "Åland", "Österrike"]),
        ("cs", ["Chile", "Chorvatsko", "Indie"]),
        ("de", ["Oman", "Österreich", "Osttimor"]),
        ("es", ["Nueva Zelanda", "Omán"]),
        ("zh-hans", ["阿富汗", "巴西", "德国", "中国"]),
        ("zh-hant", ["土耳其", "不丹", "德國"]),
        ("th", ["กรีซ", "เกาหลีใต้", "ไทย"]),
    ],
)
def test_countries_are_sorted_as_the_language_sorts(language, names):
    with translation.override(language):
        sorted_names = [name for _, name in countries()]
    assert [name for name in sorted_names if name in names] == [name for name in names if name in sorted_names]
    assert len(set(names) & set(sorted_names)) > 1


@pytest.mark.req("LN-32")
@pytest.mark.parametrize("named", [countries, languages])
def test_the_order_is_that_of_the_unicode_locale_data(named):
    assert codes_in_order(named) == orders()[named.__name__]


def test_every_zone_has_a_city_and_unknown_codes_come_last():
    for language, order in orders()["zones"].items():
        with translation.override(language):
            names_by_zone = dict(zones())
        assert list(names_by_zone) == [code for code in order.split() if code in names_by_zone]
    with translation.override("en"):
        assert [code for code, _ in in_order("languages", {"xx": "xx", "pt-BR": "b", "ko": "c", "pt": "a"})] == [
            "ko", "pt", "pt-BR", "xx"
        ]  # fmt: skip


def test_unions_and_test_codes_are_no_countries():
    codes = {code for code, _ in countries()}
    assert {"KR", "US", "EG", "XK"} <= codes
    assert not {"EU", "UN", "ZZ", "XA", "001"} & codes


def test_an_unknown_code_is_shown_as_it_is():
    assert country_name("Q9") == "Q9"
