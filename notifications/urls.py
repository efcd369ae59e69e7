"""Paths of notifications, the dashboard, and decisions."""

from django.urls import path

from console import paths  # noqa: F401 - registers <id:…>
from notifications.views import bell, dashboard, decisions, notifications

app_name = "notifications"

urlpatterns = [
    path("decisions", decisions.decision_list, name="decision-list"),
    path("dashboard", dashboard.dashboard_show, name="dashboard-show"),
    path("notifications", notifications.notification_list, name="notification-list"),
    path("notifications/unread", bell.unread_count, name="unread-count"),
    path("notifications/<id:notification_id>/open", notifications.notification_open, name="notification-open"),
    path("notifications/<id:notification_id>/read", notifications.notification_read, name="notification-read"),
    path("notifications/<id:notification_id>/unread", notifications.notification_unread, name="notification-unread"),
    # A time, never the last word of those before: a notification whose ID is "read" has its pages, too.
    path("notifications/read/<str:seen>", notifications.all_notification_read, name="all-notification-read"),
]
