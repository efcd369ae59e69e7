"""The permissions of one user copied to another of the same clinic: chosen in a list, checked, and then saved."""

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest

from tests.support import factories
from tests.support.bulk import ALL_USERS, USERS, answer_bulk_call, bodies, has_users, next_step
from tests.support.page import Page

USER = "/user-manage/clinic/g-1/user/u-1/permissions"
COPY = f"{USER}/copy"
CALL = "/v1/bizUsers/u-1/permissions"
BULK = f"{USERS}/bulk/permissions"
BULK_CALL = "/v1/bizUsers/bulkPermissions"
SOURCE = "/v1/bizUsers/u-2"
BACK = "/user-manage/clinic/g-1/user?keyword=x&page=2"
NAMES = ("allow_order", "allow_export", "allow_case_converting", "allow_case_talk", "allow_download")


@pytest.fixture
def source_permissions():
    """The source's own export is off, everything else follows the clinic."""
    source_permissions = factories.permissions(owner="USER", source="MAIN_GROUP")
    source_permissions["permissions"]["allowExport"] = {"value": False, "source": "OWN"}
    return source_permissions


@pytest.fixture
def administrator(administrator, upstream, source_permissions):
    upstream.answers("PUT", CALL, {"version": 3})
    upstream.answers("GET", "/v1/bizUsers", factories.listing([factories.user(1), factories.user(2)]))
    upstream.answers("GET", SOURCE, factories.user(2))
    upstream.answers("GET", f"{SOURCE}/permissions", source_permissions)
    return administrator


def sent(upstream):
    return [json.loads(call.body)["permissions"] for call in upstream.calls("PUT", CALL)]


def checked(html):
    return dict(re.findall(r'type="radio" name="(\w+)" value="(\w+)" checked', html))


def filled(html):
    """Return the values that the form of the page sends when nothing is changed."""
    return checked(html) | dict(re.findall(r'name="(proof|version)" value="([^"]*)"', html))


@pytest.mark.req("PM-12", "PM-19")
def test_another_users_settings_fill_the_form_and_are_saved_by_it_only(administrator, visit, upstream):
    assert visit(USER).texts(f'#page-menu a[href="{COPY}"]') == ["Copy permissions from…"], "with its words on a phone"
    listed = visit(COPY).response.content.decode()
    assert f'href="{USER}?copy_from=u-2"' in listed
    assert "copy_from=u-1" not in listed
    html = visit(f"{USER}?copy_from=u-2").response.content.decode()
    assert (
        "Permissions copied from \u2068User 2\u2069 (\u2068user2@clinic.example\u2069). They aren&#39;t saved yet."
        in html
    )
    assert "data-island=" not in html
    assert checked(html) == {**dict.fromkeys(NAMES, "inherit"), "allow_export": "off"}
    lines = Page(html).texts(".permission-new, .permission-source")
    assert lines == [
        "On (clinic setting)",
        "Not saved yet. Current setting: On (clinic setting)",
        *["On (clinic setting)"] * 3,
    ], "only what changes is marked, and each has one line"
    assert sent(upstream) == []
    administrator.post(USER, filled(html))
    assert sent(upstream) == [{"allowExport": False}]


@pytest.mark.req("PM-19")
def test_the_users_own_value_follows_the_clinic_again_if_that_of_the_source_does(
    administrator, upstream, source_permissions
):
    permissions = factories.permissions(owner="USER", source="OWN")
    upstream.answers("GET", CALL, permissions)
    html = administrator.get(f"{USER}?copy_from=u-2").content.decode()
    administrator.post(USER, filled(html))
    (change,) = sent(upstream)
    assert change == {
        "allowOrder": None,
        "allowExport": False,
        "allowCaseConverting": None,
        "allowCaseTalk": None,
        "allowDownload": None,
    }


