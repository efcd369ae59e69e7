"""The labs that a clinic may order from: partners can be chosen, all others show a reason."""

import re

import pytest

from tests.support import factories

PERMISSIONS = "/user-manage/clinic/g-1/permissions"
PAGE = f"{PERMISSIONS}/labs"
CALL = "/v1/bizMainGroups/g-1/permissions"


def lab(number, status, *, allowed=False):
    return {"labId": f"l-{number}", "labName": f"Lab {number}", "status": status, "allowed": allowed}


LABS = [lab(1, "ACCEPTED", allowed=True), lab(2, None), lab(3, "PENDING"), lab(4, "ACCEPTED"), lab(5, "ENDED")]


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", CALL, factories.permissions() | {"orderLabs": LABS})
    upstream.answers("PUT", CALL, {"version": 3})
    return administrator


@pytest.mark.req("PM-18", "UC-04")
@pytest.mark.parametrize("path", [PERMISSIONS, PAGE])
def test_partners_can_be_chosen_and_others_show_the_reason(administrator, visit, path):
    html = visit(path).response.content.decode()
    boxes = re.findall(r'<input type="checkbox" name="lab" value="(.+?)"( checked)?>', html)
    assert boxes == [("l-1", " checked"), ("l-4", "")]
    assert html.count("Not a partner yet.") == 2
    assert "The lab hasn&#39;t answered the partnership request yet." in html


def test_a_clinic_without_a_partner_list_has_no_such_form(administrator, upstream):
    upstream.answers("GET", CALL, factories.permissions())
    html = administrator.get(PERMISSIONS).content.decode()
    assert f'action="{PERMISSIONS}"' in html
    assert f'action="{PAGE}"' not in html


def test_a_user_has_no_such_form(administrator, upstream):
    permissions = factories.permissions(owner="USER") | {"orderLabs": LABS}
    upstream.answers("GET", "/v1/bizUsers/u-1/permissions", permissions)
    page = "/user-manage/clinic/g-1/user/u-1/permissions"
    html = administrator.get(page).content.decode()
    assert f'action="{page}"' in html
    assert "/labs" not in html


@pytest.mark.req("PM-18")
def test_only_labs_that_were_ticked_or_unticked_are_sent(administrator, upstream):
    response = administrator.post(PAGE, {"lab": ["l-4"], "was": ["l-1"]})
    assert (response.status_code, response.headers["Location"]) == (303, f"{PERMISSIONS}#labs")
    (change,) = upstream.bodies("PUT", CALL)
    assert change["permissions"] == {}
    assert {c["labId"]: c["allowed"] for c in change["orderLabs"]} == {"l-1": False, "l-4": True}
    assert card_message(administrator) == "Labs saved."


def card_message(client, *, tone="success"):
    """Return the message in the card of the labs, whose heading has the focus; the head of the page has it, too."""
    head, card = client.get(PERMISSIONS).content.decode().split('class="card labs"')
    assert 'id="labs" tabindex="-1" data-focus aria-describedby="labs-messages"' in card
    (message,) = re.findall(r'id="labs-messages">.*?<p>(.+?)</p>', card, re.S)
    assert message in head
    alert = f'class="alert" data-tone="{tone}"'
    assert (head.count(alert), card.count(alert)) == (1, 1)
    return message


def test_a_message_about_something_else_is_only_in_the_head_of_the_page(administrator):
    administrator.post(PERMISSIONS, {"allow_export": "off", "version": "2"})
    head, card = administrator.get(PERMISSIONS).content.decode().split('class="card labs"')
    assert ('id="messages"' in head, "data-focus" in card) == (True, False)


def ticked(html):
    return re.findall(r'<input type="checkbox" name="lab" value="([^"]+)" checked>', html)


def lab_values(html):
    """Return the values that the form of the labs sends when nothing is changed."""
    return {"lab": ticked(html), "was": re.findall(r'name="was" value="([^"]*)"', html)}


def meanwhile(*allowed, version=9):
    """Return the labs as another administrator has changed them."""
    labs = [{**entry, "allowed": entry["labId"] in allowed} for entry in LABS]
    return factories.permissions(version=version) | {"orderLabs": labs}


@pytest.mark.req("LS-17")
def test_a_change_is_sent_with_the_current_version(administrator, upstream):
    administrator.post(PAGE, {"lab": ["l-4"], "was": ["l-1"]})
    assert upstream.calls("PUT", CALL)[0].headers["If-Match"] == '"2"'


