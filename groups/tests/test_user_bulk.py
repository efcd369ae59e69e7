"""Many users at once: chosen, planned, carried out, told row by row, and the failed ones again; without JavaScript."""

import json
import re

import pytest

from console.testing import factories

LIST = "/user-manage/clinic/g-1/user"
BULK = LIST + "/bulk/"
CALL = "/v1/bizUsers"


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic()
    people(upstream, 3)
    return admin_client


def people(upstream, count, *, status="ACTIVE", **second):
    """So many users of this status; the second one with these values."""
    rows = [factories.user(n, status=status, **(second if n == 2 else {})) for n in range(1, count + 1)]

    def answer(request):
        ids = re.findall(r"ids=([\w-]+)", request.url)
        page = int((re.findall(r"[?&]page=(\d+)", request.url) or ["1"])[0])
        chosen = [row for row in rows if row["id"] in ids] if ids else rows[(page - 1) * 100 : page * 100]
        return 200, {}, json.dumps(factories.listing(chosen, total=len(ids) or len(rows), size=100))

    upstream.forget("GET", CALL)
    upstream.callback("GET", CALL, answer)


def bulk_answer(upstream, action, *failed, reasons=()):
    def answer(request):
        ids = json.loads(request.body)["ids"]
        results = [
            {"id": i, "ok": i not in failed, **({"code": 13002, "reasons": list(reasons)} if i in failed else {})}
            for i in ids
        ]
        body = {"resultCount": len(ids), "okCount": len(ids) - len(failed), "results": results}
        return 200, {}, json.dumps(body)

    upstream.callback("POST", f"{CALL}/bulk{action}", answer)


def carried(html):
    """What the next step of a page sends."""
    return {name: re.findall(rf'name="{name}" value="([^"]*)"', html)[0] for name in ("course", "form_id", "back")}


@pytest.mark.req("LS-08", "LS-09", "DM-18", "VA-33")
def test_the_plan_tells_each_row_what_will_happen_before_it_does(administrator, upstream):
    blocker = {
        "reason": "ONGOING_ORDERED_CASE",
        "count": 2,
        "refs": [{"type": "CASE", "id": "c-1", "label": "Case 88"}],
    }
    people(upstream, 3, deleteBlockers=[blocker])
    html = administrator.post(BULK + "delete", {"id": ["u-1", "u-2"]}).content.decode()
    assert "2 rows chosen" in html
    assert "User 1" in html
    assert "Will be deleted" in html
    assert "There are 2 ongoing ordered cases. (\u2068Case 88\u2069)" in html
    assert not upstream.calls("POST", CALL + "/bulkDelete")


@pytest.mark.req("LS-08", "LS-09", "DM-01", "DM-02", "ER-22")
def test_the_result_tells_each_row_and_offers_the_failed_ones_again(administrator, upstream):
    bulk_answer(upstream, "Delete", "u-2", reasons=[{"reason": "ONGOING_ORDERED_CASE", "count": 1}])
    plan = administrator.post(BULK + "delete", {"id": ["u-1", "u-2", "u-3"]}).content.decode()
    html = administrator.post(BULK + "delete", carried(plan)).content.decode()
    assert "2 rows are done." in html
    assert "1 row was not done." in html
    assert "There is 1 ongoing ordered case." in html
    upstream.forget("POST", CALL + "/bulkDelete")
    bulk_answer(upstream, "Delete")
    again = administrator.post(BULK + "delete", carried(html)).content.decode()
    assert json.loads(upstream.calls("POST", CALL + "/bulkDelete")[-1].body) == {"ids": ["u-2"]}
    assert "1 row is done." in again
    assert "not done" not in again


@pytest.mark.req("LS-18")
def test_a_repeated_submit_acts_once(administrator, upstream):
    bulk_answer(upstream, "Delete")
    plan = administrator.post(BULK + "delete", {"id": ["u-1"]}).content.decode()
    first = administrator.post(BULK + "delete", carried(plan))
    second = administrator.post(BULK + "delete", carried(plan))
    assert first.content == second.content
    assert len(upstream.calls("POST", CALL + "/bulkDelete")) == 1


@pytest.mark.req("LS-15", "DM-17")
@pytest.mark.parametrize(("typed", "status"), [("", 422), ("5", 422), ("6", 200), ("٦", 200)])
def test_more_than_five_need_their_number_typed(administrator, upstream, typed, status):
    people(upstream, 6)
    bulk_answer(upstream, "Delete")
    plan = administrator.post(BULK + "delete", {"id": [f"u-{n}" for n in range(1, 7)]}).content.decode()
    assert "Type “6” to confirm" in plan
    response = administrator.post(BULK + "delete", {**carried(plan), "typed": typed})
    assert response.status_code == status
    assert len(upstream.calls("POST", CALL + "/bulkDelete")) == (status == 200)


