"""The alerts come when they should and only then: promtool of Prometheus reads e2e/alerts.yml."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from console.testing import debian

HERE = Path(__file__).parent
RULES = "deploy/alerts.yml"
CASES = (HERE / "alerts.yml").read_text("utf-8")
MISSING = "This test needs promtool and found none. Install it (on Debian or Ubuntu: apt-get install prometheus)."


def test_an_alert_comes_when_it_should_and_only_then(tmp_path):
    if not shutil.which("promtool"):
        debian.install("prometheus")
    if not (promtool := shutil.which("promtool")):
        pytest.fail(MISSING, pytrace=False)
    assert RULES in CASES
    (tmp_path / "cases.yml").write_text(CASES.replace(RULES, str(HERE.parent / RULES)), "utf-8")
    done = subprocess.run([promtool, "test", "rules", tmp_path / "cases.yml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_comes_in_a_case_and_stays_away_in_another():
    alerts = set(re.findall(r"alert: (\w+)", (HERE.parent / RULES).read_text("utf-8")))
    assert alerts
    assert set(re.findall(r"alertname: (\w+)\n +exp_alerts:\n", CASES)) == alerts
    assert set(re.findall(r"alertname: (\w+)(?:}|, exp_alerts: \[\])", CASES)) == alerts
