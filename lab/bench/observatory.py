"""The grade of MDN's HTTP Observatory, by its own code; started by `python -m lab.bench.observatory`.

It asks the console behind nginx with deploy/nginx.conf over https, with a certificate that it is configured to trust.
"""

import json
import os
import shutil
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lab.soak.system import system
from sandbox.process import free_ports
from tests.e2e.nginx import HOST, Nginx
from tests.support import throwaway

PACKAGE, EDITION = "@mdn/mdn-http-observatory", "1.4.8"


def main() -> None:
    """Measure and print."""
    if not shutil.which("nginx"):
        raise SystemExit("This needs nginx (on Debian or Ubuntu: apt-get install nginx).")
    package = throwaway.npm(PACKAGE, EDITION)
    with ExitStack() as stack:
        # It is https from the console's start on, so that cookies have the names and the flags that it gives them then.
        console = stack.enter_context(
            system(TRUSTED_PROXY="127.0.0.1", CONSOLE_HTTPS="true", ALLOWED_HOSTS=f"127.0.0.1,{HOST}")
        )
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nginx")))
        http, https = free_ports(2)
        stack.enter_context(Nginx(folder, console=urlsplit(console.url).port or 0, http=http, https=https))
        scanned = _scan(package, http, https, folder / "console.crt")
    for name, result, modifier in scanned["modifiers"]:
        print(f"{name:<32}{modifier:>+5}  {result}")
    print(f"score {scanned['score']}, grade {scanned['grade']}")


def _scan(package: Path, http: int, https: int, certificate: Path) -> dict[str, Any]:
    script = Path(__file__).with_suffix(".mjs")
    command = ["node", str(script), str(package), HOST, str(http), str(https)]
    variables = {**os.environ, "NODE_EXTRA_CA_CERTS": str(certificate)}
    done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout))


if __name__ == "__main__":
    main()
