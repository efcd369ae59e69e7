"""`manage.py keys rotate`: every encrypted row of every model, while administrators keep working."""

from collections.abc import Callable

import pytest
from cryptography.fernet import Fernet
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.db.models import Model, Value
from django.db.models.functions import Cast
from msgspec.structs import replace

from console.config.encryption import EncryptedJSONField, EncryptedTextField, decrypt_text, encrypt_text
from console.models import Draft
from console.sessions import key_rotation
from console.sessions.crypto import StoredSession
from console.sessions.models import Grant
from console.sessions.tests.test_identity import ME

FORMER, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()

pytestmark = [pytest.mark.django_db, pytest.mark.req("SEC-61"), pytest.mark.sql]

CONSOLE_MODELS = [model for model in apps.get_models() if not model.__module__.startswith("django.")]
ENCRYPTED = [
    (model, field)
    for model in CONSOLE_MODELS
    for field in model._meta.get_fields()
    if isinstance(field, EncryptedTextField)
]


@pytest.fixture(autouse=True)
def former_key(settings):
    settings.GRANT_KEYS = [FORMER]


def put_first(settings):
    settings.GRANT_KEYS = [NEW, FORMER]


def get_row(model: type[Model], number: int = 1) -> Model:
    """Store a row of any model, with a text in each encrypted field."""
    values: dict[str, object] = {}
    for field in model._meta.concrete_fields:
        if isinstance(field, EncryptedTextField):
            ciphertext = encrypt_text(f"{field.name} {number}")
            is_json = isinstance(field, EncryptedJSONField)
            values[field.name] = Value(ciphertext, models.TextField()) if is_json else ciphertext
        elif isinstance(field, models.ForeignKey):
            values[field.name] = get_row(field.related_model, number)
        elif isinstance(field, models.CharField):
            values[field.name] = f"{number}"
        elif isinstance(field, models.DateTimeField):
            values[field.name] = "2026-01-01T00:00:00Z"
        elif isinstance(field, models.DateField):
            values[field.name] = "2026-01-01"
        elif isinstance(field, models.BooleanField):
            values[field.name] = False
        elif isinstance(field, models.IntegerField) and not isinstance(field, models.AutoField):
            values[field.name] = number
    return model._base_manager.create(
        **{name: value for name, value in values.items() if name != "id" or value != number}
    )


def test_the_encrypted_fields_of_all_models_are_known():
    known = {(model.__name__, field.name) for model, field in ENCRYPTED}
    assert known == {(model.__name__, field.name) for model, field in key_rotation.encrypted_fields()}
    assert {("Grant", "payload"), ("Session", "session_data"), ("ExpectedSerial", "content")} <= known


@pytest.mark.parametrize(("model", "field"), ENCRYPTED, ids=lambda item: getattr(item, "__name__", None) or item.name)
def test_each_encrypted_field_can_be_read_with_the_new_key_alone(settings, model, field):
    for number in range(1, 4):
        get_row(model, number)
    put_first(settings)
    call_command("keys", "rotate")
    settings.GRANT_KEYS = [NEW]
    stored = model._base_manager.values_list(Cast(field.name, models.TextField()), flat=True)
    texts = [decrypt_text(text) for text in stored]
    assert sorted(texts) == [f"{field.name} {number}" for number in range(1, 4)]


def test_a_run_reports_the_number_of_rows_by_outcome_and_a_second_run_has_nothing_to_do(settings, capsys, monkeypatch):
    monkeypatch.setattr(key_rotation, "CHUNK_SIZE", 2)
    for number in range(5):
        Draft.objects.create(key=str(number), content=encrypt_text("typed"))
    put_first(settings)
    Draft.objects.create(key="new", content=encrypt_text("typed"))
    call_command("keys", "rotate")
    assert "draft.content: 5 reencrypted, 1 already\n" in capsys.readouterr().out
    before = list(Draft.objects.values_list("content", flat=True))
    call_command("keys", "rotate")
    out = capsys.readouterr().out
    assert "draft.content: 6 already\n" in out
    assert "grant.payload: no rows\n" in out
    assert list(Draft.objects.values_list("content", flat=True)) == before


def test_values_that_no_key_decrypts_stay_and_the_error_says_to_keep_the_old_keys(settings, capsys):
    Draft.objects.create(key="a", content=encrypt_text("typed"))
    settings.GRANT_KEYS = [NEW]
    Draft.objects.create(key="b", content=encrypt_text("typed"))
    with pytest.raises(CommandError, match=r"1 values can't be decrypted .* Keep the former ones"):
        call_command("keys", "rotate")
    settings.GRANT_KEYS = [FORMER]
    assert decrypt_text(Draft.objects.get(key="a").content) == "typed"


def test_an_interrupted_run_can_be_repeated(settings):
    for number in range(3):
        Draft.objects.create(key=str(number), content=encrypt_text("typed"))
    put_first(settings)
    with pytest.raises(KeyboardInterrupt), connection.execute_wrapper(_break_off_after(2)):
        call_command("keys", "rotate")
    call_command("keys", "rotate")
    settings.GRANT_KEYS = [NEW]
    assert [decrypt_text(draft.content) for draft in Draft.objects.all()] == ["typed"] * 3


def _break_off_after(updates: int) -> Callable[..., object]:
    remaining = [updates]

    def run(execute, sql, params, many, context):
        if sql.startswith("UPDATE"):
            remaining[0] -= 1
            if remaining[0] < 0:
                raise KeyboardInterrupt
        return execute(sql, params, many, context)

    return run


def test_tokens_that_are_refreshed_during_the_run_are_kept(settings):
    """A refresh, with the new or the old key, writes the row between its read and its replacement."""
    grants = [Grant.objects.create(payload=ME.encrypt(), persistent=True, admin_id_hash="me") for _ in range(2)]
    put_first(settings)
    refreshed = [replace(ME, accessToken="new", refreshToken="newest").encrypt()]
    settings.GRANT_KEYS = [FORMER]
    refreshed.append(replace(ME, accessToken="new", refreshToken="newest").encrypt())
    put_first(settings)
    replacements = dict(zip([grant.pk for grant in grants], refreshed, strict=True))

    def refresh_before(execute, sql, params, many, context):
        if sql.startswith('UPDATE "grant"') and (pk := next((p for p in params if p in replacements), None)):
            Grant.objects.filter(pk=pk).update(payload=replacements.pop(pk), generation=2)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refresh_before):
        call_command("keys", "rotate")
    assert not replacements
    settings.GRANT_KEYS = [NEW]
    stored = [StoredSession.decrypt(grant.payload) for grant in Grant.objects.all()]
    assert [(one.accessToken, one.refreshToken) for one in stored] == [("new", "newest")] * 2


def test_a_row_that_is_deleted_during_the_run_stays_deleted(settings):
    Draft.objects.create(key="a", content=encrypt_text("typed"))
    put_first(settings)

    def delete_before(execute, sql, params, many, context):
        if sql.startswith('UPDATE "draft"'):
            Draft.objects.all().delete()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(delete_before):
        call_command("keys", "rotate")
    assert not Draft.objects.exists()
