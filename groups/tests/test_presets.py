"""Permission presets: stored for one organization, chosen in plans, and applied again where they were used."""

import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.utils import timezone

from console.audit.content import Content
from console.models import Activity
from console.sessions.models import Grant
from groups.models import PermissionPreset, PresetList, PresetUse
from groups.storage.presets import MAX_PRESETS, Presets
from groups.tests.stored_presets import my_presets, preset
from tests.support import factories
from tests.support.bulk import answer_bulk_call, bodies, has_rows, next_step
from tests.support.page import Page
from tests.support.reading import words

pytestmark = pytest.mark.sql

TABLE = "/user-manage/permissions"
PAGE = TABLE + "/presets"
ON = {f"allow_{name}": "on" for name in ("order", "export", "case_converting", "case_talk", "download")}
CLINICS, USERS = "/user-manage/clinic/bulk/permissions", "/user-manage/user/bulk/permissions"


@pytest.fixture
def administrator(administrator, upstream):
    has_rows(upstream, "/v1/bizMainGroups", [factories.compared(1), factories.compared(2)])
    has_rows(upstream, "/v1/bizUsers", [factories.user(1), factories.user(2)])
    answer_bulk_call(upstream, "/v1/bizMainGroups/bulkPermissions", refused=["g-2"])
    answer_bulk_call(upstream, "/v1/bizUsers/bulkPermissions")
    return administrator


def test_a_preset_is_added_and_listed(administrator, visit):
    assert f'href="{PAGE}"' in administrator.get(TABLE).content.decode()
    empty = visit(PAGE)
    assert "No presets yet." in empty.text
    assert len(empty.all(f'.main a[href="{PAGE}/new"]')) == 1
    visit(PAGE + "/new", lng="ar-EG")
    response = administrator.post(PAGE + "/new", {"name": "Reception", **ON, "allow_export": "off"})
    assert (response.status_code, response.headers["Location"]) == (303, PAGE)
    page = visit(PAGE)
    assert len(page.all(f'.page-actions a[href="{PAGE}/new"]')) == 1
    html = page.response.content.decode()
    assert "Reception" in html
    assert html.count(">On</span>") == 4
    assert html.count(">Off</span>") == 1


def test_a_preset_leads_to_the_users_to_apply_it_to(administrator, visit):
    preset()
    page = visit(f"{PAGE}/1/edit")
    assert page.links["Apply to users"] == "/user-manage/user"
    assert "select users or clinics in a list and choose “Change permissions”" in page.text
    assert "Apply to users" not in visit(f"{PAGE}/new").links


@pytest.mark.req("DM-49")
@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"name": ""}, "Enter name"),
        ({"name": "x" * 101}, "at most 100 characters"),
        ({"name": " RECEPTION "}, "already in use"),
        ({"allow_export": "maybe"}, "Select a valid choice"),
    ],
)
def test_invalid_input_is_reported_at_its_field_and_none_is_lost(administrator, sent, message):
    preset()
    form_data = {"name": "Other", **ON, "allow_case_talk": "off", **sent}
    response = administrator.post(PAGE + "/new", form_data)
    html = response.content.decode()
    assert response.status_code == 422
    assert message in html
    assert f'value="{form_data["name"]}"' in html or not form_data["name"]
    assert len(re.findall(r'<input type="radio" [^>]*value="off"[^>]* checked', html)) == 1, "what was chosen stays"
    assert PermissionPreset.objects.count() == 1


@pytest.mark.req("DM-49")
def test_there_can_be_at_most_fifty_presets(administrator):
    for number in range(MAX_PRESETS):
        my_presets().create(f"Preset {number}", ON)
    response = administrator.post(PAGE + "/new", {"name": "One more", **ON})
    assert response.status_code == 422
    assert "You can have up to 50 presets." in response.content.decode()
    assert 'value="One more"' in response.content.decode()
    assert Content.decrypt(Activity.objects.latest("id").content).reasons == ["PRESET_LIMIT"]


@pytest.mark.req("DM-49", "ER-24")
def test_the_second_of_two_concurrent_edits_sees_the_first_one(administrator):
    preset()
    first = {"name": "Front desk", **ON, "version": "1"}
    assert administrator.post(f"{PAGE}/1/edit", first).status_code == 303
    response = administrator.post(f"{PAGE}/1/edit", {"name": "Reception", **ON, "allow_export": "off", "version": "1"})
    assert response.status_code == 412
    assert "Front desk" in response.content.decode()
    assert my_presets().get("1").name == "Front desk"


@pytest.mark.req("DM-49", "DM-17")
@pytest.mark.parametrize("path", [CLINICS, TABLE + "/bulk/permissions"])
def test_a_plan_sets_all_five_by_a_preset_and_chosen_permissions_take_precedence(administrator, upstream, path):
    preset(allow_export="off")
    plan = administrator.post(path, {"id": ["g-1", "g-2"]}).content.decode()
    assert ">Reception</option>" in plan
    administrator.post(path, {**next_step(plan), "preset": "1", "allow_download": "off"})
    (sent,) = bodies(upstream, "/v1/bizMainGroups/bulkPermissions")
    assert sent["permissions"] == {
        "allowOrder": True,
        "allowExport": False,
        "allowCaseConverting": True,
        "allowCaseTalk": True,
        "allowDownload": False,
    }


