"""Does the console reach the upstream service? For operators: resolves, connects, checks TLS and the allow list."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from console.http import transport
from console.upstream.client import Upstream
from console.upstream.errors import ForeignHost, UpstreamError
from console.upstream.hosts import check_base_url


class Command(BaseCommand):
    help = "Check that the configured upstream addresses are allowed and answer."

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
