"""The sandbox conforms to docs/upstream-api.yaml: schemathesis finds no violation and no 5xx."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandbox.process import ROOT, SandboxProcess
from sandbox.tests.client import Client

DOCUMENT = ROOT / "docs" / "upstream-api.yaml"
HOOKS = Path(__file__).with_name("contract_hooks.py")
EXAMPLES = 5
METHODS = ("get", "put", "post", "delete")

CONFIGURATION = """
hooks = '{hooks}'
headers = {{ "Content-Type" = "application/json" }}

[checks]
# State decides these: who is logged in, what is there, what was changed meanwhile, and rules beyond a schema.
positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 404, 409, 412, 422]
negative_data_rejection.expected-statuses = ["4xx"]
"""
AUTHORIZATION = """
[auth.openapi.bearer]
bearer = "{token}"
"""


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the path and the description of each operation."""
    for path, item in yaml.safe_load(DOCUMENT.read_text())["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, item[method]


@pytest.mark.slow
@pytest.mark.parametrize("callers", ["handler", "public", "private"])
def test_schemathesis_finds_no_violation(sandbox: SandboxProcess, tmp_path: Path, callers: str):
    """Run schemathesis in a separate process, because of its warnings and its event loop."""
    settings = CONFIGURATION.format(hooks=HOOKS)
    if callers == "private":
        client = Client(sandbox)
        settings += AUTHORIZATION.format(token=client.log_in()["accessToken"])
        client.close()
    (tmp_path / "schemathesis.toml").write_text(settings)
    command = [str(Path(sys.executable).with_name("st")), "--config-file", "schemathesis.toml", "--no-color", "run"]
    command += [str(DOCUMENT), "--url", sandbox.handler_url if callers == "handler" else sandbox.api_url]
    # expireToken would end the session of the run.
    command += ["--include-tag", callers, "--exclude-operation-id", "expireToken"]
    command += ["--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--seed", "1"]
    command += ["--continue-on-failure"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603 -- our own
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_each_operation_has_its_status_and_its_callers():
    names = []
    for _, operation in operations():
        assert operation["x-status"] in ("known", "proposed")
        assert operation["tags"] in (["handler"], ["public"], ["private"])
        assert ("private" in operation["tags"]) == ("security" not in operation)
        names.append(operation["operationId"])
    assert len(set(names)) == len(names)


def test_all_known_calls_are_described():
    known = {operation["operationId"] for _, operation in operations() if operation["x-status"] == "known"}
    assert known == {
        *("searchAccount", "signUpWithOrganization", "adminExists", "organizationExists", "requestToken", "checkToken"),
        *("expireToken", "getAdmin", "updateAdmin", "getOrganization", "updateOrganization", "changeEmail"),
        *("activateEmail", "changePassword", "forgotPassword", "resetPassword"),
    }


def test_the_sandbox_executes_each_operation_of_the_document(sandbox: SandboxProcess, admin: Client):
    """A missing path would return 404 for each call, which the document allows."""
    for path, operation in operations():
        ids = {"/bizMainGroups": "g-1", "/bizSubGroups": "t-1", "/bizUsers": "u-1", "/bizOrganizations": "o-1"}
        ids |= {"/bizLabs": "l-1", "/bizPartnerLists": "l-1", "/bizPartnerships": "p-1"}
        ids["/bizScanners"] = "s-1"
        ids["/bizNotifications"] = "n-1"
        row = next((row for part, row in ids.items() if part in path), "a-1")
        url = path.replace("{id}", row).replace("{uuid}", "00000000-0000-0000-0000-000000000000")
        response = admin.call(
            "PATCH", url, handler=operation["tags"] == ["handler"], open_call=operation["tags"] == ["public"]
        )
        assert response.status_code == 405, path
