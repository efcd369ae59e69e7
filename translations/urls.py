"""The paths of the translators' site, below /translate/."""

from django.urls import path

from translations import views

app_name = "translate"

urlpatterns = [
    path("", views.language_list, name="languages"),
    path("login", views.login, name="login"),
    path("logout", views.logout, name="logout"),
    path("password", views.password_edit, name="password"),
    path("<str:tag>/", views.text_list, name="texts"),
    path("<str:tag>/gone", views.gone_list, name="gone"),
    path("<str:tag>/texts/<str:name>", views.text_show, name="text"),
]
