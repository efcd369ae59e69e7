"""Where the browser of the whole-system tests is; `python -m e2e.chromium` installs one where it may."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The browser tests need Chromium and found none. Install it (on Debian or Ubuntu: apt-get install chromium; "
    "elsewhere: .venv/bin/playwright install chromium), or name one in the variable CHROMIUM."
)
# Without these a browser on a machine with a closed network looks for its maker's servers at every start.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find() -> str | None:
    """The path of a Chromium: named, of the system, or the one that playwright keeps."""
    for name in (os.environ.get("CHROMIUM", ""), *NAMES):
        if name and (path := shutil.which(name)):
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def install() -> None:
    """Install Chromium by the system's packages when we are root on such a system, else by playwright."""
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
        commands.insert(0, [*quiet, "install", "-y", "chromium"])
        subprocess.run([*quiet, "update"], check=False)
    for command in commands:
        if subprocess.run(command, check=False).returncode == 0 and find():
            return


if __name__ == "__main__":
    if not find():
        install()
    if not find():
        sys.exit(MISSING)
