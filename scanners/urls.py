"""Paths of the scanners."""

from django.urls import URLPattern

from console import paths  # noqa: F401 - registers <id:…>

app_name = "scanners"

urlpatterns: list[URLPattern] = []
