"""One request is followed from nginx to the service by its id, as the example of docs/monitoring.md does it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import urllib3

from console.demo import ROOT
from e2e.http_client import USERS, logged_in, wait_until
from e2e.nginx import HOST, Nginx
from e2e.running import Console
from e2e.soak.system import system
from sandbox.process import free_ports

pytestmark = pytest.mark.slow
EXAMPLE = re.findall(r"^ +(\{.+\})$", (ROOT / "docs/monitoring.md").read_text("utf-8"), re.MULTILINE)


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[tuple[Console, int]]:
    """A console behind nginx, and the port of that."""
    with system(
        ALLOWED_HOSTS=f"127.0.0.1,{HOST}", TRUSTED_PROXY="127.0.0.1/32", UPSTREAM_DEADLINES="read=1"
    ) as console:
        plain, https = free_ports(2)
        with Nginx(tmp_path, console=urlsplit(console.url).port or 0, http=plain, https=https):
            yield console, https


def lines(log: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines() if line.startswith("{")]


def test_one_request_is_found_by_its_id_at_nginx_the_console_and_the_service(proxied, tmp_path):
    console, port = proxied
    auth = logged_in(console).auth
    console.sandbox.forget_calls()
    console.sandbox.faults({"path": "^/v1/bizUsers$", "delay": 2})
    browser = urllib3.HTTPSConnectionPool(
        "127.0.0.1", port, ca_certs=str(tmp_path / "console.crt"), server_hostname=HOST, assert_hostname=HOST
    )
    headers = {"Host": HOST, "Cookie": f"auth={auth}", "X-Request-ID": "chosen0by0the0client"}
    answer = browser.request("GET", USERS, headers=headers)
    browser.close()
    assert answer.status == 504
    id = answer.headers["X-Request-ID"]
    assert id != "chosen0by0the0client"

    def found(log: Path) -> list[dict[str, object]]:
        return [line for line in lines(log) if line.get("request_id") == id]

    wait_until(lambda: found(tmp_path / "access.log") and found(console.log))
    told = [found(tmp_path / "access.log")[0], found(console.log)[0]]
    assert [list(line) for line in told] == [list(json.loads(text)) for text in EXAMPLE], "as in the example"
    asked = [call for call in console.sandbox.calls() if not call["path"].endswith("/maintenance")]  # for all requests
    calls = [call["headers"]["x-request-id"] for call in asked]
    assert calls == [id] * len(calls)
    assert len(calls) == told[1]["upstream_calls"]
    assert len(calls) > 1
