"""The controls: recorded calls, clock, maintenance, reset; and data that survives a restart."""

import signal
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest
import requests

from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, Client, refused

pytestmark = pytest.mark.slow

CLINICS = "/v1/bizMainGroups"


def test_calls_are_recorded_with_everything_that_was_sent(admin: Client, sandbox: SandboxProcess):
    sandbox.forget_calls()
    admin.get(CLINICS, {"organizationId": "o-1", "countryCode": ["KR", "US"]})
    admin.put("/v1/bizUsers/u-1/permissions", {"permissions": {"allowExport": False}})
    admin.call("GET", "/v1/maintenance", handler=True)
    listed, changed, asked = sandbox.calls()
    assert (listed["method"], listed["path"], listed["port"], listed["status"]) == (
        "GET",
        CLINICS,
        sandbox.api_port,
        200,
    )
    assert listed["query"] == {"organizationId": ["o-1"], "countryCode": ["KR", "US"]}
    assert listed["headers"]["service-id"] == "1"
    assert listed["headers"]["content-type"] == "application/json"
    assert listed["headers"]["authorization"] == f"Bearer {admin.token}"
    assert listed["body"] is None
    assert changed["body"] == {"permissions": {"allowExport": False}}
    assert asked["port"] == sandbox.handler_port
    assert datetime.fromisoformat(listed["time"]) <= datetime.fromisoformat(asked["time"])


def test_calls_can_be_filtered_by_path_and_deleted(admin: Client, sandbox: SandboxProcess):
    assert [call["path"] for call in sandbox.calls("^/v2/")] == ["/v2/oauth/requestToken"]
    assert len(sandbox.calls("search|requestToken")) == 2
    with pytest.raises(ValueError, match="400"):
        sandbox.calls("(")
    sandbox.forget_calls()
    assert sandbox.calls() == []


def test_a_call_that_a_fault_cut_off_is_recorded_without_a_status(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "fault": "close"})
    with pytest.raises(requests.ConnectionError):
        admin.call("GET", "/v1/bizUsers/u-1")
    assert sandbox.calls("/bizUsers")[0]["status"] is None


def test_the_clock_moves_and_invitations_expire(admin: Client, sandbox: SandboxProcess):
    invited = admin.get("/v1/bizUsers?mainGroupId=g-1&status=INVITED")["results"]
    now = datetime.fromisoformat(sandbox.advance(0))
    assert (datetime.fromisoformat(sandbox.advance(7 * 86_400)) - now).days >= 6
    admin.log_in()
    for user in invited:
        assert admin.get(f"/v1/bizUsers/{user['id']}")["status"] == "INVITATION_EXPIRED"
    assert admin.get("/v1/bizUsers?mainGroupId=g-1&status=INVITED")["resultCount"] == 0


@pytest.mark.parametrize("body", [{"advance": -1}, {"advance": "1"}, {}])
def test_the_clock_does_not_go_back(sandbox: SandboxProcess, body):
    with pytest.raises(ValueError, match="400"):
        sandbox.control("POST", "clock", body)


def test_maintenance_is_announced_and_ended(visitor: Client, sandbox: SandboxProcess):
    quiet = visitor.get("/v1/maintenance", handler=True)
    assert quiet["active"] is False
    notice = {"active": True, "endDate": None, "reason": {"en-US": "Upgrade"}, "unavailableServices": ["LOGIN"]}
    sandbox.maintenance(notice)
    assert visitor.get("/v1/maintenance", handler=True) == {**quiet, **notice}
    sandbox.maintenance(None)
    assert visitor.get("/v1/maintenance", handler=True) == quiet


def test_mails_are_shown_newest_first_to_programs_and_people(admin: Client, sandbox: SandboxProcess):
    for address in ("one@demo.example", "two@demo.example"):
        admin.put("/v1/bizOrganizationAdmins/a-1/changeEmail", {"email": address})
    assert [mail["to"] for mail in sandbox.mails()] == ["two@demo.example", "one@demo.example"]
    assert set(sandbox.mails()[0]) == {"to", "kind", "link", "time"}
    page = admin.http.get(f"{sandbox.handler_url}/__mail.html", timeout=10)
    assert page.headers["Content-Type"].startswith("text/html")
    assert f'<a href="{sandbox.mails()[0]["link"]}">' in page.text


def test_a_reset_forgets_changes_calls_faults_switches_and_sessions(admin: Client, sandbox: SandboxProcess):
    before = datetime.fromisoformat(sandbox.advance(0))
    admin.put("/v1/bizUsers/u-1/permissions", {"permissions": {"allowExport": False}})
    sandbox.advance(86_400)
    sandbox.careless()
    sandbox.tokens(access_seconds=1)
    sandbox.faults({"path": "", "status": 500, "times": -1})
    sandbox.reset()
    assert sandbox.calls() == []
    refused(admin.call("GET", CLINICS, query={"organizationId": "o-1"}), 401, 11002)
    admin.log_in()
    assert admin.get("/v1/bizUsers/u-1/permissions")["permissions"]["allowExport"]["value"]
    refused(admin.call("GET", f"{CLINICS}/g-25"), 404, 10004)
    assert (datetime.fromisoformat(sandbox.advance(0)) - before).total_seconds() < 3600


def test_the_data_survives_a_restart_and_a_kill(tmp_path: Path):
    sandbox = SandboxProcess(data_dir=tmp_path)
    client = Client(sandbox)
    try:
        sandbox.start()
        client.log_in()
        client.put("/v1/bizUsers/u-1/permissions", {"permissions": {"allowExport": False}})
        client.put("/v1/bizOrganizationAdmins/a-1/changeEmail", {"email": "kept@demo.example"})
        later = sandbox.advance(600)
        sandbox.stop()
        sandbox.start(reset=False)
        assert not client.get("/v1/bizUsers/u-1/permissions")["permissions"]["allowExport"]["value"]
        assert sandbox.mails()[0]["to"] == "kept@demo.example"
        assert sandbox.advance(0) >= later
        client.put("/v1/bizUsers/u-2/permissions", {"permissions": {"allowExport": False}})
        sandbox.stop(signal.SIGKILL)
        sandbox.start(reset=False)
        assert not client.get("/v1/bizUsers/u-2/permissions")["permissions"]["allowExport"]["value"]
        client.log_in(*DEMO)
    finally:
        client.close()
        sandbox.stop()


def test_data_of_an_older_edition_is_recreated(tmp_path: Path):
    sandbox = SandboxProcess(data_dir=tmp_path)
    client = Client(sandbox)
    try:
        sandbox.start()
        client.log_in()
        client.delete("/v1/bizUsers/u-1")
        sandbox.stop()
        with sqlite3.connect(tmp_path / "sandbox.sqlite3") as database:
            database.execute("DELETE FROM rows WHERE kind = 'state' AND id = 'demo'")
        database.close()
        sandbox.start(reset=False)
        client.log_in()
        assert client.get("/v1/bizUsers/u-1")["name"] == "Hana Park"
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


def test_it_prints_its_addresses_when_it_is_ready(running: SandboxProcess):
    said = (running.data_dir / "sandbox.log").read_text()
    assert running.handler_url in said
    assert running.api_url in said
