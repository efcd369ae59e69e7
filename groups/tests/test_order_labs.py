"""The labs that a clinic may order from: partners can be chosen, all others say why not."""

import json
import re

import pytest

from console.testing import factories

PERMISSIONS = "/user-manage/clinic/g-1/permissions"
PAGE = f"{PERMISSIONS}/labs"
CALL = "/v1/bizMainGroups/g-1/permissions"


def lab(number, status, *, allowed=False):
    return {"labId": f"l-{number}", "labName": f"Lab {number}", "status": status, "allowed": allowed}


LABS = [lab(1, "ACCEPTED", allowed=True), lab(2, None), lab(3, "PENDING"), lab(4, "ACCEPTED"), lab(5, "ENDED")]


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic()
    upstream.answers("GET", CALL, factories.permissions() | {"orderLabs": LABS})
    upstream.answers("PUT", CALL, {"version": 3})
    return admin_client


def sent(upstream):
    return [json.loads(call.body) for call in upstream.calls("PUT", CALL)]


@pytest.mark.req("PM-18", "UC-04")
@pytest.mark.parametrize("path", [PERMISSIONS, PAGE])
def test_partners_can_be_chosen_and_others_carry_the_reason(administrator, visit, path):
    html = visit(path).response.content.decode()
    boxes = re.findall(r'<input type="checkbox" name="lab" value="(.+?)"( checked)?>', html)
    assert boxes == [("l-1", " checked"), ("l-4", "")]
    assert html.count("Not a partner yet.") == 2
    assert "The partnership request is not answered yet." in html


def test_a_clinic_without_a_partner_list_has_no_such_form(administrator, upstream):
    upstream.answers("GET", CALL, factories.permissions())
    assert f'action="{PAGE}"' not in administrator.get(PERMISSIONS).content.decode()


def test_a_user_has_no_such_form(administrator, upstream):
    own = factories.permissions(owner="USER") | {"orderLabs": LABS}
    upstream.answers("GET", "/v1/bizUsers/u-1/permissions", own)
    assert "/labs" not in administrator.get("/user-manage/clinic/g-1/user/u-1/permissions").content.decode()


@pytest.mark.req("PM-18")
def test_what_was_ticked_and_unticked_is_sent_and_nothing_else(administrator, upstream):
    response = administrator.post(PAGE, {"lab": ["l-4"], "was": ["l-1"]})
    assert (response.status_code, response.headers["Location"]) == (303, PERMISSIONS)
    (change,) = sent(upstream)
    assert change["permissions"] == {}
    assert {c["labId"]: c["allowed"] for c in change["orderLabs"]} == {"l-1": False, "l-4": True}
    assert "Permissions updated." in administrator.get(PERMISSIONS).content.decode()


@pytest.mark.req("LS-17")
def test_what_another_administrator_ticked_meanwhile_stays(administrator, upstream):
    administrator.post(PAGE, {"lab": ["l-4"], "was": []})
    (change,) = sent(upstream)
    assert change["orderLabs"] == [{"labId": "l-4", "allowed": True}]


def test_a_form_without_any_change_makes_no_call(administrator, upstream):
    assert administrator.post(PAGE, {"lab": ["l-1"], "was": ["l-1"]}).status_code == 303
    assert sent(upstream) == []


@pytest.mark.req("PM-18")
@pytest.mark.parametrize("forged", ["l-2", "l-3", "l-5", "l-99", ""])
def test_a_lab_that_is_no_partner_is_refused_without_a_call(administrator, upstream, forged):
    response = administrator.post(PAGE, {"lab": ["l-1", forged], "was": ["l-1"]})
    html = response.content.decode()
    assert response.status_code == 422
    assert "Failed to update the permissions." in html
    assert "Only labs that are partners can be chosen.</p>" in html
    assert sent(upstream) == []


@pytest.mark.req("PM-18", "ER-29")
def test_a_partnership_that_ended_meanwhile_is_told_with_its_reason(administrator, upstream):
    upstream.answers("PUT", CALL, factories.refusal(13010), status=409)
    upstream.forget("GET", CALL)
    before = factories.permissions() | {"orderLabs": LABS}
    after = factories.permissions() | {"orderLabs": [LABS[0], lab(4, None)]}
    upstream.in_turn("GET", CALL, (200, before), (200, after))
    response = administrator.post(PAGE, {"lab": ["l-1", "l-4"], "was": ["l-1"]})
    html = response.content.decode()
    assert response.status_code == 409
    assert "Failed to update the permissions." in html
    assert "Only labs that are partners can be chosen.</p>" in html
    assert '<bdi>Lab 4</bdi> <span class="muted">Not a partner yet.</span>' in html
    assert response.headers["X-Request-ID"] in html


@pytest.mark.req("ER-29")
def test_a_failure_keeps_what_was_ticked(administrator, upstream):
    upstream.answers("PUT", CALL, factories.refusal(10000), status=500)
    response = administrator.post(PAGE, {"lab": ["l-4"], "was": ["l-1"]})
    html = response.content.decode()
    assert response.status_code == 502
    assert "Failed to update the permissions." in html
    assert 'value="l-4" checked' in html
    assert 'value="l-1" checked' not in html
    assert 'name="was" value="l-1"' in html


@pytest.mark.req("PM-20")
def test_the_labs_of_another_organizations_clinic_are_not_touched(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.clinic(organizationId="o-2"))
    assert administrator.post(PAGE, {"lab": ["l-4"]}).status_code == 404
    assert sent(upstream) == []


@pytest.mark.req("LS-13")
@pytest.mark.parametrize("path", [PERMISSIONS, PAGE])
def test_the_way_back_to_the_list_outlives_a_save(administrator, path):
    back = "/user-manage/clinic?keyword=x&page=2"
    form = {"allow_export": "off", "lab": "l-4", "was": "l-1", "back": back}
    html = administrator.post(path, form, follow=True).content.decode()
    assert 'class="back" href="/user-manage/clinic?keyword=x&amp;page=2"' in html
