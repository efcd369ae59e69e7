"""The units in deploy/ drop privileges that the console does not need; systemd itself accepts them."""

import shutil
import subprocess

import pytest

from console.ops.demo import ROOT

DEPLOY = ROOT / "deploy"
UNITS = ["console@.service", "console-purge.service"]
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
@pytest.mark.parametrize("name", UNITS)
def test_a_unit_drops_privileges_that_the_console_does_not_need(name):
    assert HARDENING - set((DEPLOY / name).read_text("utf-8").splitlines()) == set()


ANALYZE = shutil.which("systemd-analyze")
if ANALYZE:

    def analyze(tmp_path, name, *command):
        """Analyze a unit with systemd; its program need not be installed."""
        for release in ("console", "console-blue"):
            program = tmp_path / release / ".venv/bin/python"
            program.parent.mkdir(parents=True)
            program.touch(0o755)
        for unit in (name, "console-purge.service"):  # a timer is verified with the unit that it starts
            text = (DEPLOY / unit).read_text("utf-8").replace("/srv/", f"{tmp_path}/")
            (tmp_path / unit.replace("@", "@blue")).write_text(text)
        unit = str(tmp_path / name.replace("@", "@blue"))
        done = subprocess.run([str(ANALYZE), *command, unit], capture_output=True, text=True)  # noqa: S603 - systemd
        assert (done.returncode, done.stderr) == (0, ""), done.stdout

    @pytest.mark.req("SEC-25")
    @pytest.mark.parametrize("name", [*UNITS, "console-purge.timer"])
    def test_systemd_accepts_the_unit(tmp_path, name):
        analyze(tmp_path, name, "verify")

    @pytest.mark.req("SEC-25")
    @pytest.mark.parametrize("name", UNITS)
    def test_systemd_reports_low_exposure(tmp_path, name):
        analyze(tmp_path, name, "security", "--offline=true", "--threshold=20")
