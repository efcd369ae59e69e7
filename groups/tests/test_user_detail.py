"""The page of a user: the facts, the permissions with their sources, and the actions."""

from typing import Any

import pytest

from tests.support import factories

LIST = "/user-manage/clinic/g-1/user"
PAGE = f"{LIST}/u-1"
CALL = "/v1/bizUsers/u-1"
WAITING: dict[str, Any] = {
    "lastLoginDate": None,
    "invitedDate": "2026-11-18T08:30:00Z",
    "invitationExpiresDate": "2026-11-25T08:30:00Z",
}


@pytest.mark.req("EN-41", "EN-42", "EN-43", "EN-44", "EN-45", "DM-05")
def test_the_facts_of_a_user_are_shown(administrator, upstream, visit):
    upstream.answers("GET", CALL, factories.user(createdDate="2025-03-04T08:30:00Z"))
    html = visit(PAGE).response.content.decode()
    for text in ("User 1", "Doctor", "Team 1", "Clinic 1", "Active", "Nov 1, 2026", "Mar 4, 2025"):
        assert text in html
    assert '<bdi translate=no dir="ltr">user1@<wbr>clinic<wbr>.example</bdi>' in html


def test_the_page_makes_four_reads(administrator, upstream):
    before = len(upstream.calls())
    administrator.get(PAGE)
    assert len(upstream.calls()) - before == 4, "and what waits"


@pytest.mark.req("EN-45", "ST-53", "DM-15", "DM-16")
@pytest.mark.parametrize(
    ("status", "label"), [("INVITED", "Invitation expires"), ("INVITATION_EXPIRED", "Invitation expired")]
)
def test_a_pending_invitation_can_be_resent_or_canceled(administrator, upstream, visit, status, label):
    upstream.answers("GET", CALL, factories.user(status=status, **WAITING))
    html = visit(PAGE).response.content.decode()
    for text in (label, "Nov 25, 2026", "Nov 18, 2026", "Never"):
        assert text in html
    assert f'action="{PAGE}/invitation/resend"' in html
    assert f'href="{PAGE}/invitation/cancel"' in html
    assert f'href="{PAGE}/delete"' not in html


@pytest.mark.req("EN-45", "ST-53")
@pytest.mark.parametrize(("status", "word"), [("ACTIVE", "Active"), ("LOCKED", "Locked")])
def test_a_user_who_has_accepted_has_no_invitation(administrator, upstream, visit, status, word):
    upstream.answers("GET", CALL, factories.user(status=status))
    html = visit(PAGE).response.content.decode()
    assert word in html
    assert "/invitation/" not in html
    assert f'href="{PAGE}/delete"' in html


@pytest.mark.req("PM-19")
def test_each_permission_shows_its_source(administrator, upstream, visit):
    html = visit(PAGE).response.content.decode()
    assert html.count("On (clinic setting)") == 5
    assert "Use the clinic" not in html, "there is nothing to put back"
    permissions = factories.permissions(owner="USER", source="MAIN_GROUP")
    permissions["permissions"]["allowExport"] = {"value": False, "source": "OWN"}
    upstream.answers("GET", f"{CALL}/permissions", permissions)
    html = visit(PAGE).response.content.decode()
    assert html.count("On (clinic setting)") == 4
    assert "Off (own setting)" in html
    assert 'name="allow_export" value="inherit"' in html
    assert f'action="{PAGE}/permissions"' in html


@pytest.mark.req("LS-13")
def test_the_links_of_the_page_keep_the_return_url_to_the_list(administrator):
    back = f"{LIST}?status=ACTIVE"
    html = administrator.get(PAGE, headers={"Referer": f"http://testserver{back}"}).content.decode()
    assert f'class="back" href="{back}"' in html
    assert f'href="{PAGE}/edit?back=%2Fuser-manage%2Fclinic%2Fg-1%2Fuser%3Fstatus%3DACTIVE"' in html