@pytest.mark.req("DM-49", "DM-45")
def test_only_successful_and_unchanged_uses_of_a_preset_are_recorded(administrator):
    preset()
    PresetUse.objects.all().delete()
    for path, ids, others in (
        (CLINICS, ["g-1", "g-2"], {}),
        (USERS, ["u-1"], {}),
        (USERS, ["u-2"], {"allow_export": "off"}),
    ):
        plan = administrator.post(path, {"id": ids}).content.decode()
        administrator.post(path, {**next_step(plan), "preset": "1", **others})
    assert my_presets().uses("1") == {"clinic": ["g-1"], "user": ["u-1"]}
    assert '"Preset","","Reception"' in administrator.get("/activity/export").getvalue().decode()


@pytest.mark.req("DM-49")
@pytest.mark.parametrize(("path", "id"), [(CLINICS, "g-1"), (USERS, "u-1")])
def test_permissions_chosen_in_a_plan_can_be_saved_as_a_preset(administrator, visit, path, id):
    plan = administrator.post(path, {"id": [id]}).content.decode()
    assert "you can save them as a preset" in plan
    chosen = {**ON, "allow_export": "off"}
    response = administrator.post(path, {**next_step(plan), **chosen}, follow=True)
    html = visit(Page.from_response(response).links["Save as preset"]).response.content.decode()
    assert dict(re.findall(r'name="(\w+)" value="(\w+)"[^>]* checked', html)) == chosen


@pytest.mark.req("DM-49")
@pytest.mark.parametrize("chosen", [{"preset": "1"}, {"allow_order": "on"}, {"source": "u-2"}])
def test_permissions_of_a_preset_or_user_or_some_are_not_offered_to_be_saved(administrator, upstream, chosen):
    preset()
    upstream.answers("GET", "/v1/bizUsers/u-2/permissions", factories.permissions(owner="USER", source="USER"))
    path = "/user-manage/clinic/g-1/user/bulk/permissions"
    plan = administrator.post(path, {"id": ["u-1"]}).content.decode()
    response = administrator.post(path, {**next_step(plan), **chosen}, follow=True)
    assert response.status_code == 200
    assert "Save as preset" not in response.content.decode()


@pytest.mark.req("DM-49", "ER-24")
@pytest.mark.parametrize("path", [CLINICS, USERS, "/user-manage/clinic/g-1/user/new"])
def test_unreadable_presets_leave_other_choices_but_a_chosen_preset_is_never_dropped(administrator, path):
    preset()

    def refuse(execute, sql, params, many, context):
        if '"permission_preset"' in sql:
            raise OperationalError("disk I/O error")
        return execute(sql, params, many, context)

    administrator.raise_request_exception = False
    ids = {"id": ["g-1" if path == CLINICS else "u-1"]}
    with connection.execute_wrapper(refuse):
        page = administrator.post(path, ids) if "bulk" in path else administrator.get(path)
        assert page.status_code == 200
        assert "Reception" not in page.content.decode()
        assert administrator.post(path, {**ids, "preset": "1"}).status_code == 503


@pytest.mark.req("DM-49")
def test_a_preset_that_becomes_unreadable_does_not_hide_the_result(administrator):
    preset()
    plan = administrator.post(CLINICS, {"id": ["g-1"]}).content.decode()
    reads = []

    def refuse_the_second(execute, sql, params, many, context):
        if '"permission_preset"' in sql and sql.startswith("SELECT"):
            reads.append(sql)
            if len(reads) > 1:  # the first one is the form's, before the call
                raise OperationalError("disk I/O error")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse_the_second):
        response = administrator.post(CLINICS, {**next_step(plan), "preset": "1"})
    assert len(reads) > 1
    assert response.status_code == 303
    assert "Permissions changed for 1 clinic." in administrator.get(response["Location"]).content.decode()


@pytest.mark.req("DM-49")
def test_only_the_preset_that_was_applied_last_has_the_clinic_among_its_uses(administrator):
    preset()
    other = my_presets().create("Lab work", ON)
    my_presets().note_uses(other, "clinic", ["g-1"])
    assert my_presets().uses("1") == {"user": ["u-1"]}
    assert my_presets().uses(other) == {"clinic": ["g-1"]}


@pytest.mark.req("DM-49")
def test_a_changed_preset_links_to_the_plans_for_its_uses(administrator, upstream, visit):
    preset()
    response = administrator.post(f"{PAGE}/1/edit", {"name": "Reception", **ON, "allow_export": "off", "version": "1"})
    assert response.headers["Location"] == f"{PAGE}/1/edit"
    html = visit(f"{PAGE}/1/edit").response.content.decode()
    for action, ids, owners in ((CLINICS, "g-1", "bizMainGroups"), (USERS, "u-1", "bizUsers")):
        assert f'action="{action}"' in html
        plan = administrator.post(action, {"ids": ids, "preset": "1", "back": f"{PAGE}/1/edit"}).content.decode()
        assert '<option value="1" selected>Reception</option>' in plan
        assert administrator.post(action, {**next_step(plan), "preset": "1"})["Location"] == f"{PAGE}/1/edit"
        (sent,) = bodies(upstream, f"/v1/{owners}/bulkPermissions")
        assert (sent["ids"], sent["permissions"]["allowExport"]) == ([ids], False)


