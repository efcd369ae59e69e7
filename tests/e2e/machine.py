"""A host of the guide without systemd: its folders, nginx, and a stand-in for systemd that runs the unit's instances.

deploy/switch, deploy/manage, deploy/console@.service and nginx's file are those that are shipped. Only their paths are
below a folder of this host, and what they call of systemd is answered here.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from console.ops import demo
from console.ops.demo import ROOT
from sandbox.process import free_ports
from tests.e2e import nginx
from tests.e2e.running import Console, Sandbox
from tests.support import debian

UNIT = ROOT / "deploy/console@.service"
ABSOLUTE_PATHS = re.compile(r"(?<![\w.}])/(?=(?:srv|run|etc|var)/)")
START_TIMEOUT_S, STOP_TIMEOUT_S = 60, 40
IN_UNIT = {"DATA_DIR", "BIND"}
SYSTEMD = ("systemctl", "systemd-run", "journalctl")
CALL = """#!{python}
import json, socket, sys
with socket.socket(socket.AF_UNIX) as call:
    call.connect({address!r})
    call.sendall(json.dumps([sys.argv[0].rpartition("/")[2], *sys.argv[1:]]).encode() + b"\\n")
    code, output = json.loads(call.makefile().read())
sys.stderr.write(output)
sys.exit(code)
"""
"""A program of systemd: it hands its arguments to this process."""
Answer = tuple[int, str]


class Machine:
    """A host with one site of nginx; use it in a `with` statement. `variables` are the lines of /etc/console.env."""

    def __init__(self, *, site: str, http: int, https: int = 0, variables: dict[str, str] | None = None) -> None:
        """Set nginx's file of deploy/, and its ports."""
        self.enabled: set[str] = set()
        self.before_command: Callable[[list[str]], None] = lambda _command: None
        """Called with each command of systemd before it is carried out."""
        self._variables, self._site, self._ports = variables or {}, site, nginx.ports(http, https)
        self._instances: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="host"))  # short: the path of a socket has at most 107 bytes
        for name in ("srv", "run", "etc/nginx/tls", "etc/nginx/conf.d", "var/lib/console", "var/log/nginx", "bin"):
            (self.folder / name).mkdir(parents=True)
        nginx.make_certificate(self.folder / "etc/nginx/tls")
        self.set_variables()
        self._answer_programs()
        self._start_nginx()
        site = nginx.changed(ROOT / "deploy" / self._site, self._ports)
        (self.folder / "etc/nginx/conf.d/console.conf").write_text(self.localize(site))
        return self

    def __exit__(self, *_: object) -> None:
        self._end(signal.SIGTERM)
        self._server.shutdown()
        self._server.server_close()
        shutil.rmtree(self.folder)

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"}

    @property
    def upstream(self) -> str:
        """The instance that nginx names."""
        return "".join(re.findall("blue|green", (self.folder / "etc/nginx/console-upstream.conf").read_text()))

    @property
    def running(self) -> set[str]:
        return {color for color, process in self._instances.items() if process.poll() is None}

    def localize(self, text: str) -> str:
        """Return a text of the guide or of deploy/ with the paths of this host."""
        return ABSOLUTE_PATHS.sub(f"{self.folder}/", text)

    def set_variables(self, **variables: str) -> None:
        """Write /etc/console.env, with more variables."""
        self._variables |= variables
        lines = "".join(f"{name}={value}\n" for name, value in self._variables.items())
        (self.folder / "etc/console.env").write_text(lines)

    def add_release(self, root: Path, version: str) -> Path:
        """Install the release in a folder, which is copied; its packages are those of this project."""
        release = self.folder / f"srv/console-{version}"
        shutil.copytree(root, release)
        (release / ".venv").symlink_to(ROOT / ".venv")
        (release / "build/served").mkdir(parents=True, exist_ok=True)
        for name in ("switch", "manage"):
            script = release / "deploy" / name
            script.write_text(self.localize(script.read_text("utf-8")))
        return release

    def run(self, command: str) -> None:
        """Carry out a command of the guide."""
        script = self.localize(command).replace(" -o console -g console", "")
        subprocess.run(["bash", "-euc", script], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def start_switch(self, version: str, *options: str, script_version: str = "") -> subprocess.Popen[str]:
        """Start deploy/switch of this release, or of another one."""
        script = self.folder / f"srv/console-{script_version or version}/deploy/switch"
        return subprocess.Popen(
            [script, *options, version], env=self.environment, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def switch(self, version: str, *options: str, script_version: str = "") -> subprocess.CompletedProcess[str]:
        process = self.start_switch(version, *options, script_version=script_version)
        output, errors = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def reboot(self) -> None:
        """End everything at once, as a power cut does, and start what is enabled."""
        self._end(signal.SIGKILL)
        shutil.rmtree(self.folder / "run")
        (self.folder / "run").mkdir()
        for color in sorted(self.enabled):
            code, output = self._start(color)
            assert code == 0, output
        self._start_nginx()

    def _start_nginx(self) -> None:
        folder = self.folder / "etc/nginx"
        self._nginx = nginx.start(folder, "conf.d/*.conf", self.folder / "run/nginx.pid")

    def _end(self, how: signal.Signals) -> None:
        for process in (*self._instances.values(), self._nginx):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, how)
                os.killpg(process.pid, signal.SIGCONT)  # a test may have stopped it
            process.wait(STOP_TIMEOUT_S)

    def _answer_programs(self) -> None:
        machine = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(json.dumps(machine._answer(json.loads(self.rfile.readline()))).encode())

        address = str(self.folder / "systemd")
        self._server = socketserver.ThreadingUnixStreamServer(address, Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        program, folder = debian.require("nginx"), self.folder / "etc/nginx"
        programs = dict.fromkeys(SYSTEMD, CALL.format(python=sys.executable, address=address)) | {
            "nginx": f'#!/bin/sh\nexec {program} -p {folder} -c {folder}/nginx.conf "$@"\n',
            "id": "#!/bin/sh\necho 0\n",
        }
        for name, text in programs.items():
            (self.folder / "bin" / name).write_text(text)
            (self.folder / "bin" / name).chmod(0o755)

    def _answer(self, command: list[str]) -> Answer:
        self.before_command(command)
        match command:
            case ["systemd-run", *arguments]:
                return self._run(arguments)
            case ["journalctl", *_, unit]:
                return 0, self._log(unit.partition("@")[2]).read_text()
            case ["systemctl", "reload", "nginx"]:
                self._nginx.send_signal(signal.SIGHUP)
                return 0, ""
            case ["systemctl", verb, *options, unit] if unit.startswith("console@"):
                return self._control(verb, "--now" in options, unit.partition("@")[2])
        return 1, f"the stand-in has no {' '.join(command)}"

    def _control(self, verb: str, now: bool, color: str) -> Answer:
        with self._lock:
            match verb:
                case "enable":
                    self.enabled.add(color)
                case "disable":
                    self.enabled.discard(color)
            if verb == "start":
                return (0, "") if color in self.running else self._start(color)
            if verb == "stop" or (verb == "disable" and now):
                self._stop(color)
            return 0, ""

    def _run(self, arguments: list[str]) -> Answer:
        """Do what systemd-run does with the arguments of deploy/manage."""
        count = next(number for number, argument in enumerate(arguments) if not argument.startswith("--"))
        options, command = arguments[:count], arguments[count:]
        folder = next(option.partition("=")[2] for option in options if option.startswith("--working-directory="))
        variables = dict(re.findall(r"^--setenv=(\w+)=(.*)$", "\n".join(options), re.MULTILINE))
        done = self._in_release(command, folder, {**self._variables, **variables})
        return done.returncode, done.stdout

    def _in_release(
        self, command: list[str], folder: str, variables: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=folder, env={"PATH": os.environ["PATH"], **variables},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def _log(self, color: str) -> Path:
        return self.folder / f"var/log/console@{color}"

    def _start(self, color: str) -> Answer:
        """Do what systemd does with the unit: folders, variables, the commands before, and the service, until ready."""
        unit = self.localize(UNIT.read_text("utf-8").replace("%i", color))

        def values(name: str) -> list[str]:
            return re.findall(rf"^{name}=(.*)$", unit, re.MULTILINE)

        for name in values("RuntimeDirectory")[0].split():
            (self.folder / "run" / name).mkdir(exist_ok=True)
        (folder,) = values("WorkingDirectory")
        variables = dict(pair.split("=", 1) for line in values("Environment") for pair in shlex.split(line))
        variables |= self._variables  # of EnvironmentFile
        with self._log(color).open("a") as log:
            for command in values("ExecStartPre"):
                done = self._in_release(shlex.split(command), folder, variables)
                log.write(done.stdout)
                if done.returncode:
                    return 1, f"Job for console@{color}.service failed.\n"
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
                address = self.folder / f"notify-{color}-{time.monotonic_ns()}"
                notified.bind(str(address))
                notified.settimeout(0.1)
                self._instances[color] = process = subprocess.Popen(
                    shlex.split(values("ExecStart")[0]), cwd=folder, stdout=log, stderr=log, start_new_session=True,
                    env={"PATH": os.environ["PATH"], **variables, "NOTIFY_SOCKET": str(address)},
                )  # fmt: skip
                ends = time.monotonic() + START_TIMEOUT_S
                while process.poll() is None and time.monotonic() < ends:
                    with suppress(TimeoutError):
                        if b"READY=1" in notified.recv(1024):
                            return 0, ""
        self._stop(color)
        return 1, f"Job for console@{color}.service failed.\n"

    def _stop(self, color: str) -> None:
        """Do what systemd does with KillMode=mixed, and remove the folders below /run."""
        if process := self._instances.get(color):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_TIMEOUT_S)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(self.folder / f"run/console-{color}", ignore_errors=True)


class ConsoleHost(Machine):
    """A host of several, with the console for a sandbox; the file of nginx is that behind another proxy."""

    def __init__(self, sandbox: Sandbox, **variables: str) -> None:
        (self._port,) = free_ports(1)
        super().__init__(site="nginx-host.conf", http=self._port, variables=variables)
        self._sandbox = sandbox

    def __enter__(self) -> Self:
        super().__enter__()
        data = self.folder / "var/lib/console"
        variables = demo.environment(
            port=self._port, handler_port=self._sandbox.handler_port, api_port=self._sandbox.api_port, data_dir=data
        )
        self.set_variables(
            **{name: value for name, value in variables.items() if name not in IN_UNIT | self._variables.keys()}
        )
        process = demo.ConsoleProcess(variables)  # its address is that of nginx here; it is not started
        self.console = Console(process.url, data, self.folder / "var/log", self._sandbox, process)
        return self

    def must_switch(self, version: str) -> None:
        """Switch to a release, or raise RuntimeError."""
        done = self.switch(version)
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)
