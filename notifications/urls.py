"""Paths of notifications, the dashboard, and decisions."""

from django.urls import path

from console.screens.list_page import list_urls
from console.web import paths  # noqa: F401 - registers <id:…>
from notifications.views import activity, bell, dashboard, decisions, notifications

app_name = "notifications"

urlpatterns = [
    path("activity", activity.activity_list, name="activity-list"),
    path("activity/export", activity.activity_export, name="activity-export"),
    path("activity/export/<xlsx:kind>", activity.activity_export, name="activity-export"),
    path("activity/service", activity.service_log_list, name="service-log-list"),
    path("activity/service/export", activity.service_log_export, name="service-log-export"),
    path("activity/service/export/<xlsx:kind>", activity.service_log_export, name="service-log-export"),
    path("activity/service/<id:entry_id>", activity.service_log_show, name="service-log-show"),
    path("activity/<id:entry_id>", activity.activity_show, name="activity-show"),
    path("activity/<id:entry_id>/export", activity.activity_row_export, name="activity-row-export"),
    path("activity/<id:entry_id>/export/<xlsx:kind>", activity.activity_row_export, name="activity-row-export"),
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
