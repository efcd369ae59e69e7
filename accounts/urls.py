"""Paths of one administrator's account."""

from django.urls import path

from accounts.views.documents import document_show
from accounts.views.login import login
from accounts.views.logout import logout
from accounts.views.recovery import password_reset, reset_link_send
from accounts.views.session import session
from accounts.views.sign_up import account_create

app_name = "accounts"

urlpatterns = [
    path("login", login, name="login"),
    path("session", session, name="session"),
    path("logout", logout, name="logout"),
    path("create-account", account_create, name="account-create"),
    path("confirm-password", reset_link_send, name="reset-link-send"),
    path("reset-password/<id:link_id>", password_reset, name="password-reset"),
    path("terms", document_show, {"name": "terms"}, name="document-show"),
    path("privacy", document_show, {"name": "privacy"}, name="document-show"),
    path("about", document_show, {"name": "about"}, name="document-show"),
]
