"""Django's settings for the sandbox: routing and HTTP only; store.py has the data."""

from typing import Any

DEBUG = False
SECRET_KEY = "the sandbox signs nothing"
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
ROOT_URLCONF = "sandbox.urls"
INSTALLED_APPS: list[str] = []
MIDDLEWARE: list[str] = []
DATABASES: dict[str, Any] = {}
USE_TZ = True
TIME_ZONE = "UTC"
# Refusals are normal responses; log only failures of the sandbox itself.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"class": "logging.StreamHandler"}},
    "loggers": {"django": {"handlers": ["stderr"], "level": "ERROR", "propagate": False}},
}
