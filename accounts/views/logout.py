"""Logging out."""

from django.http import HttpResponse, HttpResponseRedirect
from django.middleware.csrf import rotate_token

from accounts.ending import end
from console.web.access import public
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import Answer, json


@public(methods=("POST",))
def logout(request: ConsoleRequest) -> HttpResponse:
    end(request)
    rotate_token(request)
    if wants_json(request):
        return json(request, Answer(ok=True, goto="/login"))
    return HttpResponseRedirect("/login", status=303)
