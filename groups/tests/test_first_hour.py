"""Users before there is a clinic: the way leads to adding one, and from there to the invitation."""

from html import unescape

import pytest

from tests.support import factories

USERS = "/user-manage/user"
INVITE = f"{USERS}/new"
ADD_FIRST = "/user-manage/clinic/new?back=%2Fuser-manage%2Fuser%2Fnew"


@pytest.fixture
def administrator(administrator, upstream):
    for path in ("/v1/bizMainGroups", "/v1/bizUsers", "/v1/bizSubGroups"):
        upstream.answers("GET", path, factories.listing([]))
    return administrator


def page(client, path):
    response = client.get(path)
    assert response.status_code == 200
    return unescape(response.content.decode())


def test_an_empty_list_of_users_leads_to_a_clinic_first(administrator):
    html = page(administrator, USERS)
    assert f'href="{ADD_FIRST}">Add a clinic first</a>' in html
    assert "Invite your first user." not in html


def test_if_there_is_a_clinic_or_it_is_not_known_the_list_leads_to_an_invitation(administrator, upstream):
    for answer in ((factories.listing([factories.clinic()]), 200), ({}, 500)):
        upstream.answers("GET", "/v1/bizMainGroups", answer[0], status=answer[1])
        html = page(administrator, USERS)
        assert "Invite your first user." in html
        assert "Add a clinic first" not in html


def test_an_invitation_without_a_clinic_leads_to_one_and_comes_back(administrator, upstream):
    html = page(administrator, INVITE)
    assert f'href="{ADD_FIRST}"' in html
    assert 'name="email"' not in html
    assert f'name="back" value="{INVITE}"' in page(administrator, ADD_FIRST)
    upstream.answers("POST", "/v1/bizMainGroups", {"id": "g-1"})
    upstream.answers("GET", "/v1/bizMainGroups/exist", {"resultCount": 0})
    response = administrator.post("/user-manage/clinic/new", {"name": "First", "country_code": "KR", "back": INVITE})
    assert (response.status_code, response.headers["Location"]) == (303, INVITE)
