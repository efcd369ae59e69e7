"""Start the sandbox and the console with demo data; Ctrl-C stops both."""

import fcntl
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from console.management.manual import ManualCommand
from console.models import Translator
from console.ops import demo

TRANSLATOR, TRANSLATES_WITH = "translator", "Translate123!"


def add_translator() -> None:
    """Add the demo's translator, for all languages."""
    if not Translator.objects.filter(name=TRANSLATOR).exists():
        Translator.objects.create(name=TRANSLATOR, password=make_password(TRANSLATES_WITH))


class Command(ManualCommand):
    help = "Start the sandbox and the console with demo data on this machine."
    does = (
        "Prepares and starts the sandbox, which stands in for the service, and a console that calls it, with an "
        "organization, users, and a translator. Prints addresses and logins. Its data are in data/demo, or in "
        "DATA_DIR. Press Ctrl-C to stop both."
    )
    never = "Never calls a real service. Never use it in production: it uses http, and its passwords are public."
    example = "manage.py demo --port 8000"
    requires_system_checks: list[str] = []  # the checks need the setup that this command does

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--handler-port", type=int, default=9100)
        parser.add_argument("--api-port", type=int, default=9101)

    def handle(self, *args: Any, **options: Any) -> None:
        handler_port, api_port = options["handler_port"], options["api_port"]
        data = settings.DATA_DIR
        variables = demo.environment(port=options["port"], handler_port=handler_port, api_port=api_port, data_dir=data)
        for port in (options["port"], handler_port, api_port):
            if demo.is_port_in_use(port):
                raise CommandError(f"Port {port} is in use. Stop what uses it, or choose another (see --help).")
        lock = (data / "demo.lock").open("w")  # the system releases it when this process ends for any reason
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(f"Another demo uses {data}. Stop it, or set DATA_DIR to another folder.") from None
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        call_command("prepare")
        add_translator()
        connection.close()
        sandbox = self._sandbox(handler_port, api_port, data / "sandbox", variables["BIND"])
        try:
            with demo.ConsoleProcess(variables) as console:
                self._say(console.url, handler_port)
                while sandbox.poll() is None and console.process and console.process.poll() is None:
                    time.sleep(0.5)
        except KeyboardInterrupt:
            self.stdout.write("\nStopping.")
        finally:
            sandbox.terminate()
            sandbox.wait(timeout=10)

    def _sandbox(self, handler_port: int, api_port: int, data: Path, console: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [
                sys.executable, "-m", "sandbox",
                "--handler-port", str(handler_port),
                "--api-port", str(api_port),
                "--data", str(data),
                "--console-url", f"http://{console}",
            ],
            cwd=demo.ROOT,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def _say(self, url: str, handler_port: int) -> None:
        self.stdout.write(
            f"\n  Enterprise for Admin   {url}\n"
            f"  Log in with            admin@demo.example / Demo123!\n"
            f"  Translators            {url}/translate/ with {TRANSLATOR} / {TRANSLATES_WITH}\n"
            f"  Calls it received      http://127.0.0.1:{handler_port}/__calls\n"
            f"  Mails it sent          http://127.0.0.1:{handler_port}/__mail.html\n\n"
            "  Ctrl-C stops both.\n"
        )
        self.stdout.flush()
