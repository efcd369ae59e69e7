"""A list as JSON, for its island."""

import msgspec
from django.http import HttpRequest, HttpResponse

from console.lists.view import ListView
from console.web.islands import island
from console.web.responses import Answer, json


@island("list")
class ListAnswer(msgspec.Struct, frozen=True):
    """The `item` in the JSON answer of a list."""

    list: ListView


def list_json(request: HttpRequest, view: ListView) -> HttpResponse:
    """Send a list as JSON: 422 where it can't apply a part of its address, with the same sentences as the page."""
    text = " ".join(f"{notice.text} {notice.remove_label}" for notice in view.notices)
    answer = Answer(ok=not text, message=text, item=ListAnswer(view))
    return json(request, answer, status=422 if text else 200)
