"""Deleting a clinic: blockers are shown before and after, and its name has to be typed."""

import re
import time
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest

from console.l10n.word_matching import matches_input
from tests.support import factories
from tests.support.bulk import answer_bulk_call, bodies, field, has_users, next_step

LIST = "/user-manage/clinic"
PAGE = f"{LIST}/g-1/delete"
CALL = "/v1/bizMainGroups/g-1"
FORM = {"typed_name": "Clinic 1", "version": "1"}
PARTNER = {"reason": "CLINIC_HAS_PARTNER", "count": 2, "refs": [{"type": "PARTNERSHIP", "id": "p-1", "label": "Lab A"}]}

LAB = f'<a href="/partner-manage/partnership/p-1/end?{urlencode({"back": PAGE})}"><bdi translate=no>Lab A</bdi></a>'


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("DELETE", CALL, {})
    return administrator


@pytest.mark.req("UC-04", "LS-15", "DM-17")
def test_a_clinic_whose_name_was_typed_is_deleted(administrator, upstream):
    response = administrator.post(PAGE, FORM)
    assert (response.status_code, response.headers["Location"]) == (303, LIST)
    (call,) = upstream.calls("DELETE", CALL)
    assert call.headers["If-Match"] == '"1"'
    assert "<bdi translate=no>Clinic 1</bdi> was deleted." in administrator.get(LIST).content.decode()


@pytest.mark.req("LS-15", "DM-17")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG", "de-DE"])
def test_the_page_names_the_clinic_and_what_is_deleted_with_it(administrator, visit, lng):
    page = visit(PAGE, lng=lng)
    html = page.response.content.decode()
    assert "Clinic 1" in html
    assert re.search(rf'<a href="{LIST}/g-1/user"><bdi translate=no>(24|٢٤)\b', html)
    assert f'href="{LIST}/g-1/user"' in html
    if lng == "en-US":
        for fact in ("24 users", "3 teams", "1 partner<"):
            assert fact in html


@pytest.mark.req("LS-15")
@pytest.mark.parametrize(
    ("given", "name", "is_same"),
    [
        ("lodz dental", "Łódź Dental", True),
        ("Da Nang", "Đà Nẵng", True),
        ("Kisla", "Kışla", True),
        ("ハス歯科", "バス歯科", False),
        ("มา", "ม้า", False),
        ("\u0301", "\u0300", False),
    ],
)
def test_a_typed_name_needs_no_accents_but_all_letters(given, name, is_same):
    assert matches_input(given, name) is is_same


@pytest.mark.req("LS-15", "DM-17")
@pytest.mark.parametrize("confirmation", ["", " ", "Clinic 2", "Clínic 2", "Clinic"])
def test_enter_alone_or_another_name_deletes_nothing(administrator, upstream, confirmation):
    response = administrator.post(PAGE, {**FORM, "typed_name": confirmation})
    html = response.content.decode()
    assert response.status_code == 422
    assert ("Enter the clinic name" if not confirmation.strip() else "The name doesn&#39;t match") in html
    assert upstream.calls("DELETE") == []


@pytest.mark.req("LS-15")
@pytest.mark.parametrize("confirmation", ["  Café  Nord ", "Cafe\u0301 Nord", "CAFÉ nord", "ｃａｆé nord", "cafe nord"])
def test_another_spelling_of_the_same_characters_is_accepted(administrator, upstream, confirmation):
    upstream.answers("GET", CALL, factories.clinic(name="Café Nord"))
    assert administrator.post(PAGE, {**FORM, "typed_name": confirmation}).status_code == 303


@pytest.mark.req("VA-33", "DM-18", "VA-29")
def test_a_blocked_clinic_has_its_reasons_and_next_steps_instead_of_a_form(administrator, upstream):
    blockers = [PARTNER, {"reason": "NOT_EMPTY", "count": 24}, {"reason": "ONGOING_ORDERED_CASE", "count": 1}]
    upstream.answers("GET", CALL, factories.clinic(canDelete=False, deleteBlockers=blockers))
    html = administrator.get(PAGE).content.decode()
    assert "You can&#39;t delete this clinic yet." in html
    first, second = "1 ordered case is still in progress.", "End the clinic&#39;s 2 partnerships first."
    assert 0 < html.index(first) < html.index(second)
    assert LAB in html
    assert "<bdi translate=no>and 1 more</bdi>" in html
    assert "24 users still belong to this clinic." in html
    assert "Move 24 users</button>" in html
    assert "typed_name" not in html
    assert 'data-variant="danger"' not in html
    assert f'href="{PAGE}?back=%2Fuser-manage%2Fclinic">' in html
    upstream.answers("GET", CALL, factories.clinic())
    assert "typed_name" in administrator.get(PAGE).content.decode(), "it was read anew"


