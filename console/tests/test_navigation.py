"""The side navigation: its groups, and the entry of the current page, which the path alone decides."""

import re
from html import unescape

import pytest

GROUPS = {
    "": ["/dashboard", "/decisions"],
    "User management": ["/user-manage/clinic", "/user-manage/team", "/user-manage/user", "/user-manage/permissions"],
    "Devices and labs": ["/scanner-manage", "/partner-manage/list"],
    "Records": ["/activity", "/user-manage/review"],
}
CURRENT = {
    "/dashboard": "/dashboard",
    "/decisions": "/decisions",
    "/user-manage/clinic": "/user-manage/clinic",
    "/user-manage/clinic/g-1/user": "/user-manage/clinic",
    "/user-manage/clinic/g-1/permissions": "/user-manage/clinic",
    "/user-manage/clinic/g-1/user/u-1": "/user-manage/clinic",
    "/user-manage/clinic/g-1/user/u-1/permissions": "/user-manage/clinic",
    "/user-manage/user?user=u-1": "/user-manage/user",
    "/user-manage/permissions/presets": "/user-manage/permissions",
    "/user-manage/review/signed": "/user-manage/review",
    "/partner-manage/search": "/partner-manage/list",
    "/my-account": "/my-account#organization",
    "/my-account/organization-name": "/my-account#organization",
    "/my-account/password": None,
    "/notifications": None,
}


def navigation(client, path):
    html = unescape(client.get(path).content.decode())
    return html.partition('<nav class="navigation"')[2].partition("</nav>")[0]


@pytest.mark.req("RT-30")
def test_entries_are_in_groups_and_account_and_notifications_are_in_the_header(administrator):
    groups = re.findall(r"(?:<p>([^<]*)</p>\s*)?<ul[^>]*>(.*?)</ul>", navigation(administrator, "/decisions"), re.S)
    hrefs = [(label, re.findall('<a href="([^"]+)"', entries)) for label, entries in groups]
    assert hrefs == [*GROUPS.items(), ("", ["/my-account#organization"])]


def test_the_account_menu_says_who_is_logged_in(visit, administrator):
    page = visit("/decisions")
    assert "Dana Admin<br>admin@demo.example" in (page.one("#account-menu .menu-title").html or "")


@pytest.mark.req("RT-30")
def test_the_path_decides_which_entry_is_current(administrator):
    for path, current in CURRENT.items():
        for referrer in ("/user-manage/user", "/user-manage/permissions", "/user-manage/clinic"):
            html = unescape(administrator.get(path, headers={"Referer": referrer}).content.decode())
            entries = html.partition('<nav class="navigation"')[2].partition("</nav>")[0]
            assert re.findall('href="([^"]+)" aria-current', entries) == ([current] if current else []), path
