"""The table of languages, and Django's support for each of them."""

import datetime

import pytest
from django.conf import settings
from django.utils import formats, translation
from django.utils.translation import gettext, to_locale

from console.i18n import po
from console.i18n.languages import DEFAULT, TABLE

SPECIFIED = """
    en-US ko-KR fr-FR zh-CN it-IT zh-TW ja-JP es-ES de-DE ru-RU pt-BR ro-RO el-GR tr-TR cs-CZ pl-PL ar-EG sv-SE nl-NL
    th-TH vi-VN
"""


@pytest.mark.req("LN-30")
def test_the_table_has_the_languages_of_the_specification_and_is_the_setting():
    assert [language.tag for language in TABLE] == SPECIFIED.split()
    assert list(settings.LANGUAGES) == [(language.code, language.name) for language in TABLE]
    assert settings.LANGUAGE_CODE == DEFAULT.code == "en"


def test_each_language_has_a_shipped_catalog_and_there_are_no_others():
    folders = {path.name for path in po.SHIPPED.iterdir() if path.is_dir()}

    assert folders == {to_locale(language.code) for language in TABLE}


@pytest.mark.req("LN-32", "LN-20")
@pytest.mark.parametrize("language", TABLE[1:], ids=lambda language: language.tag)
def test_django_speaks_the_language_and_writes_its_dates(language):
    with translation.override(language.code):
        assert gettext("This field is required.") != "This field is required."
        date = formats.date_format(datetime.date(2026, 11, 21))
    assert "2026" in date
    assert "Nov. 21" not in date
