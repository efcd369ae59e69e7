"""Tell the metrics of the workers on a loopback port. gunicorn starts it where METRICS_PORT is set."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from console.exporter import serve


class Command(BaseCommand):
    help = "Tell the metrics of the workers on a loopback port, until standard input ends."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, required=True, help="port at 127.0.0.1")

    def handle(self, *args: Any, **options: Any) -> None:
        serve(options["port"])