@pytest.mark.req("LS-17")
def test_a_stale_form_shows_the_changes_of_others_and_asks_about_its_own(administrator, upstream):
    upstream.answers("GET", CALL, meanwhile("l-1", "l-4"))
    response = administrator.post(PAGE, {"lab": [], "was": ["l-1"]})
    html = response.content.decode()
    assert response.status_code == 412
    assert upstream.bodies("PUT", CALL) == [], "nothing is overwritten unasked"
    assert "Someone else changed this in the meantime." in html
    assert lab_values(html) == {"lab": ["l-4"], "was": ["l-1 l-4"]}
    conflict = html.split('class="facts conflict"')[1].split("</dl>")[0]
    assert "<dt>Lab 1</dt>" in conflict
    assert "Lab 4" not in conflict
    assert re.findall("<bdi translate=no>(.+?)</bdi>", conflict) == ["Off", "On"]
    assert administrator.post(PAGE, lab_values(html)).status_code == 303
    (change,) = upstream.bodies("PUT", CALL)
    assert change["orderLabs"] == [{"labId": "l-1", "allowed": False}]
    assert upstream.calls("PUT", CALL)[0].headers["If-Match"] == '"9"'


@pytest.mark.req("LS-17")
def test_labs_that_change_while_the_form_is_saved_are_reported_too(administrator, upstream):
    upstream.remove("GET", CALL)
    before = factories.permissions() | {"orderLabs": LABS}
    upstream.answers_in_order("GET", CALL, (200, before), (200, meanwhile("l-1", "l-4")))
    upstream.answers("PUT", CALL, factories.refusal(10005), status=412)
    response = administrator.post(PAGE, {"lab": [], "was": ["l-1"]})
    html = response.content.decode()
    assert response.status_code == 412
    assert "Someone else changed this in the meantime." in html
    assert lab_values(html) == {"lab": ["l-4"], "was": ["l-1 l-4"]}


@pytest.mark.req("LS-17")
def test_a_switch_changed_above_the_labs_is_no_conflict_of_the_labs(administrator, upstream):
    upstream.answers("GET", CALL, meanwhile("l-1", version=3))
    assert administrator.post(PAGE, {"lab": ["l-1", "l-4"], "was": ["l-1"]}).status_code == 303
    (change,) = upstream.bodies("PUT", CALL)
    assert change["orderLabs"] == [{"labId": "l-4", "allowed": True}]


@pytest.mark.req("LS-18")
def test_a_form_that_is_sent_twice_is_saved_once(administrator, upstream):
    page = administrator.get(PAGE).content.decode().split('class="card labs"')[1]
    form_id = re.findall(r'name="form_id" value="([^"]+)"', page)[0]
    form = {"lab": ["l-4"], "was": ["l-1"], "form_id": form_id}
    answers = [administrator.post(PAGE, form).status_code for _ in range(2)]
    assert answers == [303, 303]
    assert len(upstream.bodies("PUT", CALL)) == 1


@pytest.mark.req("LS-18")
def test_a_repeat_after_the_labs_were_changed_gets_the_first_answer(administrator, upstream):
    page = administrator.get(PAGE).content.decode().split('class="card labs"')[1]
    form_id = re.findall(r'name="form_id" value="([^"]+)"', page)[0]
    form = {"lab": ["l-4"], "was": ["l-1"], "form_id": form_id}
    administrator.post(PAGE, form)
    upstream.answers("GET", CALL, meanwhile("l-4", version=3))
    assert administrator.post(PAGE, form).status_code == 303, "one's own change is not somebody else's"
    assert len(upstream.bodies("PUT", CALL)) == 1


def test_a_form_without_any_change_makes_no_call(administrator, upstream):
    assert administrator.post(PAGE, {"lab": ["l-1"], "was": ["l-1"]}).status_code == 303
    assert upstream.bodies("PUT", CALL) == []
    assert card_message(administrator, tone="info") == "No labs changed."


@pytest.mark.req("PM-18")
@pytest.mark.parametrize("forged", ["l-2", "l-3", "l-5", "l-99", ""])
def test_a_lab_that_is_no_partner_is_refused_without_a_call(administrator, upstream, forged):
    response = administrator.post(PAGE, {"lab": ["l-1", forged], "was": ["l-1"]})
    html = response.content.decode()
    assert response.status_code == 422
    assert "Failed to save the labs." in html
    assert "You can select partner labs only.</p>" in html
    assert upstream.bodies("PUT", CALL) == []


