"""The clinics of the organization: searched, sorted, paged, opened."""

import re

import pytest

from tests.support import factories
from tests.support.reading import preference_cookie

PAGE = "/user-manage/clinic"
CALL = "/v1/bizMainGroups"


@pytest.mark.req("RT-12", "UC-16", "EN-36", "EN-101", "AX-14")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG", "de-DE"])
def test_the_clinics_are_listed(administrator, visit, lng):
    html = visit(PAGE, lng=lng).response.content.decode()
    assert "Clinic 1" in html
    assert 'href="clinic/g-1/user"' in html
    assert 'datetime="2026-01-05T08:30Z"' in html
    assert "Demo Dental Group" in html


@pytest.mark.req("PM-20", "CA-02", "CA-05")
def test_the_list_is_read_under_the_sessions_organization(administrator, upstream):
    administrator.get(PAGE + "?organizationId=o-2&keyword=x")
    (call,) = upstream.calls("GET", CALL)
    assert "organizationId=o-1" in call.url
    assert "o-2" not in call.url
    assert (call.headers["service-id"], call.headers["Authorization"]) == ("7", "Bearer access-1")
    assert call.url.startswith(factories.REGION_API)


@pytest.mark.req("LS-03", "LS-05", "CO-12")
def test_it_can_be_searched_sorted_and_paged(administrator, upstream):
    rows = [factories.clinic(n) for n in range(10)]
    upstream.answers("GET", CALL, factories.listing(rows, total=43, page=2, size=10))
    html = administrator.get(PAGE + "?keyword=cli&sort=user_count&order=desc&size=10&page=2").content.decode()
    (call,) = upstream.calls("GET", CALL)
    for part in ("keyword=cli", "sort=userCount", "order=desc", "page=2", "size=10"):
        assert part in call.url
    assert "11 to 20 of 43" in html
    assert 'aria-sort="descending"' in html
    assert 'value="cli"' in html


@pytest.mark.req("UC-04", "LS-03")
@pytest.mark.parametrize(
    ("query", "upstream_query"),
    [
        ("country_code=KR", "countryCode=KR"),
        ("country_code=KR&country_code=FR", "countryCode=KR&countryCode=FR"),
        ("has_partner=true", "hasPartner=true"),
        ("has_user=false", "hasUser=false"),
    ],
)
def test_it_can_be_filtered(administrator, upstream, query, upstream_query):
    assert administrator.get(f"{PAGE}?{query}").status_code == 200
    (call,) = upstream.calls("GET", CALL)
    assert call.url.partition("order=asc")[2] == (f"&{upstream_query}" if upstream_query else "")


@pytest.mark.req("UC-04")
def test_the_countries_to_choose_from_are_those_of_the_clinics(administrator, upstream):
    def offered(query=""):
        html = administrator.get(PAGE + query).content.decode()
        return re.findall(r'name="country_code" value="(\w+)"', html)

    clinics = [factories.clinic(1, countryCode="FR"), factories.clinic(2, countryCode=None)]
    upstream.answers("GET", CALL, factories.listing(clinics))
    assert offered() == ["FR"], "the service counts none: those of the page"
    assert offered("?country_code=KR") == ["FR", "KR"], "what is chosen can be seen"
    counted = factories.listing(clinics) | {"facets": {"countryCode": {"US": 3, "FR": 1, "EG": 2}}}
    upstream.answers("GET", CALL, counted)
    assert offered() == ["EG", "FR", "US"], "sorted by name"


@pytest.mark.req("EN-38", "EN-36")
def test_the_counts_of_a_clinic_and_its_last_activity_are_shown(administrator, upstream):
    clinic = factories.clinic(
        subGroupCount=5,
        scannerCount=6,
        pendingPartnershipCount=7,
        partnerCount=9,
        lastActivityDate="2026-10-02T08:30:00Z",
    )
    upstream.answers("GET", CALL, factories.listing([clinic]))
    view = administrator.get(PAGE, headers={"Accept": "application/json"}).json()["item"]["list"]
    texts = {c["name"]: cell["text"] for c, cell in zip(view["columns"], view["rows"][0]["cells"], strict=True)}
    assert texts == {
        "name": "Clinic 1",
        "country": "South Korea",
        "server": "South Korea",
        "users": "24",
        "teams": "5",
        "scanners": "6",
        "partners": "9",
        "requests": "7",
        "activity": "Oct 2, 2026",
    }


def test_the_scanners_of_a_clinic_lead_to_their_tab(administrator, upstream):
    html = administrator.get(PAGE).content.decode()
    assert '<a href="/user-manage/clinic/g-1/scanner">0</a>' in html
    upstream.answers("GET", CALL, factories.listing([factories.clinic(id="g/1")]))
    assert '/scanner"' not in administrator.get(PAGE).content.decode()


