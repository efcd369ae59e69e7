"""The console as gunicorn runs it."""

import os
import re
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from gunicorn.errors import AppImportError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

FORM = re.compile(
    r"(application/x-www-form-urlencoded)(?:; ?charset=utf-8)?"
    r"|multipart/form-data; ?boundary=\"?[\w'()+,./:=?-]{1,70}\"?",
    re.ASCII | re.IGNORECASE,
)
"""The content types of forms as browsers send them; all of them are in UTF-8."""

try:
    _django = get_wsgi_application()
except ImproperlyConfigured as error:
    raise AppImportError(str(error)) from None  # which gunicorn tells as it stands, without a traceback


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Hand a request to Django, without a content type that is not a form's: its body is then not read.

    Django would look up and decode with any codec that a stranger names, and fail outside of all error handling when
    the header can't be parsed; for the codec that it uses anyway it would read the query there, too.
    """
    form = FORM.fullmatch(environ.get("CONTENT_TYPE", ""))
    environ["CONTENT_TYPE"] = (form[1] or form[0]) if form else ""
    return _django(environ, start_response)
