"""deploy/console.service takes from the console what it does not need; systemd itself accepts it."""

import shutil
import subprocess

import pytest

from console.demo import ROOT

UNIT = ROOT / "deploy" / "console.service"
HARDENING = {
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "MemoryDenyWriteExecute=yes",
    "PrivateUsers=yes",
    "ProcSubset=pid",
    "ProtectProc=invisible",
    "ProtectSystem=strict",
    "RestrictNamespaces=yes",
    "SystemCallFilter=@system-service",
}


@pytest.mark.req("SEC-25")
def test_the_unit_takes_what_the_console_does_not_need():
    assert HARDENING - set(UNIT.read_text("utf-8").splitlines()) == set()


ANALYZE = shutil.which("systemd-analyze")
if ANALYZE:

    @pytest.mark.req("SEC-25")
    @pytest.mark.parametrize("command", [["verify"], ["security", "--offline=true", "--threshold=20"]], ids="".join)
    def test_systemd_accepts_the_unit_and_finds_little_exposed(tmp_path, command):
        program = tmp_path / ".venv/bin/python"
        program.parent.mkdir(parents=True)
        program.touch(0o755)
        unit = tmp_path / "console.service"
        unit.write_text(UNIT.read_text("utf-8").replace("/srv/console", str(tmp_path)))
        done = subprocess.run([str(ANALYZE), *command, str(unit)], capture_output=True, text=True)  # noqa: S603 - systemd
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
