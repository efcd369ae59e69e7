"""`make release`: the parts of a server's installation as an archive, with changes, bills of materials and checksums.

    make release            # of the commit that is checked out, when its version has a date in CHANGELOG.md
    make release DRAFT=1    # of the working tree: uncommitted files, a version without a date

The same commit makes the same archive, byte for byte.
"""

import argparse
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[1]
BILLS = ("python.cdx.json", "npm.cdx.json")
RUN = (
    *("manage.py", "gunicorn.conf.py", "requirements.txt", "locale", "templates"),
    *("upstream", "console", "translations", "accounts", "groups", "scanners", "partners", "overview", "notifications"),
)
"""The parts of the repository that are needed to run."""
READ = (
    *("deploy", "docs/operations", "docs/monitoring.md", "docs/evidence.md", "docs/threat-model.md"),
    *("docs/translating.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", ".env.example"),
)
"""Files that an operator reads or copies."""
BUILT = ("build/manifest.json", "build/static")
DEVELOPMENT = re.compile(
    r"(^|/)tests/|(^|/)conftest\.py$|^console/ops/demo\.py$|^console/management/commands/(demo|island_types)\.py$"
)
"""Files among these that only developers need."""
VERSION_PATTERNS = {"pyproject.toml": r'^version = "(.+)"$', "package.json": r'^  "version": "(.+)",$'}
HEADING = r"^## {} - (.+)\n((?:(?!## ).*\n)*)"


class NotReady(Exception):
    """A release is impossible; the text is the reason."""


@dataclass(frozen=True)
class Commit:
    """The commit of a release, whose time all its files have."""

    name: str
    time: int
    day: str

    @classmethod
    def read(cls, root: Path) -> Self:
        name, time, day = _git(root, "log", "-1", "--format=%H %ct %cI").split()
        return cls(name, int(time), day)


def read_version(root: Path) -> str:
    """Return the version; raises NotReady if the files disagree."""
    match = re.search(r'^__version__ = "(.+)"$', (root / "console/__init__.py").read_text("utf-8"), re.MULTILINE)
    if not match:
        raise NotReady("console/__init__.py names no version.")
    for file, pattern in VERSION_PATTERNS.items():
        if match[1] not in re.findall(pattern, (root / file).read_text("utf-8"), re.MULTILINE):
            raise NotReady(f"console/__init__.py says {match[1]}, {file} does not.")
    return match[1]


def read_changes(root: Path, version: str, *, draft: bool) -> str:
    """Return the section of the changelog; raises NotReady without one, or without a date unless it is a draft."""
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    match = re.search(HEADING.format(re.escape(version)), changelog, re.MULTILINE)
    if not match:
        raise NotReady(f"CHANGELOG.md has no section {version}.")
    if not draft and not re.fullmatch(r"\d{4}-\d\d-\d\d", match[1]):
        raise NotReady(f"CHANGELOG.md has no date for {version}: {match[1]!r}. DRAFT=1 makes a draft.")
    return match[0].strip() + "\n"


def list_files(root: Path) -> list[Path]:
    """Return the files of a release: those known to git, and the built ones."""
    known = _git(root, "ls-files", "-z", "--", *RUN, *READ).split("\0")
    built = [path for name in BUILT for path in [root / name, *(root / name).rglob("*")] if path.is_file()]
    if len(built) < 2:
        raise NotReady("Nothing is built: make build.")
    return sorted([root / name for name in known if name and not DEVELOPMENT.search(name)] + built)


def archive(root: Path, version: str, commit: Commit) -> bytes:
    """Return the archive; its bytes don't depend on the user, the time and the machine."""
    packed = io.BytesIO()
    top = f"console-{version}"

    def add(name: str, content: bytes, mode: int) -> None:
        entry = tarfile.TarInfo(f"{top}/{name}")
        entry.size, entry.mtime, entry.mode = len(content), commit.time, mode
        entry.uname = entry.gname = "root"
        tar.addfile(entry, io.BytesIO(content))

    with (
        gzip.GzipFile("", "wb", fileobj=packed, mtime=commit.time) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        # console/settings.py reads it: both instances have the same variables, and may serve different commits.
        add("build/release.env", f"BUILD_COMMIT={commit.name}\nBUILD_TIME={commit.day}\n".encode(), 0o644)
        for path in list_files(root):
            add(path.relative_to(root).as_posix(), path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644)
    return packed.getvalue()


def write(root: Path, folder: Path, *, draft: bool = False) -> list[Path]:
    """Write the files of a release to a folder, and return them; raises NotReady if there can be none."""
    version, commit = read_version(root), Commit.read(root)
    changes = read_changes(root, version, draft=draft)
    if not draft and (changed := _git(root, "status", "--porcelain", "--untracked-files=no")):
        raise NotReady(f"Not committed:\n{changed}\nDRAFT=1 makes a draft.")
    made = {
        f"console-{version}.tar.gz": archive(root, version, commit),
        f"console-{version}.changes.md": changes.encode(),
    }
    for bill in BILLS:
        made[f"console-{version}.{bill}"] = _bill(root / "build/bom" / bill, commit)
    sums = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(made.items())]
    made["SHA256SUMS"] = "".join(sums).encode()
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in made]


def _bill(path: Path, commit: Commit) -> bytes:
    """Return a bill of materials without the parts that differ in each run."""
    if not path.exists():
        raise NotReady(f"{path.name} is not there: make bom.")
    bill = json.loads(path.read_text("utf-8"))
    bill.pop("serialNumber", None)
    bill["metadata"]["timestamp"] = commit.day
    return (json.dumps(bill, indent=2, ensure_ascii=False) + "\n").encode()


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.rstrip()


def copy_to(folder: Path) -> Path:
    """Copy the working tree, committed or not, into a new repository and build it, for tests of a release."""
    subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(folder)], check=True)
    for name in filter(None, _git(ROOT, "diff", "--name-only", "-z", "HEAD").split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        else:
            (folder / name).unlink(missing_ok=True)
    _git(folder, "add", "--all")
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    build(folder)
    return folder


def build(root: Path) -> None:
    """Build the browser's files, like `make build` after the installation."""
    subprocess.run(["node", "static_src/build.mjs"], cwd=root, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    parser.add_argument("--draft", action="store_true", help="of what is there, committed or not, with a date or not")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "release", help="the folder; else build/release")
    given = parser.parse_args()
    try:
        made = write(ROOT, given.to, draft=given.draft)
    except NotReady as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("".join(f"{path.stat().st_size:>12,}  {path}\n" for path in made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
