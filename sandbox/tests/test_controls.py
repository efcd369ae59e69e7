"""The controls: recorded calls, clock, maintenance, reset; and data that survives a restart."""

import signal
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client, refused

pytestmark = pytest.mark.slow

CLINICS = "/v1/bizMainGroups"
EXPORT_OFF = {"permissions": {"allowExport": False}}


def may_export(client: Client, user: str = "u-1") -> bool:
    value: bool = client.get(f"/v1/bizUsers/{user}/permissions")["permissions"]["allowExport"]["value"]
    return value


def test_calls_are_recorded_with_everything_that_was_sent(admin: Client, sandbox: SandboxProcess):
    assert [call["path"] for call in sandbox.calls("^/v2/")] == ["/v2/oauth/requestToken"]
    with pytest.raises(ValueError, match="400"):
        sandbox.calls("(")
    sandbox.clear_calls()
    admin.get(CLINICS, {"organizationId": "o-1", "countryCode": ["KR", "US"]})
    admin.put("/v1/bizUsers/u-1/permissions", EXPORT_OFF)
    admin.call("GET", "/v1/maintenance", handler=True)
    listed, changed, maintenance = sandbox.calls()
    assert [listed[name] for name in ("method", "path", "port", "status", "body")] == [
        *("GET", CLINICS, sandbox.api_port, 200, None),
    ]
    assert listed["query"] == {"organizationId": ["o-1"], "countryCode": ["KR", "US"]}
    assert listed["headers"]["service-id"] == "1"
    assert listed["headers"]["content-type"] == "application/json"
    assert listed["headers"]["authorization"] == f"Bearer {admin.token}"
    assert changed["body"] == EXPORT_OFF
    assert maintenance["port"] == sandbox.handler_port
    assert datetime.fromisoformat(listed["time"]) <= datetime.fromisoformat(maintenance["time"])


def test_the_clock_moves_forward_only_and_invitations_expire(admin: Client, sandbox: SandboxProcess):
    invited = admin.get("/v1/bizUsers?mainGroupId=g-1&status=INVITED")["results"]
    now = datetime.fromisoformat(sandbox.advance(0))
    assert (datetime.fromisoformat(sandbox.advance(7 * 86_400)) - now).days >= 6
    admin.log_in()
    for user in invited:
        assert admin.get(f"/v1/bizUsers/{user['id']}")["status"] == "INVITATION_EXPIRED"
    for body in ({"advance": -1}, {"advance": "1"}, {}):
        with pytest.raises(ValueError, match="400"):
            sandbox.control("POST", "clock", body)


def test_maintenance_is_announced_and_ended(visitor: Client, sandbox: SandboxProcess):
    quiet = visitor.get("/v1/maintenance", handler=True)
    assert quiet["active"] is False
    notice = {"active": True, "endDate": None, "reason": {"en-US": "Upgrade"}, "unavailableServices": ["LOGIN"]}
    for maintenance in (notice, None):
        sandbox.maintenance(maintenance)
        assert visitor.get("/v1/maintenance", handler=True) == {**quiet, **(maintenance or {})}


def test_mails_are_shown_newest_first_as_json_and_as_a_page(admin: Client, sandbox: SandboxProcess):
    for address in ("one@demo.example", "two@demo.example"):
        admin.put("/v1/bizOrganizationAdmins/a-1/changeEmail", {"email": address})
    assert [mail["to"] for mail in sandbox.mails()] == ["two@demo.example", "one@demo.example"]
    assert set(sandbox.mails()[0]) == {"to", "kind", "link", "time"}
    page = admin.http.get(f"{sandbox.handler_url}/__mail.html", timeout=10)
    assert page.headers["Content-Type"].startswith("text/html")
    assert f'<a href="{sandbox.mails()[0]["link"]}">' in page.text


def test_a_reset_clears_changes_calls_faults_switches_and_sessions(admin: Client, sandbox: SandboxProcess):
    before = datetime.fromisoformat(sandbox.advance(0))
    admin.put("/v1/bizUsers/u-1/permissions", EXPORT_OFF)
    sandbox.advance(86_400)
    sandbox.careless()
    sandbox.tokens(access_seconds=1)
    sandbox.faults({"path": "", "status": 500, "times": -1})
    sandbox.reset()
    assert sandbox.calls() == []
    refused(admin.call("GET", CLINICS, query={"organizationId": "o-1"}), 401, 11002)
    admin.log_in()
    assert may_export(admin)
    refused(admin.call("GET", f"{CLINICS}/g-25"), 404, 10004)
    assert (datetime.fromisoformat(sandbox.advance(0)) - before).total_seconds() < 3600


def test_data_survives_a_restart_and_a_kill_but_not_a_new_edition(tmp_path: Path):
    sandbox = SandboxProcess(data_dir=tmp_path)
    client = Client(sandbox)
    try:
        sandbox.start()
        log = (tmp_path / "sandbox.log").read_text()
        assert sandbox.handler_url in log
        assert sandbox.api_url in log
        client.log_in()
        for user, number in (("u-1", signal.SIGTERM), ("u-2", signal.SIGKILL)):
            client.put(f"/v1/bizUsers/{user}/permissions", EXPORT_OFF)
            later = sandbox.advance(60)
            sandbox.stop(number)
            sandbox.start(reset=False)
            assert not may_export(client, user)
            assert sandbox.advance(0) >= later
        sandbox.stop()
        with sqlite3.connect(tmp_path / "sandbox.sqlite3") as database:
            database.execute("DELETE FROM rows WHERE kind = 'state' AND id = 'demo'")
        database.close()
        sandbox.start(reset=False)
        client.log_in()
        assert may_export(client)
    finally:
        client.close()
        sandbox.stop()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_promptly_even_while_a_call_is_delayed(tmp_path: Path, number):
    with SandboxProcess(data_dir=tmp_path) as sandbox:
        client = Client(sandbox)
        sandbox.faults({"path": "/maintenance", "delay": 30})
        with pytest.raises(OSError, match="timed out"):
            client.http.get(f"{sandbox.handler_url}/v1/maintenance", timeout=0.2)
        client.close()
        assert sandbox.stop(number) < 3
