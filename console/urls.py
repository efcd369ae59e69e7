"""All paths of the console; the only file that knows all apps."""

from django.urls import include, path, re_path

from console.i18n.resources import island_resources
from console.ops import exporter
from console.shell import pages, saved_views, search, well_known
from console.web import paths  # noqa: F401 - registers <id:…>
from console.web.access import public
from translations.views import rosetta

handler400 = "console.shell.pages.bad_request"
handler403 = "console.shell.pages.forbidden"
handler404 = "console.shell.pages.missing"
handler500 = "console.shell.pages.server_error"

urlpatterns = [
    path("", pages.home, name="home"),
    path("user-manage", include("groups.urls")),
    path("user-manage/clinic/<id:clinic_id>/scanner", include("scanners.urls.clinic")),
    path("user-manage/clinic/<id:clinic_id>/partner", include("partners.urls.clinic")),
    path("scanner-manage", include("scanners.urls")),
    path("partner-manage", include("partners.urls")),
    path("", include("accounts.urls")),
    path("", include("overview.urls")),
    path("", include("notifications.urls")),
    path("search", search.search, name="search"),
    path("saved-view/new", saved_views.saved_view_create, name="saved-view-create"),
    path("saved-view/<id:view_id>/edit", saved_views.saved_view_edit, name="saved-view-edit"),
    path("saved-view/<id:view_id>/delete", saved_views.saved_view_delete, name="saved-view-delete"),
    path("404", pages.not_found, name="not-found"),
    path("520", pages.server_error_520, name="server-error"),
    path("version", pages.version, name="version"),
    path("maintenance", pages.maintenance_page, name="maintenance"),
    path("healthz", pages.healthz, name="healthz"),
    path("readyz", pages.readyz, name="readyz"),
    path("metrics", exporter.metrics, name="metrics"),
    path("robots.txt", well_known.robots, name="robots"),
    path(".well-known/change-password", well_known.change_password, name="change-password"),
    path(".well-known/security.txt", well_known.security, name="security"),
    path("translate/", include("translations.urls")),
    path("rosetta/", rosetta, name="rosetta"),
    path("i18n/<str:tag>/<str:version>.json", public(island_resources), name="i18n-resources"),
    re_path(r"^(?P<path>.*)$", pages.unknown, name="unknown"),
]
