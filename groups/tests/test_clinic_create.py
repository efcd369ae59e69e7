"""Adding a clinic: it is created once with the input, and the page returns to the list it was opened from."""

import json
import re

import pytest

from tests.support import factories
from tests.support.reading import is_unconfirmed

LIST = "/user-manage/clinic"
PAGE = f"{LIST}/new"
CALL = "/v1/bizMainGroups"
FORM = {"name": "Smile", "country_code": "FR", "dentist_count": "٣", "staff_count": "", "info": "Open\r\non Monday"}
FORM_ID = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("POST", CALL, {"id": "g-2"})
    return administrator


@pytest.mark.req("UC-04", "EN-36", "EN-37", "EN-38", "VA-36")
def test_a_clinic_is_created_with_the_input(administrator, upstream):
    response = administrator.post(PAGE, FORM)
    assert (response.status_code, response.headers["Location"]) == (303, LIST)
    assert upstream.bodies("POST", CALL) == [
        {
            "organizationId": "o-1",
            "name": "Smile",
            "countryCode": "FR",
            "dentistCount": 3,
            "info": "Open\non Monday",
        }
    ]


@pytest.mark.req("DM-19", "UC-04")
def test_the_list_reports_the_success(administrator):
    html = administrator.post(PAGE, FORM, follow=True).content.decode()
    assert html.count(" was created.") == 1
    name = FORM["name"]
    assert re.search(rf'<a href="{LIST}/[\w-]+/user"><bdi translate=no>{name}</bdi></a> was created\.', html), (
        "the list may not show it"
    )


@pytest.mark.req("UC-04", "EN-38", "VA-28")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG", "de-DE"])
def test_the_form_offers_the_countries_and_no_server_location(administrator, visit, lng):
    page = visit(PAGE, lng=lng)
    names = set(page.fields)
    assert {"name", "country_code", "dentist_count", "staff_count", "info"} <= names
    assert "server_location" not in names
    html = page.response.content.decode()
    assert {"en-US": "South Korea", "ar-EG": "كوريا الجنوبية", "de-DE": "Südkorea"}[lng] in html


def test_the_country_is_found_by_typing(administrator, visit):
    assert visit(PAGE).one("[data-find-option=id_country_code]").attributes["aria-label"] == "Find a country"


@pytest.mark.req("VA-28")
@pytest.mark.parametrize("name", ["server_location", "serverLocation", "organization_id", "organizationId", "id"])
def test_a_forged_field_is_dropped(administrator, upstream, name):
    assert administrator.post(PAGE, {**FORM, name: "US"}).status_code == 303
    assert "US" not in json.dumps(upstream.bodies("POST", CALL))
    assert upstream.bodies("POST", CALL)[0]["organizationId"] == "o-1"


@pytest.mark.req("DM-19")
def test_a_script_gets_the_message_with_the_name(administrator):
    answer = administrator.post(PAGE, FORM, headers={"Accept": "application/json"}).json()
    assert answer["message"] == "\u2068Smile\u2069 was created."


@pytest.mark.req("DM-11", "LS-13")
def test_save_and_add_another_opens_an_empty_form_that_keeps_the_country_and_the_return_url(administrator):
    back = f"{LIST}?keyword=smile&page=2"
    response = administrator.post(PAGE, {**FORM, "another": "1", "back": back}, follow=True)
    html = response.content.decode()
    assert response.redirect_chain[0][0].startswith(PAGE + "?")
    assert "<bdi translate=no>Smile</bdi></a> was created." in html
    assert 'value="Smile"' not in html
    assert re.search(r'<input[^>]*name="name"[^>]* autofocus', html)
    assert '<option value="FR" selected>' in html
    assert f'name="back" value="{back.replace("&", "&amp;")}"' in html
    assert FORM_ID not in html


