"""Paths of user management."""

from django.urls import path

from groups.views.clinics import clinic_list
from groups.views.permissions import clinic_permissions, user_permissions
from groups.views.root import root
from groups.views.users import user_list

app_name = "groups"

urlpatterns = [
    path("", root, name="root"),
    path("/clinic", clinic_list, name="clinic-list"),
    path("/clinic/<str:clinic_id>/permissions", clinic_permissions, name="clinic-permissions"),
    path("/clinic/<str:clinic_id>/user", user_list, name="user-list"),
    path("/clinic/<str:clinic_id>/user/<str:user_id>/permissions", user_permissions, name="user-permissions"),
]
