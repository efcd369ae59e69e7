"""The page /user-manage itself."""

from django.http import HttpResponse
from django.shortcuts import redirect

from console.web.access import private
from console.web.request import ConsoleRequest


@private(is_page=False)
def home(request: ConsoleRequest) -> HttpResponse:
    return redirect("groups:clinic-list")
