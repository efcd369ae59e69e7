#!/usr/bin/env python
"""The command line of the console."""

import os
import sys
from pathlib import Path


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    if sys.argv[1:2] == ["demo"]:
        # The demo has its own settings, so that trying the product requires no configuration.
        from console.ops.demo import ROOT, environment

        data_dir = Path(os.environ.get("DATA_DIR") or ROOT / "data" / "demo").resolve()
        variables = environment(port=8000, handler_port=9100, api_port=9101, data_dir=data_dir)
        os.environ.update(variables)
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))  # a wrong variable is reported in one sentence
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