@pytest.mark.req("LS-13", "DM-11")
def test_the_page_returns_to_the_list_as_it_was(administrator):
    opened = administrator.get(PAGE, headers={"Referer": f"http://testserver{LIST}?country_code=FR&sort=user_count"})
    (back,) = re.findall(r'name="back" value="([^"]*)"', opened.content.decode())
    back = back.replace("&amp;", "&")
    assert back == f"{LIST}?country_code=FR&sort=user_count"
    assert administrator.post(PAGE, {**FORM, "back": back}).headers["Location"] == back


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/user-manage/clinic/g-1/user?x=1", "\r\nX: y"]
)
def test_any_other_return_url_is_ignored(administrator, back):
    assert administrator.post(PAGE, {**FORM, "back": back}).headers["Location"] == LIST


@pytest.mark.req("VA-35", "VA-36", "VA-33")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": " "}, "Enter name"),
        ({"name": "x" * 101}, "100"),
        ({"name": "a\x00b"}, "Invalid name"),
        ({"country_code": ""}, "Choose a country"),
        ({"country_code": "ZZ"}, "ZZ is not one of the available choices"),
        ({"dentist_count": "10000"}, "Enter a whole number from 0 to 9999."),
        ({"staff_count": "two"}, "Enter a whole number from 0 to 9999."),
        ({"info": "x" * 1001}, "1000"),
        ({"info": "a\x1bb"}, "Invalid info"),
    ],
)
def test_invalid_input_is_reported_at_its_field_and_nothing_is_sent(administrator, upstream, wrong, message):
    response = administrator.post(PAGE, FORM | wrong)
    html = response.content.decode()
    assert response.status_code == 422
    assert message in html
    assert "data-focus" in html
    assert "Error: Add clinic" in html
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("ER-20")
@pytest.mark.parametrize(("status", "expected_status"), [(500, 502), (422, 422)])
def test_a_failure_is_reported_and_the_input_stays(administrator, upstream, status, expected_status):
    upstream.answers("POST", CALL, factories.refusal(10000), status=status)
    response = administrator.post(PAGE, {**FORM, "form_id": FORM_ID})
    html = response.content.decode()
    assert response.status_code == expected_status
    assert "Failed to create the clinic." in html
    assert 'value="Smile"' in html
    assert "raw words" not in html
    assert response.headers["X-Request-ID"] in html
    assert FORM_ID in html, "the same form can be sent again, and is carried out once"


@pytest.mark.req("ER-20")
def test_a_name_in_use_is_reported_at_the_name(administrator, upstream):
    refusal = factories.refusal(13007, fields=[{"field": "name", "code": 13007}])
    upstream.answers("POST", CALL, refusal, status=409)
    response = administrator.post(PAGE, FORM)
    assert response.status_code == 409
    assert "This name is already in use" in response.content.decode()


def test_a_clinic_that_may_have_been_created_is_reported_as_unknown(administrator, upstream):
    upstream.answers("POST", CALL, {}, status=524)
    response = administrator.post(PAGE, FORM)
    assert response.status_code == 504
    assert is_unconfirmed(response.content.decode(), "Add clinic")


@pytest.mark.req("LS-18")
def test_a_double_click_makes_one_call_and_both_get_the_same_answer(administrator, upstream):
    form = {**FORM, "form_id": FORM_ID}
    first, second = administrator.post(PAGE, form), administrator.post(PAGE, form)
    assert (first.status_code, first.headers["Location"]) == (second.status_code, second.headers["Location"])
    assert len(upstream.bodies("POST", CALL)) == 1


@pytest.mark.req("LS-18")
def test_a_second_clinic_from_a_new_form_is_a_second_call(administrator, upstream):
    for _ in range(2):
        (form_id,) = re.findall(r'name="form_id" value="([^"]*)"', administrator.get(PAGE).content.decode())
        administrator.post(PAGE, {**FORM, "form_id": form_id})
    assert len(upstream.bodies("POST", CALL)) == 2
