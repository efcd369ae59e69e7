"""Settings of a peer, as its own project template has them; the variable PEER says which."""

import os
from pathlib import Path

PEER = os.environ["PEER"]
VIEWS = {"django": "django.contrib.auth.admin.UserAdmin", "wagtail": "wagtail.users.views.users.UserViewSet"}
"""The view that lists a peer's users, with its number of rows as `list_per_page`."""

SECRET_KEY = "the peers keep no secrets, they are started by the benchmark and stopped by it"  # noqa: S105
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "lab.bench.peers.urls"
_DJANGO = ["admin", "auth", "contenttypes", "sessions", "messages", "staticfiles"]
_WAGTAIL = [
    *("contrib.forms", "contrib.redirects", "embeds", "sites", "users", "snippets", "documents", "images", "search"),
    "admin",
]
INSTALLED_APPS = [
    "lab.bench.peers.apps.Peers",
    *([*(f"wagtail.{app}" for app in _WAGTAIL), "wagtail", "modelcluster", "taggit"] if PEER == "wagtail" else []),
    *(["django_filters"] if PEER == "wagtail" else []),
    *(f"django.contrib.{app}" for app in _DJANGO),
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    *(["wagtail.contrib.redirects.middleware.RedirectMiddleware"] if PEER == "wagtail" else []),
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": Path(os.environ["PEER_DATA"]) / "peer.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STATIC_URL = "/static/"
USE_TZ = True
WAGTAIL_SITE_NAME = "Peer"
WAGTAILADMIN_BASE_URL = "http://127.0.0.1"
