"""The labs in the partner list: their states, who may order from them, and what can be done."""

import pytest

from console.testing import factories

LIST = "/partner-manage/list/mine"
CALL = "/v1/bizPartnerLists"
JSON = {"Accept": "application/json"}


def listed(number=1, *partnerships, **values):
    lab = {"id": f"l-{number}", "name": f"Lab {number}", "countryCode": "KR", **values.pop("lab", {})}
    return {"lab": lab, "addedDate": "2026-02-03T08:30:00Z", "partnerships": list(partnerships), **values}


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic()
    upstream.answers("GET", "/v1/bizPartnerships", factories.listing([], total=7))
    return admin_client


def cells(administrator, upstream, *rows):
    upstream.answers("GET", CALL, factories.listing(list(rows)))
    view = administrator.get(LIST, headers=JSON).json()["item"]["list"]
    names = [column["name"] for column in view["columns"]]
    actions = [[view["actions"][place]["path"] for place in row["actions"]] for row in view["rows"]]
    texts = [dict(zip(names, [cell["text"] for cell in row["cells"]], strict=True)) for row in view["rows"]]
    return texts, actions


ACCEPTED = factories.partnership(status="ACCEPTED", contractDate="2026-03-01T00:00:00Z")
OF_A_USER = factories.partnership(3, status="ACCEPTED", owner={"type": "USER", "id": "u-1", "name": "Kim"})


@pytest.mark.req("RT-18", "EN-67", "EN-68", "LS-01")
def test_each_lab_tells_its_state_and_who_may_order(administrator, upstream, visit):
    texts, actions = cells(
        administrator,
        upstream,
        listed(1, ACCEPTED, orderAllowedMainGroupCount=0),
        listed(2, ACCEPTED, factories.partnership(2), orderAllowedMainGroupCount=1),
        listed(3, ACCEPTED),
        listed(4, OF_A_USER, orderAllowedMainGroupCount=0),
        listed(5),
        listed(6, ACCEPTED, lab={"leftDate": "2026-01-01T00:00:00Z"}, orderAllowedMainGroupCount=0),
    )
    assert [row["status"] for row in texts] == [
        *("Partner", "Asking us", "Partner", "Partner", "In my list"),
        "No longer in the service",
    ]
    assert [row["ordering"] for row in texts] == ["Nobody may order yet", "1 clinic", "", "", "", ""]
    assert texts[0]["contract"] == "Mar 1, 2026"
    assert actions == [*[["/request"]] * 4, ["/request", "/remove"], []]
    html = visit(LIST).response.content.decode()
    assert '<span class="count">7</span>' in html
    assert len(upstream.calls("GET", "/v1/bizMainGroups/g-1/permissions")) == 0


@pytest.mark.req("DM-34")
def test_the_list_is_searched_filtered_and_sorted(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([]))
    administrator.get(f"{LIST}?keyword=kim&state=ACCEPTED&state=ODD&sort=contract_date&order=desc")
    (call,) = upstream.calls("GET", CALL)
    for part in ("organizationId=o-1", "keyword=kim", "state=ACCEPTED", "sort=contractDate", "order=desc"):
        assert part in call.url
    assert "ODD" not in call.url


@pytest.mark.parametrize("odd", [5, {"lab": None}, {"lab": {"id": "a/../b", "name": None}, "partnerships": "none"}, {}])
def test_an_odd_row_takes_neither_the_list_nor_the_other_rows_away(administrator, upstream, visit, odd):
    upstream.answers("GET", CALL, factories.listing([odd, listed(2)]))
    assert "Lab 2" in visit(LIST).response.content.decode()


@pytest.mark.parametrize("kind", ["export", "export/xlsx"])
def test_the_list_is_exported(administrator, upstream, kind):
    upstream.answers("GET", CALL, factories.listing([listed(1, ACCEPTED, orderAllowedMainGroupCount=0)]))
    answer = administrator.get(f"{LIST}/{kind}")
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert answer.status_code == 200
    if kind == "export":
        assert "Nobody may order yet" in content.decode("utf-8-sig")
