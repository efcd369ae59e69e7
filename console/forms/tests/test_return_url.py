"""The way back to a list keeps its query and leads nowhere else."""

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
def test_a_form_leads_back_to_the_list_as_it_was(referer, goto):
    request = RequestFactory().get(LIST + "/new", headers={"Referer": referer})
    assert return_url(request, LIST) == goto  # type: ignore[arg-type]  # a plain request is enough


@pytest.mark.parametrize(
    "back", ["//evil.test/user-manage/clinic?x", "javascript:alert(1)", "/other?page=2", "https:x", "//[", "http://["]
)
def test_what_a_form_carries_leads_nowhere_else(back):
    request = RequestFactory().post(LIST + "/new", {"back": back})
    assert return_url(request, LIST) in (LIST, LIST + "?x")  # type: ignore[arg-type]
