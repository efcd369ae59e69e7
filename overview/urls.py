"""URLs of the dashboard, decisions and activity."""

from django.urls import path

from console.screens.list_page import export_urls, list_urls
from console.web import paths  # noqa: F401 - registers <id:…>
from overview.files.activity import ActivityRowExport
from overview.views import activity, dashboard, decisions

app_name = "overview"

urlpatterns = [
    *list_urls("activity", activity.ActivityList, "activity"),
    *list_urls("service-log", activity.ServiceLogList, "activity/service"),
    path("activity/service/<id:entry_id>", activity.service_log_show, name="service-log-show"),
    path("activity/<id:entry_id>", activity.activity_show, name="activity-show"),
    *export_urls("activity-row", ActivityRowExport, "activity/<id:entry_id>"),
    path("decisions", decisions.decision_list, name="decision-list"),
    path("dashboard", dashboard.dashboard_show, name="dashboard-show"),
]
