"""The packages of the console, for tests that read or import all of its code."""

from django.conf import settings

PACKAGES = ["upstream", *(name for name in settings.INSTALLED_APPS if (settings.BASE_DIR / name).is_dir())]
"""The client, `console` and the apps."""
