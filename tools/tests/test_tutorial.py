"""A screen made by the tutorial works: its blocks are applied to a copy of the project, whose tests pass."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(?:python|html)\n(?:# |\{# )(\S+?)(, added|, continued)?(?: #\})?\n(.*?)^```$", re.M | re.S)
# Changes that the tutorial only describes: the line of a file before which a line is added.
ADDED = {
    "upstream/client.py": (
        ("from upstream.resources.clinics import Clinics", "from upstream.resources.chairs import Chairs"),
        ("    clinics = ", "    chairs = _Noun(Chairs)"),
    ),
    "groups/audit/kinds.py": (('    ActivityKind(\n        "clinic"', "    CHAIR,"),),
    "groups/urls.py": (("    clinics,", "    chairs,"),),
    "console/tests/test_access.py": (('    *("resend"', '    "retire",'),),
    "tests/support/routes.py": (('    "clinic_id"', '    "chair_id": "c-1",'),),
}
INSERTION_POINTS = {
    "groups/audit/kinds.py": "KINDS = (",
    "groups/urls.py": '    path("", root.home',
    "tests/support/fixtures.py": '        self.answers("GET", "/v1/bizSubGroups", ',
}


@pytest.fixture
def project(tmp_path):
    """Return a copy of the project with the screen of the tutorial."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    for name in ("build", "node_modules"):
        (tmp_path / name).symlink_to(ROOT / name)
    for name, lines in ADDED.items():
        for before, line in lines:
            insert(tmp_path / name, before, line)
    for name, way, text in BLOCK.findall((ROOT / "docs/tutorial-new-screen.md").read_text("utf-8")):
        path = tmp_path / name
        if way == ", added":
            insert(path, INSERTION_POINTS[name], text)
        else:
            path.write_text((path.read_text("utf-8") if way else "") + text)
    return tmp_path


def insert(path, before, text):
    content = path.read_text("utf-8")
    assert content.count(before) == 1, f"{path.name}: {before}"
    path.write_text(content.replace(before, f"{text}\n{before}"))


@pytest.mark.slow
def test_the_screen_of_the_tutorial_works(project):
    tests = ["groups/tests/test_chairs.py", "console/tests/test_access.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *tests],
        cwd=project, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
