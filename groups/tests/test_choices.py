"""Choices offer everything there is, not only the first page of it."""

import json
import re

import pytest

from tests.support import factories

USER = "/user-manage/clinic/g-1/user"


@pytest.fixture
def administrator(administrator, upstream):
    for path, make in (("/v1/bizMainGroups", factories.clinic), ("/v1/bizSubGroups", factories.team)):

        def answer(request, make=make):
            page = int(re.findall(r"[?&]page=(\d+)", request.url)[0])
            rows = [make(n) for n in range(100 * page - 99, min(100 * page, 250) + 1)]
            return 200, {}, json.dumps(factories.listing(rows, total=250, size=100))

        upstream.remove("GET", path)
        upstream.callback("GET", path, answer)
    return administrator


@pytest.mark.req("UC-05", "UC-06", "DM-01")
@pytest.mark.parametrize(
    ("path", "offered"),
    [
        (f"{USER}/u-1/edit", ["g-1", "g-250", "t-1", "t-250"]),
        (f"{USER}/new", ["t-1", "t-250"]),
        (USER, ["t-1", "t-250"]),
        ("/user-manage/clinic/g-1/team/t-1/delete", ["t-250"]),
    ],
)
def test_all_of_250_can_be_chosen(administrator, upstream, path, offered):
    upstream.answers("GET", "/v1/bizSubGroups/t-1", factories.team(userCount=5))
    html = administrator.get(path).content.decode()
    for id in offered:
        assert re.search(f'<(?:option|input type=checkbox name="team") value="{id}"', html)


@pytest.mark.parametrize("action", ["move", "move-to-clinic"])
def test_many_users_can_be_moved_to_any_of_250(administrator, action):
    html = administrator.post(f"{USER}/bulk/{action}", {"id": "u-1"}).content.decode()
    assert f'<option value="{"t" if action == "move" else "g"}-250"' in html
