"""Tell the metrics of the workers on a loopback port. gunicorn starts it where METRICS_PORT is set."""

from argparse import ArgumentParser
from typing import Any

from console.exporter import serve
from console.management.manual import ManualCommand


class Command(ManualCommand):
    help = "Tell the metrics of the workers on a loopback port, until standard input ends."
    does = (
        "Adds up the counts that the workers keep in memory, and tells them at "
        "http://127.0.0.1:PORT/metrics. gunicorn starts it by itself where METRICS_PORT is set."
    )
    never = "Never listens beyond loopback, and tells no names, emails or IDs."
    example = "manage.py metrics --port 9464"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, required=True, help="port at 127.0.0.1")

    def handle(self, *args: Any, **options: Any) -> None:
        serve(options["port"])
