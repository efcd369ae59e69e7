"""As many rows as the console's list has."""

from django.apps import AppConfig
from django.utils.module_loading import import_string

from lab.bench.peers.settings import PEER, VIEWS

ROWS = 25


class Peers(AppConfig):
    name = "lab.bench.peers"

    def ready(self) -> None:
        import_string(VIEWS[PEER]).list_per_page = ROWS
