"""Install packages that only a measurement or a report needs into build/; the project does not require them."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from console.ops.demo import ROOT

FOLDER = ROOT / "build" / "throwaway"


def npm(package: str, edition: str) -> Path:
    """Return the folder of a package of npm, without what its installation would fetch from elsewhere."""
    home = FOLDER / f"{package.rpartition('/')[2]}-{edition}"
    installed = home / "node_modules" / package
    if not installed.exists():
        options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(
            ["npm", "install", "--silent", *options, "--prefix", str(home), f"{package}@{edition}"], check=True
        )
    return installed


def python(name: str, requirement: str, *same: str) -> Path:
    """Return the Python of a virtual environment with this, and with `same` as the console has them."""
    home, needed = FOLDER / name, [requirement, *(f"{package}=={version(package)}" for package in same)]
    installed = home / "installed.txt"
    if not installed.exists() or installed.read_text().split() != needed:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        pip = [str(home / "bin" / "pip"), "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", *needed], check=True)
        installed.write_text("\n".join(needed))
    return home / "bin" / "python"