@pytest.mark.req("DM-49")
def test_a_preset_and_a_person_to_copy_from_are_not_both_chosen(administrator):
    preset()
    path = "/user-manage/clinic/g-1/user/bulk/permissions"
    plan = administrator.post(path, {"id": ["u-1"]}).content.decode()
    response = administrator.post(path, {**next_step(plan), "preset": "1", "source": "u-2"})
    assert response.status_code == 422
    assert "not both" in response.content.decode()


@pytest.mark.req("DM-49")
def test_a_deleted_preset_leaves_the_permissions_as_they_are(administrator, upstream, visit):
    preset()
    assert (
        "Permissions already set with this preset won&#39;t change."
        in visit(f"{PAGE}/1/delete").response.content.decode()
    )
    assert administrator.post(f"{PAGE}/1/delete", {"version": "1"}).status_code == 303
    assert (PermissionPreset.objects.count(), PresetUse.objects.count()) == (0, 0)
    assert not upstream.calls("POST", "bulkPermissions")


@pytest.mark.req("DM-49", "LS-17")
def test_a_preset_that_was_changed_by_another_request_is_shown_before_it_is_deleted(administrator):
    preset()
    my_presets().update("1", version=1, name="Front desk", settings=ON)
    response = administrator.post(f"{PAGE}/1/delete", {"version": "1"})
    assert response.status_code == 412
    assert "Front desk" in response.content.decode()
    assert administrator.post(f"{PAGE}/1/delete", {"version": "2"}).status_code == 303


@pytest.mark.req("DM-49", "PM-20", "SEC-118")
def test_presets_of_another_organization_are_not_there(administrator, upstream):
    other_presets = Presets("0" * 64)
    id = other_presets.create("Theirs", ON)
    other_presets.note_uses(id, "clinic", ["g-1"])
    assert "Theirs" not in administrator.get(PAGE).content.decode()
    for action in ("edit", "delete"):
        assert administrator.get(f"{PAGE}/{id}/{action}").status_code == 404
        sent = {"name": "Mine", **ON, "version": "1"}
        assert administrator.post(f"{PAGE}/{id}/{action}", sent).status_code == 404
    assert other_presets.get(id).name == "Theirs"
    plan = administrator.post(CLINICS, {"id": ["g-1"], "preset": id}).content.decode()
    assert "Theirs" not in plan
    response = administrator.post(CLINICS, {**next_step(plan), "preset": id})
    assert not upstream.calls("POST", "bulkPermissions")
    assert response.status_code == 422
    assert my_presets().uses(id) == {}


@pytest.mark.req("DM-49", "SEC-41")
def test_nothing_is_stored_in_clear_and_unreadable_presets_break_no_page(administrator):
    preset()
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM permission_preset")
        assert "Reception" not in repr(cursor.fetchall())
    PermissionPreset.objects.update(content="of another key")
    PresetUse.objects.update(content="of another key")
    page = administrator.get(PAGE)
    assert "Unreadable" in page.content.decode()
    assert f'href="{PAGE}/1/edit"' not in page.content.decode()
    assert administrator.get(f"{PAGE}/1/edit").headers["Location"] == f"{PAGE}/1/delete", "nobody knows what is on"
    assert "Delete \u2068Unreadable\u2069?" in words(administrator.get(f"{PAGE}/1/delete"))
    assert '<option value="1"' not in administrator.post(CLINICS, {"id": ["g-1"]}).content.decode()


@pytest.mark.req("DM-49")
def test_an_operator_deletes_the_presets_of_one_organization_only(administrator, capsys):
    preset()
    call_command("forget_presets", "o-1", "8")
    call_command("forget_presets", "o-1", "7")
    assert capsys.readouterr().out.splitlines()[-2:] == ["0 presets removed", "1 presets removed"]
    assert not PresetList.objects.exists()
    assert not PresetUse.objects.exists()


@pytest.mark.req("DM-49")
def test_presets_that_were_not_used_for_a_year_are_deleted(administrator):
    preset()
    PresetList.objects.update(used_at=timezone.now() - timedelta(days=364))
    administrator.get(PAGE)
    assert PresetList.objects.get().used_at > timezone.now() - timedelta(minutes=1)
    PresetList.objects.update(used_at=timezone.now() - timedelta(days=366))
    Grant.objects.update(last_seen_at=timezone.now() - timedelta(days=30))
    call_command("clearsessions")
    assert PermissionPreset.objects.exists(), "the clock may be wrong"
    Grant.objects.create(payload="", persistent=True, admin_id_hash="somebody")
    call_command("clearsessions")
    assert not PermissionPreset.objects.exists()