@pytest.mark.req("PM-19")
def test_unknown_permissions_of_the_source_are_not_copied(administrator, upstream, source_permissions):
    source_permissions["permissions"]["allowDownload"] = {"value": False, "source": "OWN"}
    del source_permissions["permissions"]["allowExport"]
    upstream.answers("GET", f"{SOURCE}/permissions", source_permissions)
    html = administrator.get(f"{USER}?copy_from=u-2").content.decode()
    assert checked(html) == dict.fromkeys(NAMES, "inherit") | {"allow_download": "off"}, "the user's own setting stays"


@pytest.mark.req("PM-19")
def test_a_copy_that_changes_nothing_is_not_offered_to_be_saved(administrator, visit, upstream, source_permissions):
    source_permissions["permissions"]["allowExport"] = {"value": True, "source": "MAIN_GROUP"}
    upstream.answers("GET", f"{SOURCE}/permissions", source_permissions)
    page = visit(f"{USER}?copy_from=u-2")
    assert page.messages == ["Nothing to copy from User 2 (user2@clinic.example): no permission would change."]
    assert len(page.all("[data-island=permission-toggles]")) == 1
    assert page.all("[data-unsaved], .permission-new") == []
    assert page.links["Copy permissions from…"] == COPY


@pytest.mark.req("PM-19")
def test_the_list_says_whose_users_it_has(administrator, visit, upstream):
    assert "Only users of Clinic 1 are listed." in visit(COPY).text
    upstream.answers("GET", "/v1/bizUsers", factories.listing([]))
    assert visit(f"{COPY}?keyword=x").texts(".empty p") == [
        "No matches.",
        "Only users of Clinic 1 are listed. Try another keyword.",
    ]


@pytest.mark.req("PM-19", "LS-17")
def test_a_stale_copy_asks_for_confirmation(administrator, upstream):
    html = administrator.get(f"{USER}?copy_from=u-2").content.decode()
    upstream.answers("PUT", CALL, factories.refusal(10005), status=412)
    newest = factories.permissions(version=9, owner="USER", source="MAIN_GROUP")
    newest["permissions"]["allowDownload"] = {"value": False, "source": "OWN"}
    upstream.answers("GET", CALL, newest)
    response = administrator.post(USER, filled(html))
    assert response.status_code == 412
    changed = {**dict.fromkeys(NAMES, "inherit"), "allow_export": "off", "allow_download": "off"}
    page = response.content.decode()
    assert checked(page) == changed
    text = re.sub(r"\s*<[^>]+>\s*", "|", page[page.index("Someone else changed this in the meantime.") :])
    assert "|Allow exports|Your value|Off|Their value|Clinic setting|" in re.sub(r"\|+", "|", text)


@pytest.mark.req("PM-20")
def test_a_user_of_another_clinic_can_not_be_copied_from(administrator, upstream):
    upstream.answers("GET", SOURCE, factories.user(2, mainGroupId="g-9", name="Somebody else"))
    response = administrator.get(f"{USER}?copy_from=u-2")
    assert response.status_code == 404
    assert "Somebody else" not in response.content.decode()


@pytest.mark.req("PM-20")
def test_nothing_can_be_copied_to_a_user_of_another_clinic(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(1, mainGroupId="g-9", name="Somebody else"))
    for path in (COPY, f"{USER}?copy_from=u-2"):
        response = administrator.get(path)
        assert response.status_code == 404
        assert "Somebody else" not in response.content.decode()


def test_only_one_page_of_the_users_of_the_clinic_is_read(administrator, upstream):
    administrator.get(f"{COPY}?keyword=user&page=2")
    (call,) = upstream.calls("GET", "/v1/bizUsers")
    assert call.params["mainGroupId"] == "g-1"
    assert (call.params["page"], call.params["size"]) == ("2", "25")


def links(html):
    return [unescape(href) for href in re.findall(r'href="([^"]+)"', html)]