@pytest.mark.req("LS-06", "CO-17", "DM-03")
def test_all_that_match_go_by_the_hundred_with_progress(administrator, upstream):
    people(upstream, 240, status="INVITED")
    bulk_answer(upstream, "ResendInvitation")
    plan = administrator.post(BULK + "resend", {"all": "1", "back": LIST + "?keyword=user"}).content.decode()
    assert "240 rows chosen" in plan
    assert "keyword=user" in upstream.calls("GET", CALL)[-2].url
    html = administrator.post(BULK + "resend", carried(plan)).content.decode()
    assert "100 of 240 rows" in html
    for told in ("200 of 240 rows", "240 rows are done."):
        html = administrator.post(BULK + "resend", carried(html)).content.decode()
        assert told in html
    sizes = [len(json.loads(c.body)["ids"]) for c in upstream.calls("POST", CALL + "/bulkResendInvitation")]
    assert sizes == [100, 100, 40]


@pytest.mark.req("LS-08", "DM-02", "DM-03")
def test_plan_and_result_name_each_of_more_than_a_hundred_rows(administrator, upstream):
    people(upstream, 240, status="INVITED")
    bulk_answer(upstream, "ResendInvitation", "u-7", reasons=[{"reason": "ONGOING_ORDERED_CASE", "count": 1}])
    html = administrator.post(BULK + "resend", {"all": "1", "back": LIST}).content.decode()
    assert [n for n in range(1, 241) if f"<bdi>User {n}</bdi>" not in html] == []
    html = administrator.post(BULK + "resend", carried(html)).content.decode()
    for _ in range(2):
        html = administrator.post(BULK + "resend", carried(html)).content.decode()
    assert "239 rows are done." in html
    assert html.index("<bdi>User 7</bdi>") < html.index("There is 1 ongoing ordered case.")
    assert html.index("There is 1 ongoing ordered case.") < html.index("<bdi>User 1</bdi>")
    assert "<bdi>User 240</bdi>" in html
    again = administrator.post(BULK + "resend", carried(html)).content.decode()
    assert json.loads(upstream.calls("POST", CALL + "/bulkResendInvitation")[-1].body) == {"ids": ["u-7"]}
    assert "1 row was not done." in again


@pytest.mark.req("LS-07")
def test_rows_ticked_on_other_pages_come_along(administrator, upstream):
    people(upstream, 700)
    elsewhere = " ".join(f"u-{n}" for n in range(2, 701))
    html = administrator.post(BULK + "delete", {"id": "u-1", "ids": elsewhere}).content.decode()
    assert "700 rows chosen" in html


@pytest.mark.req("VA-33", "LS-08")
def test_where_nothing_can_be_done_nothing_is_offered(administrator, upstream):
    people(upstream, 2, deleteBlockers=[{"reason": "ONGOING_ORDERED_CASE", "count": 1}])
    html = administrator.post(BULK + "delete", {"id": "u-2"}).content.decode()
    assert "The chosen row can't be done right now." in html
    assert "There is 1 ongoing ordered case." in html
    assert "Delete users</button>" not in html
    assert 'name="course"' not in html


@pytest.mark.req("CO-17")
def test_more_rows_than_may_be_chosen_are_told(administrator, upstream):
    people(upstream, 2101)
    response = administrator.post(BULK + "delete", {"all": "1", "back": LIST})
    assert response.status_code == 422
    assert "At most 2000 rows can be chosen at once." in response.content.decode()


