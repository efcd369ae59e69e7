"""Find the browsers of the whole-system tests.

`python -m tests.e2e.browsers` installs browsers and fonts where it can; with `--programs`, the programs of slow tests.
"""

import os
import shutil
import subprocess
import sys

from console.ops.demo import ROOT
from tests.support import debian

# The same engine without the windows around it; it opens a page four times as cheaply.
SHELL = "chromium-headless-shell"
WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The browser tests need Chromium and found none. Install it (on Debian or Ubuntu: "
    "apt-get install chromium chromium-headless-shell; elsewhere: .venv/bin/playwright install chromium), "
    "or name one in the variable CHROMIUM."
)
# The layout depends on fonts: without these, some languages are drawn as empty boxes of any width.
FONTS = ("fontconfig", "fonts-noto-core", "fonts-noto-cjk")
LANGUAGES = ("ar", "ja", "ko", "ru", "th", "vi", "zh-cn")
NO_FONTS = (
    "The browser tests check the layout in many languages and found no fonts for: {languages}. "
    "Install the Noto fonts (on Debian or Ubuntu: apt-get install fonts-noto-core fonts-noto-cjk)."
)
FAILED_PACKAGES_FILE = ROOT / "build" / "failed-packages.txt"
"""Packages that an earlier run could not install."""
# Without these, a browser on a closed network looks for its vendor's servers at every start.
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
    """Return the path of the Chromium for most tests: the headless shell if there is one."""
    return _named() or shutil.which(SHELL) or find_whole()


def find_whole() -> str | None:
    """Return the path of a Chromium with everything that users have, such as the back/forward cache."""
    for path in (_named(), *map(shutil.which, WHOLE)):
        if path:
            return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def _named() -> str | None:
    return shutil.which(os.environ.get("CHROMIUM", ""))


def languages_without_fonts() -> list[str]:
    """Return the languages that fontconfig has no font for; systems without fontconfig bring their own."""
    if not shutil.which("fc-list"):
        return []
    return [language for language in LANGUAGES if not subprocess.check_output(["fc-list", f":lang={language}"])]


def missing_packages() -> list[str]:
    """Return the packages of browsers and of fonts that are missing."""
    browsers = [] if _named() or shutil.which(SHELL) else [SHELL]
    fonts = FONTS if languages_without_fonts() else ()
    others = {package for program, package in debian.BROWSERS.items() if not debian.find(program)}
    return [*([] if find_whole() else ["chromium"]), *browsers, *fonts, *sorted(others)]


def missing_programs() -> dict[str, str]:
    """Return the programs of slow tests that are missing, and their packages."""
    return {program: package for program, package in debian.PROGRAMS.items() if not debian.find(program)}


def install_browsers() -> None:
    """Install browsers and fonts if they are missing, and exit with a sentence if they still are."""
    if packages := missing_packages():
        _install(packages, is_needed=packages != [SHELL])
    if not find_whole():
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if not find_whole():
        sys.exit(MISSING)
    if languages := languages_without_fonts():
        sys.exit(NO_FONTS.format(languages=", ".join(languages)))
    for program in debian.BROWSERS:
        try:
            debian.require(program)
        except RuntimeError as missing:
            sys.exit(str(missing))


def install_programs() -> None:
    """Install the programs of slow tests if they are missing, and name those that still are."""
    if programs := missing_programs():
        _install([*programs.values()])
    for program, package in missing_programs().items():
        sys.stderr.write(f"Slow tests will fail without {program} (Debian's package {package}).\n")


def _install(packages: list[str], *, is_needed: bool = False) -> None:
    """Install packages; unless one is needed, those that an earlier run could not install are not tried again."""
    failed = set(FAILED_PACKAGES_FILE.read_text().split()) if FAILED_PACKAGES_FILE.exists() else set()
    if is_needed or not failed.issuperset(packages):
        debian.install(*packages)
        missing = {*missing_packages(), *missing_programs().values()}
        FAILED_PACKAGES_FILE.parent.mkdir(exist_ok=True)
        FAILED_PACKAGES_FILE.write_text(" ".join(sorted(missing & failed.union(packages))))


if __name__ == "__main__":
    if sys.argv[1:] == ["--programs"]:
        install_programs()
    else:
        install_browsers()
