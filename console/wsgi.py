"""The WSGI application that gunicorn serves."""

import os
import re
import sys
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from console.config.checks import refuse_wrong_variables

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

FORM = re.compile(
    r"(application/x-www-form-urlencoded)(?:; ?charset=utf-8)?"
    r"|multipart/form-data; ?boundary=\"?[\w'()+,./:=?-]{1,70}\"?",
    re.ASCII | re.IGNORECASE,
)
"""The content types of forms as browsers send them; all of them are in UTF-8."""

try:
    django_application = get_wsgi_application()
    refuse_wrong_variables()
except ImproperlyConfigured as error:
    sys.exit(str(error))  # one sentence, without a traceback

from console.shell.preload import warm_up  # noqa: E402  # needs the apps

warm_up()


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer a request. A content type that no browser sends for a form is dropped, so that its body is not read.

    Django parses the header before any middleware runs: it would decode with any codec that the header names, and an
    unreadable header would raise outside of all error handling.
    """
    form = FORM.fullmatch(environ.get("CONTENT_TYPE", ""))
    environ["CONTENT_TYPE"] = (form[1] or form[0]) if form else ""
    return django_application(environ, start_response)
