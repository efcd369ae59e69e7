"""The console under the restrictions of deploy/console@.service that work without systemd."""

import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.http_client import Visitor, worker_ids
from tests.e2e.pages import ALL_USERS
from tests.e2e.running import start

pytestmark = pytest.mark.slow
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
