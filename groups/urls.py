"""Paths of user management."""

from django.urls import path

from console import paths  # noqa: F401 - registers <id:…>
from groups.views import (
    clinics,
    invitation_changes,
    invitations,
    order_labs,
    permission_copy,
    permissions,
    root,
    teams,
    user_changes,
    user_locks,
    users,
)

app_name = "groups"

urlpatterns = [
    path("", root.home, name="home"),
    path("/clinic", clinics.clinic_list, name="clinic-list"),
    path("/clinic/export", clinics.clinic_export, name="clinic-export"),
    path("/clinic/export/<xlsx:kind>", clinics.clinic_export, name="clinic-export"),
    path("/clinic/import", clinics.clinic_import, name="clinic-import"),
    path("/clinic/import/template", clinics.clinic_template_export, name="clinic-template-export"),
    path("/clinic/new", clinics.clinic_create, name="clinic-create"),
    path("/clinic/bulk/<str:action>", clinics.clinic_bulk_run, name="clinic-bulk-run"),
    path("/clinic/<id:clinic_id>/edit", clinics.clinic_edit, name="clinic-edit"),
    path("/clinic/<id:clinic_id>/delete", clinics.clinic_delete, name="clinic-delete"),
    path("/clinic/<id:clinic_id>/permissions", permissions.clinic_permission_edit, name="clinic-permission-edit"),
    path("/clinic/<id:clinic_id>/permissions/labs", order_labs.clinic_lab_edit, name="clinic-lab-edit"),
    path("/clinic/<id:clinic_id>/team", teams.team_list, name="team-list"),
    path("/clinic/<id:clinic_id>/team/new", teams.team_create, name="team-create"),
    path("/clinic/<id:clinic_id>/team/<id:team_id>/edit", teams.team_edit, name="team-edit"),
    path("/clinic/<id:clinic_id>/team/<id:team_id>/delete", teams.team_delete, name="team-delete"),
    path("/clinic/<id:clinic_id>/user", users.user_list, name="user-list"),
    path("/clinic/<id:clinic_id>/user/bulk/<str:action>", users.user_bulk_run, name="user-bulk-run"),
    path("/clinic/<id:clinic_id>/user/export", users.user_export, name="user-export"),
    path("/clinic/<id:clinic_id>/user/export/<xlsx:kind>", users.user_export, name="user-export"),
    path("/clinic/<id:clinic_id>/user/import", users.user_import, name="user-import"),
    path("/clinic/<id:clinic_id>/user/import/template", users.user_template_export, name="user-template-export"),
    path("/clinic/<id:clinic_id>/user/new", invitations.user_invite, name="user-invite"),
    path("/clinic/<id:clinic_id>/user/<id:user_id>", users.user_show, name="user-show"),
    path("/clinic/<id:clinic_id>/user/<id:user_id>/edit", user_changes.user_edit, name="user-edit"),
    path("/clinic/<id:clinic_id>/user/<id:user_id>/move", user_changes.user_move, name="user-move"),
    path("/clinic/<id:clinic_id>/user/<id:user_id>/lock", user_locks.user_lock, name="user-lock"),
    path("/clinic/<id:clinic_id>/user/<id:user_id>/unlock", user_locks.user_unlock, name="user-unlock"),
    path("/clinic/<id:clinic_id>/user/<id:user_id>/delete", user_changes.user_delete, name="user-delete"),
    path(
        "/clinic/<id:clinic_id>/user/<id:user_id>/invitation/resend",
        invitation_changes.invitation_resend,
        name="invitation-resend",
    ),
    path(
        "/clinic/<id:clinic_id>/user/<id:user_id>/invitation/cancel",
        invitation_changes.invitation_cancel,
        name="invitation-cancel",
    ),
    path(
        "/clinic/<id:clinic_id>/user/<id:user_id>/permissions",
        permissions.user_permission_edit,
        name="user-permission-edit",
    ),
    path(
        "/clinic/<id:clinic_id>/user/<id:user_id>/permissions/copy",
        permission_copy.user_permission_copy,
        name="user-permission-copy",
    ),
    path("/team", teams.all_team_list, name="all-team-list"),
    path("/user", users.all_user_list, name="all-user-list"),
    path("/user/new", invitations.all_user_invite, name="all-user-invite"),
    path("/user/export", users.all_user_export, name="all-user-export"),
    path("/user/export/<xlsx:kind>", users.all_user_export, name="all-user-export"),
    path("/user/import", users.all_user_import, name="all-user-import"),
    path("/user/import/template", users.all_user_template_export, name="all-user-template-export"),
    path("/user/bulk/<str:action>", users.all_user_bulk_run, name="all-user-bulk-run"),
]
