"""Paths of user management."""

from django.urls import path

from groups.views.clinic_bulk import clinic_bulk
from groups.views.clinic_changes import clinic_create, clinic_delete, clinic_edit
from groups.views.clinic_files import clinic_export, clinic_import, clinic_import_template
from groups.views.clinics import clinic_list
from groups.views.invitations import user_cancel, user_invite, user_resend
from groups.views.order_labs import clinic_order_labs
from groups.views.permission_copy import permission_copy
from groups.views.permissions import clinic_permissions, user_permissions
from groups.views.root import root
from groups.views.teams import all_teams, team_create, team_delete, team_edit, team_list
from groups.views.user_bulk import all_user_bulk, user_bulk
from groups.views.user_changes import user_delete, user_edit
from groups.views.user_files import (
    all_user_export,
    all_user_import,
    all_user_import_template,
    user_export,
    user_import,
    user_import_template,
)
from groups.views.users import all_users, user_detail, user_list

app_name = "groups"

urlpatterns = [
    path("", root, name="root"),
    path("/clinic", clinic_list, name="clinic-list"),
    path("/clinic/export", clinic_export, name="clinic-export"),
    path("/clinic/import", clinic_import, name="clinic-import"),
    path("/clinic/import/template", clinic_import_template, name="clinic-import-template"),
    path("/clinic/new", clinic_create, name="clinic-create"),
    path("/clinic/bulk/<str:action>", clinic_bulk, name="clinic-bulk"),
    path("/clinic/<str:clinic_id>/edit", clinic_edit, name="clinic-edit"),
    path("/clinic/<str:clinic_id>/delete", clinic_delete, name="clinic-delete"),
    path("/clinic/<str:clinic_id>/permissions", clinic_permissions, name="clinic-permissions"),
    path("/clinic/<str:clinic_id>/permissions/labs", clinic_order_labs, name="clinic-order-labs"),
    path("/clinic/<str:clinic_id>/team", team_list, name="team-list"),
    path("/clinic/<str:clinic_id>/team/new", team_create, name="team-create"),
    path("/clinic/<str:clinic_id>/team/<str:team_id>/edit", team_edit, name="team-edit"),
    path("/clinic/<str:clinic_id>/team/<str:team_id>/delete", team_delete, name="team-delete"),
    path("/clinic/<str:clinic_id>/user", user_list, name="user-list"),
    path("/clinic/<str:clinic_id>/user/bulk/<str:action>", user_bulk, name="user-bulk"),
    path("/clinic/<str:clinic_id>/user/export", user_export, name="user-export"),
    path("/clinic/<str:clinic_id>/user/import", user_import, name="user-import"),
    path("/clinic/<str:clinic_id>/user/import/template", user_import_template, name="user-import-template"),
    path("/clinic/<str:clinic_id>/user/new", user_invite, name="user-invite"),
    path("/clinic/<str:clinic_id>/user/<str:user_id>", user_detail, name="user-detail"),
    path("/clinic/<str:clinic_id>/user/<str:user_id>/edit", user_edit, name="user-edit"),
    path("/clinic/<str:clinic_id>/user/<str:user_id>/delete", user_delete, name="user-delete"),
    path("/clinic/<str:clinic_id>/user/<str:user_id>/invitation/resend", user_resend, name="user-resend"),
    path("/clinic/<str:clinic_id>/user/<str:user_id>/invitation/cancel", user_cancel, name="user-cancel"),
    path("/clinic/<str:clinic_id>/user/<str:user_id>/permissions", user_permissions, name="user-permissions"),
    path("/clinic/<str:clinic_id>/user/<str:user_id>/permissions/copy", permission_copy, name="permission-copy"),
    path("/team", all_teams, name="all-teams"),
    path("/user", all_users, name="all-users"),
    path("/user/export", all_user_export, name="all-user-export"),
    path("/user/import", all_user_import, name="all-user-import"),
    path("/user/import/template", all_user_import_template, name="all-user-import-template"),
    path("/user/bulk/<str:action>", all_user_bulk, name="all-user-bulk"),
]
