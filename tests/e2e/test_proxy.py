"""The console behind nginx with deploy/nginx.conf."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
import urllib3

from console.ops.demo import ROOT
from lab.soak.system import system
from sandbox.process import free_ports
from tests.e2e.http_client import FORM_TOKEN, USERS, logged_in, wait_until
from tests.e2e.nginx import HOST, Nginx
from tests.e2e.running import Console

pytestmark = pytest.mark.slow
FORM = "application/x-www-form-urlencoded"
EXAMPLE = re.findall(r"^(\{.+\})$", (ROOT / "docs/monitoring.md").read_text("utf-8"), re.MULTILINE)


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


def client(port: int, folder: Path, address: str = "127.0.0.1") -> urllib3.HTTPSConnectionPool:
    """Return a client at an address of this machine that believes the certificate of nginx."""
    return urllib3.HTTPSConnectionPool(
        "127.0.0.1", port, ca_certs=str(folder / "console.crt"), source_address=(address, 0),
        server_hostname=HOST, assert_hostname=HOST,
    )  # fmt: skip


@pytest.fixture
def browser(proxied: tuple[Console, int], tmp_path: Path) -> Iterator[urllib3.HTTPSConnectionPool]:
    """A client that believes the certificate of nginx."""
    with client(proxied[1], tmp_path) as pool:
        yield pool


def test_a_form_is_accepted_at_any_port(proxied, browser):
    origin = f"{HOST}:{proxied[1]}"
    page = browser.request("GET", "/login", headers={"Host": origin})
    (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.data.decode()))
    cookie = page.headers["Set-Cookie"].partition(";")[0]
    headers = {"Host": origin, "Origin": f"https://{origin}", "Cookie": cookie, "Content-Type": FORM}
    form = urlencode({"csrfmiddlewaretoken": token, "email": "nobody@demo.example", "password": "wrong"})
    assert browser.request("POST", "/login", body=form, headers=headers).status == 422


def test_cookies_of_other_sites_of_the_domain_are_no_obstacle_until_they_are_too_many(browser):
    answers = [
        browser.request("GET", "/login", headers={"Host": HOST, "Cookie": f"theirs={'c' * size}"})
        for size in (9_000, 15_000, 20_000)
    ]
    assert [answer.status for answer in answers] == [200, 200, 431]
    assert answers[-1].data.startswith(b"Your browser sent too many cookies.")


def test_one_request_is_found_by_its_id_at_nginx_the_console_and_the_service(proxied, browser, tmp_path):
    """As the example of docs/monitoring.md does it."""
    console, _port = proxied
    auth = logged_in(console).auth
    console.sandbox.clear_calls()
    console.sandbox.faults({"path": "^/v1/bizUsers$", "delay": 2})
    headers = {"Host": HOST, "Cookie": f"auth={auth}", "X-Request-ID": "chosen0by0the0client"}
    answer = browser.request("GET", USERS, headers=headers)
    assert answer.status == 504
    id = answer.headers["X-Request-ID"]
    assert id != "chosen0by0the0client"

    def entries(log: Path) -> list[dict[str, object]]:
        return [line for line in lines(log) if line.get("request_id") == id]

    wait_until(lambda: entries(tmp_path / "access.log") and entries(console.log))
    logged = [entries(tmp_path / "access.log")[0], entries(console.log)[0]]
    assert [list(line) for line in logged] == [list(json.loads(text)) for text in EXAMPLE], "as in the example"
    calls = [call["headers"]["x-request-id"] for call in console.sandbox.calls()]
    assert calls == [id] * len(calls)
    assert len(calls) == logged[1]["upstream_calls"]
    assert len(calls) > 1


def test_metrics_are_for_one_address(proxied, tmp_path):
    statuses = []
    for address in ("127.0.0.1", "127.0.0.2"):
        with client(proxied[1], tmp_path, address) as pool:
            statuses.append(pool.request("GET", "/metrics", headers={"Host": HOST}).status)
    assert statuses == [404, 403], "the console answers the first one: there are none"


@pytest.fixture
def chain(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """A console behind the nginx of its host, behind another nginx: the ports of both, the outer one first."""
    host, plain, https = free_ports(3)
    (tmp_path / "host").mkdir()
    with (
        system(ALLOWED_HOSTS=f"127.0.0.1,{HOST}", TRUSTED_PROXY="127.0.0.1/32", CONSOLE_HTTPS="true") as console,
        Nginx(tmp_path / "host", console=urlsplit(console.url).port or 0, http=host, site="nginx-host.conf"),
        Nginx(tmp_path, console=host, http=plain, https=https),
    ):
        yield https, host
        console.process.stop()
        with pytest.raises(urllib3.exceptions.ProtocolError):  # so that the proxy in front asks another host
            urllib3.request("GET", f"http://127.0.0.1:{host}/login", retries=False)


def test_a_console_of_several_hosts_knows_its_clients_by_their_own_addresses(chain, tmp_path):
    https, _host = chain

    def try_login(address: str, forged: str) -> int:
        headers = {
            "Host": HOST, "Origin": f"https://{HOST}", "Cookie": f"__Host-csrf={FORM_TOKEN}", "Content-Type": FORM,
            "X-Forwarded-For": forged, "X-Forwarded-Proto": "http",
        }  # fmt: skip
        form = urlencode({"csrfmiddlewaretoken": FORM_TOKEN, "email": "third@demo.example", "password": "Wrong123!"})
        with client(https, tmp_path, address) as pool:
            return pool.request("POST", "/login", body=form, headers=headers).status

    assert [try_login("127.0.0.2", f"203.0.113.{number}") for number in range(6)] == [*[422] * 5, 429]
    assert try_login("127.0.0.3", "203.0.113.9") == 422


def test_the_nginx_of_a_host_answers_the_proxy_in_front_only_and_tells_it_no_metrics(chain):
    _https, host = chain

    def status(address: str, path: str) -> int:
        with urllib3.HTTPConnectionPool("127.0.0.1", host, source_address=(address, 0)) as pool:
            return pool.request("GET", path, headers={"Host": HOST, "X-Forwarded-Proto": "https"}).status

    assert [status(address, "/login") for address in ("127.0.0.1", "127.0.0.2")] == [200, 403]
    assert [status(address, "/metrics") for address in ("127.0.0.1", "127.0.0.2")] == [403, 403]
