"""deploy/switch on a host with nginx: no request fails while it switches; where it can't, it changes nothing."""

import http.client
import itertools
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import urllib3

from console.ops.demo import ROOT
from sandbox.process import free_ports
from tests.e2e import nginx
from tests.e2e.http_client import wait_until
from tests.e2e.machine import Machine

pytestmark = [pytest.mark.slow, pytest.mark.req("SEC-56")]
OLD, NEW = "1.0.0", "2.0.0"
APP = """
import os, pathlib, time

RELEASE = pathlib.Path(__file__).parent


def application(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/slow":
        time.sleep(3)
    failed = path == "/readyz" and (RELEASE / "not-ready").exists()
    start_response("503 Service Unavailable" if failed else "200 OK", [("Content-Type", "text/plain")])
    if failed:
        return [b'{"ready": false}']
    return [os.environ.get("GREETING", "").encode() if path == "/greeting" else (RELEASE / "version").read_bytes()]
"""
MANAGE = """
import pathlib, sys

reason = pathlib.Path(f"no-{sys.argv[1]}")
sys.exit(reason.read_text() if reason.exists() else 0)
"""
GUNICORN = """
import os

bind, wsgi_app, preload_app, threads = os.environ["BIND"], "app", True, 4
"""


class Host(Machine):
    """A host with two small releases, of which the old one serves."""

    def __init__(self) -> None:
        http, https = free_ports(2)
        super().__init__(site="nginx.conf", http=http, https=https)
        self._port = https

    def client(self) -> urllib3.HTTPSConnectionPool:
        certificate = str(self.folder / "etc/nginx/tls/console.crt")
        return urllib3.HTTPSConnectionPool(
            "127.0.0.1", self._port, retries=False, timeout=20, maxsize=8,
            ca_certs=certificate, server_hostname=nginx.HOST, assert_hostname=nginx.HOST,
        )  # fmt: skip

    def get(self, path: str = "/") -> str:
        with self.client() as client:
            answer = client.request("GET", path, headers={"Host": nginx.HOST})
        assert answer.status == 200
        return answer.data.decode()

    def file(self, version: str, name: str) -> Path:
        return self.folder / f"srv/console-{version}" / name

    def state(self) -> tuple[str, set[str], set[str], str]:
        link = self.folder / "srv/console"
        return self.upstream, set(self.enabled), self.running, os.readlink(link)


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("releases")
    for version in (OLD, NEW):
        (folder / version / "deploy").mkdir(parents=True)
        (folder / version / "build/served").mkdir(parents=True)
        (folder / version / f"build/served/{version}.js").touch()
        for name in ("switch", "manage"):
            script = folder / version / "deploy" / name
            # It waits for 60 s for a release to be ready, and as long for nginx.
            script.write_text(
                (ROOT / "deploy" / name).read_text().replace("-time 60", "-time 2").replace("..60", "..9")
            )
            script.chmod(0o755)
        for name, text in (("app.py", APP), ("manage.py", MANAGE), ("gunicorn.conf.py", GUNICORN)):
            (folder / version / name).write_text(text)
        (folder / version / "version").write_text(version)
    return folder


@pytest.fixture
def host(releases: Path) -> Iterator[Host]:
    with Host() as machine:
        for version in (OLD, NEW):
            machine.add_release(releases / version, version)
        assert_switched(machine.switch(OLD))
        assert machine.state() == ("blue", {"blue"}, {"blue"}, f"console-{OLD}")
        yield machine


