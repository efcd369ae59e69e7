"""nginx with deploy/nginx.conf as it is shipped: other ports and paths, a certificate made for the run, on loopback."""

import ssl
import subprocess
import time
from pathlib import Path
from typing import Self

from console.testing import debian

CONF = Path(__file__).resolve().parents[1] / "deploy" / "nginx.conf"
HOST = "console.example"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class Nginx:
    """The proxy in front of a console on a port; use it in a `with` statement. Needs `nginx` and `openssl`."""

    def __init__(self, folder: Path, *, console: int, http: int, https: int) -> None:
        self._folder = folder
        self._changes = {
            "unix:/run/console/console.sock": f"127.0.0.1:{console}",
            "/etc/nginx/tls": str(folder),
            "/var/log/nginx": str(folder),
            "listen [::]:80": f"listen [::1]:{http}",
            "listen [::]:443": f"listen [::1]:{https}",
            "listen 80": f"listen 127.0.0.1:{http}",
            "listen 443": f"listen 127.0.0.1:{https}",
        }
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        site = CONF.read_text()
        for shipped, here in self._changes.items():
            site = site.replace(shipped, here)
        (self._folder / "site.conf").write_text(site)
        places = "".join(f"{kind}_temp_path {self._folder}/{kind};\n" for kind in TEMPORARY)
        main = self._folder / "nginx.conf"
        main.write_text(
            f"user root; daemon off; pid {self._folder}/nginx.pid; error_log stderr alert;\n"
            f"events {{ worker_connections 4096; }}\nhttp {{ {places} include {self._folder}/site.conf; }}\n"
        )
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={HOST}",
             "-addext", f"subjectAltName=DNS:{HOST}",
             "-keyout", str(self._folder / "console.key"), "-out", str(self._folder / "console.crt")],
            check=True, capture_output=True,
        )  # fmt: skip
        self._process = subprocess.Popen([debian.require("nginx"), "-p", str(self._folder), "-c", str(main)])
        ends = time.monotonic() + 10
        while not (self._folder / "nginx.pid").exists():
            if self._process.poll() is not None or time.monotonic() > ends:
                raise RuntimeError("nginx did not start")
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait(10)


def any_certificate() -> ssl.SSLContext:
    """Accept the certificate of this run."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
