"""The administrator's account: what it shows, and how its sections are changed."""

import re

import pytest

from tests.support import factories
from tests.support.reading import words

ADMIN = "/v1/bizOrganizationAdmins/a-1"
ORGANIZATION = "/v1/bizOrganizations/o-1"
ACCOUNT, NAME, DASHBOARD = "/my-account", "/my-account/organization-name", "/my-account/dashboard-url"
PREFERENCES = "/my-account/preferences"
URL = "https://usage.dashboard.example/o-1?view=all"


@pytest.fixture
def account(admin_client, upstream, settings):
    """An account that is read and changed without refusals."""
    settings.ALLOWED_DASHBOARD_HOSTS = ["dashboard.example"]
    upstream.answers("GET", ORGANIZATION, organization())
    upstream.answers("GET", ADMIN, admin())
    upstream.answers("GET", "/v1/bizOrganizations/exist", {"resultCount": 0})
    upstream.answers("GET", "/v1/bizDashboards/url", {"url": URL})
    for path in (ADMIN, ORGANIZATION, "/v1/bizDashboards/url"):
        upstream.answers("PUT", path)
    return upstream


def organization(**values):
    known = {"countryCode": "KR", "serverLocation": "KR", "createdDate": "2026-01-05T08:30:00Z", "version": 3}
    return factories.organization(**known, **values)


def admin(**values):
    known = {"language": "en-US", "timeZone": "Asia/Seoul", "marketingAgreed": False, "version": 7}
    return {**factories.ADMIN, **known, **values}


def dashboard(client, url):
    """Return the fields of the current form of the dashboard's URL."""
    match = re.search(r'name="version" value="(\d+)"', client.get(DASHBOARD).content.decode())
    assert match
    return {"dashboard_url": url, "version": match[1]}


@pytest.mark.req("RT-16", "UC-15", "EN-01", "EN-02", "EN-05", "EN-06", "EN-07", "CA-15", "CA-17")
def test_the_account_is_on_one_page_with_a_link_to_change_each_section(visit, account):
    page = visit(ACCOUNT).response
    texts = (
        "Demo Dental Group",
        "South Korea",
        "Server location South Korea",
        "Jan 5, 2026",
        "admin@demo.example",
        URL,
        "Seoul, South Korea",
    )
    for text in (*texts, "It can't be changed later."):
        assert text in words(page)
    for section in ("organization-name", "email", "password", "dashboard-url", "preferences", "sessions"):
        assert f'href="/my-account/{section}"' in page.content.decode()


@pytest.mark.req("RT-16")
def test_the_account_is_shown_when_the_dashboard_url_cannot_be_read(visit, account):
    account.answers("GET", "/v1/bizDashboards/url", status=500)
    text = words(visit(ACCOUNT).response)
    assert "Couldn't load this." in text
    assert "Demo Dental Group" in text


@pytest.mark.req("CA-18", "EN-06", "EN-04")
def test_a_new_organization_name_is_sent_with_the_other_stored_fields_and_shown_at_once(admin_client, account):
    account.answers("GET", ORGANIZATION, organization(loyalty={"level": 2}))
    response = admin_client.post(NAME, {"name": "Ada Dental", "version": "3"})
    assert (response.status_code, response.headers["Location"]) == (303, ACCOUNT)
    assert account.bodies("PUT", ORGANIZATION) == [{"name": "Ada Dental", "loyalty": {"level": 2}}]
    assert account.calls("PUT", ORGANIZATION)[0].headers["If-Match"] == '"3"'
    page = admin_client.get(PREFERENCES).content.decode()
    assert "Ada Dental" in page.split("</header>")[0]
    assert "Organization name changed to" in page


@pytest.mark.req("VA-20")
@pytest.mark.parametrize("check", [{}, {"check": "name"}])
def test_the_current_name_is_rejected_as_unchanged(admin_client, account, check):
    response = admin_client.post(NAME, {"name": " Demo Dental Group ", "version": "3", **check})
    assert "This organization name is the same as your current one" in words(response)
    assert account.bodies("PUT", ORGANIZATION) == []


@pytest.mark.req("VA-19")
@pytest.mark.parametrize("check", [{}, {"check": "name"}])
def test_a_name_in_use_is_reported_and_kept_in_the_form(admin_client, account, check):
    account.answers("GET", "/v1/bizOrganizations/exist", {"resultCount": 1})
    response = admin_client.post(NAME, {"name": "Taken Dental", "version": "3", **check})
    assert "This organization name is already in use" in words(response)
    assert 'value="Taken Dental"' in response.content.decode()
    assert account.bodies("PUT", ORGANIZATION) == []


