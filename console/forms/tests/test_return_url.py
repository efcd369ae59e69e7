"""The return URL keeps the query of its list, and allows no other path."""

import pytest
from django.test import RequestFactory

from console.forms.return_url import return_url

LIST = "/user-manage/clinic"


@pytest.mark.req("LS-13", "DM-11")
@pytest.mark.parametrize(
    ("referer", "goto"),
    [
        ("http://testserver/user-manage/clinic?page=2&keyword=a", LIST + "?page=2&keyword=a"),
        ("http://testserver/user-manage/clinic", LIST),
        ("http://testserver/user-manage/clinic/g-1/user?page=2", LIST),
        ("https://evil.test/user-manage/clinic?page=2", LIST),
        ("", LIST),
        ("http://[x", LIST),
    ],
)
def test_a_form_returns_to_the_list_with_its_query(referer, goto):
    request = RequestFactory().get(LIST + "/new", headers={"Referer": referer})
    assert return_url(request, LIST) == goto  # type: ignore[arg-type]  # a plain request is enough


@pytest.mark.parametrize(
    "back", ["//evil.test/user-manage/clinic?x", "javascript:alert(1)", "/other?page=2", "https:x", "//[", "http://["]
)
def test_the_return_url_of_a_form_can_not_lead_elsewhere(back):
    request = RequestFactory().post(LIST + "/new", {"back": back})
    assert return_url(request, LIST) in (LIST, LIST + "?x")  # type: ignore[arg-type]
