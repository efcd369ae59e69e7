"""The clinics of the organization: searched, sorted, paged, opened."""

import pytest

from console.testing import factories

PAGE = "/user-manage/clinic"
CALL = "/v1/bizMainGroups"


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic()
    return admin_client


@pytest.mark.req("RT-12", "UC-16", "EN-36", "EN-101", "AX-14")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG", "de-DE"])
def test_the_clinics_are_listed(administrator, visit, lng):
    html = visit(PAGE, lng=lng).response.content.decode()
    assert "Clinic 1" in html
    assert 'href="/user-manage/clinic/g-1/user"' in html
    assert 'datetime="2026-01-05T08:30:00Z"' in html
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


@pytest.mark.req("LS-03", "LS-04")
@pytest.mark.parametrize(
    "query", ["sort=nonsense", "page=0", "page=-1", "page=abc", "size=7", "order=up", "keyword=%00"]
)
def test_a_query_that_makes_no_sense_is_answered_with_a_page(administrator, query):
    assert administrator.get(f"{PAGE}?{query}").status_code == 200


@pytest.mark.req("LS-14")
def test_without_clinics_it_says_so(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([]))
    assert "No clinics yet." in administrator.get(PAGE).content.decode()
    nothing = administrator.get(PAGE + "?keyword=zzz").content.decode()
    assert "Nothing matches." in nothing
    assert f'href="{PAGE}"' in nothing


@pytest.mark.req("CO-16")
def test_the_chosen_size_is_remembered_for_this_list_alone(administrator, upstream):
    administrator.get(PAGE + "?size=50")
    administrator.get(PAGE)
    assert "size=50" in upstream.calls("GET", CALL)[-1].url
    administrator.get("/user-manage/clinic/g-1/user")
    assert "size=25" in upstream.calls("GET", "/v1/bizUsers")[-1].url
    html = administrator.get(PAGE).content.decode()
    assert f'href="{PAGE}?size=25"' in html, "the usual size can be chosen again"


@pytest.mark.req("LS-01")
def test_it_answers_json_on_the_same_address(administrator):
    answer = administrator.get(PAGE, headers={"Accept": "application/json"}).json()
    assert answer["ok"]
    assert [row["cells"][0]["text"] for row in answer["item"]["list"]["rows"]] == ["Clinic 1"]


def test_the_organization_is_told_in_numbers(administrator):
    html = administrator.get(PAGE).content.decode()
    for fact in ("2 clinics", "24 users", "1 open invitation"):
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
def test_names_of_people_are_kept_apart_from_the_text_around_them(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([factories.clinic(name='<b>"عيادة"</b>')]))
    html = administrator.get(PAGE).content.decode()
    assert "&lt;b&gt;&quot;عيادة&quot;&lt;/b&gt;" in html
    assert "<b>" not in html