@pytest.mark.req("LS-13")
def test_the_return_url_to_the_list_is_kept_through_all_steps_of_a_copy(administrator, upstream):
    back = urlencode({"back": BACK})
    (copy,) = [link for link in links(administrator.get(f"{USER}?{back}").content.decode()) if "/copy" in link]
    listed = administrator.get(copy).content.decode()
    (sort,) = [link for link in links(listed) if "sort=email" in link]
    search = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]+)"', listed.split('role="search"')[1]))
    searched = f"{COPY}?{urlencode({'keyword': 'user', 'back': unescape(search['back'])})}"
    for path in (copy, sort, searched):
        (use,) = {link for link in links(administrator.get(path).content.decode()) if "copy_from=u-2" in link}
        html = administrator.get(use).content.decode()
        assert BACK in links(html)
        saved = administrator.post(USER, filled(html) | {"back": BACK}, follow=True).content.decode()
        assert BACK in links(saved)


def test_its_list_answers_as_json_like_every_other(administrator):
    answer = administrator.get(f"{COPY}?keyword=a", headers={"Accept": "application/json"}).json()
    view = answer["item"]["list"]
    assert (view["path"], view["search"]["keyword"]) == (COPY, "a")
    assert [row["id"] for row in view["rows"]] == ["u-2"]
    assert view["pager"]["range"] == "1 to 1 of 1"


@pytest.fixture
def several(administrator, upstream):
    """The next step of the plan to give two users another user's permissions."""
    has_users(upstream, 3)
    answer_bulk_call(upstream, BULK_CALL)
    plan = administrator.post(BULK, {"id": ["u-1", "u-3"]}).content.decode()
    assert "2 users selected" in plan
    assert '<option value="u-2">User 2 (' in plan.replace("\u2068", "").replace("\u2069", "")
    return next_step(plan)


@pytest.mark.req("PM-12", "PM-19", "DM-01")
def test_several_users_get_the_settings_of_one(administrator, upstream, source_permissions, several):
    del source_permissions["permissions"]["allowOrder"]
    upstream.answers("GET", f"{SOURCE}/permissions", source_permissions)
    html = administrator.post(BULK, {**several, "source": "u-2"}, follow=True).content.decode()
    assert "Permissions changed for 2 users." in html
    inherited = dict.fromkeys(("allowCaseConverting", "allowCaseTalk", "allowDownload"))
    assert bodies(upstream, BULK_CALL) == [{"ids": ["u-1", "u-3"], "permissions": {"allowExport": False, **inherited}}]


@pytest.mark.req("PM-19", "PM-20")
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("u-99", "Select a valid choice"),
        ("u-2", "This user&#39;s permissions aren&#39;t available. Choose another user."),
    ],
)
def test_nothing_is_changed_if_there_is_nothing_to_copy(
    administrator, upstream, source_permissions, several, source, message
):
    source_permissions["permissions"].clear()
    upstream.answers("GET", f"{SOURCE}/permissions", source_permissions)
    response = administrator.post(BULK, {**several, "source": source})
    assert response.status_code == 422
    assert f"<span>{message}" in response.content.decode()
    assert bodies(upstream, BULK_CALL) == []


@pytest.mark.req("PM-19")
def test_a_source_that_can_not_be_read_is_reported_and_nothing_is_changed(administrator, upstream, several):
    upstream.answers("GET", f"{SOURCE}/permissions", factories.refusal(10008), status=503)
    assert administrator.post(BULK, {**several, "source": "u-2"}).status_code == 502
    assert bodies(upstream, BULK_CALL) == []


@pytest.mark.req("PM-12", "PM-19")
def test_a_chosen_permission_takes_precedence_over_a_copied_one(administrator, upstream, several):
    administrator.post(BULK, {**several, "source": "u-2", "allow_export": "on"})
    (sent_once,) = bodies(upstream, BULK_CALL)
    assert sent_once["permissions"]["allowExport"] is True
    assert len(sent_once["permissions"]) == 5


@pytest.mark.req("PM-20")
def test_permissions_are_not_copied_to_people_of_several_clinics(administrator):
    plan = administrator.post(f"{ALL_USERS}/bulk/permissions", {"id": ["u-1"]}).content.decode()
    assert 'name="allow_export"' in plan
    assert 'name="source"' not in plan
