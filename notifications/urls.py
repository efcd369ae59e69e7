"""Paths of notifications, the dashboard, and decisions."""

from django.urls import path

from console.screens.list_page import export_urls, list_urls
from console.web import paths  # noqa: F401 - registers <id:…>
from notifications.files.activity import ActivityRowExport
from notifications.views import activity, bell, dashboard, decisions, notifications

app_name = "notifications"

urlpatterns = [
    *list_urls("activity", activity.ActivityList, "activity"),
    *list_urls("service-log", activity.ServiceLogList, "activity/service"),
    path("activity/service/<id:entry_id>", activity.service_log_show, name="service-log-show"),
    path("activity/<id:entry_id>", activity.activity_show, name="activity-show"),
    *export_urls("activity-row", ActivityRowExport, "activity/<id:entry_id>"),
    path("decisions", decisions.decision_list, name="decision-list"),
    path("dashboard", dashboard.dashboard_show, name="dashboard-show"),
    *list_urls("notification", notifications.NotificationList, "notifications"),
    path("notifications/unread", bell.unread_count, name="unread-count"),
    path("notifications/<id:notification_id>/open", notifications.notification_open, name="notification-open"),
    path("notifications/<id:notification_id>/read", notifications.notification_read, name="notification-read"),
    path("notifications/<id:notification_id>/unread", notifications.notification_unread, name="notification-unread"),
    # A time, never the last word of those before: a notification whose ID is "read" has its pages, too.
    path("notifications/read/<str:seen>", notifications.all_notification_read, name="all-notification-read"),
]
