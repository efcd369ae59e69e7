"""URLs of notifications."""

from django.urls import path

from console.screens.list_page import list_urls
from console.web import paths  # noqa: F401 - registers <id:…>
from notifications.views import bell, notifications

app_name = "notifications"

urlpatterns = [
    *list_urls("notification", notifications.NotificationList, "notifications"),
    path("notifications/unread", bell.unread_count, name="unread-count"),
    path("notifications/<id:notification_id>/open", notifications.notification_open, name="notification-open"),
    path("notifications/<id:notification_id>/read", notifications.notification_read, name="notification-read"),
    path("notifications/<id:notification_id>/unread", notifications.notification_unread, name="notification-unread"),
    # The time must not look like an action, because a notification's ID may be "read".
    path("notifications/unread/again", notifications.all_notification_unread, name="all-notification-unread"),
    path("notifications/read/<str:until>", notifications.all_notification_read, name="all-notification-read"),
]
