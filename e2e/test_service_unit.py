"""The console under what deploy/console.service takes from it, as far as that can be had without systemd."""

import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from contextlib import suppress
from pathlib import Path

import pytest
import requests

from console import demo
from console.testing import release
from e2e.http_client import Visitor, children, wait_until, worker_ids
from e2e.pages import ALL_USERS
from e2e.running import start
from sandbox.process import free_ports

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[1]
UNIT = ROOT / "deploy" / "console.service"
# What MemoryDenyWriteExecute refuses, refused by the kernel itself (Linux 6.3) to each Python process that starts.
DENIED = """
import ctypes, mmap, pathlib
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) == 0:
    try:
        mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError:
        pathlib.Path(__file__).with_name("denied").touch()
"""
KERNEL = ("[vdso]", "[vsyscall]")
PACKAGES = (
    "import _cffi_backend, _brotli, cryptography.fernet, msgspec, psycopg, ssl; assert psycopg.pq.__impl__ == 'binary'"
)


@pytest.mark.req("SEC-56")
def test_a_reload_follows_the_link_to_another_release_that_can_start(tmp_path, sandbox):
    """By the unit's own commands: the old release may be deleted then, and a broken one is not reloaded to."""
    link, version = tmp_path / "console", release.version_of(ROOT)
    with tarfile.open(fileobj=io.BytesIO(release.archive(ROOT, version, release.Commit.of(ROOT)))) as packed:
        packed.extractall(tmp_path, filter="data")
    old, new = tmp_path / f"console-{version}", tmp_path / "console-99.0.0"
    (old / ".venv").symlink_to(ROOT / ".venv")
    (port,) = free_ports(1)
    data = tmp_path / "data"
    variables = {
        "PATH": os.environ["PATH"],
        **demo.environment(port=port, handler_port=sandbox.handler_port, api_port=sandbox.api_port, data_dir=data),
    }
    subprocess.run([old / ".venv/bin/python", "manage.py", "prepare"], cwd=old, env=variables, check=True)
    shutil.copytree(old, new, symlinks=True)
    (new / "console/__init__.py").write_text('"""The console."""\n\n__version__ = "99.0.0"\n')
    link.symlink_to(old.name)
    unit = UNIT.read_text("utf-8").replace("/srv/console", str(link))
    (command,) = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    process = subprocess.Popen(command.split(), cwd="/", env=variables)
    url = f"http://{variables['BIND']}/version"

    def shows(wanted: str) -> bool:
        with suppress(requests.RequestException):
            return wanted in requests.get(url, timeout=5).text
        return False

    def reload() -> None:
        before = set(children(process.pid))
        for written in re.findall(r"^ExecReload=(.+)$", unit, re.MULTILINE):
            done = written.replace("$MAINPID", str(process.pid)).split()
            subprocess.run(done, cwd="/", env=variables, check=True, capture_output=True, text=True)
        wait_until(lambda: before.isdisjoint(children(process.pid)), seconds=60)

    try:
        wait_until(lambda: shows(version), seconds=60)
        link.unlink()
        link.symlink_to(new.name)
        reload()
        wait_until(lambda: shows("99.0.0"), seconds=60)
        shutil.rmtree(old)
        reload()
        wait_until(lambda: shows("99.0.0"), seconds=60)
        serving = children(process.pid)
        for name, text, why in (
            ("console/urls.py", "import a_package_that_is_missing\n", "No module named 'a_package_that_is_missing'"),
            (".env", "TRUSTED_PROXY=nginx\n", "TRUSTED_PROXY is none, unix, or a list of networks such as 10.0.0.0/8."),
        ):
            (new / name).write_text(text)
            with pytest.raises(subprocess.CalledProcessError) as refused:
                reload()
            assert why in refused.value.stderr
        assert serving == children(process.pid)
        assert shows("99.0.0")
    finally:
        process.terminate()
        process.wait(40)


@pytest.mark.req("SEC-26")
def test_the_console_maps_no_memory_that_is_written_and_run(tmp_path, sandbox):
    (tmp_path / "sitecustomize.py").write_text(DENIED)
    console, process = start(tmp_path, sandbox, PYTHONPATH=str(tmp_path))
    try:
        process.manage("prepare")
        visitor = Visitor(console, console.log_in())
        assert visitor.get(ALL_USERS).status_code == 200
        assert visitor.get(f"{ALL_USERS}/export").status_code == 200
        maps = [line for pid in worker_ids(console) for line in Path(f"/proc/{pid}/maps").read_text().splitlines()]
    finally:
        process.stop()
    run = [line.split(maxsplit=5) for line in maps if "x" in line.split()[1]]
    assert any("_cffi_backend" in name for *_, name in run), "the packages are loaded"
    assert [line for line in run if "w" in line[1] or (line[4] == "0" and line[-1] not in KERNEL)] == []
    environment = {"PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", PACKAGES], env=environment, check=True)
    release = tuple(map(int, re.findall(r"\d+", platform.release())[:2]))
    assert (tmp_path / "denied").exists() or release < (6, 3), "the kernel denied nothing"
