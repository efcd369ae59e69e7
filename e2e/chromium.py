"""Find the browser of the whole-system tests; `python -m e2e.chromium` installs it, fonts and programs where it can."""

import os
import shutil
import subprocess
import sys

from console.demo import ROOT
from console.testing import debian

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
ATTEMPT = ROOT / "build" / "missing-packages.txt"
"""The packages that the last installation could not install."""
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
    """Return the packages of the system that would add something."""
    browsers = [] if _named() or shutil.which(SHELL) else [SHELL]
    fonts = FONTS if languages_without_fonts() else ()
    programs = [package for program, package in debian.PROGRAMS.items() if not debian.find(program)]
    return [*([] if find_whole() else ["chromium"]), *browsers, *fonts, *programs]


def main() -> None:
    """Install what is missing, and fail with a sentence if browser or fonts still are.

    Packages that the system does not have are tried once, unless the tests can't do without.
    """
    packages = missing_packages()
    is_needed = not find_whole() or languages_without_fonts()
    if packages and (is_needed or not ATTEMPT.exists() or ATTEMPT.read_text().split() != packages):
        debian.install(*packages)
        ATTEMPT.parent.mkdir(exist_ok=True)
        ATTEMPT.write_text(" ".join(missing_packages()))
    if not find_whole():
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if not find_whole():
        sys.exit(MISSING)
    if languages := languages_without_fonts():
        sys.exit(NO_FONTS.format(languages=", ".join(languages)))
    for program, package in debian.PROGRAMS.items():
        if not debian.find(program):
            sys.stderr.write(f"Slow tests will fail without {program} (Debian's package {package}).\n")


if __name__ == "__main__":
    main()
