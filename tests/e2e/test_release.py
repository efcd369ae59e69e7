"""The output of `make release`: identical for the same commit, only the files that a server needs, and it starts."""

import io
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from console.i18n.languages import TABLE
from tools import release

pytestmark = pytest.mark.slow
VERSION = release.read_version(release.ROOT)
TOP = f"console-{VERSION}/"


def write_bills(root: Path) -> None:
    """Write bills of materials as `make bom` does: never twice the same."""
    folder = root / "build" / "bom"
    folder.mkdir(parents=True, exist_ok=True)
    for name in release.BILLS:
        bill = {"serialNumber": secrets.token_hex(), "metadata": {"timestamp": secrets.token_hex()}, "components": []}
        (folder / name).write_text(json.dumps(bill))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built copy of the project in another folder, with private files around it."""
    root = release.copy_to(tmp_path_factory.mktemp("tree") / "elsewhere")
    for name in (".env", "console/secret.txt", "templates/notes.html", "deploy/console.env"):
        (root / name).write_text("SECRET_KEY=not-for-others")
    (root / "manage.py").touch()
    return root


@pytest.fixture(scope="module")
def unpacked(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked archive; tests only read it."""
    folder = tmp_path_factory.mktemp("unpacked")
    unpack(tree, folder)
    return folder / TOP


def unpack(tree: Path, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(release.archive(tree, VERSION, release.Commit.read(tree)))) as tar:
        tar.extractall(folder, filter="data")


def test_the_same_commit_makes_the_same_archive_wherever_it_is_built(tree):
    commit = release.Commit.read(release.ROOT)
    from_tree, from_root = (release.archive(root, VERSION, commit) for root in (tree, release.ROOT))
    assert members(from_tree) == members(from_root), "what differs, by name"
    assert from_tree == from_root


def members(packed: bytes) -> dict[str, tuple[int, float, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        files = [(entry, tar.extractfile(entry)) for entry in tar]
        return {entry.name: (entry.mode, entry.mtime, file.read() if file else b"") for entry, file in files}


def test_all_that_is_written_is_the_same_the_next_time(tree, tmp_path):
    for folder in ("first", "second"):
        write_bills(tree)
        release.write(tree, tmp_path / folder, draft=True)
    names = [path.name for path in (tmp_path / "first").iterdir()]
    assert len(names) == 5
    assert [(tmp_path / "first" / name).read_bytes() for name in names] == [
        (tmp_path / "second" / name).read_bytes() for name in names
    ]
    changes = (tmp_path / "first" / f"console-{VERSION}.changes.md").read_text("utf-8")
    assert changes.startswith(f"## {VERSION} ")
    assert changes.count("\n## ") == 0
    checked = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path / "first", capture_output=True, text=True
    )
    assert (checked.returncode, checked.stdout.count(": OK")) == (0, 4)


def test_an_archive_has_what_runs_and_nothing_else(unpacked):
    names = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert {
        "manage.py",
        "gunicorn.conf.py",
        "requirements.txt",
        "deploy/nginx.conf",
        "docs/operations/install.md",
    } <= names
    built = json.loads((unpacked / "build/manifest.json").read_text())
    assert len(built) > 15
    assert {f"build/static/{file}" for file in built.values()} <= names
    assert sum(name.endswith("django.po") for name in names) == len(TABLE)
    unwanted = re.compile(
        r"(^|/)(tests?|testing|node_modules|sandbox|e2e|bench|static_src|__pycache__|\.git)/|test_|conftest"
    )
    assert [name for name in names if unwanted.search(name)] == []
    assert [path for path in unpacked.rglob("*") if path.is_file() and b"not-for-others" in path.read_bytes()] == []
    assert ".env" not in names


def test_an_archive_starts_where_nothing_else_of_the_project_is(tree, tmp_path):
    unpack(tree, tmp_path)
    unpacked, data = tmp_path / TOP, tmp_path / "data"
    variables = {
        **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
        "DJANGO_SETTINGS_MODULE": "console.settings",
        "DATA_DIR": str(data),
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "testserver",
        "DOMAIN_HANDLER_URL": "https://handler.example",
    }
    ask = (
        "import django; django.setup(); from django.test import Client\n"
        "print(Client().get('/version', secure=True).content.decode())"
    )
    for command in (
        ["manage.py", "prepare"],
        ["manage.py", "check"],
        ["-m", "gunicorn", "--check-config"],
        ["-c", ask],
    ):
        done = subprocess.run([sys.executable, *command], cwd=unpacked, env=variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    commit = release.Commit.read(release.ROOT).name
    assert commit in done.stdout
    assert len(list(data.glob("locale/*/LC_MESSAGES/django.mo"))) == len(TABLE)
    assert len(list(unpacked.glob("build/served/dist/*.js.br"))) > 10


def test_the_image_has_what_the_archive_has():
    dockerfile = (release.ROOT / "deploy/Dockerfile").read_text("utf-8")
    copied = {
        name for line in re.findall(r"^COPY (?!--from=)(.+) \S+$", dockerfile, re.MULTILINE) for name in line.split()
    }
    assert set(release.RUN) <= copied
    sent = (release.ROOT / "deploy/Dockerfile.dockerignore").read_text("utf-8")
    assert {f"!{name}" for name in release.RUN} <= set(sent.splitlines())


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("package.json", f'"version": "{VERSION}"', '"version": "9.9.9"', "package.json does not"),
        ("CHANGELOG.md", f"## {VERSION} ", "## 9.9.9 ", "has no section"),
        ("CHANGELOG.md", f"## {VERSION} - ", f"## {VERSION} - someday ", "has no date"),
        ("README.md", "# ", "# Another ", "Not committed:\n M README.md"),
    ],
)
def test_what_is_not_ready_is_no_release(tree, tmp_path, file, old, new, message):
    write_bills(tree)
    shutil.copytree(tree, tmp_path / "tree", symlinks=True)
    root = tmp_path / "tree"
    changelog = root / "CHANGELOG.md"
    changelog.write_text(
        re.sub(rf"(?m)^(## {VERSION}) - .*", r"\1 - 2026-01-31", changelog.read_text("utf-8")), "utf-8"
    )
    _git(root, "commit", "--quiet", "--all", "--message", "Ready")
    assert len(release.write(root, tmp_path / "good")) == 5
    text = (root / file).read_text("utf-8")
    assert old in text
    (root / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(release.NotReady, match=message):
        release.write(root, tmp_path / "bad")


def _git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=A", "-c", "user.email=a@console.example", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True)