def assert_switched(done: CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def load(host: Host) -> Iterator[Counter[str]]:
    """Have four clients ask until the block ends, two over kept connections; count the answers and errors."""
    answers: Counter[str] = Counter()
    over = threading.Event()

    def ask(client: urllib3.HTTPSConnectionPool, headers: dict[str, str]) -> urllib3.BaseHTTPResponse:
        return client.request("GET", "/", headers={"Host": nginx.HOST, **headers})

    def work(client: urllib3.HTTPSConnectionPool, headers: dict[str, str]) -> None:
        while not over.wait(0.005):
            try:
                try:
                    answer = ask(client, headers)
                except urllib3.exceptions.ProtocolError as error:
                    # A server may close an idle connection at any time; browsers then ask again (RFC 9112, 9.3.1).
                    if headers or not isinstance(error.args[-1], http.client.RemoteDisconnected):
                        raise
                    answer = ask(client, headers)
                answers[f"{answer.status} {answer.data.decode()}" if answer.status == 200 else str(answer.status)] += 1
            except urllib3.exceptions.HTTPError as error:
                answers[repr(error)] += 1

    keep_alive = host.client()
    threads = [threading.Thread(target=work, args=(keep_alive, {})) for _ in range(2)]
    threads += [threading.Thread(target=work, args=(host.client(), {"Connection": "close"})) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield answers
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_no_request_fails_during_a_switch_and_back(host):
    with load(host) as answers:
        assert_switched(host.switch(NEW))
        assert host.state() == ("green", {"green"}, {"green"}, f"console-{NEW}")
        before = answers[f"200 {NEW}"]
        wait_until(lambda: answers[f"200 {NEW}"] > before + 50)
        assert_switched(host.switch(OLD))
        wait_until(lambda: host.get() == OLD)
    assert host.state() == ("blue", {"blue"}, {"blue"}, f"console-{OLD}")
    assert set(answers) == {f"200 {OLD}", f"200 {NEW}"}, answers


def test_a_request_that_began_before_a_switch_ends_at_the_release_that_began_it(host):
    answers: list[str] = []
    client = threading.Thread(target=lambda: answers.append(host.get("/slow")))
    client.start()
    assert_switched(host.switch(NEW))
    client.join()
    assert answers == [OLD]
    assert host.get() == NEW


def test_files_of_open_pages_are_in_the_next_release(host):
    assert_switched(host.switch(NEW))
    assert {path.name for path in host.file(NEW, "build/served").iterdir()} == {f"{OLD}.js", f"{NEW}.js"}


def test_the_release_that_was_switched_to_serves_after_a_reboot(host):
    assert_switched(host.switch(NEW))
    host.reboot()
    assert host.get() == NEW
    assert host.running == {"green"}


def switch_until(host: Host, version: str, step: int) -> bool:
    """Switch, and cut the power before this command of systemd; return whether there was one."""
    process = host.start_switch(version)
    commands = itertools.count()

    def cut(_command: list[str]) -> None:
        if next(commands) >= step:
            process.kill()

    host.before_command = cut
    process.communicate()
    host.before_command = lambda _command: None
    return process.returncode != 0


def test_the_console_serves_after_a_power_cut_at_each_step_and_can_switch_then(host):
    version, other = NEW, OLD
    step = 0
    while switch_until(host, version, step):
        host.reboot()
        assert host.get() in (OLD, NEW)
        assert_switched(host.switch(version))
        assert host.get() == version
        assert len(host.running) == len(host.enabled) == 1
        version, other, step = other, version, step + 1
    assert step == 6, "stop, prepare, start, enable, reload, disable"


def _not_ready(host: Host) -> None:
    host.file(NEW, "not-ready").touch()


def _no_prepare(host: Host) -> None:
    host.file(NEW, "no-prepare").write_text("The database is not there.")


def _no_check(host: Host) -> None:
    host.file(NEW, "no-check").write_text("DASHBOARD_MODE is one of frame, link.")


def _broken(host: Host) -> None:
    host.file(NEW, "app.py").write_text("import a_package_that_is_missing")


def _odd_site(host: Host) -> None:
    (host.folder / "etc/nginx/conf.d/odd.conf").write_text("odd;")


def _no_reload(host: Host) -> None:
    os.kill(int((host.folder / "run/nginx.pid").read_text()), signal.SIGSTOP)


@pytest.mark.parametrize(
    ("prevent", "reason"),
    [
        (_not_ready, '{"ready": false}'),
        (_no_prepare, "The database is not there."),
        (_no_check, "DASHBOARD_MODE is one of frame, link."),
        (_broken, "No module named 'a_package_that_is_missing'"),
        (_odd_site, 'unknown directive "odd"'),
        (_no_reload, "nginx has not taken its new configuration"),
    ],
)
def test_the_release_before_goes_on_where_the_next_one_can_not_serve(host, prevent, reason):
    before = host.state()
    prevent(host)
    with load(host) as answers:
        done = host.switch(NEW)
    assert done.returncode == 1
    assert reason in done.stdout + done.stderr
    assert done.stderr.endswith("switch: not switched; what served before still serves\n")
    assert host.state() == before
    assert set(answers) == {f"200 {OLD}"}, answers


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_switch_that_is_broken_off_is_undone(host, how):
    before, reached = host.state(), threading.Event()
    host.before_command = lambda command: reached.set() if "start" in command else None
    # A process started in the background ignores signals, and so would its children.
    former = signal.signal(how, signal.SIG_DFL)
    try:
        process = host.start_switch(NEW)
    finally:
        signal.signal(how, former)
    assert reached.wait(20)
    os.killpg(process.pid, how)
    process.communicate()
    assert process.returncode
    assert host.state() == before
    assert host.get() == OLD


def test_of_two_switches_at_once_one_is_refused(host):
    reached, go_on = threading.Event(), threading.Event()

    def wait(command: list[str]) -> None:
        if command[0] == "systemd-run":
            reached.set()
            go_on.wait(20)

    host.before_command = wait
    first = host.start_switch(NEW)
    assert reached.wait(20)
    second = host.switch(NEW)
    assert (second.returncode, second.stderr) == (1, "switch: another switch is running\n")
    go_on.set()
    first.communicate()
    assert first.returncode == 0
    assert host.get() == NEW


def test_new_variables_take_effect_with_the_version_that_serves(host):
    host.set_variables(GREETING="hello")
    assert host.get("/greeting") == ""
    commands: list[list[str]] = []
    host.before_command = commands.append
    assert_switched(host.switch(OLD))
    assert "systemd-run" not in [name for name, *_ in commands], "prepare would rewrite files while they are read"
    assert (host.get(), host.get("/greeting")) == (OLD, "hello")
    assert host.state() == ("green", {"green"}, {"green"}, f"console-{OLD}")


@pytest.mark.parametrize("version", ["9.0.0", "blue", "", f"../srv/console-{NEW}"])
def test_what_is_no_installed_release_is_refused(host, version):
    before = host.state()
    done = host.switch(version, script_version=NEW)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(f"srv/console-{version} is not an installed release\n")
    assert host.state() == before


def test_only_root_can_switch(host):
    (host.folder / "bin/id").write_text("#!/bin/sh\necho 1000\n")
    assert host.switch(NEW).stderr == "switch: only root can switch\n"


def test_a_dry_run_prints_the_commands_and_runs_none(host):
    before = host.state()
    commands: list[list[str]] = []
    host.before_command = commands.append
    trial = host.switch(NEW, "--dry-run")
    assert (trial.returncode, commands, host.state()) == (0, [], before)
    done = host.switch(NEW)

    def printed(output: str) -> list[str]:
        return [line.split(" ")[1] for line in output.splitlines() if line.startswith("+ ")]

    assert printed(trial.stdout) == printed(done.stdout)
    assert len(commands) == 6
