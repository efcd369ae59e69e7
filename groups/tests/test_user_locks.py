"""A user locked instead of deleted, and unlocked: where the service offers it."""

from html import unescape

import pytest

from console.testing import factories
from console.testing.bulk import bodies, carries_out, has_users, next_step, query_of
from console.testing.reading import as_read

LIST = "/user-manage/clinic/g-1/user"
ONE = f"{LIST}/u-1"
CALL = "/v1/bizUsers/u-1"
MISSING = (404, 405, 501)


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic()
    for act in ("lock", "unlock"):
        upstream.answers("PUT", f"{CALL}/{act}", {"version": 2})
    return admin_client


def is_locked(upstream):
    locked = factories.user(status="LOCKED")
    upstream.answers("GET", CALL, locked)
    upstream.answers("GET", "/v1/bizUsers", factories.listing([locked]))


@pytest.mark.req("DM-48", "EN-45", "LS-13")
def test_an_active_user_is_locked_after_a_question(administrator, upstream, visit):
    html = visit(f"{ONE}/lock").response.content.decode()
    assert "Lock \u2068User 1\u2069?" in html
    assert "Nothing is deleted." in html
    assert upstream.calls("PUT") == []
    response = administrator.post(f"{ONE}/lock", {"back": f"{LIST}?status=ACTIVE"})
    assert (response.status_code, response.headers["Location"]) == (303, f"{LIST}?status=ACTIVE")
    assert len(upstream.calls("PUT", f"{CALL}/lock")) == 1
    assert "\u2068User 1\u2069 (\u2068user1@clinic.example\u2069) was locked." in as_read(
        administrator.get(LIST).content.decode()
    )


@pytest.mark.req("DM-48", "EN-45")
def test_a_locked_user_is_unlocked(administrator, upstream, visit):
    is_locked(upstream)
    assert "Unlock user</button>" in visit(f"{ONE}/unlock").response.content.decode()
    assert administrator.post(f"{ONE}/unlock").status_code == 303
    assert len(upstream.calls("PUT", f"{CALL}/unlock")) == 1
    assert "\u2068User 1\u2069 (\u2068user1@clinic.example\u2069) was unlocked." in as_read(
        administrator.get(LIST).content.decode()
    )


@pytest.mark.req("DM-48")
@pytest.mark.parametrize("page", [LIST, ONE, f"{LIST}?user=u-1"])
def test_what_fits_is_in_the_row_on_the_page_and_beside_the_list(administrator, upstream, page):
    html = administrator.get(page).content.decode()
    assert "u-1/lock" in html
    assert "u-1/unlock" not in html
    is_locked(upstream)
    html = administrator.get(page).content.decode()
    assert "u-1/lock" not in html
    assert "u-1/unlock" in html


@pytest.mark.req("DM-48", "DM-18")
@pytest.mark.parametrize("blockers", [[], [{"reason": "ONGOING_ORDERED_CASE", "count": 1}]])
def test_who_can_not_or_should_not_be_deleted_can_be_locked_instead(administrator, upstream, blockers):
    upstream.answers("GET", CALL, factories.user(deleteBlockers=blockers))
    assert f'href="{ONE}/lock">Lock instead</a>' in administrator.get(f"{ONE}/delete").content.decode()
    upstream.answers("GET", CALL, factories.user(status="LOCKED"))
    assert "Lock instead" not in administrator.get(f"{ONE}/delete").content.decode()


@pytest.mark.parametrize(
    ("status", "act", "told"),
    [
        ("LOCKED", "lock", "\u2068User 1\u2069 is locked already."),
        ("INVITED", "lock", "Only active users can be locked."),
        ("ACTIVE", "unlock", "\u2068User 1\u2069 is not locked."),
    ],
)
def test_what_does_not_fit_is_not_asked(administrator, upstream, status, act, told):
    upstream.answers("GET", CALL, factories.user(status=status))
    html = administrator.get(f"{ONE}/{act}").content.decode()
    assert told in html
    assert "ock user</button>" not in html


@pytest.mark.req("DM-48")
@pytest.mark.parametrize("status", MISSING)
def test_a_service_without_it_is_told_once_and_then_it_is_not_offered(administrator, upstream, status):
    upstream.answers("PUT", f"{CALL}/lock", status=status)
    response = administrator.post(f"{ONE}/lock")
    html = unescape(response.content.decode())
    assert response.status_code == 422
    assert "Failed to lock the user." in html
    assert "The service doesn't offer this." in html
    assert "It is not known" not in html
    for page in (LIST, ONE, f"{LIST}?user=u-1", f"{ONE}/delete", "/user-manage/user"):
        html = administrator.get(page).content.decode()
        assert "/lock" not in html
        assert "/unlock" not in html
    assert "Lock user</button>" not in administrator.get(f"{ONE}/lock").content.decode()