@pytest.mark.req("VA-15", "VA-16")
@pytest.mark.parametrize(("name", "text"), [("", "Enter organization name"), ("a\x00", "Invalid organization name")])
def test_the_check_button_reports_an_invalid_name(admin_client, account, name, text):
    response = admin_client.post(NAME, {"name": name, "version": "3", "check": "name"})
    assert response.status_code == 200
    assert text in words(response)


@pytest.mark.req("VA-19", "CA-13")
def test_a_name_is_checked_in_place_at_the_region_without_the_token(admin_client, account):
    form_data = {"name": "Ada Dental", "check": "name"}
    answer = admin_client.post(NAME, form_data, headers={"Accept": "application/json"}).json()
    assert answer["message"] == "This organization name is available"
    (call,) = account.calls("GET", "/v1/bizOrganizations/exist")
    assert call.url.startswith(factories.REGION_API)
    assert call.headers["service-id"] == "7"
    assert "Authorization" not in call.headers


@pytest.mark.parametrize(
    ("code", "status", "text"),
    [
        pytest.param(12002, 409, "already in use", marks=pytest.mark.req("VA-19")),
        pytest.param(12004, 422, "the same as your current one", marks=pytest.mark.req("VA-20")),
    ],
)
def test_the_services_refusal_of_a_name_is_shown_at_its_field(admin_client, account, code, status, text):
    account.answers("PUT", ORGANIZATION, factories.refusal(code), status=status)
    response = admin_client.post(NAME, {"name": "Ada Dental", "version": "3"})
    assert f"This organization name is {text}" in words(response)


def test_a_concurrent_change_of_the_name_is_reported_with_both_names(admin_client, account):
    account.answers("PUT", ORGANIZATION, factories.refusal(10005), status=412)
    response = admin_client.post(NAME, {"name": "Ada Dental", "version": "2"})
    assert response.status_code == 412
    text = words(response)
    assert "Someone else changed this in the meantime." in text
    assert "Ada Dental" in text
    assert "Demo Dental Group" in text


@pytest.mark.req("CA-16")
@pytest.mark.parametrize("answer", [{"body": b"", "status": 204}, {"body": b"", "status": 200}])
def test_only_changed_preferences_are_sent_and_no_content_is_a_success(admin_client, account, answer):
    account.raw("PUT", ADMIN, **answer)
    account.answers("GET", ADMIN, admin(beta={"rows": 3}))
    form_data = {"language": "de-DE", "time_zone": "berlin, germany", "marketing_agreed": "on", "version": "7"}
    response = admin_client.post(PREFERENCES, form_data)
    assert response.status_code == 303
    assert account.bodies("PUT", ADMIN) == [
        {"language": "de-DE", "timeZone": "Europe/Berlin", "marketingAgreed": True, "beta": {"rows": 3}}
    ]


@pytest.mark.req("EN-04")
def test_unchanged_preferences_are_not_sent(admin_client, account):
    form_data = {"language": "en-US", "time_zone": "Seoul, South Korea", "version": "7"}
    assert admin_client.post(PREFERENCES, form_data).status_code == 303
    assert account.bodies("PUT", ADMIN) == []


def test_an_invalid_time_zone_is_reported_and_kept(admin_client, account):
    response = admin_client.post(PREFERENCES, {"language": "en-US", "time_zone": "Nowhere", "version": "7"})
    assert response.status_code == 422
    assert "Choose a time zone from the list." in words(response)
    assert 'value="Nowhere"' in response.content.decode()


def test_time_zones_have_names_in_the_language_of_the_reader(visit, account):
    page = visit(PREFERENCES, lng="de-DE")
    assert '<option value="Seoul, Südkorea">' in page.response.content.decode()


@pytest.mark.req("VA-23", "VA-24")
def test_a_dashboard_url_of_the_allowed_host_is_saved(admin_client, account):
    assert admin_client.post(DASHBOARD, dashboard(admin_client, URL)).status_code == 303
    assert account.bodies("PUT", "/v1/bizDashboards/url") == [{"organizationId": "o-1", "url": URL}]


@pytest.mark.req("VA-24", "SEC-93")
@pytest.mark.parametrize(
    "url",
    [
        "http://dashboard.example/x",
        "https://dashboard.example.evil.example/x",
        "https://evildashboard.example/x",
        "https://a@dashboard.example/x",
        "https://dashboard.example:8443/x",
        "https://dashboard.example/x#https://evil.example",
        "https://evil.example/dashboard.example",
        "https://evil.example?dashboard.example",
        "//dashboard.example/x",
        "javascript:alert(1)//dashboard.example",
        "https://dashboard.example\\@evil.example/x",
        "https://dashboard.example/" + "x" * 2048,
        "https://127.0.0.1/x",
        "https://dashboard.example./x",
        "https://däshboard.example/x",
        "https://dashboard.example/../x",
        "https:dashboard.example/x",
        "https://dashboard.example/x y",
        "https://xn--dashboard.example",
        "dashboard.example/x",
    ],
)
def test_another_dashboard_url_is_refused_and_kept_in_the_form(admin_client, account, url):
    response = admin_client.post(DASHBOARD, dashboard(admin_client, url))
    assert response.status_code == 422
    assert "Invalid dashboard URL" in words(response)
    assert account.bodies("PUT", "/v1/bizDashboards/url") == []


