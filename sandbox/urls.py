"""All paths of the sandbox: the domain handler, the API, and the controls."""

from django.urls import path

from sandbox import controls, lab_controls
from sandbox.controls import control
from sandbox.gate import endpoints
from sandbox.views import (
    admins,
    audit_logs,
    clinic_changes,
    clinics,
    dashboards,
    labs,
    notifications,
    oauth,
    organizations,
    own_account,
    partner_lists,
    partnerships,
    permissions,
    scanners,
    service,
    teams,
    user_changes,
    users,
)

handler400 = "sandbox.gate.bad_request"
handler404 = "sandbox.gate.unknown_path"
handler500 = "sandbox.gate.broken"

ADMINS = "v1/bizOrganizationAdmins"
ORGANIZATIONS = "v1/bizOrganizations"
PARTNERSHIPS = "v1/bizPartnerships"
CLINICS = "v1/bizMainGroups"
TEAMS = "v1/bizSubGroups"
USERS = "v1/bizUsers"
LABS = "v1/bizLabs"
PARTNER_LISTS = "v1/bizPartnerLists"
SCANNERS = "v1/bizScanners"
NOTIFICATIONS = "v1/bizNotifications"
DASHBOARDS = "v1/bizDashboards"
AUDIT_LOGS = "v1/bizAuditLogs"

