"""Paths of one administrator's account."""

from django.urls import path

from accounts.views.login import login
from accounts.views.logout import logout
from accounts.views.session import session

app_name = "accounts"

urlpatterns = [
    path("login", login, name="login"),
    path("session", session, name="session"),
    path("logout", logout, name="logout"),
]