@pytest.mark.req("DM-01")
@pytest.mark.parametrize(
    ("action", "options", "call", "sent"),
    [
        ("move", {"team": "t-1"}, "Update", {"ids": ["u-1"], "set": {"subGroupId": "t-1"}}),
        ("move-to-clinic", {"clinic": "g-2"}, "Update", {"ids": ["u-1"], "set": {"mainGroupId": "g-2"}}),
        ("type", {"user_type": "STAFF"}, "Update", {"ids": ["u-1"], "set": {"userType": "STAFF"}}),
        (
            "permissions",
            {"allow_export": "off", "allow_download": "inherit"},
            "Permissions",
            {"ids": ["u-1"], "permissions": {"allowExport": False, "allowDownload": None}},
        ),
        ("resend", {}, "ResendInvitation", {"ids": ["u-1"]}),
    ],
)
def test_each_action_makes_its_call_with_its_options(administrator, upstream, action, options, call, sent):
    bulk_answer(upstream, call)
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(1), factories.clinic(2)]))
    people(upstream, 1, status="INVITED" if action == "resend" else "ACTIVE")
    plan = administrator.post(BULK + action, {"id": "u-1"}).content.decode()
    html = administrator.post(BULK + action, {**carried(plan), **options}).content.decode()
    assert "1 row is done." in html
    assert json.loads(upstream.calls("POST", f"{CALL}/bulk{call}")[0].body) == sent


@pytest.mark.parametrize(
    ("action", "options", "text"),
    [
        ("move", {}, "Choose a team"),
        ("move", {"team": "t-99"}, "Select a valid choice"),
        ("move-to-clinic", {}, "Choose a clinic"),
        ("move-to-clinic", {"clinic": "g-1"}, "Select a valid choice"),
        ("type", {}, "Choose a type"),
        ("permissions", {}, "Choose at least one permission to change."),
    ],
)
def test_a_missing_option_is_said_and_nothing_is_done(administrator, upstream, action, options, text):
    plan = administrator.post(BULK + action, {"id": "u-1"}).content.decode()
    response = administrator.post(BULK + action, {**carried(plan), **options})
    assert response.status_code == 422
    assert text in response.content.decode()
    assert not [c for c in upstream.calls("POST") if "bulk" in c.url]


@pytest.mark.req("LS-08", "VA-33")
def test_who_has_an_ongoing_case_stays_in_the_clinic_and_the_plan_says_so(administrator, upstream):
    reasons = [{"reason": "PARTNER_WITH_LAB", "count": 1}, {"reason": "ONGOING_ORDERED_CASE", "count": 1}]
    people(upstream, 2, deleteBlockers=reasons)
    html = administrator.post(BULK + "move-to-clinic", {"id": ["u-1", "u-2"]}).content.decode()
    assert "There is 1 ongoing ordered case." in html
    assert "Partner with" not in html


@pytest.mark.req("PM-20")
def test_users_of_another_clinic_are_left_out_of_the_plan(administrator, upstream):
    people(upstream, 3, mainGroupId="g-9", name="Somebody else")
    html = administrator.post(BULK + "delete", {"id": ["u-1", "u-2"]}).content.decode()
    assert "Somebody else" not in html


@pytest.mark.parametrize("course", ["x", "a:b:c", ""])
def test_a_forged_plan_is_refused(administrator, upstream, course):
    response = administrator.post(BULK + "delete", {"course": course})
    assert response.status_code in (303, 422)
    assert not upstream.calls("POST", CALL + "/bulkDelete")


@pytest.mark.parametrize(
    ("chosen", "told"),
    [({}, "Choose at least one row first."), ({"id": "u-99"}, "The chosen rows are no longer there.")],
)
def test_without_a_choice_it_leads_back_to_the_list_and_says_why(administrator, chosen, told):
    response = administrator.post(BULK + "delete", {"back": LIST + "?page=2", **chosen})
    assert (response.status_code, response.headers["Location"]) == (303, LIST + "?page=2")
    assert told in administrator.get(LIST).content.decode()


@pytest.mark.parametrize("query", ["", "?lng=ko-KR"])
def test_a_link_to_a_bulk_page_leads_to_the_list(administrator, query):
    response = administrator.get(BULK + "delete" + query)
    assert (response.status_code, response.headers["Location"]) == (302, LIST + query)
    assert "Choose the rows again." in administrator.get(LIST).content.decode()


@pytest.mark.req("LS-08")
def test_what_can_not_be_done_is_not_sent(administrator, upstream):
    people(upstream, 2, deleteBlockers=[{"reason": "ONGOING_ORDERED_CASE", "count": 1}])
    bulk_answer(upstream, "Delete")
    plan = administrator.post(BULK + "delete", {"id": ["u-1", "u-2"]}).content.decode()
    html = administrator.post(BULK + "delete", carried(plan)).content.decode()
    assert json.loads(upstream.calls("POST", CALL + "/bulkDelete")[0].body) == {"ids": ["u-1"]}
    assert "1 row is done." in html
    assert "1 row was not done." in html
    assert "There is 1 ongoing ordered case." in html
    administrator.post(BULK + "delete", carried(html))
    assert json.loads(upstream.calls("POST", CALL + "/bulkDelete")[1].body) == {"ids": ["u-2"]}


