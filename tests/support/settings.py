"""Settings of the tests: the console's own, with an environment made up for them."""

import os
import tempfile

folder = tempfile.TemporaryDirectory(prefix="console-tests-")  # goes when the tests end

os.environ.update(
    SECRET_KEY="for-tests-only-" + "k" * 50,
    CONSOLE_ENV="dev",
    CONSOLE_HTTPS="false",
    ALLOWED_HOSTS="testserver,localhost,127.0.0.1",
    DATA_DIR=os.environ.get("TEST_DATA_DIR") or folder.name,
    DOMAIN_HANDLER_URL="https://handler.example",
    API_URL="https://api.example",
    ALLOWED_UPSTREAM_HOSTS="example",
    SUPPORT_EMAIL="support@console.example",
    OPENPYXL_LXML="False",  # what tests need brings packages that are not there where the console runs
    OPENPYXL_DEFUSEDXML="False",
)

from console.settings import *  # noqa: E402, F403

COMPILED_TEMPLATES = DATA_DIR / "templates"  # noqa: F405 - the same for what an earlier run compiled
STATIC_ROOT = DATA_DIR / "served"  # noqa: F405 - no test serves what an earlier build left
STATIC_ROOT.mkdir(exist_ok=True)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real one is slow on purpose
