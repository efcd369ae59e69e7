"""The labs of the partner list: states, ordering and actions."""

import json
from html import unescape

import pytest

from tests.support import factories
from tests.support.bulk import bodies, next_step

LIST = "/partner-manage/list/mine"
CALL = "/v1/bizPartnerLists"
JSON = {"Accept": "application/json"}


def listed(number=1, *partnerships, **values):
    lab = {"id": f"l-{number}", "name": f"Lab {number}", "countryCode": "KR", **values.pop("lab", {})}
    return {"lab": lab, "addedDate": "2026-02-03T08:30:00Z", "partnerships": list(partnerships), **values}


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", "/v1/bizPartnerships", factories.listing([], total=7))
    return administrator


def cells(administrator, upstream, *rows):
    upstream.answers("GET", CALL, factories.listing(list(rows)))
    view = administrator.get(LIST, headers=JSON).json()["item"]["list"]
    names = [column["name"] for column in view["columns"]]
    actions = [[view["actions"][index]["path"] for index in row["actions"]] for row in view["rows"]]
    texts = [dict(zip(names, [cell["text"] for cell in row["cells"]], strict=True)) for row in view["rows"]]
    return texts, actions


ACCEPTED = factories.partnership(status="ACCEPTED", contractDate="2026-03-01T00:00:00Z")
USER_PARTNERSHIP = factories.partnership(3, status="ACCEPTED", owner={"type": "USER", "id": "u-1", "name": "Kim"})


@pytest.mark.req("RT-18", "EN-67", "EN-68", "LS-01")
def test_each_lab_shows_its_state_and_who_can_order(administrator, upstream, visit):
    texts, actions = cells(
        administrator,
        upstream,
        listed(1, ACCEPTED, orderAllowedMainGroupCount=0),
        listed(2, ACCEPTED, factories.partnership(2), orderAllowedMainGroupCount=1),
        listed(3, ACCEPTED),
        listed(4, USER_PARTNERSHIP, orderAllowedMainGroupCount=0),
        listed(5),
        listed(6, ACCEPTED, lab={"leftDate": "2026-01-01T00:00:00Z"}, orderAllowedMainGroupCount=0),
    )
    assert [row["status"] for row in texts] == [
        *("Partner", "Request received", "Partner", "Partner", "On my list"),
        "No longer available",
    ]
    assert [row["ordering"] for row in texts] == ["No one can order yet", "1 clinic", "", "", "", ""]
    assert texts[0]["contract"] == "Mar 1, 2026"
    assert actions == [*[["/request"]] * 4, ["/request", "/remove"], []]
    sent = factories.partnership(requestedBy="ORGANIZATION")
    _texts, actions = cells(administrator, upstream, listed(1, sent), listed(2, sent, sent))
    assert actions == [["/request", "/cancel"]] * 2
    html = visit(LIST).response.content.decode()
    assert '<span class="count">7</span>' in html
    assert len(upstream.calls("GET", "/v1/bizMainGroups/g-1/permissions")) == 0


@pytest.mark.req("DM-34")
def test_the_list_is_searched_filtered_and_sorted(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([]))
    administrator.get(f"{LIST}?keyword=kim&state=ACCEPTED&sort=contract_date&order=desc")
    (call,) = upstream.calls("GET", CALL)
    for part in ("organizationId=o-1", "keyword=kim", "state=ACCEPTED", "sort=contractDate", "order=desc"):
        assert part in call.url


@pytest.mark.parametrize("odd", [5, {"lab": None}, {"lab": {"id": "a/../b", "name": None}, "partnerships": "none"}, {}])
def test_an_odd_row_breaks_neither_the_list_nor_the_other_rows(administrator, upstream, visit, odd):
    upstream.answers("GET", CALL, factories.listing([odd, listed(2)]))
    assert "Lab 2" in visit(LIST).response.content.decode()


@pytest.mark.parametrize("kind", ["export", "export/xlsx"])
def test_the_list_is_exported(administrator, upstream, kind):
    upstream.answers("GET", CALL, factories.listing([listed(1, ACCEPTED, orderAllowedMainGroupCount=0)]))
    answer = administrator.get(f"{LIST}/{kind}")
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert answer.status_code == 200
    if kind == "export":
        assert "No one can order yet" in content.decode("utf-8-sig")


REMOVE = f"{LIST}/bulk/remove"


def are_listed(upstream, *rows):
    """Put these labs on the list; they lack the count that only a lab of the search has."""
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, factories.listing(list(rows)))


def answer_bulk_call(upstream, call, **refused):
    def answer(request):
        ids = json.loads(request.body)["labIds"]
        rows = [{"id": id, "ok": id not in refused, **({"code": refused[id]} if id in refused else {})} for id in ids]
        return 200, {}, json.dumps({"results": rows})

    upstream.callback("POST", f"{CALL}/{call}", answer)


def page(administrator, path, **sent):
    return unescape(administrator.post(path, sent, follow=True).content.decode())


@pytest.mark.req("UC-09", "ST-43", "LS-06", "LS-08", "ST-44")
def test_many_labs_are_removed_after_a_plan_that_lists_those_that_can_not_be(administrator, upstream):
    requested = factories.partnership(2, status="PENDING")
    gone = listed(4, lab={"leftDate": "2026-01-01T00:00:00Z"})
    are_listed(upstream, listed(1), listed(2, requested), listed(3, lab={"partneredMainGroupCount": 2}), gone)
    answer_bulk_call(upstream, "bulkRemove", **{"l-4": 16003})
    assert f'formaction="{REMOVE}"' in administrator.get(LIST).content.decode()
    planned = page(administrator, REMOVE, ids="l-1 l-2 l-3 l-4", back=f"{LIST}?page=2")
    assert "2 labs can't be removed. The other 2 can." in planned
    assert "There's a pending request or a partnership with this lab." in planned
    assert "2 partnerships are active." in planned
    html = page(administrator, REMOVE, **next_step(planned))
    assert "1 lab removed." in html
    assert "3 labs weren't removed." in html
    assert f'href="{LIST}?page=2"' in html
    assert bodies(upstream, f"{CALL}/bulkRemove") == [{"organizationId": "o-1", "labIds": ["l-1", "l-4"]}]


@pytest.mark.req("DM-40", "ST-43")
def test_only_the_removed_labs_are_added_again_by_undo(administrator, upstream):
    are_listed(upstream, listed(1), listed(2), listed(3))
    answer_bulk_call(upstream, "bulkRemove", **{"l-2": 16003})
    answer_bulk_call(upstream, "bulkAdd")
    html = page(administrator, REMOVE, **next_step(page(administrator, REMOVE, ids="l-1 l-2 l-3", back=LIST)))
    undo = html.partition('<form method="post" action="/partner-manage/search/bulk/add">')[2].partition("</form>")[0]
    assert ">Undo</button>" in undo
    for _ in range(2):  # a double click
        response = administrator.post("/partner-manage/search/bulk/add", next_step(undo))
        assert response.status_code == 303
    assert "2 labs added." in administrator.get(response["Location"]).content.decode()
    assert bodies(upstream, f"{CALL}/bulkAdd") == [{"organizationId": "o-1", "labIds": ["l-1", "l-3"]}]


@pytest.mark.req("DM-40")
def test_without_a_removed_lab_there_is_no_undo(administrator, upstream):
    are_listed(upstream, listed(1))
    answer_bulk_call(upstream, "bulkRemove", **{"l-1": 16002})
    html = page(administrator, REMOVE, **next_step(page(administrator, REMOVE, ids="l-1", back=LIST)))
    assert "This lab isn't on your partner list." in html
    assert ">Undo</button>" not in html
