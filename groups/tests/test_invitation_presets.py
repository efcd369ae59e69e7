"""People invited with the permissions of a preset."""

import json

import pytest

from groups.models import PermissionPreset
from groups.storage.presets import Presets
from groups.tests.stored_presets import my_presets, preset
from groups.tests.test_invitations import CALL, INVITE, administrator, rows  # noqa: F401
from tests.support import factories

pytestmark = pytest.mark.sql

ADA, BOB, CY = (("Ada", "ada@a.example"), ("Bob", "bob@a.example"), ("Cy", "cy@a.example"))
CHOSEN = '<option value="1" selected>Reception</option>'
GONE = "This item no longer exists. Choose another one."


@pytest.mark.req("DM-49")
def test_a_preset_can_be_chosen_if_there_is_one_and_the_default_follows_the_clinic(
    administrator,  # noqa: F811
    upstream,
    visit,
):
    assert 'name="preset"' not in administrator.get(INVITE).content.decode()
    preset()
    html = visit(INVITE).response.content.decode()
    assert '<option value="" selected>No preset</option>' in html
    assert '<option value="1">Reception</option>' in html
    administrator.post(INVITE, rows(ADA, preset=""))
    assert "permissions" not in upstream.bodies("POST", CALL)[0]


@pytest.mark.req("DM-49", "DM-45", "UC-06")
def test_an_invited_user_gets_the_five_permissions_and_the_preset_records_its_use(administrator, upstream):  # noqa: F811
    preset(allow_export="off")
    assert administrator.post(INVITE, rows(ADA, preset="1")).status_code == 303
    assert upstream.bodies("POST", CALL)[0]["permissions"] == {
        "allowOrder": True,
        "allowExport": False,
        "allowCaseConverting": True,
        "allowCaseTalk": True,
        "allowDownload": True,
    }
    assert sorted(my_presets().uses("1")["user"]) == ["u-1", "u-9"]
    export = administrator.get("/activity/export").getvalue().decode()
    assert '"Preset","","Reception"' in export
    assert '"Allow exports","","Off"' in export


@pytest.mark.req("DM-49", "DM-41", "ER-20")
def test_a_preset_records_only_the_users_who_were_surely_invited_and_the_choice_stays(
    administrator,  # noqa: F811
    upstream,
):
    preset()
    upstream.remove("POST", CALL)
    upstream.answers_in_order("POST", CALL, (201, {"id": "u-7"}), (409, factories.refusal(13008)), (524, {}))
    html = administrator.post(INVITE, rows(ADA, BOB, CY, preset="1")).content.decode()
    assert [person["permissions"]["allowExport"] for person in upstream.bodies("POST", CALL)] == [True] * 3
    assert sorted(my_presets().uses("1")["user"]) == ["u-1", "u-7"]
    assert 'value="Bob"' in html
    assert CHOSEN in html


@pytest.mark.req("DM-49", "DM-11", "DM-41")
@pytest.mark.parametrize("more", [{"people": "Bob <bob@a.example>", "add_people": "1"}, {"add_row": "1"}])
def test_the_preset_stays_chosen_while_people_are_added_and_for_the_next_ones(administrator, more):  # noqa: F811
    preset()
    assert CHOSEN in administrator.post(INVITE, rows(ADA, preset="1", **more)).content.decode()
    response = administrator.post(INVITE, rows(ADA, preset="1", another="1"))
    assert CHOSEN in administrator.get(response.headers["Location"]).content.decode()


@pytest.mark.req("DM-49", "PM-20")
@pytest.mark.parametrize("more", [{}, {"people": "Bob <bob@a.example>", "add_people": "1"}, {"add_row": "1"}])
@pytest.mark.parametrize("whose", ["deleted", "of another organization", "odd"])
def test_a_missing_preset_is_reported_and_no_input_is_lost(administrator, upstream, whose, more):  # noqa: F811
    preset()
    other_presets = Presets("0" * 64)
    ids = {
        "deleted": "1",
        "odd": "９\x00x",
        "of another organization": other_presets.create("Theirs", {"allow_order": "on"}),
    }
    if whose == "deleted":
        my_presets().delete("1", version=1)  # the last one
    response = administrator.post(INVITE, rows(ADA, preset=ids[whose], **more))
    html = response.content.decode()
    assert html.count(GONE) == 2, "above and at its field"
    assert response.status_code == (200 if "add_row" in more else 422)
    assert 'value="ada@a.example"' in html
    assert "Theirs" not in html
    assert "Bob &lt;bob@a.example&gt;" in html or "people" not in more
    assert upstream.bodies("POST", CALL) == []
    assert other_presets.uses(ids["of another organization"]) == {}


@pytest.mark.req("DM-49")
def test_a_script_gets_the_error_at_the_field(administrator, upstream):  # noqa: F811
    form = rows(ADA, preset="7")
    response = administrator.post(INVITE, form, headers={"Accept": "application/json"})
    assert (response.status_code, response.json()["errors"]) == (422, {"preset": [GONE]})
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("DM-49", "LS-18")
def test_a_preset_that_has_changed_since_is_sent_with_another_key(administrator, upstream):  # noqa: F811
    preset()
    upstream.answers("POST", CALL, {}, status=524)
    for value in ("on", "on", "off"):
        content = my_presets().get("1")
        my_presets().update("1", version=content.version, name="Reception", settings={"allow_export": value})
        administrator.post(INVITE, rows(ADA, preset="1"))
    first, second, corrected = [call.headers["Idempotency-Key"] for call in upstream.calls("POST", CALL)]
    assert first == second != corrected
    assert json.loads(upstream.calls("POST", CALL)[-1].body)["permissions"] == {"allowExport": False}


@pytest.mark.req("DM-49")
def test_a_preset_that_can_not_be_read_is_not_offered(administrator):  # noqa: F811
    preset()
    PermissionPreset.objects.update(content="of another key")
    assert 'name="preset"' not in administrator.get(INVITE).content.decode()
