"""The guide's commands are few, and name existing files; `python -m tests.e2e.install` runs them."""

import re
import subprocess

import pytest

from tests.e2e import guide
from tools import release


@pytest.mark.parametrize(("title", "limit"), [("Installing", 10), ("Upgrading", 4), ("Going back", 1)])
def test_the_guide_needs_few_commands_and_a_shell_reads_them(title, limit):
    values, *commands = guide.section(title)
    assert values.startswith("V=")
    assert 0 < len(commands) <= limit
    for command in commands:
        subprocess.run(["bash", "-n", "-c", command], check=True)


def test_what_the_commands_take_from_a_release_is_in_it():
    files = {path.relative_to(release.ROOT).as_posix(): path for path in release.list_files(release.ROOT)}
    text = "\n".join(command for title in ("Installing", "Upgrading", "Going back") for command in guide.section(title))
    paths = set(re.findall(r"/srv/console(?:-\$V)?/([\w./@-]+[\w])", text))
    made = {".venv", ".venv/bin/pip", ".venv/bin/python"}  # by the commands
    assert {"deploy/console@.service", "deploy/nginx.conf", "deploy/switch", "requirements.txt"} <= paths
    assert {name for name in paths - made if name not in files} <= {"build/served", "build/templates"}
    assert all(files[name].stat().st_mode & 0o111 for name in ("deploy/manage", "deploy/switch"))


def test_the_script_of_a_switch_is_short_and_a_shell_reads_it():
    script = release.ROOT / "deploy/switch"
    assert len(script.read_text("utf-8").splitlines()) <= 60
    subprocess.run(["bash", "-n", script], check=True)


def test_the_example_has_every_variable_of_the_guide():
    (written,) = (command for command in guide.section("Installing") if "<< EOF" in command)
    example = (release.ROOT / ".env.example").read_text("utf-8")
    for name in re.findall(r"^([A-Z_]+)=", written, re.MULTILINE):
        assert re.search(rf"^#?{name}=", example, re.MULTILINE), name
