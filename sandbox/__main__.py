"""The command line of the sandbox."""

import argparse
from pathlib import Path

from sandbox.server import Server
from sandbox.world import Options


def main() -> None:
    """Run the sandbox until it is interrupted."""
    parser = argparse.ArgumentParser(prog="python -m sandbox", description="A stand-in of the upstream service.")
    parser.add_argument("--handler-port", type=int, default=9100, help="port of the domain handler and the controls")
    parser.add_argument("--api-port", type=int, default=9101, help="port of the region's API")
    parser.add_argument("--data", type=Path, required=True, help="folder of its database")
    parser.add_argument("--console-url", default="http://127.0.0.1:8000", help="address in the links of its mails")
    parser.add_argument("--reset", action="store_true", help="start with fresh demo data")
    given = parser.parse_args()
    options = Options(given.handler_port, given.api_port, given.data.resolve(), given.console_url.rstrip("/"))
    Server(options, reset=given.reset).run()


if __name__ == "__main__":
    main()
