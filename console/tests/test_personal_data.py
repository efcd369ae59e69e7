"""The table of stored data (docs/threat-model.md) names every field of every model, and how it is stored."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.hashers import identify_hasher
from django.db.models import TextField
from django.db.models.functions import Cast
from django.test import Client

from console.config.encryption import EncryptedTextField, decrypt_text
from console.models import Translator
from console.sessions.identity import identity_key, sign_sender
from console.sessions.models import Grant
from tests.support import factories
from translations.accounts import set_password

pytestmark = [pytest.mark.req("SEC-48", "SEC-62"), pytest.mark.sql]

CONSOLE_MODELS = {
    model._meta.db_table: model for model in apps.get_models() if not model.__module__.startswith("django.")
}
PAGE = "/user-manage/clinic/new"
CLINIC_NAME = "Zahnarztpraxis am Park"
PERSONAL = (
    *("admin@demo.example", "Demo123!", CLINIC_NAME, "Firefox", "ABC-123", "127.0.0.1"),
    *(str(factories.ADMIN[name]) for name in ("name", "email") if factories.ADMIN.get(name)),
)
ONLY_TRANSLATORS = {"translator", "translator_login", "edit", "edit_version"}
WITHOUT_PERSONAL_DATA = {"purge"}


class Row(NamedTuple):
    """A row of the document's table about a table of the database."""

    table: str
    fields: tuple[str, ...]
    stored: str


def rows() -> list[Row]:
    text = (settings.BASE_DIR / "docs" / "threat-model.md").read_text("utf-8")
    matches = re.findall(r"^\| `(\w+)` \| ([^|]+) \|[^|]*\| ([^|]+) \|[^|]*\|$", text, re.MULTILINE)
    return [Row(table, tuple(re.findall(r"`(\w+)`", fields)), stored) for table, fields, stored in matches]


ROWS = rows()


@pytest.mark.parametrize("table", CONSOLE_MODELS)
def test_each_field_of_each_model_is_in_the_table_once(table):
    listed = [field for row in ROWS if row.table == table for field in row.fields]
    assert sorted(listed) == sorted(field.name for field in CONSOLE_MODELS[table]._meta.concrete_fields)


def test_the_table_names_only_existing_tables_and_known_ways_of_storing():
    assert {row.table for row in ROWS} == set(CONSOLE_MODELS)
    assert {row.stored for row in ROWS} == {"encrypted", "hash", "keyed hash", "clear"}


def test_fields_that_the_table_calls_encrypted_are_encrypted():
    encrypted = {(row.table, field) for row in ROWS if row.stored == "encrypted" for field in row.fields}
    known = {
        (table, field.name)
        for table, model in CONSOLE_MODELS.items()
        for field in model._meta.concrete_fields
        if isinstance(field, EncryptedTextField)
    }
    assert encrypted == known


@pytest.fixture
def people(client, log_in, upstream, stored_rows):
    """Return people who leave data in each table with personal data."""
    identity_key.cache_clear()  # so that its row exists in this test, too
    upstream.has_clinic()
    upstream.answers("POST", "/v1/bizMainGroups", {"id": "g-2"})
    client.defaults["HTTP_USER_AGENT"] = "Mozilla/5.0 (Windows NT 10.0; rv:142.0) Gecko/20100101 Firefox/142.0"
    log_in()
    grant = Grant.objects.get()
    ids = {"expected_id": "1", "reminder_id": "1", "entry_id": "1", "review_id": "2", "preset_id": "1", "view_id": "1"}
    stored_rows(ids)
    assert client.post(PAGE, {"name": CLINIC_NAME, "country_code": "DE"}).status_code == 303
    assert client.get("/user-manage/clinic/export").status_code == 200  # it runs until its response is read
    sender = sign_sender(grant.admin_id_hash)
    ended = Client()
    ended.post(PAGE, {"name": CLINIC_NAME, "sender": sender}, headers={"Referer": f"http://testserver{PAGE}"})


def stored(table: str, field: str) -> Iterator[object]:
    for value in CONSOLE_MODELS[table]._base_manager.values_list(Cast(field, TextField()), flat=True):
        if value not in ("", None):
            yield value


def test_personal_data_is_stored_as_the_table_says(people):
    empty = set()
    for row in ROWS:
        for field in row.fields:
            values = list(stored(row.table, field))
            if not values:
                empty.add((row.table, field))
            for value in values:
                if row.stored == "encrypted":
                    assert decrypt_text(str(value))
                elif row.stored != "clear":
                    assert re.fullmatch("[0-9a-f]{64}", str(value)), (row.table, field)
                words = [word for word in PERSONAL if word.casefold() in str(value).casefold()]
                assert words == [], (row.table, field)
    expected = {(row.table, field) for row in ROWS for field in row.fields if row.stored != "clear"} - empty
    assert {table for table, _ in expected} >= set(CONSOLE_MODELS) - ONLY_TRANSLATORS - WITHOUT_PERSONAL_DATA


def test_a_translators_password_is_a_hash(db):
    set_password(Translator.objects.create(name="mara"), "A long password 1")
    (value,) = stored("translator", "password")
    assert identify_hasher(str(value)).algorithm
    assert "A long" not in str(value)
