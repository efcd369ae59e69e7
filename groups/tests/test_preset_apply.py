"""A preset applied to the permissions of one user or clinic: chosen in a list, checked, and then saved."""

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import OperationalError, connection

from groups.models import PermissionPreset, PresetUse
from groups.storage.presets import Presets
from groups.tests.stored_presets import my_presets, preset
from tests.support import factories
from tests.support.page import Page

pytestmark = pytest.mark.sql

USER = "/user-manage/clinic/g-1/user/u-1/permissions"
CLINIC = "/user-manage/clinic/g-1/permissions"
CALLS = {USER: "/v1/bizUsers/u-1/permissions", CLINIC: "/v1/bizMainGroups/g-1/permissions"}
NAMES = ("allow_order", "allow_export", "allow_case_converting", "allow_case_talk", "allow_download")
BOTH = pytest.mark.parametrize("path", [USER, CLINIC])


@pytest.fixture
def administrator(administrator, upstream):
    for call in CALLS.values():
        upstream.answers("PUT", call, {"version": 3})
    upstream.answers("GET", CALLS[CLINIC], factories.permissions())
    return administrator


def sent(upstream, path):
    return [json.loads(call.body)["permissions"] for call in upstream.calls("PUT", CALLS[path])]


def checked(html):
    return dict(re.findall(r'type="radio" name="(\w+)" value="(\w+)" checked', html))


def filled(html):
    """Return the values that the form of a page sends when nothing is changed."""
    return checked(html) | dict(re.findall(r'name="(proof|version|preset)" value="([^"]*)"', html))


@BOTH
@pytest.mark.req("DM-49", "PM-12", "RT-49")
def test_a_preset_fills_the_form_and_is_saved_by_it_only(administrator, visit, upstream, path):
    preset(allow_export="off")
    PresetUse.objects.all().delete()
    assert visit(path).links["Apply preset…"] == f"{path}/preset"
    assert visit(f"{path}/preset").links["Reception"] == f"{path}?preset=1"
    page = visit(f"{path}?preset=1")
    assert page.messages == ["Permissions filled in from the “Reception” preset. They aren't saved yet."]
    assert "Apply preset…" not in page.links
    html = page.response.content.decode()
    assert "data-island=" not in html
    assert checked(html) == {**dict.fromkeys(NAMES, "on"), "allow_export": "off"}
    assert sent(upstream, path) == []
    assert my_presets().uses("1") == {}
    assert administrator.post(path, filled(html)).status_code == 303
    assert [change["allowExport"] for change in sent(upstream, path)] == [False]
    kind, id = ("user", "u-1") if path == USER else ("clinic", "g-1")
    assert my_presets().uses("1") == {kind: [id]}


@pytest.mark.req("DM-49")
def test_only_what_a_preset_changes_is_marked(administrator, visit):
    preset(allow_export="off")
    (line,) = visit(f"{CLINIC}?preset=1").texts(".permission-new")
    assert line.startswith("Not saved yet. Current setting: On")


@pytest.mark.req("DM-49")
def test_a_preset_that_was_changed_before_it_was_saved_is_not_recorded_as_used(administrator, upstream):
    preset(allow_export="off")
    PresetUse.objects.all().delete()
    html = administrator.get(f"{USER}?preset=1").content.decode()
    administrator.post(USER, filled(html) | {"allow_download": "off"})
    assert len(sent(upstream, USER)) == 1
    assert my_presets().uses("1") == {}


@pytest.mark.req("DM-49")
def test_a_preset_that_changes_nothing_is_not_offered_to_be_saved(administrator, visit):
    preset()
    page = visit(f"{CLINIC}?preset=1")
    assert page.messages == ["The permissions already match the “Reception” preset."]
    assert len(page.all("[data-island=permission-toggles]")) == 1
    assert page.all("[data-unsaved], .permission-new, [name=preset]") == []


@BOTH
@pytest.mark.req("DM-49", "ER-24", "SEC-118")
@pytest.mark.parametrize("problem", ["deleted", "of another key", "of another organization", "not read"])
def test_a_preset_that_is_not_available_changes_nothing(administrator, visit, path, problem):
    id = Presets("0" * 64).create("Theirs", {}) if problem == "of another organization" else preset(allow_export="off")
    if problem == "deleted":
        PermissionPreset.objects.all().delete()
    elif problem == "of another key":
        PermissionPreset.objects.update(content="of another key")

    def refuse(execute, sql, params, many, context):
        if problem == "not read" and '"permission_preset"' in sql:
            raise OperationalError("disk I/O error")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        page = visit(f"{path}?preset={id}")
    assert page.messages == ["This preset isn't available. No permissions changed."]
    assert page.all("[data-unsaved], .permission-new, [name=preset]") == []
    assert page.links["Apply preset…"] == f"{path}/preset"


