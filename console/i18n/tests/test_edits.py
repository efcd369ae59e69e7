"""Edits of translators in a process: when they are detected, their cost, and the effect of a broken database."""

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import gettext, ngettext, override, pgettext

from console.i18n import catalogs, edits
from console.models import Edit, EditVersion

CLINICS = "/user-manage/clinic"


pytestmark = [pytest.mark.usefixtures("live_catalogs"), pytest.mark.sql, pytest.mark.req("SEC-105")]


def change(text, *forms, code="de", plural="", context=""):
    """As another host stores it."""
    key = (context or None, text, plural)
    Edit.objects.create(
        code=code,
        message=edits.message_hash(key),
        context=context,
        text=text,
        plural=plural,
        forms=list(forms),
        former=[],
        author="Mara",
        state=Edit.State.PUBLISHED,
    )
    version = EditVersion.objects.first() or EditVersion()
    version.number += 1
    version.save()


@pytest.mark.django_db
def test_texts_plurals_and_contexts_are_laid_over_the_catalog():
    change("Save", "Sichern!")
    change("%(count)s clinic", "%(count)s Praxis!", "%(count)s Praxen!", plural="%(count)s clinics")
    change("Approved", "Ja!", context="state")
    change("Save", "Keep!", code="en")
    catalogs.sync(at_once=True)
    with override("de"):
        assert gettext("Save") == "Sichern!"
        assert [ngettext("%(count)s clinic", "%(count)s clinics", n) for n in (1, 2)] == [
            "%(count)s Praxis!",
            "%(count)s Praxen!",
        ]
        assert pgettext("state", "Approved") == "Ja!"
        assert gettext("Delete") == "Löschen"
    with override("en"):
        assert gettext("Save") == "Keep!"
    edits.clear_cache()
    catalogs.refresh()
    with override("de"):
        assert gettext("Save") == "Speichern"


@pytest.mark.parametrize(
    ("fixture", "path", "text"), [("client", "/login", "Log in"), ("admin_client", CLINICS, "Add clinic")]
)
def test_a_page_looks_at_most_once_a_second(request, upstream, db, monkeypatch, fixture, path, text):
    clock = [100.0]
    client = request.getfixturevalue(fixture)
    upstream.has_clinic()
    monkeypatch.setattr("console.i18n.edits.time.monotonic", lambda: clock[0])
    edits.clear_cache()
    client.get(path, {"lng": "de-DE"})
    change(text, "Herein")
    with CaptureQueriesContext(connection) as queries:
        assert "Herein" not in client.get(path, {"lng": "de-DE"}).content.decode()
    assert not [query for query in queries if "edit_version" in query["sql"]]
    clock[0] += edits.SECONDS
    assert "Herein" in client.get(path, {"lng": "de-DE"}).content.decode()


def test_a_database_that_can_not_be_read_breaks_no_page(client, db, monkeypatch):
    change("Log in", "Herein")
    edits.clear_cache()
    client.get("/login?lng=de-DE")

    def fail(*_, **__):
        raise DatabaseError

    monkeypatch.setattr(EditVersion.objects, "values_list", fail)
    edits.known.next_check = 0
    assert "Herein" in client.get("/login?lng=de-DE").content.decode()
    monkeypatch.undo()
    assert not edits.sync(), "the database is not read again within the interval"


@pytest.mark.django_db
def test_an_unknown_version_of_the_islands_texts_is_looked_for_once(client):
    edits.known.next_check = float("inf")
    change("Undo", "Zurück damit")
    with CaptureQueriesContext(connection) as first:
        answer = client.get("/i18n/de-DE/0123456789ab.json")
    assert "Zurück damit" in answer.content.decode()
    assert answer.headers["Cache-Control"] == "no-store"
    assert len([query for query in first if "edit_version" in query["sql"]]) == 1
    with CaptureQueriesContext(connection) as second:
        client.get("/i18n/de-DE/0123456789ab.json")
    assert len(second) == 0


@pytest.mark.django_db
def test_the_language_pack_has_another_name_as_soon_as_a_text_is_changed():
    before = catalogs.version()
    change("Undo", "Zurück damit")
    catalogs.sync(at_once=True)
    assert catalogs.version() != before


@pytest.mark.django_db
def test_a_request_that_began_before_another_thread_noticed_has_it_too():
    with override("de"):
        change("Save", "Sichern!")
        edits.sync(at_once=True)  # as another thread does
        assert gettext("Save") == "Speichern"
        catalogs.sync()
        assert gettext("Save") == "Sichern!"


@pytest.mark.django_db
def test_what_is_no_longer_let_through_is_left_out():
    change("%(count)s clinic", "%(zahl)s Praxis", "%(zahl)s Praxen", plural="%(count)s clinics")
    change("Save", "Sichern!")
    catalogs.sync(at_once=True)
    catalogs.refresh()
    with override("de"):
        assert ngettext("%(count)s clinic", "%(count)s clinics", 2) == "%(count)s Praxen"
        assert gettext("Save") == "Sichern!"