@pytest.mark.req("UC-04", "LS-15")
def test_a_clinic_can_be_opened_edited_and_deleted_from_its_row_and_added_from_the_list(administrator):
    html = administrator.get(PAGE).content.decode()
    for label, path in (("Permissions", "permissions"), ("Edit", "edit"), ("Delete", "delete")):
        assert f'<a href="clinic/g-1/{path}">{label}</a>' in html
    assert 'popovertarget="menu-g-1" aria-label="Actions for Clinic 1"' in html
    assert f'data-primary href="{PAGE}/new"' in html


@pytest.mark.req("LS-14")
def test_a_search_without_results_says_so(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([]))
    nothing = administrator.get(PAGE + "?keyword=zzz").content.decode()
    assert "No matches." in nothing
    assert f'href="{PAGE}"' in nothing


@pytest.mark.req("CO-16")
def test_the_chosen_size_is_stored_for_this_list_only(administrator, upstream):
    administrator.get(PAGE + "?size=50")
    administrator.get(PAGE)
    assert "size=50" in upstream.calls("GET", CALL)[-1].url
    administrator.get("/user-manage/clinic/g-1/user")
    assert "size=25" in upstream.calls("GET", "/v1/bizUsers")[-1].url
    upstream.answers("GET", CALL, factories.listing([factories.clinic()], total=60))
    html = administrator.get(PAGE).content.decode()
    assert f'href="{PAGE}?size=25"' in html, "the usual size can be chosen again"


@pytest.mark.req("DM-10", "CO-16")
def test_the_chosen_size_outlives_the_session(administrator, upstream, log_in):
    chosen = preference_cookie(administrator.get(PAGE + "?size=100").cookies, "sizes")
    assert (chosen.value, chosen["max-age"], chosen["httponly"]) == ("clinics-100", 365 * 24 * 3600, True)
    administrator.get("/user-manage/clinic/g-1/user?size=10")
    administrator.post("/logout")
    del administrator.cookies["auth"]
    log_in()
    administrator.get(PAGE)
    assert "size=100" in upstream.calls("GET", CALL)[-1].url
    administrator.get("/user-manage/clinic/g-1/user")
    assert "size=10&" in upstream.calls("GET", "/v1/bizUsers")[-1].url + "&"


@pytest.mark.req("DM-10")
def test_each_administrator_of_a_browser_has_other_sizes(administrator, upstream):
    administrator.get(PAGE + "?size=100")
    administrator.post("/logout")
    for admin, size in (("a-2", 25), ("a-1", 100)):
        upstream.answers("POST", "/v2/oauth/requestToken", {**factories.token(), "adminId": admin})
        administrator.post("/login", {"email": "admin@demo.example", "password": "Demo123!"})
        administrator.get(PAGE)
        assert f"size={size}" in upstream.calls("GET", CALL)[-1].url
        administrator.post("/logout")


@pytest.mark.req("DM-10", "LS-04")
@pytest.mark.parametrize("value", ["clinics-7", "clinics", "clinics-1000", "x" * 3000, "-.-.-", "clinics-+50", "50"])
def test_an_invalid_stored_size_is_the_default_size(administrator, upstream, value):
    administrator.get(PAGE + "?size=100")
    cookie = preference_cookie(administrator.cookies, "sizes")
    administrator.cookies[cookie.key] = value
    assert administrator.get(PAGE).status_code == 200
    assert "size=25" in upstream.calls("GET", CALL)[-1].url


@pytest.mark.req("LS-01")
def test_it_answers_json_on_the_same_address(administrator):
    answer = administrator.get(PAGE, headers={"Accept": "application/json"}).json()
    assert answer["ok"]
    assert [row["cells"][0]["text"] for row in answer["item"]["list"]["rows"]] == ["Clinic 1"]


def test_the_page_shows_the_numbers_of_the_organization(administrator):
    html = administrator.get(PAGE).content.decode()
    for fact in ("2 clinics", "24 users", "1 pending invitation"):
        assert fact in html


@pytest.mark.parametrize("status", [404, 500, 501])
def test_a_service_without_a_summary_still_has_its_list(administrator, upstream, status):
    upstream.answers("GET", "/v1/bizDashboards/summary", {}, status=status)
    html = administrator.get(PAGE).content.decode()
    assert "Clinic 1" in html
    assert "24 users" not in html


def test_a_page_makes_its_two_calls_and_no_more(administrator, upstream):
    before = len(upstream.calls())
    administrator.get(PAGE)
    assert len(upstream.calls()) - before == 2


@pytest.mark.req("LN-33", "AX-14")
def test_names_of_people_are_isolated_from_the_text_around_them(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([factories.clinic(name='<b>"عيادة"</b>')]))
    html = administrator.get(PAGE).content.decode()
    assert "&lt;b&gt;&#34;عيادة&#34;&lt;/b&gt;" in html
    assert "<b>" not in html
