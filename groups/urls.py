"""Paths of user management."""

from django.urls import path

from console.screens.list_page import export_urls, list_urls
from console.web import paths  # noqa: F401 - registers <id:…>
from groups.files.review import SignedReviewExport
from groups.views import (
    all_permissions,
    clinics,
    invitation_changes,
    invitations,
    order_labs,
    permission_copy,
    permissions,
    preset_apply,
    presets,
    reminders,
    review,
    root,
    teams,
    user_changes,
    user_locks,
    users,
)

app_name = "groups"

urlpatterns = [
    path("", root.home, name="home"),
    *list_urls("clinic", clinics.ClinicList, "/clinic"),
    path("/clinic/new", clinics.clinic_create, name="clinic-create"),
    path("/clinic/<id:clinic_id>", root.clinic_show, name="clinic-show"),
    path("/clinic/<id:clinic_id>/edit", clinics.clinic_edit, name="clinic-edit"),
    path("/clinic/<id:clinic_id>/delete", clinics.clinic_delete, name="clinic-delete"),
    path("/clinic/<id:clinic_id>/permissions", permissions.clinic_permission_edit, name="clinic-permission-edit"),
    path("/clinic/<id:clinic_id>/permissions/labs", order_labs.clinic_lab_edit, name="clinic-lab-edit"),
    path("/clinic/<id:clinic_id>/reminder/new", reminders.clinic_reminder_create, name="clinic-reminder-create"),
    *list_urls("team", teams.TeamList, "/clinic/<id:clinic_id>/team"),
    path("/clinic/<id:clinic_id>/team/new", teams.team_create, name="team-create"),
    path("/clinic/<id:clinic_id>/team/<id:team_id>/edit", teams.team_edit, name="team-edit"),
    path("/clinic/<id:clinic_id>/team/<id:team_id>/delete", teams.team_delete, name="team-delete"),
    *list_urls("user", users.UserList, "/clinic/<id:clinic_id>/user"),
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
    path("/clinic/<id:clinic_id>/permissions/preset", preset_apply.clinic_preset_apply, name="clinic-preset-apply"),
    path(
        "/clinic/<id:clinic_id>/user/<id:user_id>/permissions/preset",
        preset_apply.user_preset_apply,
        name="user-preset-apply",
    ),
    *list_urls("all-permission", all_permissions.AllPermissionList, "/permissions"),
    *list_urls("review", review.ReviewList, "/review"),
    path("/review/user/<id:user_id>/<str:action>", review.review_decide, name="review-decide"),
    path("/review/sign-off", review.review_sign, name="review-sign"),
    *list_urls("signed-review", review.SignedReviewList, "/review/signed"),
    path("/review/signed/<id:review_id>", review.signed_review_show, name="signed-review-show"),
    *export_urls("signed-review", SignedReviewExport, "/review/signed/<id:review_id>"),
    path(
        "/clinic/<id:clinic_id>/user/<id:user_id>/reminder/new",
        reminders.user_reminder_create,
        name="user-reminder-create",
    ),
    path("/reminder/<id:reminder_id>/edit", reminders.reminder_edit, name="reminder-edit"),
    path("/reminder/<id:reminder_id>/delete", reminders.reminder_delete, name="reminder-delete"),
    *list_urls("preset", presets.PresetList, "/permissions/presets"),
    path("/permissions/presets/new", presets.preset_create, name="preset-create"),
    path("/permissions/presets/<id:preset_id>/edit", presets.preset_edit, name="preset-edit"),
    path("/permissions/presets/<id:preset_id>/delete", presets.preset_delete, name="preset-delete"),
    *list_urls("all-team", teams.AllTeamList, "/team"),
    *list_urls("all-user", users.AllUserList, "/user"),
    path("/user/new", invitations.all_user_invite, name="all-user-invite"),
]
