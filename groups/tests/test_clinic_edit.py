"""Editing a clinic: only changes are sent, and no concurrent change is lost."""

import pytest

from tests.support import factories

LIST = "/user-manage/clinic"
PAGE = f"{LIST}/g-1/edit"
CALL = "/v1/bizMainGroups/g-1"
FORM = {"name": "Clinic 1", "country_code": "KR", "dentist_count": "4", "staff_count": "", "info": "", "version": "1"}


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic(dentistCount=4)
    upstream.answers("PUT", CALL, {"version": 2})
    return admin_client


@pytest.mark.req("UC-04", "EN-36", "EN-38", "VA-28")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG", "de-DE"])
def test_the_form_shows_the_clinic_and_its_server_location_read_only(administrator, visit, lng):
    page = visit(PAGE, lng=lng)
    html = page.response.content.decode()
    assert 'value="Clinic 1"' in html
    assert '<option value="KR" selected>' in html
    assert not any("location" in name for name in page.fields)
    if lng == "en-US":
        assert "The server location can&#39;t be changed." in html
        assert "Jan 5, 2026" in html


@pytest.mark.req("UC-04", "LS-17")
def test_only_changes_are_sent_with_the_version_that_was_shown(administrator, upstream):
    response = administrator.post(PAGE, FORM | {"name": "Clinic One", "staff_count": "9"})
    assert (response.status_code, response.headers["Location"]) == (303, LIST)
    assert upstream.bodies("PUT", CALL) == [{"name": "Clinic One", "staffCount": 9}]
    assert upstream.calls("PUT", CALL)[0].headers["If-Match"] == '"1"'
    assert "<bdi translate=no>Clinic One</bdi></a> was updated." in administrator.get(LIST).content.decode()


def test_an_emptied_number_is_sent_as_0(administrator, upstream):
    administrator.post(PAGE, FORM | {"dentist_count": ""})
    assert upstream.bodies("PUT", CALL) == [{"dentistCount": 0}]


def test_a_form_without_any_change_makes_no_call(administrator, upstream):
    assert administrator.post(PAGE, FORM).status_code == 303
    assert upstream.bodies("PUT", CALL) == []


def test_line_ends_of_the_browser_are_not_a_change(administrator, upstream):
    upstream.answers("GET", CALL, factories.clinic(info="Monday\nFriday", dentistCount=4))
    administrator.post(PAGE, FORM | {"info": "Monday\r\nFriday"})
    assert upstream.bodies("PUT", CALL) == []


@pytest.mark.req("EN-37")
def test_info_that_is_not_text_stays_unchanged(administrator, upstream):
    upstream.answers("GET", CALL, factories.clinic(info={"street": "Main"}, dentistCount=4))
    assert 'name="info"' not in administrator.get(PAGE).content.decode()
    administrator.post(PAGE, FORM | {"name": "Other", "info": "mine"})
    assert upstream.bodies("PUT", CALL) == [{"name": "Other"}]


def test_an_unknown_country_does_not_prevent_an_edit(administrator, upstream):
    upstream.answers("GET", CALL, factories.clinic(countryCode="Q9", dentistCount=4))
    assert '<option value="Q9" selected>' in administrator.get(PAGE).content.decode()
    administrator.post(PAGE, FORM | {"country_code": "Q9", "name": "Other"})
    assert upstream.bodies("PUT", CALL) == [{"name": "Other"}]


@pytest.mark.req("VA-28")
@pytest.mark.parametrize("name", ["server_location", "serverLocation", "id", "organizationId"])
def test_a_forged_field_is_dropped(administrator, upstream, name):
    administrator.post(PAGE, FORM | {"name": "Other", name: "US"})
    assert upstream.bodies("PUT", CALL) == [{"name": "Other"}]


@pytest.mark.req("LS-17")
def test_a_stale_edit_shows_both_values_and_asks(administrator, upstream):
    upstream.answers("PUT", CALL, factories.refusal(10005), status=412)
    upstream.remove("GET", CALL)
    newest = factories.clinic(name="Their name", countryCode="FR", dentistCount=4, version=7)
    upstream.answers_in_order("GET", CALL, (200, factories.clinic(dentistCount=4)), (200, newest))
    response = administrator.post(PAGE, FORM | {"name": "My name"})
    html = response.content.decode()
    assert response.status_code == 412
    assert "Someone else changed this in the meantime." in html
    for value in ("My name", "Their name", "South Korea", "France"):
        assert value in html
    assert 'name="name" value="My name"' in html, "what was typed stays"
    assert 'name="version" value="7"' in html, "saving again is a decision, not an accident"
    assert f'href="{PAGE}"' in html, "their values can be taken"


@pytest.mark.req("LS-17")
def test_invalid_input_keeps_the_version_that_was_shown(administrator, upstream):
    upstream.answers("GET", CALL, factories.clinic(dentistCount=4, version=8))
    html = administrator.post(PAGE, FORM | {"name": ""}).content.decode()
    assert 'name="version" value="1"' in html


@pytest.mark.req("ER-20")
@pytest.mark.parametrize(("status", "code", "expected_status"), [(500, 10000, 502), (422, 12005, 422)])
def test_a_failure_is_reported_and_the_input_stays(administrator, upstream, status, code, expected_status):
    upstream.answers("PUT", CALL, factories.refusal(code), status=status)
    response = administrator.post(PAGE, FORM | {"name": "Other"})
    html = response.content.decode()
    assert response.status_code == expected_status
    assert "Failed to update the clinic." in html
    assert 'value="Other"' in html
    assert response.headers["X-Request-ID"] in html


def test_a_name_in_use_is_reported_at_the_name(administrator, upstream):
    refusal = factories.refusal(13007, fields=[{"field": "name", "code": 13007}])
    upstream.answers("PUT", CALL, refusal, status=409)
    response = administrator.post(PAGE, FORM | {"name": "Other"})
    assert response.status_code == 409
    html = response.content.decode()
    assert "This name is already in use" in html
    assert "Somebody else" not in html


@pytest.mark.req("PM-20")
def test_a_clinic_of_another_organization_is_not_changed(administrator, upstream):
    upstream.answers("GET", CALL, factories.clinic(organizationId="o-2", name="Theirs"))
    assert administrator.post(PAGE, FORM | {"name": "Mine"}).status_code == 404
    assert upstream.bodies("PUT", CALL) == []


@pytest.mark.req("LS-13")
def test_the_page_returns_to_the_list_as_it_was(administrator):
    back = f"{LIST}?has_user=false&page=3"
    response = administrator.post(PAGE, FORM | {"name": "Other", "back": back})
    assert response.headers["Location"] == back