@pytest.mark.req("VA-23")
def test_a_dashboard_url_that_the_service_refuses_is_reported_at_the_field(admin_client, account):
    refusal = factories.refusal(12006, fields=[{"field": "url", "code": 12006}])
    account.answers("PUT", "/v1/bizDashboards/url", refusal, status=422)
    response = admin_client.post(DASHBOARD, dashboard(admin_client, URL))
    assert 'id="id_dashboard_url_error"' in response.content.decode()
    assert "Invalid dashboard URL" in words(response)


@pytest.mark.req("VA-23")
@pytest.mark.parametrize(("on_organization", "path"), [(False, ADMIN), (True, ORGANIZATION)])
def test_the_dashboard_url_is_written_where_it_is_read_if_the_service_has_no_call_for_it(
    admin_client, account, on_organization, path
):
    account.answers("GET", "/v1/bizDashboards/url", status=404)
    account.answers("PUT", "/v1/bizDashboards/url", status=404)
    stored_url = {"dashboardUrl": "https://dashboard.example/former"}
    account.answers("GET", ORGANIZATION, organization(**(stored_url if on_organization else {})))
    account.answers("GET", ADMIN, admin(**({} if on_organization else stored_url)))
    assert "https://dashboard.example/former" in admin_client.get(DASHBOARD).content.decode()
    assert admin_client.post(DASHBOARD, dashboard(admin_client, URL)).status_code == 303
    assert account.bodies("PUT", path) == [{"dashboardUrl": URL}]


@pytest.mark.req("VA-23")
def test_an_empty_field_removes_the_dashboard_url(admin_client, account):
    assert admin_client.post(DASHBOARD, dashboard(admin_client, "")).status_code == 303
    assert account.bodies("PUT", "/v1/bizDashboards/url") == [{"organizationId": "o-1", "url": None}]


@pytest.mark.req("VA-23")
def test_a_concurrent_change_of_the_dashboard_url_is_reported_with_both_urls(admin_client, account):
    form_data = dashboard(admin_client, "https://dashboard.example/mine")
    account.answers("GET", "/v1/bizDashboards/url", {"url": "https://dashboard.example/theirs"})
    response = admin_client.post(DASHBOARD, form_data)
    assert response.status_code == 412
    page = words(response)
    for text in ("Someone else changed this in the meantime.", "dashboard.example/theirs"):
        assert text in page
    assert 'value="https://dashboard.example/mine"' in response.content.decode()
    assert account.bodies("PUT", "/v1/bizDashboards/url") == []
    version = re.search(r'name="version" value="(\d+)"', response.content.decode())
    assert version
    assert admin_client.post(DASHBOARD, {**form_data, "version": version[1]}).status_code == 303
    assert account.bodies("PUT", "/v1/bizDashboards/url") == [
        {"organizationId": "o-1", "url": form_data["dashboard_url"]}
    ]


@pytest.mark.req("VA-23")
@pytest.mark.parametrize("version", ["", "x", "-1", "7", "٣"])
def test_a_dashboard_url_with_an_unknown_version_is_not_stored(admin_client, account, version):
    form_data = {"dashboard_url": "https://dashboard.example/mine", "version": version}
    assert admin_client.post(DASHBOARD, form_data).status_code in (412, 422)
    assert account.bodies("PUT", "/v1/bizDashboards/url") == []


@pytest.mark.parametrize("path", [NAME, DASHBOARD, PREFERENCES])
def test_a_lost_response_is_reported_as_unknown_unless_the_stored_value_settles_it(admin_client, account, path):
    target = {NAME: ORGANIZATION, DASHBOARD: "/v1/bizDashboards/url", PREFERENCES: ADMIN}[path]
    account.answers("PUT", target, status=504)
    form_data = {
        NAME: {"name": "Ada Dental", "version": "3"},
        DASHBOARD: dashboard(admin_client, "https://dashboard.example/other"),
        PREFERENCES: {"language": "de-DE", "time_zone": "", "version": "7"},
    }[path]
    response = admin_client.post(path, form_data)
    assert response.status_code == 502
    assert "t confirm whether this worked." in words(response)
    assert "Failed" not in words(response)
