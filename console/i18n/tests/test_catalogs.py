"""A changed catalog is used by the next request; a broken one never breaks a page."""

import logging
import os
import threading

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils.translation import gettext, override

from console.i18n import catalogs, po
from console.i18n.detect import LanguageMiddleware


@pytest.fixture
def page():
    """Get a text of a page from a console in one process."""
    handler = LanguageMiddleware(lambda request: HttpResponse(gettext("Save changes")))

    def get(tag: str = "fr-FR") -> str:
        response = handler(RequestFactory().get("/", {"lng": tag}))
        assert response.status_code == 200
        return response.content.decode()

    return get


@pytest.mark.parametrize("code", ["fr", "en"])
def test_an_edit_is_in_the_next_page(page, publish_text, code):
    tag = {"fr": "fr-FR", "en": "en-US"}[code]
    assert page(tag) == "Save changes"

    publish_text(code, {"Save changes": "First"})
    assert page(tag) == "First"

    publish_text(code, {"Save changes": "Other"})  # the same length, possibly within the same clock tick
    assert page(tag) == "Other"


def test_an_edit_of_the_default_language_is_the_fallback_of_the_others(page, publish_text):
    publish_text("en", {"Save changes": "Keep changes"})

    assert page("de-DE") == "Keep changes"


def test_a_broken_catalog_leaves_the_old_texts(page, live, publish_text, caplog):
    publish_text("fr", {"Save changes": "Enregistrer"})
    assert page() == "Enregistrer"
    path = po.catalog_path(live, "fr", "mo")
    whole = path.read_bytes()

    with caplog.at_level(logging.ERROR):
        po.write(path, whole[: len(whole) // 2])
        assert page() == "Enregistrer"
    assert "catalog" in caplog.text

    po.write(path, whole.replace(b"Enregistrer", b"Sauvegarder"[:11]))
    assert page() == "Sauvegarder"


@pytest.mark.parametrize("code", ["fr", "en"])
@pytest.mark.parametrize("content", [b"", b"\xde\x12\x04\x95", b"not a catalog", b"\xde\x12\x04\x95" + b"\xff" * 40])
def test_a_process_that_starts_with_a_broken_catalog_answers_in_english(live, publish_text, caplog, code, content):
    po.write(po.catalog_path(live, code, "mo"), content)

    handler = LanguageMiddleware(lambda request: HttpResponse(gettext("Save changes")))
    assert handler(RequestFactory().get("/?lng=fr")).content == b"Save changes"
    assert "catalog" in caplog.text

    publish_text("fr", {"Save changes": "Enregistrer"})
    assert handler(RequestFactory().get("/?lng=fr")).content.decode() == "Enregistrer"


def test_a_missing_catalog_is_english_until_it_is_back(page, live, publish_text):
    publish_text("fr", {"Save changes": "Enregistrer"})
    assert page() == "Enregistrer"

    os.rename(live, live.with_name("away"))
    assert page() == "Save changes"

    os.rename(live.with_name("away"), live)
    assert page() == "Enregistrer"


def test_a_changed_catalog_is_loaded_once_and_replaces_the_one_that_django_uses(publish_text):
    catalogs.refresh()
    publish_text("de", {"Save changes": "Speichern"})

    assert catalogs.refresh()
    assert not catalogs.refresh()
    with override("de"):
        assert gettext("Save changes") == "Speichern"


def test_a_page_that_another_thread_renders_keeps_its_language_while_catalogs_change(publish_text):
    publish_text("fr", {"Save changes": "Enregistrer"})
    catalogs.refresh()
    texts = []
    with override("fr"):
        texts.append(gettext("Save changes"))
        publish_text("fr", {"Save changes": "Sauvegarder"})
        thread = threading.Thread(target=catalogs.refresh)
        thread.start()
        thread.join()
        texts.append(gettext("Save changes"))

    assert texts == ["Enregistrer", "Enregistrer"]


@pytest.mark.req("RT-08")
def test_the_language_pack_has_another_name_as_soon_as_a_text_is_published(publish_text):
    names = [catalogs.version()]
    for text in ("First", "Other", "First"):
        publish_text("fr", {"Save changes": text})
        names.append(catalogs.version())
    assert len(set(names)) == 3
    assert names[1] == names[3], "the same texts, on whichever host"