@pytest.mark.req("LS-16")
def test_a_user_who_is_gone_is_no_sign_of_a_service_without_it(administrator, upstream):
    upstream.answers("PUT", f"{CALL}/lock", factories.refusal(10004), status=404)
    administrator.post(f"{ONE}/lock")
    assert "u-1/lock" in administrator.get(LIST).content.decode()


@pytest.mark.req("LS-17")
def test_who_was_locked_meanwhile_is_told_so(administrator, upstream):
    upstream.answers("PUT", f"{CALL}/lock", factories.refusal(13011), status=409)
    upstream.forget("GET", CALL)
    upstream.in_turn("GET", CALL, (200, factories.user()), (200, factories.user(status="LOCKED")))
    response = administrator.post(f"{ONE}/lock")
    html = unescape(response.content.decode())
    assert response.status_code == 409
    assert "This can't be done in the user's current state." in html
    assert "is locked already." in html
    assert "raw words" not in html


@pytest.mark.parametrize(("now", "status"), [("LOCKED", 303), ("ACTIVE", 502)])
def test_after_a_lost_answer_what_is_stored_decides(administrator, upstream, now, status):
    upstream.answers("PUT", f"{CALL}/lock", None, status=502)
    upstream.forget("GET", CALL)
    upstream.in_turn("GET", CALL, (200, factories.user()), (200, factories.user(status=now)))
    response = administrator.post(f"{ONE}/lock")
    assert response.status_code == status
    if status == 502:
        assert "It is not known whether the user was locked." in response.content.decode()


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("act", ["lock", "unlock"])
def test_a_user_of_another_clinic_is_not_there(administrator, upstream, act):
    upstream.answers("GET", CALL, factories.user(mainGroupId="g-2"))
    assert administrator.post(f"{ONE}/{act}").status_code == 404
    assert upstream.calls("PUT") == []


@pytest.mark.req("DM-48", "DM-01", "LS-08")
def test_many_are_locked_and_who_is_not_active_is_left_out(administrator, upstream):
    has_users(upstream, 3, status="ACTIVE")
    carries_out(upstream, "/v1/bizUsers/bulkLock")
    query = query_of(administrator, LIST)
    plan = administrator.post(f"{LIST}/bulk/lock", {"all": "1", "query": query}).content.decode()
    assert "Lock 3 users" in plan
    result = administrator.post(f"{LIST}/bulk/lock", next_step(plan)).content.decode()
    assert "3 people locked." in result
    assert bodies(upstream, "/v1/bizUsers/bulkLock") == [{"ids": ["u-1", "u-2", "u-3"]}]
    plan = administrator.post(f"{LIST}/bulk/unlock", {"all": "1", "query": query}).content.decode()
    assert "3 people can&#39;t be unlocked." in plan
    assert "Only locked users can be unlocked." in plan


@pytest.mark.req("DM-48")
def test_many_at_a_service_without_it_are_not_locked_and_it_is_not_offered_again(administrator, upstream):
    has_users(upstream, 2)
    for path in ("bulkLock", "u-1/lock", "u-2/lock"):
        upstream.answers("POST" if path == "bulkLock" else "PUT", f"/v1/bizUsers/{path}", status=501)
    query = query_of(administrator, LIST)
    plan = administrator.post(f"{LIST}/bulk/lock", {"all": "1", "query": query}).content.decode()
    result = administrator.post(f"{LIST}/bulk/lock", next_step(plan)).content.decode()
    assert "2 people were not locked." in result
    assert "It is not known" not in result
    assert "/bulk/lock" not in administrator.get(LIST).content.decode()


@pytest.mark.req("DM-19")
@pytest.mark.parametrize("name", ["", "\u202e"])
def test_what_was_done_to_somebody_without_a_name_is_told(administrator, upstream, name):
    upstream.answers("GET", CALL, factories.user(name=name))
    assert administrator.post(f"{ONE}/lock", {"version": "1"}).status_code == 303
    assert "\u2068user1@clinic.example\u2069 was locked." in as_read(administrator.get(LIST).content.decode())
