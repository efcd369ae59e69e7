"""A form without a version overwrites nothing: it shows both values, and asks for confirmation."""

import re

import pytest

from tests.support import factories

CLINIC, USER, TEAM = "/user-manage/clinic/g-1", "/user-manage/clinic/g-1/user/u-1", "/user-manage/clinic/g-1/team/t-1"
STALE = "Someone else changed this in the meantime."
FORMS = {
    f"{CLINIC}/edit": {"name": "Mine", "country_code": "KR"},
    f"{CLINIC}/delete": {"typed_name": "Clinic 1"},
    f"{CLINIC}/permissions": {"allow_export": "off"},
    f"{USER}/edit": {"name": "Mine", "user_type": "STAFF", "clinic_id": "g-1", "teams_of": "g-1", "team_id": ""},
    f"{USER}/delete": {},
    f"{USER}/permissions": {"allow_export": "off"},
    f"{TEAM}/edit": {"name": "Mine", "team_type": "GENERAL"},
    f"{TEAM}/delete": {},
}


@pytest.fixture
def administrator(administrator, upstream):
    for path in ("bizMainGroups/g-1", "bizUsers/u-1", "bizSubGroups/t-1"):
        upstream.answers("PUT", f"/v1/{path}", {"version": 2})
        upstream.answers("PUT", f"/v1/{path}/permissions", {"version": 3})
        upstream.answers("DELETE", f"/v1/{path}")
    return administrator


def changes(upstream):
    return [*upstream.calls("PUT"), *upstream.calls("DELETE")]


@pytest.mark.req("SEC-38", "LS-17")
@pytest.mark.parametrize("version", [None, "", "-1"])
@pytest.mark.parametrize("path", FORMS)
def test_a_change_without_its_version_is_stale_and_asks_for_confirmation(administrator, upstream, path, version):
    sent = FORMS[path] | ({} if version is None else {"version": version})
    response = administrator.post(path, sent)
    html = response.content.decode()
    assert response.status_code == 412
    assert STALE in html
    assert changes(upstream) == []
    (stored_version,) = set(re.findall(r'name="version" value="(\d+)"', html))
    assert administrator.post(path, sent | {"version": stored_version}).status_code == 303
    assert changes(upstream)[0].headers["If-Match"] == f'"{stored_version}"'


@pytest.mark.req("SEC-38")
def test_a_switch_without_its_version_is_refused_in_json_too(administrator, upstream):
    path = f"{CLINIC}/permissions"
    answer = administrator.post(path, {"allow_export": "off"}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["message"]) == (412, STALE)
    assert answer.json()["item"]["version"] == 2
    assert changes(upstream) == []


@pytest.mark.req("SEC-38")
def test_without_a_version_of_the_service_the_form_needs_none(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.clinic(version=None))
    assert administrator.post(f"{CLINIC}/edit", FORMS[f"{CLINIC}/edit"]).status_code == 303
    assert "If-Match" not in changes(upstream)[0].headers
