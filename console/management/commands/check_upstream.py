"""Check that the upstream service is reachable, for operators: DNS, connection, TLS and the allow list."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from console.management.manual import ManualCommand
from console.web.request import transport
from upstream.client import Upstream
from upstream.errors import ForeignHost, UpstreamError
from upstream.hosts import check_base_url

STRICT_CHECK_ERRORS = (
    *("Missing Authority Key Identifier", "Missing Subject Key Identifier"),
    *("Authority Key Identifier marked critical", "Subject Key Identifier marked critical"),
    *("CA cert does not include key usage extension", "Basic Constraints of CA cert not marked critical"),
    *("Path length given without key usage keyCertSign", "Path length invalid for non-CA cert"),
    *("Key usage keyCertSign invalid for non-CA cert", "Using cert extension requires at least X509v3"),
    *("Issuer name empty", "Subject name empty", "Empty Subject Alternative Name extension"),
    "Subject empty and Subject Alt Name extension not critical",
)
"""OpenSSL's messages about a certificate that only its strict check (X509_V_FLAG_X509_STRICT) refuses."""


class Command(ManualCommand):
    help = "Check that the configured upstream addresses are allowed and answer."
    does = (
        "Requests the maintenance notice from the domain handler, which resolves its name, connects and checks "
        "its certificate, and checks that API_URL is one of the hosts that may be called. Prints one line for "
        "each: ok, or the error."
    )
    never = "Never logs in, sends a token, or changes anything here or in the service."
    exits = "0 if everything is right, 1 if something is wrong, 2 for a wrong option"
    example = "manage.py check_upstream"

    def handle(self, *args: Any, **options: Any) -> None:
        config = settings.UPSTREAM
        failed = False
        if config.handler_url:
            failed |= not self._check("DOMAIN_HANDLER_URL", lambda: Upstream(transport).maintenance.notice())
        if config.api_url:
            failed |= not self._check("API_URL", lambda: check_base_url(config.api_url, config))
        if failed:
            raise CommandError("The upstream service can't be used with these settings.")

    def _check(self, name: str, ask: Any) -> bool:
        try:
            ask()
        except (UpstreamError, ForeignHost) as error:
            self.stderr.write(f"{name}: {type(error).__name__}: {error}")
            if any(reason in str(error) for reason in STRICT_CHECK_ERRORS):
                self.stderr.write(
                    "Python 3.13 and newer reject this certificate, or that of its CA, because it doesn't conform to "
                    "RFC 5280. Have it reissued with a current tool. Until then, Python 3.11 and 3.12 accept it."
                )
            return False
        self.stdout.write(f"{name}: ok")
        return True
