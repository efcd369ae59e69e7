"""The list of labs with the clinics that can order from each of them."""

import pytest

from partners.tests.test_my_labs import CALL, JSON, USER_PARTNERSHIP, listed
from tests.support import factories

LIST = "/partner-manage/list/ordering"

pytestmark = pytest.mark.req("RT-18", "RT-45", "DM-34")


def partnership(number, clinic, status="ACCEPTED"):
    owner = {"type": "MAIN_GROUP", "id": clinic, "name": f"Clinic {clinic}"}
    return factories.partnership(number, status=status, owner=owner)


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", "/v1/bizPartnerships", factories.listing([], total=7))
    return administrator


@pytest.fixture
def allows(upstream):
    def answer(clinic, *labs):
        order_labs = [{"labId": lab, "labName": lab, "status": "ACCEPTED", "allowed": True} for lab in labs]
        upstream.answers(
            "GET", f"/v1/bizMainGroups/{clinic}/permissions", {**factories.permissions(), "orderLabs": order_labs}
        )

    return answer


def read(administrator, query=""):
    view = administrator.get(LIST + query, headers=JSON).json()["item"]["list"]
    return [[[link["label"] for link in cell.get("links", ())] for cell in row["cells"][1:]] for row in view["rows"]]


def test_each_lab_links_to_the_clinics_that_can_order_and_to_its_other_partners(administrator, upstream, allows, visit):
    lab = listed(1, partnership(1, "g-1"), partnership(2, "g-2"), partnership(3, "g-3", "PENDING"), USER_PARTNERSHIP)
    upstream.answers("GET", CALL, factories.listing([lab]))
    allows("g-1", "l-1")
    allows("g-2", "l-9")
    assert read(administrator) == [[["Clinic g-1"], ["Clinic g-2"], ["Kim"]]]
    html = visit(LIST).response.content.decode()
    assert 'href="/user-manage/clinic/g-1/permissions?back=%2Fpartner-manage%2Flist%2Fordering#labs"' in html
    assert "state=ACCEPTED" in upstream.calls("GET", CALL)[-1].url
    assert not upstream.calls("GET", "/v1/bizMainGroups/g-3/permissions")


def test_a_clinic_that_can_not_be_read_is_counted_with_a_link_to_its_lab(administrator, upstream, allows):
    upstream.answers("GET", CALL, factories.listing([listed(1, partnership(1, "g-1"), partnership(2, "g-2"))]))
    allows("g-1", "l-1")
    upstream.answers("GET", "/v1/bizMainGroups/g-2/permissions", {}, status=500)
    assert read(administrator) == [[["Clinic g-1", "1 more clinic"], [], []]]
    assert f'href="{LIST}?lab=l-1"' in administrator.get(LIST).content.decode()


def test_the_calls_of_a_page_are_limited_and_one_lab_gets_more(administrator, upstream, allows):
    lab = listed(1, *(partnership(number, f"g-{number}") for number in range(40)))
    upstream.answers("GET", CALL, factories.listing([lab]))
    for number in range(40):
        allows(f"g-{number}", "l-1")
    assert [len(cells) for cells in read(administrator)[0]] == [26, 0, 0]
    assert [len(cells) for cells in read(administrator, "?lab=l-1")[0]] == [40, 0, 0]
    assert "ids=l-1" in upstream.calls("GET", CALL)[-1].url


def test_the_labs_that_clinics_can_order_from_are_listed_from_all_pages(administrator, upstream, allows, visit):
    """The dashboard links to them; the service can't filter by them. One that sends no number may have such labs."""
    counts = [0] * 100 + [1, 2, 0, None]
    labs = [listed(number, partnership(number, "g-1"), orderAllowedMainGroupCount=n) for number, n in enumerate(counts)]
    pages = [factories.listing(labs[start : start + 100], total=len(labs)) for start in (0, 100)]
    upstream.remove("GET", CALL)
    upstream.answers_in_order("GET", CALL, *((200, page) for page in pages))
    allows("g-1", "l-100", "l-101")
    page = visit(f"{LIST}?can_order=true")
    assert [row["Lab"] for row in page.rows] == ["Lab 100", "Lab 101", "Lab 103"]
    assert "3 labs" in page.texts(".facts-line li")
    assert page.texts(".chips li") == ["Can order: Yes"]
    assert ["state=ACCEPTED" in call.url for call in upstream.calls("GET", CALL)] == [True, True]


def test_the_number_in_the_partner_list_and_the_dashboard_lead_here(administrator, upstream):
    row = listed(1, partnership(1, "g-1"), orderAllowedMainGroupCount=1)
    upstream.answers("GET", CALL, factories.listing([row]))
    assert f'href="{LIST}?lab=l-1"' in administrator.get("/partner-manage/list/mine").content.decode()


def test_a_form_of_labs_returns_to_the_list(administrator, upstream, allows):
    allows("g-1", "l-1")
    page = administrator.get(f"/user-manage/clinic/g-1/permissions?back={LIST}").content.decode()
    assert f'name="back" value="{LIST}"' in page


@pytest.mark.parametrize("odd", [5, {"lab": None}, {"lab": {"id": "a/../b"}, "partnerships": [{"owner": 3}]}, {}])
def test_an_odd_row_does_not_affect_the_others(administrator, upstream, allows, odd):
    upstream.answers("GET", CALL, factories.listing([odd, listed(2, partnership(1, "g-1"))]))
    allows("g-1", "l-2")
    assert read(administrator)[-1] == [["Clinic g-1"], [], []]
