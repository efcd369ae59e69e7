"""Paths of labs and partnerships."""

from django.urls import URLPattern

from console import paths  # noqa: F401 - registers <id:…>

app_name = "partners"

urlpatterns: list[URLPattern] = []
