"""Does the console reach the upstream service? For operators: resolves, connects, checks TLS and the allow list."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from console.http import transport
from console.management.manual import ManualCommand
from console.upstream.client import Upstream
from console.upstream.errors import ForeignHost, UpstreamError
from console.upstream.hosts import check_base_url


class Command(ManualCommand):
    help = "Check that the configured upstream addresses are allowed and answer."
    does = (
        "Calls the domain handler for its notice of maintenance, which resolves its name, connects and checks its "
        "certificate, and compares API_URL with the hosts that may be called. A line for each says ok, or which "
        "error."
    )
    never = "Never logs in, sends a token, or changes anything here or at the service."
    exits = "0 when all is well, 1 when something is not, 2 for a wrong option"
    example = "manage.py check_upstream"

    def handle(self, *args: Any, **options: Any) -> None:
        config = settings.UPSTREAM
        failed = False
        if config.handler_url:
            failed |= not self._asks("DOMAIN_HANDLER_URL", lambda: Upstream(transport).maintenance.notice())
        if config.api_url:
            failed |= not self._asks("API_URL", lambda: check_base_url(config.api_url, config))
        if failed:
            raise CommandError("The upstream service can't be used with these settings.")

    def _asks(self, name: str, ask: Any) -> bool:
        try:
            ask()
        except (UpstreamError, ForeignHost) as error:
            self.stderr.write(f"{name}: {type(error).__name__}: {error}")
            return False
        self.stdout.write(f"{name}: ok")
        return True
