"""Redirects from the page /user-manage itself, and from that of a clinic to the first of its tabs."""

from django.http import HttpResponse
from django.shortcuts import redirect

from console.web.access import private
from console.web.request import ConsoleRequest


@private(is_page=False)
def home(request: ConsoleRequest) -> HttpResponse:
    return redirect("groups:clinic-list")


@private(is_page=False)
def clinic_show(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    return redirect("groups:user-list", clinic_id)
