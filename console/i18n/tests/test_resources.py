"""The texts that an island fetches: in the language of the page, and cached by content."""

import gzip
import json

import pytest
from django.http import Http404
from django.test import RequestFactory

from console.i18n import catalogs, resources
from console.i18n.languages import TABLE
from console.i18n.resources import island_messages, island_resources, resources_url, texts


def test_the_url_in_the_page_returns_texts_that_a_browser_may_cache(client):
    client.cookies["i18next"] = "de-DE"
    response = client.get(resources_url("fr-FR") + "?lng=ko-KR")

    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response["Content-Type"] == "application/json"
    assert response["ETag"].strip('"') in resources_url("fr-FR")
    assert not {"Cookie", "Accept-Language"} & set(response.get("Vary", "").split(", "))
    assert not response.cookies
    assert isinstance(json.loads(response.content), dict)


def test_an_old_url_returns_the_current_texts_uncached(client, db):
    response = client.get("/i18n/fr-FR/000000000000.json")

    assert response["Cache-Control"] == "no-store"
    assert response.content == client.get(resources_url("fr-FR")).content


@pytest.mark.parametrize("tag", ["xx-XX", "fr", "fr-fr", "../fr-FR"])
def test_an_unknown_language_is_not_found(tag):
    with pytest.raises(Http404):
        island_resources(RequestFactory().get("/"), tag, "0")


def test_an_edit_changes_the_url(publish_text):
    message = island_messages()[0] if island_messages() else None
    assert message, "no island has a text"
    before = resources_url("fr-FR"), resources_url("de-DE")

    publish_text("fr", {message: "X" + message[1]})
    catalogs.refresh()

    assert resources_url("fr-FR") != before[0]
    assert resources_url("de-DE") == before[1]


def test_only_translated_texts_are_sent(publish_text):
    messages = [(None, "Save", None), ("verb", "Open", None), (None, "%(count)s file", "%(count)s files")]
    assert texts("ru-RU", messages) == {}

    publish_text("ru", dict(zip(messages, ["Сохранить", "Открыть", "%(count)s файл"], strict=True)))
    catalogs.refresh()

    assert texts("ru-RU", messages) == {
        "Save": "Сохранить",
        "Open\x04verb": "Открыть",
        "%(count)s file\x05one": "%(count)s файл 0",
        "%(count)s file\x05few": "%(count)s файл 1",
        "%(count)s file\x05many": "%(count)s файл 2",
        "%(count)s file\x05other": "%(count)s файл 1",
    }


def test_there_is_a_sample_for_each_category_of_each_language():
    assert list(resources.SAMPLES) == [language.tag for language in TABLE]
    assert set(resources.SAMPLES["ar-EG"]) == {"zero", "one", "two", "few", "many", "other"}


@pytest.mark.parametrize("language", TABLE[1:], ids=lambda language: language.tag)
def test_the_texts_of_a_language_are_small(publish_text, language):
    """At most 20 kB compressed, measured with texts 50% longer than the English ones."""
    longer = {message: (message[2] or message[1]) + "ü" * (len(message[1]) // 2) for message in island_messages()}
    publish_text(language.code, longer)
    catalogs.refresh()

    assert len(gzip.compress(resources.resources(language.tag)[1])) < 20_000
