"""Paths of notifications, the dashboard, and decisions."""

from django.urls import URLPattern

from console import paths  # noqa: F401 - registers <id:…>

app_name = "notifications"

urlpatterns: list[URLPattern] = []
