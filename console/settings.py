"""The settings of the console; the only file that reads the environment. Names and defaults: .env.example."""

import sys
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.contrib.messages import constants as message_levels
from django.core.exceptions import ImproperlyConfigured

from console.config.environment import Env, deadlines, locations, postgres, read_env_file, sqlite
from console.config.logging import is_unexpected
from console.i18n.languages import LANGUAGES as LANGUAGES
from upstream.config import Deadlines, TransportConfig

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()
read_env_file(env, BASE_DIR / ".env")
read_env_file(env, BASE_DIR / "build" / "release.env")  # the commit of a release

DEBUG = env.bool("DEBUG", default=False)
CONSOLE_ENV = env.str("CONSOLE_ENV", default="dev")
CONSOLE_VARIANT = env.str("CONSOLE_VARIANT", default="global")
CONSOLE_HTTPS = env.bool("CONSOLE_HTTPS", default=True)
IS_PROD = CONSOLE_ENV == "prod"

SECRET_KEY = env.str("SECRET_KEY", default="") or ("development-only-" + "x" * 50 if DEBUG else "")
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
GRANT_KEYS = env.list("GRANT_KEYS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"] if DEBUG else [])
DATA_DIR = Path(env.str("DATA_DIR", default="") or BASE_DIR / "data").resolve()
SUPPORT_EMAIL = env.str("SUPPORT_EMAIL", default="")
SECURITY_CONTACT = env.str("SECURITY_CONTACT", default="")
TRUSTED_PROXY = env.list("TRUSTED_PROXY", default=[])
if TRUSTED_PROXY == ["none"]:
    TRUSTED_PROXY = []
WEB_CONCURRENCY = env.int("WEB_CONCURRENCY", default=2)
WEB_THREADS = env.int("WEB_THREADS", default=16)
BIND = env.str("BIND", default="127.0.0.1:8000")  # gunicorn.conf.py reads these three, too
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
PROMETHEUS_MULTIPROC_DIR = env.str("PROMETHEUS_MULTIPROC_DIR", default="")
if "METRICS_PORT" in env:
    raise ImproperlyConfigured("METRICS_PORT is no longer used: set METRICS_TOKEN, and read /metrics with it.")

UPSTREAM = TransportConfig(
    handler_url=env.str("DOMAIN_HANDLER_URL", default="").rstrip("/"),
    api_url=env.str("API_URL", default="").rstrip("/"),
    allowed_hosts=tuple(env.list("ALLOWED_UPSTREAM_HOSTS", default=[])),
    insecure_loopback=env.bool("UPSTREAM_INSECURE_LOOPBACK", default=False),
    ca_bundle=env.str("UPSTREAM_CA_BUNDLE", default="") or None,
    proxy=env.str("UPSTREAM_PROXY", default="") or None,
    deadlines=env("UPSTREAM_DEADLINES", cast=deadlines, default=Deadlines()),
    forgot_password_path=env.str("FORGOT_PASSWORD_PATH", default="/v1/bizOrganizationAdmins/forgotPassword"),
    environment=CONSOLE_ENV,
    variant=CONSOLE_VARIANT,
)
SERVER_LOCATIONS = env("SERVER_LOCATIONS", cast=locations, default=[])
ALLOWED_DASHBOARD_HOSTS = env.list("ALLOWED_DASHBOARD_HOSTS", default=[])
DASHBOARD_MODE = env.str("DASHBOARD_MODE", default="frame")
ACTIVITY_DAYS = env.int("ACTIVITY_DAYS", default=400)
EMAIL_CHANGE_ASKS_PASSWORD = env.bool("EMAIL_CHANGE_ASKS_PASSWORD", default=True)
TRANSLATE_ENABLED = env.bool("TRANSLATE_ENABLED", default=True)
ROSETTA_ACCESS_CONTROL_FUNCTION = "translations.accounts.is_translator"
MAINTENANCE_FILE = env.str("MAINTENANCE_FILE", default="")
BUILD_COMMIT = env.str("BUILD_COMMIT", default="")
BUILD_TIME = env.str("BUILD_TIME", default="")

try:
    DATA_DIR.mkdir(parents=True, exist_ok=True)
