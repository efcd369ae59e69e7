"""Paths of one administrator's account."""

from django.urls import path

from accounts.views.login import login
from accounts.views.logout import logout

app_name = "accounts"

urlpatterns = [
    path("login", login, name="login"),
    path("logout", logout, name="logout"),
]