@pytest.mark.req("DM-18", "LS-13")
def test_the_users_of_a_blocked_clinic_are_moved_from_its_page_which_is_returned_to(administrator, upstream):
    has_users(upstream, 3)
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(), factories.clinic(2)]))
    blockers = [{"reason": "NOT_EMPTY", "count": 3}]
    upstream.answers("GET", CALL, factories.clinic(canDelete=False, deleteBlockers=blockers))
    html = administrator.get(PAGE, {"back": f"{LIST}?country_code=KR"}).content.decode()
    move = f"{LIST}/g-1/user/bulk/move-to-clinic"
    assert f'<form method="post" action="{move}">' in html
    sent = {name: field(html, name) for name in ("all", "query")} | {"back": field(html, "back")}
    assert sent["back"] == f"{PAGE}?back=%2Fuser-manage%2Fclinic%3Fcountry_code%3DKR"
    plan = administrator.post(move, sent).content.decode()
    assert "Move 3 users" in plan
    assert "The list has changed" not in plan
    answer_bulk_call(upstream, "/v1/bizUsers/bulkUpdate")
    response = administrator.post(move, {**next_step(plan), "clinic": "g-2"})
    assert (response.status_code, response["Location"]) == (303, sent["back"])
    assert "3 users moved to \u2068Clinic 2\u2069." in administrator.get(LIST).content.decode()
    assert bodies(upstream, "/v1/bizUsers/bulkUpdate")[0]["set"] == {"mainGroupId": "g-2"}


@pytest.mark.req("DM-18", "LS-13")
def test_a_partnership_of_a_blocked_clinic_is_ended_from_its_page_which_is_returned_to(administrator, visit, upstream):
    upstream.answers("GET", CALL, factories.clinic(canDelete=False, deleteBlockers=[PARTNER]))
    upstream.answers("GET", "/v1/bizPartnerships/p-1", factories.partnership(status="ACCEPTED"))
    upstream.answers("PUT", "/v1/bizPartnerships/p-1/end", {"version": 4})
    page = visit(f"{PAGE}?{urlencode({'back': f'{LIST}?country_code=KR'})}")
    deletion = f"{PAGE}?back=%2Fuser-manage%2Fclinic%3Fcountry_code%3DKR"
    end = visit(page.links["Lab A"])
    assert end.links["Cancel"] == deletion
    (form,) = [form for form in end.forms if form.action.endswith("/end")]
    response = administrator.post(form.action, form.values | {"typed_name": "Smile Lab"})
    assert (response.status_code, response["Location"]) == (303, deletion)


@pytest.mark.req("DM-18", "LS-13")
def test_the_partners_of_a_blocked_clinic_lead_back_to_its_page(administrator, visit, upstream):
    upstream.answers("GET", CALL, factories.clinic(canDelete=False, deleteBlockers=[PARTNER]))
    upstream.answers("GET", "/v1/bizPartnerships", factories.listing([factories.partnership(status="ACCEPTED")]))
    upstream.answers("GET", "/v1/bizPartnerships/p-1", factories.partnership(status="ACCEPTED"))
    partners = visit(PAGE).links["View the clinic's partners"]
    assert visit(partners).links["Back to clinic deletion"] == PAGE
    headers = {"Referer": f"http://testserver{partners}"}
    assert (
        f'name="back" value="{partners}"'
        in administrator.get("/partner-manage/partnership/p-1/end", headers=headers).content.decode()
    )
    assert "Back to clinic deletion" not in visit(f"{LIST}/g-1/partner").links


@pytest.mark.req("LS-13")
@pytest.mark.parametrize(
    "back", ["//evil.example", "/decisions", "/user-manage/review", f"{LIST}/g-2/delete", LIST, "?page=2"]
)
def test_only_the_deletion_of_the_clinic_is_the_way_back_from_its_partners(administrator, visit, upstream, back):
    upstream.answers("GET", "/v1/bizPartnerships", factories.listing([factories.partnership(status="ACCEPTED")]))
    page = visit(f"{LIST}/g-1/partner?{urlencode({'back': back})}")
    assert "Back to clinic deletion" not in page.links
    assert page.all("[role=search] [name=back]") == []


@pytest.mark.req("DM-18", "LS-13")
def test_the_way_back_from_the_partners_of_a_blocked_clinic_outlives_each_change_of_the_list(
    administrator, visit, upstream
):
    rows = [factories.partnership(number, status="ACCEPTED") for number in range(25)]
    upstream.answers("GET", "/v1/bizPartnerships", factories.listing(rows, total=60))
    path, back = f"{LIST}/g-1/partner", f"{PAGE}?back=%2Fuser-manage%2Fclinic%3Fcountry_code%3DKR"
    page = visit(f"{path}?{urlencode({'back': back})}")
    changes = [
        next(href for href in page.links.values() if part in href) for part in ("page=2", "sort=status", "size=50")
    ]
    (search,) = [form.values for form in page.forms if "keyword" in form.values]
    for href in (*changes, f"{path}?{urlencode(search | {'keyword': 'lab'})}"):
        links = visit(href).links
        assert links["Back to clinic deletion"] == back
        assert "delete" not in links.get("Save view", ""), "a saved view is no part of the deletion"


