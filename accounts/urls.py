"""URLs of the administrator's account."""

from django.urls import path

from accounts.views import active_sessions, email, my_account
from accounts.views.documents import document_show
from accounts.views.login import login
from accounts.views.logout import logout
from accounts.views.password import password_edit
from accounts.views.recovery import password_reset, reset_link_send
from accounts.views.session import session, session_dialogs_show
from accounts.views.sign_up import account_create

app_name = "accounts"

urlpatterns = [
    path("login", login, name="login"),
    path("session", session, name="session"),
    path("session/dialogs", session_dialogs_show, name="session-dialogs-show"),
    path("logout", logout, name="logout"),
    path("create-account", account_create, name="account-create"),
    path("confirm-password", reset_link_send, name="reset-link-send"),
    path("reset-password/<id:link_id>", password_reset, name="password-reset"),
    path("change-email/<id:link_id>", email.email_activate, name="email-activate"),
    path("my-account", my_account.account_show, name="account-show"),
    path("my-account/organization-name", my_account.organization_name_edit, name="organization-name-edit"),
    path("my-account/email", email.email_edit, name="email-edit"),
    path("my-account/email/resend", email.email_change_resend, name="email-change-resend"),
    path("my-account/email/cancel", email.email_change_cancel, name="email-change-cancel"),
    path("my-account/password", password_edit, name="password-edit"),
    path("my-account/dashboard-url", my_account.dashboard_url_edit, name="dashboard-url-edit"),
    path("my-account/preferences", my_account.preferences_edit, name="preferences-edit"),
    path("my-account/sessions", active_sessions.session_list, name="session-list"),
    path("my-account/sessions/end-others", active_sessions.other_sessions_end, name="other-sessions-end"),
    path("my-account/sessions/<id:session_id>/end", active_sessions.session_end, name="session-end"),
    path(
        "my-account/service-sessions/end-others",
        active_sessions.other_service_sessions_end,
        name="other-service-sessions-end",
    ),
    path(
        "my-account/service-sessions/<id:session_id>/end",
        active_sessions.service_session_end,
        name="service-session-end",
    ),
    path("terms", document_show, {"name": "terms"}, name="document-show"),
    path("privacy", document_show, {"name": "privacy"}, name="document-show"),
    path("about", document_show, {"name": "about"}, name="document-show"),
]