except OSError as error:
    raise ImproperlyConfigured("DATA_DIR is a folder that the console can make and write to.") from error

ROOT_URLCONF = "console.urls"
WSGI_APPLICATION = "console.wsgi.application"
APPEND_SLASH = False  # console.shell.pages.unknown redirects to the path without a slash
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "console",
    "console.sessions",
    "translations",
    "groups",
    "scanners",
    "partners",
    "overview",
    "notifications",
    "accounts",
]

MIDDLEWARE = [
    "console.shell.middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "console.shell.middleware.HeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "console.i18n.detect.LanguageMiddleware",
    "console.shell.session_middleware.SessionMiddleware",
    "console.shell.middleware.CrossSiteMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "console.forms.drafts.DraftMiddleware",
    "console.lists.preferences.ListPreferencesMiddleware",
    "console.shell.middleware.ConsoleMiddleware",
]

FORM_RENDERER = "console.forms.fields.Renderer"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "console.shell.templates.environment",
            "context_processors": [
                "django.contrib.messages.context_processors.messages",
                "console.shell.context_processors.console",
            ],
        },
    },
    {
        # For templates of packages, and the page for internal errors, which avoids anything that may have failed.
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates" / "django"],
        "OPTIONS": {"builtins": ["django.templatetags.i18n"]},
    },
]

DATABASES: dict[str, dict[str, Any]] = {"default": env("DATABASE_URL", cast=postgres, default={}) or sqlite(DATA_DIR)}

SESSION_ENGINE = "console.sessions.store"
SESSION_COOKIE_NAME = env.str("SESSION_COOKIE_NAME", default="auth")
SESSION_COOKIE_AGE = 24 * 3600  # a browser session's absolute limit; a persistent one sets 30 days itself
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"  # links in emails open the console from outside
SESSION_COOKIE_SECURE = CONSOLE_HTTPS
CSRF_COOKIE_NAME = "__Host-csrf" if CONSOLE_HTTPS else "csrf"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = CONSOLE_HTTPS
CSRF_FAILURE_VIEW = "console.shell.pages.csrf_failure"
# The tones of the styles, if Django's names differ.
MESSAGE_TAGS = {message_levels.ERROR: "danger", message_levels.DEBUG: "info"}
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_500  # a clinic can order from each of 1,000 partner labs and more: a field for each
# Uploads contain personal data: they stay in memory, and files that are too large for that are not stored at all.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

SECURE_SSL_REDIRECT = CONSOLE_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if CONSOLE_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = CONSOLE_HTTPS
SECURE_HSTS_PRELOAD = CONSOLE_HTTPS
# RequestMiddleware removes this header unless TRUSTED_PROXY sent it, so it can be trusted here.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "require-trusted-types-for": ["'script'"],
        "trusted-types": [NONE],
    }
}

LANGUAGE_CODE = "en"
LIVE_CATALOGS = DATA_DIR / "locale"  # not in LOCALE_PATHS, whose files gettext reads only once
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "build" / "served"
STATICFILES_DIRS = [BASE_DIR / "build" / "static"]
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
ASSETS_MANIFEST = BASE_DIR / "build" / "manifest.json"
COMPILED_TEMPLATES = BASE_DIR / "build" / "templates"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/dist/.+-[0-9A-Z]{8}\.\w+$"  # the build has put a hash into each name
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site uses our files
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "console.config.logging.JsonFormatter"}},
    "filters": {"is_unexpected": {"()": "django.utils.log.CallbackFilter", "callback": is_unexpected}},
    "handlers": {"stdout": {"class": "logging.StreamHandler", "stream": sys.stdout, "formatter": "json"}},
    "root": {"handlers": ["stdout"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING"},
        # RequestMiddleware logs each request; Django's line adds the traceback of a 500.
        "django.request": {"level": "ERROR", "filters": ["is_unexpected"]},
        # The request's line has the reason of a refusal; Django's would add a traceback to each anonymous request.
        "django.security": {"level": "CRITICAL"},
        "django.security.csrf": {"level": "WARNING"},
    },
}
DEFAULT_EXCEPTION_REPORTER_FILTER = "console.config.logging.SafeReporterFilter"