@pytest.mark.req("DM-18", "LS-06")
@pytest.mark.parametrize(
    ("back", "next_step_text"), [(PAGE, "Go back and try again."), (f"{LIST}/g-1/user", "Select the rows again.")]
)
def test_a_plan_that_expired_says_what_to_do_on_the_page_it_came_from(
    administrator, upstream, monkeypatch, back, next_step_text
):
    has_users(upstream, 3)
    move = f"{LIST}/g-1/user/bulk/move-to-clinic"
    plan = administrator.post(move, {"id": "u-1", "back": back}).content.decode()
    later = time.time() + 3601
    monkeypatch.setattr("django.core.signing.time", SimpleNamespace(time=lambda: later))
    html = administrator.post(move, {**next_step(plan), "clinic": "g-2"}).content.decode()
    assert f"This selection has expired. {next_step_text}" in html
    assert f'href="{back}">' in html


def test_without_blockers_no_reason_is_shown(administrator):
    html = administrator.get(PAGE).content.decode()
    assert "<h1>Delete clinic</h1>" in html
    assert "blockers" not in html


@pytest.mark.req("ER-24", "VA-29", "VA-33", "ER-22", "ER-25")
@pytest.mark.parametrize(
    ("code", "reasons", "message"),
    [
        (13001, [PARTNER], "End the clinic&#39;s 2 partnerships first."),
        (13001, [PARTNER], LAB),
        (13001, [], "End the clinic&#39;s 1 partnership first."),
        (13002, [{"reason": "ONGOING_ORDERED_CASE", "count": 3}], "3 ordered cases are still in progress."),
        (13005, [], "1 user still belongs to this clinic."),
        (
            13006,
            [PARTNER, {"reason": "PENDING_ORDERED_CASE_WITH_LAB", "count": 1}],
            "1 order is pending at the lab.",
        ),
        (13006, [{"reason": "MOON_IS_FULL", "count": 1}], "The service doesn&#39;t allow this right now."),
    ],
)
def test_a_refusal_is_reported_with_its_reasons(administrator, upstream, code, reasons, message):
    upstream.answers("DELETE", CALL, factories.refusal(code, reasons=reasons), status=409)
    response = administrator.post(PAGE, FORM)
    html = response.content.decode()
    assert response.status_code == 409
    assert "Failed to delete the clinic." in html
    assert message in html
    assert "raw words" not in html
    assert "typed_name" not in html, "it can be tried again once the page was read anew"


@pytest.mark.req("ER-20", "ER-34")
def test_a_failure_is_reported(administrator, upstream):
    upstream.answers("DELETE", CALL, factories.refusal(10000), status=500)
    response = administrator.post(PAGE, FORM)
    html = response.content.decode()
    assert response.status_code == 502
    assert "Failed to delete the clinic." in html
    assert "can't be deleted" not in html
    assert response.headers["X-Request-ID"] in html


@pytest.mark.req("LS-17")
def test_a_clinic_that_was_changed_by_another_request_is_shown_as_it_is_now(administrator, upstream):
    upstream.answers("DELETE", CALL, factories.refusal(10005), status=412)
    upstream.remove("GET", CALL)
    newest = factories.clinic(name="New name", version=5)
    upstream.answers_in_order("GET", CALL, (200, factories.clinic()), (200, newest))
    response = administrator.post(PAGE, FORM)
    html = response.content.decode()
    assert response.status_code == 412
    assert "Someone else changed this in the meantime." in html
    assert "New name" in html
    assert 'name="version" value="5"' in html


def test_a_clinic_that_no_longer_exists_is_reported_as_such(administrator, upstream):
    upstream.answers("DELETE", CALL, factories.refusal(10004), status=404)
    response = administrator.post(PAGE, FORM)
    assert response.status_code == 404
    assert "This item no longer exists" in response.content.decode()


@pytest.mark.req("PM-20")
def test_a_clinic_of_another_organization_is_not_deleted(administrator, upstream):
    upstream.answers("GET", CALL, factories.clinic(organizationId="o-2"))
    assert administrator.post(PAGE, FORM).status_code == 404
    assert upstream.calls("DELETE") == []


@pytest.mark.req("LS-18")
def test_a_double_click_makes_one_call(administrator, upstream):
    form = {**FORM, "form_id": "0f8fad5b-d9cb-469f-a165-70867728950e"}
    assert [administrator.post(PAGE, form).status_code for _ in range(2)] == [303, 303]
    assert len(upstream.calls("DELETE", CALL)) == 1


@pytest.mark.req("LS-13", "DM-19")
def test_the_page_returns_to_the_list_as_it_was(administrator):
    back = f"{LIST}?keyword=x&has_user=false"
    assert administrator.post(PAGE, {**FORM, "back": back}).headers["Location"] == back
