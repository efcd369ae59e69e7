"""nginx with a file of deploy/ as it is shipped: other ports and paths, a certificate made for the run, on loopback."""

import ssl
import subprocess
import time
from pathlib import Path
from typing import Self

from console.ops.demo import ROOT
from tests.support import debian

HOST = "console.example"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class Nginx:
    """The proxy in front of a console on a port; use it in a `with` statement. Needs `nginx` and `openssl`."""

    def __init__(self, folder: Path, *, console: int, http: int, https: int = 0, site: str = "nginx.conf") -> None:
        self._folder, self._console, self._site = folder, console, ROOT / "deploy" / site
        self._changes = {
            "/etc/nginx/console-upstream.conf": f"{folder}/upstream.conf",
            "/etc/nginx/tls": str(folder),
            "/var/log/nginx": str(folder),
            **ports(http, https),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        make_certificate(self._folder)
        (self._folder / "upstream.conf").write_text(f"upstream console {{ server 127.0.0.1:{self._console}; }}\n")
        (self._folder / "site.conf").write_text(changed(self._site, self._changes))
        self._process = start(self._folder, "site.conf", self._folder / "nginx.pid")
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait(10)


def ports(http: int, https: int) -> dict[str, str]:
    """Return the replacements with which nginx.conf and nginx-host.conf listen on these ports of loopback."""
    return {
        "listen 10.0.0.1:8000": f"listen 127.0.0.1:{http}",
        "allow 10.0.0.9": "allow 127.0.0.1",
        "listen [::]:80": f"listen [::1]:{http}",
        "listen [::]:443": f"listen [::1]:{https}",
        "listen 80": f"listen 127.0.0.1:{http}",
        "listen 443": f"listen 127.0.0.1:{https}",
    }


def changed(file: Path, replacements: dict[str, str]) -> str:
    """Return a shipped file with replacements."""
    text = file.read_text("utf-8")
    for shipped, value in replacements.items():
        text = text.replace(shipped, value)
    return text


def start(folder: Path, sites: str, pid: Path) -> subprocess.Popen[bytes]:
    """Start nginx with these files of a folder, a pattern that may match none; return when it runs."""
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in TEMPORARY)
    main = folder / "nginx.conf"
    main.write_text(
        f"user root; daemon off; pid {pid}; error_log stderr alert;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{ {temporary} include {folder}/{sites}; }}\n"
    )
    command = [str(debian.require("nginx")), "-p", str(folder), "-c", str(main)]
    process = subprocess.Popen(command, start_new_session=True)
    ends = time.monotonic() + 10
    while not pid.exists():
        if process.poll() is not None or time.monotonic() > ends:
            raise RuntimeError("nginx did not start")
        time.sleep(0.05)
    return process


def make_certificate(folder: Path) -> None:
    """Make console.crt and console.key for HOST in a folder."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={HOST}",
         "-addext", f"subjectAltName=DNS:{HOST}",
         "-keyout", str(folder / "console.key"), "-out", str(folder / "console.crt")],
        check=True, capture_output=True,
    )  # fmt: skip


def any_certificate() -> ssl.SSLContext:
    """Accept the certificate of this run."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
