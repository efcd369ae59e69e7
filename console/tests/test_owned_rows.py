"""Rows that the console stores: each release reads what the other one writes."""

import json
from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.db.models import TextField, Value
from django.db.models.functions import Cast

from console.config.encryption import decrypt_text
from console.errors import ObjectNotFound, VersionConflict
from console.models import SavedView, SavedViewContent

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

KEY = "YSBrZXkgZm9yIHRoZSByb3dzIG9mIGEgcmVsZWFzZSE="

# As release 54cb8b93 encrypted them with this key.
REMINDER = (
    "gAAAAABrCcN82GvD-MVYxo8glb4PFl64MMXHaSbS0PrdqdViJ-m71FvPUGn7WTTD3SLvHuxntq27q8VR82ACUGLZ0kiTjZkVdE81"
    "b4KY_yrRKexDHtwt6E3kyC4N-iaa0-gneXMUcO7D2o4gZ7J_Lrg9ZWBO-AVFp7W8UzPr1WOIGkE9iRAPQpPkv0Oa7J6s6diNq0DK"
    "CuUI830_wXHXbbLAKOkANtI856ibQ3bjQpUFbJ_dfXKLcnTjIiD_4Ob0n1dXeyyJU8cHSIQyjdqIYe0oClk3qYNH8g=="
)
PRESET = (
    "gAAAAABrCcN8vO-8Gxe6_S4rs25Y82mKZSLVWQe9Fc7n4WThUNWMO7jxmhoUTnnQVbgN5VgrVtoV1GrzZQJ9Q35zHfyj7skdiHz-"
    "Vr8yyZbIcctG32ayfTFvg-xK08m44_N9lhalgErx9JpJIbBqn635_c4XTfwk9XHj5Ujsye3KAtO4B_g6cxU="
)
PRESET_USE = "gAAAAABrCcN8tcBmU2D01kqs_0A5dE075Jp5V-Gp_IZy1dzdVEpCufbKasFdM1PUVTqq22f_K1lSeRBi6TMxto5lh9koI1r5WQ=="
SERIAL = (
    "gAAAAABrCcN8oPvmOoDXI8we-xtzE-CNkoM9FRwFjo6pL-3VyqVBw3rdg385I8snDw0RfudaWRRhjjZpKIdphM7B7BE3VS1ACnEV"
    "U_oC4QET02fWpmYJDsRO_jNfDRvHQAtriYi8pWWv"
)
SAVED_VIEW = (
    "gAAAAABrCcN8aIDEmKUe9ZRW2ybs6pPh2vlqM55HJetMfFs1mmZNyaCmqb4T7_cLiQXDbFLIg0doxDEOgrYmeDZNrKe6I6Fc9AR2"
    "oCW588MnOG2XtsBEgHTeYUQtgS1LgnSZXRVlHiXYv9uujkw_GrYXTbqLmjNgVg=="
)

PermissionPreset, PresetList, PresetUse, StoredReminder = (
    apps.get_model(f"groups.{name}") for name in ("PermissionPreset", "PresetList", "PresetUse", "StoredReminder")
)
ExpectedList, ExpectedSerial = (apps.get_model(f"scanners.{name}") for name in ("ExpectedList", "ExpectedSerial"))


@pytest.fixture(autouse=True)
def key(settings):
    settings.GRANT_KEYS = [KEY]


def as_stored(ciphertext):
    return Value(ciphertext, TextField())


def store(model: Any, ciphertext: str) -> Any:
    """Store a row with this content."""
    columns = {
        StoredReminder: lambda: {"organization": "ours", "thing": "t", "key": "k", "day": date(2026, 1, 2)},
        PermissionPreset: lambda: {"list": PresetList.objects.create(organization="ours"), "name_key": "n"},
        PresetUse: lambda: {"preset": store(PermissionPreset, PRESET), "owner_key": "o"},
        ExpectedSerial: lambda: {"list": ExpectedList.objects.create(organization="ours"), "serial_key": "s"},
        SavedView: lambda: {"owner": "ours", "list": "l", "name_key": "n"},
    }
    return model.objects.create(**columns[model](), content=as_stored(ciphertext))


ROWS: list[tuple[Any, str]] = [
    (StoredReminder, REMINDER),
    (PermissionPreset, PRESET),
    (PresetUse, PRESET_USE),
    (ExpectedSerial, SERIAL),
    (SavedView, SAVED_VIEW),
]


@pytest.mark.parametrize(("model", "ciphertext"), ROWS)
def test_content_of_the_previous_release_is_read_and_written_as_the_same_json(model, ciphertext):
    row = model.objects.for_owner("ours").find(str(store(model, ciphertext).pk))
    assert row.content is not None
    row.save()
    written = model.objects.values_list(Cast("content", TextField()), flat=True).get()
    assert written != ciphertext
    assert json.loads(decrypt_text(written)) == json.loads(decrypt_text(ciphertext))
    assert row.key_mark


def test_each_content_has_its_type():
    contents = [
        model.objects.get(pk=store(model, ciphertext).pk).content
        for model, ciphertext in ROWS
        if model is not PresetUse
    ]
    reminder, preset, serial, view = contents
    assert (reminder.subject.name, reminder.about, reminder.note) == ("Zoë Kim", "allow_export", "Ask again")
    assert (preset.name, preset.settings) == ("Réception", {"allow_export": "on", "allow_case_talk": "off"})
    assert tuple(serial) == ("ABC-123", "g-1", "für Raum 2")
    assert view == SavedViewContent("Korea", "/user-manage/clinic", "country=KR", ("country",))


@pytest.mark.parametrize("ciphertext", ["", "of another key", "gAAAA"])
def test_content_that_can_not_be_decrypted_is_none(ciphertext):
    store(SavedView, ciphertext)
    assert SavedView.objects.get().content is None


@pytest.mark.parametrize("id", ["0", "x", "9" * 40, "１", "-1"])
def test_no_row_is_found_by_an_invalid_id_or_for_another_owner(id):
    row = store(SavedView, SAVED_VIEW)
    for owner, wanted in (("ours", id), ("theirs", str(row.pk))):
        with pytest.raises(ObjectNotFound):
            SavedView.objects.for_owner(owner).find(wanted)


def test_a_row_is_changed_only_from_the_version_that_was_seen():
    row = store(PermissionPreset, PRESET)
    presets = PermissionPreset.objects.for_owner("ours")
    presets.change(str(row.pk), version=1, name_key="other")
    with pytest.raises(VersionConflict):
        presets.change(str(row.pk), version=1, name_key="lost")
    assert presets.values_list("name_key", "version").get() == ("other", 2)
