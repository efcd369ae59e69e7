"""The alerts come when they should and only then: promtool of Prometheus reads e2e/alerts.yml."""

import shutil
import subprocess
from pathlib import Path

import pytest

from console.testing import debian

HERE = Path(__file__).parent
MISSING = "This test needs promtool and found none. Install it (on Debian or Ubuntu: apt-get install prometheus)."


def test_an_alert_comes_when_it_should_and_only_then(tmp_path):
    if not shutil.which("promtool"):
        debian.install("prometheus")
    if not (promtool := shutil.which("promtool")):
        pytest.fail(MISSING, pytrace=False)
    cases = (HERE / "alerts.yml").read_text("utf-8")
    rules = "deploy/alerts.yml"
    assert rules in cases
    (tmp_path / "cases.yml").write_text(cases.replace(rules, str(HERE.parent / rules)), "utf-8")
    done = subprocess.run([promtool, "test", "rules", tmp_path / "cases.yml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