urlpatterns = [
    # The domain handler.
    path("v1/accounts/search", endpoints("handler", POST=service.search_account)),
    path("v1/accounts/organizationAdmins/signUpWithOrganization", endpoints("handler", POST=organizations.sign_up)),
    path("v1/maintenance", endpoints("handler", GET=service.maintenance)),
    # The API, without a token.
    path("v2/oauth/requestToken", endpoints("open", POST=oauth.request_token)),
    path(f"{ADMINS}/exist", endpoints("open", GET=admins.exist)),
    path(f"{ORGANIZATIONS}/exist", endpoints("open", GET=organizations.exist)),
    path(f"{ADMINS}/forgotPassword", endpoints("open", GET=admins.forgot_password)),
    path(f"{ADMINS}/resetPassword", endpoints("open", PUT=admins.reset_password)),
    path(f"{ADMINS}/changeEmail/activate/<str:uuid>", endpoints("open", PUT=admins.activate_email)),
    path("v1/commons/countries", endpoints("open", GET=service.countries)),
    path("v1/commons/serverLocations", endpoints("open", GET=service.server_locations)),
    # The API, with a token.
    path("v2/oauth/checkToken", endpoints("bearer", any_type=True, GET=oauth.check_token)),
    path("v2/oauth/expireToken", endpoints("bearer", any_type=True, POST=oauth.expire_token)),
    path(f"{ADMINS}/<str:id>", endpoints("bearer", GET=admins.read, PUT=admins.update)),
    path(
        f"{ADMINS}/<str:id>/changeEmail",
        endpoints("bearer", PUT=admins.change_email, DELETE=own_account.cancel_email_change),
    ),
    path(f"{ADMINS}/<str:id>/changeEmail/resend", endpoints("bearer", PUT=own_account.resend_email_change)),
    path(
        f"{ADMINS}/<str:id>/sessions",
        endpoints("bearer", GET=own_account.sessions, DELETE=own_account.end_other_sessions),
    ),
    path(f"{ADMINS}/<str:id>/sessions/<str:session>", endpoints("bearer", DELETE=own_account.end_session)),
    path(f"{ADMINS}/<str:id>/changePassword", endpoints("bearer", PUT=admins.change_password)),
    path(f"{ORGANIZATIONS}/<str:id>", endpoints("bearer", GET=organizations.read, PUT=organizations.update)),
    path(CLINICS, endpoints("bearer", GET=clinics.listing, POST=clinic_changes.create)),
    path(f"{CLINICS}/exist", endpoints("bearer", GET=clinics.exist)),
    path(f"{CLINICS}/bulkCreate", endpoints("bearer", POST=clinic_changes.bulk_create)),
    path(f"{CLINICS}/bulkDelete", endpoints("bearer", POST=clinic_changes.bulk_delete)),
    path(f"{CLINICS}/bulkPermissions", endpoints("bearer", POST=permissions.bulk_clinics)),
    path(
        f"{CLINICS}/<str:id>",
        endpoints("bearer", GET=clinics.read, PUT=clinic_changes.update, DELETE=clinic_changes.delete),
    ),
    path(
        f"{CLINICS}/<str:id>/permissions",
        endpoints("bearer", GET=permissions.of_clinic, PUT=permissions.change_clinic),
    ),
    path(TEAMS, endpoints("bearer", GET=teams.listing, POST=teams.create)),
    path(f"{TEAMS}/exist", endpoints("bearer", GET=teams.exist)),
    path(f"{TEAMS}/teamTypes", endpoints("bearer", GET=teams.types)),
    path(f"{TEAMS}/<str:id>", endpoints("bearer", GET=teams.read, PUT=teams.update, DELETE=teams.delete)),
    path(USERS, endpoints("bearer", GET=users.listing, POST=user_changes.create)),
    path(f"{USERS}/exist", endpoints("bearer", GET=users.exist)),
    path(f"{USERS}/bulkCreate", endpoints("bearer", POST=user_changes.bulk_create)),
    path(f"{USERS}/bulkDelete", endpoints("bearer", POST=user_changes.bulk_delete)),
    path(f"{USERS}/bulkUpdate", endpoints("bearer", POST=user_changes.bulk_update)),
    path(f"{USERS}/bulkResendInvitation", endpoints("bearer", POST=user_changes.bulk_resend_invitation)),
    path(f"{USERS}/bulkLock", endpoints("bearer", POST=user_changes.bulk_lock)),
    path(f"{USERS}/bulkUnlock", endpoints("bearer", POST=user_changes.bulk_unlock)),
    path(f"{USERS}/bulkPermissions", endpoints("bearer", POST=permissions.bulk_users)),
    path(f"{USERS}/<str:id>", endpoints("bearer", GET=users.read, PUT=user_changes.update, DELETE=user_changes.delete)),
    path(f"{USERS}/<str:id>/permissions", endpoints("bearer", GET=permissions.of_user, PUT=permissions.change_user)),
    path(f"{USERS}/<str:id>/lock", endpoints("bearer", PUT=user_changes.lock)),
    path(f"{USERS}/<str:id>/unlock", endpoints("bearer", PUT=user_changes.unlock)),
    path(f"{USERS}/<str:id>/invitation", endpoints("bearer", DELETE=user_changes.cancel_invitation)),
    path(f"{USERS}/<str:id>/invitation/resend", endpoints("bearer", PUT=user_changes.resend_invitation)),
    path(LABS, endpoints("bearer", GET=labs.listing)),
    path(f"{LABS}/<str:id>", endpoints("bearer", GET=labs.read)),
    path(PARTNER_LISTS, endpoints("bearer", GET=partner_lists.listing, POST=partner_lists.add)),
    path(f"{PARTNER_LISTS}/bulkAdd", endpoints("bearer", POST=partner_lists.bulk_add)),
    path(f"{PARTNER_LISTS}/bulkRemove", endpoints("bearer", POST=partner_lists.bulk_remove)),
    path(f"{PARTNER_LISTS}/<str:id>", endpoints("bearer", DELETE=partner_lists.remove)),
    path(NOTIFICATIONS, endpoints("bearer", GET=notifications.listing)),
    path(f"{NOTIFICATIONS}/unreadCount", endpoints("bearer", GET=notifications.unread_count)),
    path(f"{NOTIFICATIONS}/readAll", endpoints("bearer", PUT=notifications.read_all)),
    path(f"{NOTIFICATIONS}/<str:id>/read", endpoints("bearer", PUT=notifications.read)),
    path(f"{NOTIFICATIONS}/<str:id>/unread", endpoints("bearer", PUT=notifications.unread_again)),
    path(f"{DASHBOARDS}/url", endpoints("bearer", GET=dashboards.read_url, PUT=dashboards.save_url)),
    path(f"{DASHBOARDS}/summary", endpoints("bearer", GET=dashboards.summary)),
    path(AUDIT_LOGS, endpoints("bearer", GET=audit_logs.listing)),
    path(SCANNERS, endpoints("bearer", GET=scanners.listing)),
    path(f"{SCANNERS}/bulkApprove", endpoints("bearer", POST=scanners.many("APPROVE"))),
    path(f"{SCANNERS}/bulkDisapprove", endpoints("bearer", POST=scanners.many("DISAPPROVE"))),
    path(f"{SCANNERS}/bulkCancelApproval", endpoints("bearer", POST=scanners.many("CANCEL_APPROVAL"))),
    path(f"{SCANNERS}/<str:id>", endpoints("bearer", GET=scanners.read)),
    path(f"{SCANNERS}/<str:id>/history", endpoints("bearer", GET=scanners.history)),
    path(f"{SCANNERS}/<str:id>/approve", endpoints("bearer", PUT=scanners.single("APPROVE"))),
    path(f"{SCANNERS}/<str:id>/disapprove", endpoints("bearer", PUT=scanners.single("DISAPPROVE"))),
    path(f"{SCANNERS}/<str:id>/cancelApproval", endpoints("bearer", PUT=scanners.single("CANCEL_APPROVAL"))),
    path(PARTNERSHIPS, endpoints("bearer", GET=partnerships.listing, POST=partnerships.create)),
    path(f"{PARTNERSHIPS}/bulkAccept", endpoints("bearer", POST=partnerships.bulk_accept)),
    path(f"{PARTNERSHIPS}/bulkReject", endpoints("bearer", POST=partnerships.bulk_reject)),
    path(f"{PARTNERSHIPS}/bulkCancel", endpoints("bearer", POST=partnerships.bulk_cancel)),
    path(f"{PARTNERSHIPS}/<str:id>", endpoints("bearer", GET=partnerships.read)),
    path(f"{PARTNERSHIPS}/<str:id>/cancel", endpoints("bearer", PUT=partnerships.cancel)),
    path(f"{PARTNERSHIPS}/<str:id>/accept", endpoints("bearer", PUT=partnerships.accept)),
    path(f"{PARTNERSHIPS}/<str:id>/reject", endpoints("bearer", PUT=partnerships.reject)),
    path(f"{PARTNERSHIPS}/<str:id>/end", endpoints("bearer", PUT=partnerships.end)),
    # The controls.
    path("__calls", control(GET=controls.calls, DELETE=controls.forget_calls)),
    path("__faults", control(POST=controls.add_fault, DELETE=controls.drop_faults)),
    path("__clock", control(POST=controls.move_clock)),
    path("__tokens", control(POST=controls.set_tokens)),
    path("__seed", control(POST=controls.seed)),
    path("__connect", control(POST=controls.connect)),
    path("__elsewhere", control(POST=controls.approve_elsewhere)),
    path("__accept", control(GET=controls.accept)),
    path("__mail", control(GET=controls.mails)),
    path("__mail.html", control(GET=controls.mails_page)),
    path("__reset", control(POST=controls.reset)),
    path("__labs", control(POST=controls.seed_labs)),
    path("__facets", control(POST=controls.set_facets)),
    path("__careless", control(POST=controls.set_careless)),
    path("__maintenance", control(POST=controls.set_maintenance)),
    path("__ask", control(POST=lab_controls.ask)),
    path("__answer", control(POST=lab_controls.answer)),
    path("__order", control(POST=lab_controls.order)),
    path("__leave", control(POST=lab_controls.leave)),
]