@pytest.mark.req("PM-18", "ER-29")
def test_a_partnership_that_has_ended_since_is_reported_with_its_reason(administrator, upstream):
    upstream.answers("PUT", CALL, factories.refusal(13010), status=409)
    upstream.remove("GET", CALL)
    before = factories.permissions() | {"orderLabs": LABS}
    after = factories.permissions() | {"orderLabs": [LABS[0], lab(4, None)]}
    upstream.answers_in_order("GET", CALL, (200, before), (200, after))
    response = administrator.post(PAGE, {"lab": ["l-1", "l-4"], "was": ["l-1"]})
    html = response.content.decode()
    assert response.status_code == 409
    assert "Failed to save the labs." in html
    assert "You can choose partner labs only." in html
    assert '<bdi translate=no>Lab 4</bdi> <span class="muted">Not a partner yet.</span>' in html
    assert response.headers["X-Request-ID"] in html


@pytest.mark.req("ER-29")
def test_a_failure_keeps_what_was_ticked(administrator, upstream):
    upstream.answers("PUT", CALL, factories.refusal(10000), status=500)
    response = administrator.post(PAGE, {"lab": ["l-4"], "was": ["l-1"]})
    html = response.content.decode()
    assert response.status_code == 502
    assert "Failed to save the labs." in html
    assert 'value="l-4" checked' in html
    assert 'value="l-1" checked' not in html
    assert 'name="was" value="l-1"' in html
    assert html.count("data-unsaved") == 1, "leaving the page is asked about"
    assert "data-unsaved" not in administrator.get(PAGE).content.decode()


@pytest.mark.req("ER-29")
def test_a_failure_while_the_whole_service_is_down_keeps_what_was_ticked(administrator, upstream):
    upstream.remove("GET", CALL)
    before = factories.permissions() | {"orderLabs": LABS}
    upstream.answers_in_order("GET", CALL, (200, before), (500, factories.refusal(10000)))
    upstream.answers("PUT", CALL, factories.refusal(10005), status=412)
    response = administrator.post(PAGE, {"lab": ["l-4"], "was": ["l-1"]})
    assert response.status_code == 412
    assert ticked(response.content.decode()) == ["l-4"]


@pytest.mark.req("PM-20")
def test_the_labs_of_another_organizations_clinic_are_not_touched(administrator, upstream):
    upstream.answers("GET", "/v1/bizMainGroups/g-1", factories.clinic(organizationId="o-2"))
    assert administrator.post(PAGE, {"lab": ["l-4"]}).status_code == 404
    assert upstream.bodies("PUT", CALL) == []


@pytest.mark.req("LS-13")
@pytest.mark.parametrize("path", [PERMISSIONS, PAGE])
def test_the_return_url_to_the_list_outlives_a_save(administrator, path):
    back = "/user-manage/clinic?keyword=x&page=2"
    form = {"allow_export": "off", "lab": "l-4", "was": "l-1", "back": back}
    html = administrator.post(path, form, follow=True).content.decode()
    assert 'class="back" href="/user-manage/clinic?keyword=x&amp;page=2"' in html


def has_labs(upstream, labs):
    upstream.answers("GET", CALL, factories.permissions() | {"orderLabs": labs})


@pytest.mark.req("PM-18")
@pytest.mark.parametrize("headers", [{}, {"Accept": "application/json"}])
@pytest.mark.parametrize(("before", "after"), [(0, 1000), (1000, 999), (1000, 0), (299, 300)])
def test_a_clinic_with_a_thousand_partners_is_saved(administrator, upstream, visit, headers, before, after):
    has_labs(upstream, [lab(n, "ACCEPTED", allowed=n < before) for n in range(1000)])
    form = visit(PERMISSIONS).form(".labs")
    assert len(form.values["was"].split()) == before
    sent = {**form.values, "lab": [f"l-{n}" for n in range(after)]}
    response = administrator.post(PAGE, sent, headers=headers)
    assert response.status_code == (200 if headers else 303)
    (change,) = upstream.bodies("PUT", CALL)
    expected = {f"l-{n}": after > before for n in range(min(before, after), max(before, after))}
    assert {entry["labId"]: entry["allowed"] for entry in change["orderLabs"]} == expected


@pytest.mark.parametrize("id", ["a lab", "l/1", "100%", "실험실"])
def test_a_lab_with_an_odd_id_is_saved_like_any_other(administrator, upstream, visit, id):
    has_labs(upstream, [{**lab(1, "ACCEPTED", allowed=True), "labId": id}, lab(2, "ACCEPTED")])
    form = visit(PERMISSIONS).form(".labs")
    assert administrator.post(PAGE, {**form.values, "lab": ["l-2"]}).status_code == 303
    (change,) = upstream.bodies("PUT", CALL)
    assert {entry["labId"]: entry["allowed"] for entry in change["orderLabs"]} == {id: False, "l-2": True}
