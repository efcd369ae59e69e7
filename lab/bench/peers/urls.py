"""Each peer at the address that its project template gives it."""

from django.contrib import admin
from django.urls import include, path

from lab.bench.peers.settings import PEER

urlpatterns = (
    [path("admin/", include("wagtail.admin.urls")), path("documents/", include("wagtail.documents.urls"))]
    if PEER == "wagtail"
    else [path("admin/", admin.site.urls)]
)