@pytest.mark.req("LS-08", "DM-02", "ER-05")
@pytest.mark.parametrize(
    ("status", "told", "reason"),
    [
        (500, "Failed to send the invitation.", "Failed to send the invitation."),
        (429, "Too many requests", "Too many requests"),
        (524, "The change may have been made", "The service did not say whether it was done."),
    ],
)
def test_a_call_that_fails_loses_no_result_and_waits_for_a_press(administrator, upstream, status, told, reason):
    people(upstream, 240, status="INVITED")
    calls = []

    def answer(request):
        calls.append(json.loads(request.body)["ids"])
        if len(calls) == 2:
            return status, {}, "{}"
        rows = [{"id": id, "ok": True} for id in calls[-1]]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    upstream.callback("POST", CALL + "/bulkResendInvitation", answer)
    html = administrator.post(BULK + "resend", {"all": "1", "back": LIST}).content.decode()
    html = administrator.post(BULK + "resend", carried(html)).content.decode()
    assert "data-continue" in html
    html = administrator.post(BULK + "resend", carried(html)).content.decode()
    assert "100 rows are done." in html
    assert "100 rows were not done." in html
    assert told in html
    assert html.count(reason) >= 100
    assert "data-continue" not in html
    html = administrator.post(BULK + "resend", carried(html)).content.decode()
    assert "140 rows are done." in html
    html = administrator.post(BULK + "resend", carried(html)).content.decode()
    assert (len(calls[3]), calls[3]) == (100, calls[1])
    assert "100 rows are done." in html


@pytest.mark.req("LS-08", "ER-22", "ER-34")
@pytest.mark.parametrize(
    ("code", "told"),
    [
        (13002, "There is 1 ongoing ordered case."),
        (13009, "This user is not waiting for an invitation."),
        (10004, "It is no longer there."),
        (10008, "Too many requests at once. Try again in a moment."),
        (99999, "Failed to update the user."),
    ],
)
def test_a_row_without_reasons_is_told_by_its_code(administrator, upstream, code, told):
    upstream.answers("POST", CALL + "/bulkUpdate", {"results": [{"id": "u-1", "ok": False, "code": code}]})
    plan = administrator.post(BULK + "type", {"id": "u-1"}).content.decode()
    html = administrator.post(BULK + "type", {**carried(plan), "user_type": "STAFF"}).content.decode()
    assert told in html
    assert "<bdi>User 1</bdi>" in html


@pytest.mark.req("DM-01")
def test_people_can_be_taken_out_of_their_teams(administrator, upstream):
    bulk_answer(upstream, "Update")
    plan = administrator.post(BULK + "move", {"id": "u-1"}).content.decode()
    administrator.post(BULK + "move", {**carried(plan), "team": "-"})
    sent = json.loads(upstream.calls("POST", CALL + "/bulkUpdate")[0].body)
    assert sent == {"ids": ["u-1"], "set": {"subGroupId": None}}


@pytest.mark.req("DM-16", "ST-53")
def test_invitations_are_cancelled_one_by_one_as_there_is_no_call_for_many(administrator, upstream):
    people(upstream, 2, status="INVITED")
    upstream.answers("DELETE", CALL + "/u-1/invitation")
    upstream.answers("DELETE", CALL + "/u-2/invitation", factories.refusal(13009), status=409)
    plan = administrator.post(BULK + "cancel", {"id": ["u-1", "u-2"]}).content.decode()
    html = administrator.post(BULK + "cancel", carried(plan)).content.decode()
    assert "1 row is done." in html
    assert "This user is not waiting for an invitation." in html


def test_a_plan_without_its_options_is_shown_again(administrator, upstream):
    plan = administrator.post(BULK + "move", {"id": "u-1"}).content.decode()
    assert administrator.post(BULK + "move", carried(plan)).status_code == 422


def test_an_unknown_action_is_not_there(administrator):
    assert administrator.post(BULK + "explode", {"id": "u-1"}).status_code == 404


@pytest.mark.req("LS-06", "LS-09")
def test_the_list_has_check_boxes_named_after_their_rows(administrator, visit):
    page = visit(LIST)
    boxes = [c for c in page.controls if c.get("name") == "id"]
    assert [(b["value"], b["aria-label"], b["form"]) for b in boxes][:2] == [
        ("u-1", "User 1", "bulk-users"),
        ("u-2", "User 2", "bulk-users"),
    ]
