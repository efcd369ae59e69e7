"""Django's own deployment check, with settings as in production."""

import os
import subprocess
import sys
import tempfile

PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "console.settings",
    "CONSOLE_ENV": "prod",
    "SECRET_KEY": "for-this-check-only-" + "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ALLOWED_HOSTS": "console.example",
    "DOMAIN_HANDLER_URL": "https://handler.example",
    "API_URL": "https://api.example",
    "ALLOWED_UPSTREAM_HOSTS": "example",
    "SUPPORT_EMAIL": "support@console.example",
}


def main() -> int:
    with tempfile.TemporaryDirectory() as data:
        variables = {**PRODUCTION, "DATA_DIR": data, "PATH": os.environ.get("PATH", "")}
        for command in (["messages", "deploy"], ["check", "--deploy", "--fail-level", "WARNING"]):
            code = subprocess.run([sys.executable, "manage.py", *command], env=variables).returncode
            if code:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
