"""An export in a real spreadsheet program: LibreOffice opens it, and no cell is a formula.

`python -m tests.support.spreadsheet_program`; it installs LibreOffice where it may.
"""

import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

from console.files.write import write
from tests.support import debian

MISSING = (
    "This check needs LibreOffice and found none. Install it (on Debian or Ubuntu: apt-get install "
    "libreoffice-calc-nogui)."
)
SEPARATORS = {"comma": "44", "semicolon": "59", "tab": "9", "all three": "44/59/9"}
STARTS = ["", " ", "\t", "\r\n", "\u00a0", "\ufeff", "\u200b", "'", '"', "x;", "x\t", "x\n", 'x;"', "x; "]
FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(1)",
    '=HYPERLINK("x")',
    "=cmd|' /C calc'!A0",
]
ROWS = [["a", start + formula, formula + start] for start, formula in product(STARTS, FORMULAS)]


def formulas(program: str, file: bytes, separator: str) -> int:
    """Open a file with this separator; return how many cells are formulas."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "export.csv")
        path.write_bytes(file)
        profile = f"-env:UserInstallation=file://{folder}/profile"
        opened = [f"--infilter=CSV:{separator},34,76,1", "--convert-to", "fods", "--outdir", folder, str(path)]
        subprocess.run([program, profile, "--headless", *opened], check=True, capture_output=True, timeout=120)
        sheet = path.with_suffix(".fods").read_text("utf-8")
    if "<table:table-cell" not in sheet:
        raise ValueError("LibreOffice made no sheet of the file.")
    return sheet.count("table:formula=")


def main() -> int:
    if not shutil.which("soffice"):
        debian.install("libreoffice-calc-nogui")
    program = shutil.which("soffice")
    if not program:
        print(MISSING, file=sys.stderr)  # noqa: T201 - said to who runs the command
        return 1
    if not formulas(program, b'"=1+1"\r\n', SEPARATORS["comma"]):
        print("LibreOffice runs no formula at all here, so the check would prove nothing.", file=sys.stderr)  # noqa: T201
        return 1
    evaluated = {name: formulas(program, write(ROWS), separator) for name, separator in SEPARATORS.items()}
    print(f"Formulas in an export that LibreOffice opened, by its separator: {evaluated}")  # noqa: T201
    return 1 if any(evaluated.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
