"""Alerts fire only when they should: promtool of Prometheus reads alerts.yml next to this file."""

import re
import subprocess
from pathlib import Path

import pytest

from console.ops.demo import ROOT
from tests.support import debian

RULES = "deploy/alerts.yml"
CASES = Path(__file__).with_name("alerts.yml").read_text("utf-8")


@pytest.mark.slow
def test_alerts_fire_only_when_they_should(tmp_path):
    assert RULES in CASES
    (tmp_path / "cases.yml").write_text(CASES.replace(RULES, str(ROOT / RULES)), "utf-8")
    command = [debian.require("promtool"), "test", "rules", tmp_path / "cases.yml"]
    done = subprocess.run(command, capture_output=True, text=True)  # noqa: S603 - our own command
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_fires_in_one_case_and_not_in_another():
    alerts = set(re.findall(r"alert: (\w+)", (ROOT / RULES).read_text("utf-8")))
    assert alerts
    assert set(re.findall(r"alertname: (\w+)\n +exp_alerts:\n", CASES)) == alerts
    assert set(re.findall(r"alertname: (\w+)(?:}|, exp_alerts: \[\])", CASES)) == alerts