@pytest.mark.req("DM-49", "LS-17")
def test_a_stale_form_keeps_the_preset(administrator, upstream):
    preset(allow_export="off")
    PresetUse.objects.all().delete()
    html = administrator.get(f"{USER}?preset=1").content.decode()
    upstream.answers("PUT", CALLS[USER], factories.refusal(10005), status=412)
    upstream.answers("GET", CALLS[USER], factories.permissions(version=9, owner="USER", source="MAIN_GROUP"))
    refused = administrator.post(USER, filled(html))
    assert refused.status_code == 412
    upstream.answers("PUT", CALLS[USER], {"version": 10})
    administrator.post(USER, filled(refused.content.decode()))
    assert my_presets().uses("1") == {"user": ["u-1"]}


@BOTH
@pytest.mark.req("DM-49", "LS-17", "ER-24")
@pytest.mark.parametrize("is_download_on", [True, False])
def test_a_conflict_drops_no_part_of_a_preset(administrator, upstream, path, is_download_on):
    """Another administrator turned orders on, and perhaps downloads off, which is all that the preset changed."""
    preset(**dict.fromkeys(NAMES, "off"))
    PresetUse.objects.all().delete()
    off: dict[str, Any] = dict.fromkeys(("allowOrder", "allowExport", "allowCaseConverting", "allowCaseTalk"), False)
    upstream.answers("GET", CALLS[path], factories.permissions(**off))
    html = administrator.get(f"{path}?preset=1").content.decode()
    now = off | {"allowOrder": True, "allowDownload": is_download_on}
    upstream.answers("GET", CALLS[path], factories.permissions(version=9, **now))
    upstream.remove("PUT", CALLS[path])
    upstream.answers_in_order("PUT", CALLS[path], (412, factories.refusal(10005)), (200, {"version": 10}))
    refused = administrator.post(path, filled(html))
    assert refused.status_code == 412
    page = Page.from_response(refused)
    labels = ["Allow orders to listed labs", "Allow downloads"]
    assert page.texts(".conflict dt") == labels[: 1 + is_download_on]
    assert len(page.all(".permission-new")) == 1 + is_download_on
    html = refused.content.decode()
    assert checked(html) == dict.fromkeys(NAMES, "off")
    administrator.post(path, filled(html))
    assert sent(upstream, path)[-1] == {"allowOrder": False} | ({"allowDownload": False} if is_download_on else {})
    assert my_presets().uses("1") != {}


@BOTH
@pytest.mark.req("DM-49")
def test_without_presets_the_page_leads_to_the_first_one(administrator, visit, path):
    page = visit(f"{path}/preset")
    assert "No presets yet." in page.text
    assert page.links["Add preset"] == "/user-manage/permissions/presets/new"


@pytest.mark.req("DM-49")
@pytest.mark.parametrize(("path", "name"), [(USER, "User 1"), (CLINIC, "Clinic 1")])
def test_the_page_names_the_user_or_clinic_that_gets_the_preset(visit, administrator, path, name):
    page = visit(f"{path}/preset")
    assert page.heading == f"Apply preset to {name}"
    assert page.title.startswith(page.heading)


@pytest.mark.req("DM-49")
def test_an_unreadable_preset_can_not_be_chosen(administrator, visit):
    preset()
    PermissionPreset.objects.update(content="of another key")
    page = visit(f"{CLINIC}/preset")
    assert "Unreadable" in page.text
    assert not [href for href in page.links.values() if "preset=" in href]


@pytest.mark.req("DM-49", "LS-13")
@pytest.mark.parametrize(
    ("path", "back"),
    [(USER, "/user-manage/clinic/g-1/user?keyword=x&page=2"), (CLINIC, "/user-manage/permissions?country_code=KR")],
)
def test_the_list_to_return_to_is_kept_through_all_steps(administrator, visit, path, back):
    for number in range(26):
        my_presets().create(f"Preset {number:02}", dict.fromkeys(NAMES, "off"))
    query = urlencode({"back": back})
    choice = visit(f"{path}?{query}").links["Apply preset…"]
    assert choice == f"{path}/preset?{query}"
    (following,) = {href for href in visit(choice).links.values() if "page=2" in href and "/preset" in href}
    chosen = visit(following).links["Preset 25"]
    assert chosen.startswith(f"{path}?preset=")
    assert visit(chosen).links["Back to list"] == back


@pytest.mark.req("PM-20")
def test_a_preset_is_not_applied_to_a_user_of_another_clinic(administrator, upstream):
    preset()
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(1, mainGroupId="g-9", name="Somebody else"))
    for path in (f"{USER}/preset", f"{USER}?preset=1"):
        response = administrator.get(path)
        assert response.status_code == 404
        assert "Somebody else" not in response.content.decode()


@pytest.mark.req("DM-49")
def test_the_page_of_a_user_leads_to_the_presets(administrator, visit):
    assert visit(USER.removesuffix("/permissions")).links["Apply preset…"] == f"{USER}/preset"


def test_its_list_answers_as_json_like_every_other(administrator):
    preset()
    view = administrator.get(f"{USER}/preset", headers={"Accept": "application/json"}).json()["item"]["list"]
    assert (view["path"], [row["id"] for row in view["rows"]]) == (f"{USER}/preset", ["1"])
