"""A small WebDriver client for the engines that Playwright can't drive as Debian ships them: Firefox and WebKitGTK.

WebKitGTK has a driver that speaks the protocol over HTTP. Firefox speaks it itself (Marionette), by the same commands
as JSON over TCP; Debian has no geckodriver, which would translate one into the other.
"""

import base64
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sandbox.process import free_ports
from tests.support import debian

START_TIMEOUT_S = 60
COMMAND_TIMEOUT_S = 60
"""An engine that is stuck doesn't answer: its test fails then, and the run continues."""
WAIT_S = 15
POLL_S = 0.05
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key by which the protocol names elements in JSON."""
ENTER, ESCAPE, DOWN = "\ue007", "\ue00c", "\ue015"
"""Keys, as the protocol names them."""


class DriverError(Exception):
    """The browser refused a command, or didn't answer it."""


class PageUnloadedError(DriverError):
    """The page was left while a script ran in it."""


def refusal(error: Mapping[str, str]) -> DriverError:
    """Return the error that a browser answered with."""
    kind = PageUnloadedError if "unload" in error["message"] else DriverError
    return kind(f"{error['error']}: {error['message']}")


class Driver(ABC):
    """A browser with one window."""

    @abstractmethod
    def send(self, name: str, method: str, path: str, parameters: Mapping[str, Any]) -> Any:
        """Send a command, under its name (Marionette) or method and path (HTTP), and return its value."""

    @abstractmethod
    def quit(self) -> None:
        """End the browser."""

    def goto(self, url: str) -> None:
        self.send("WebDriver:Navigate", "POST", "/url", {"url": url})

    def run(self, script: str, *arguments: object) -> Any:
        """Return what a function body returns; it may be a promise."""
        call = f"(async (...args) => {{ {script} }})(...arguments)"
        body = f"const done = arguments[arguments.length - 1]; {call}.then(done, (e) => done(`error: ${{e}}`))"
        result = self.send(
            "WebDriver:ExecuteAsyncScript", "POST", "/execute/async", {"script": body, "args": list(arguments)}
        )
        if isinstance(result, str) and result.startswith("error: "):
            raise DriverError(result)
        return result

    def wait(self, script: str, *arguments: object, seconds: float = WAIT_S) -> Any:
        """Return what an expression is as soon as it is true; raise DriverError if it isn't in time."""
        deadline = time.monotonic() + seconds
        while True:
            with suppress(PageUnloadedError):
                if result := self.run(f"return {script}", *arguments):
                    return result
            if time.monotonic() > deadline:
                raise DriverError(f"never true: {script} {arguments}")
            time.sleep(POLL_S)

    def find(self, selector: str) -> dict[str, str]:
        """Return the first element that is in sight, as the protocol names it."""
        sight = "[...document.querySelectorAll(args[0])].find((e) => e.checkVisibility())"
        element: dict[str, str] = self.wait(sight, selector)
        return element

    def click(self, selector: str) -> None:
        """Click like a person, at the middle of an element."""
        element = self.find(selector)[ELEMENT]
        self.send("WebDriver:ElementClick", "POST", f"/element/{element}/click", {"id": element})

    def type(self, selector: str, text: str) -> None:
        element = self.find(selector)[ELEMENT]
        self.send("WebDriver:ElementSendKeys", "POST", f"/element/{element}/value", {"id": element, "text": text})

    def log_out(self, url: str) -> None:
        """Forget all cookies of the console."""
        self.goto(f"{url}/version")
        self.send("WebDriver:DeleteAllCookies", "DELETE", "/cookie", {})

    def log_in(self, url: str, cookie: str) -> None:
        """Take the cookie of a login."""
        self.log_out(url)
        self.send("WebDriver:AddCookie", "POST", "/cookie", {"cookie": {"name": "auth", "value": cookie, "path": "/"}})

    def fill(self, selector: str, text: str) -> None:
        """Type into an emptied field."""
        element = self.find(selector)[ELEMENT]
        self.send("WebDriver:ElementClear", "POST", f"/element/{element}/clear", {"id": element})
        self.type(selector, text)

    def resize(self, width: int, height: int) -> None:
        self.send("WebDriver:SetWindowRect", "POST", "/window/rect", {"width": width, "height": height})

    def screenshot(self) -> bytes:
        picture = self.send("WebDriver:TakeScreenshot", "GET", "/screenshot", {"full": False})
        return base64.b64decode(picture)


class Firefox(Driver):
    """Firefox without a screen, by Marionette: `<length>:[0, number, command, parameters]`."""

    def __init__(self, folder: Path) -> None:
        (port,) = free_ports(1)
        preferences = {"marionette.port": port, "intl.accept_languages": "en-US", **QUIET_PREFERENCES}
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items())
        (folder / "user.js").write_text("\n".join(lines))
        command = [
            str(debian.require("firefox-esr")),
            "-marionette",
            "-headless",
            "-no-remote",
            "-profile",
            str(folder),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = connect(port, self.process)
        self.socket.settimeout(COMMAND_TIMEOUT_S)
        self.file = self.socket.makefile("rb")
        self.number = 0
        self._read()  # its greeting
        self.send("WebDriver:NewSession", "", "", {})

    def send(self, name: str, method: str, path: str, parameters: Mapping[str, Any]) -> Any:
        self.number += 1
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        try:
            _, _, error, result = self._read()
        except OSError as no_answer:
            raise DriverError(f"no answer to {name}") from no_answer
        if error:
            raise refusal(error)
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def _read(self) -> Any:
        digits = b""
        while (byte := self.file.read(1)) != b":":
            digits += byte
        return json.loads(self.file.read(int(digits)))

    def quit(self) -> None:
        self.socket.close()
        end(self.process)


QUIET_PREFERENCES = {
    "app.normandy.enabled": False,
    "browser.aboutConfig.showWarning": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.safebrowsing.blockedURIs.enabled": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "signon.rememberSignons": False,
    "toolkit.telemetry.enabled": False,
}
"""Otherwise it looks for its vendor's servers, and asks things."""


class WebKit(Driver):
    """WebKitGTK in its MiniBrowser on a screen that no one sees, by its own driver."""

    def __init__(self, folder: Path) -> None:
        reading, writing = os.pipe()
        screen = ["-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
        self.screen = subprocess.Popen(
            [str(debian.require("Xvfb")), *screen], pass_fds=[writing], stderr=subprocess.DEVNULL
        )
        os.close(writing)
        with os.fdopen(reading) as file:
            display = file.readline().strip()
        (port,) = free_ports(1)
        environment = {**os.environ, "DISPLAY": f":{display}", "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        self.process = subprocess.Popen(
            [str(debian.require("WebKitWebDriver")), f"--port={port}"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        connect(port, self.process).close()
        self.port, self.session = port, ""
        options = {"binary": str(debian.require("MiniBrowser")), "args": ["--automation"]}
        capabilities = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}
        session = self.send("", "POST", "", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/{session['sessionId']}"
        self.resize(1280, 800)

    def send(self, name: str, method: str, path: str, parameters: Mapping[str, Any]) -> Any:
        body = json.dumps(parameters) if method == "POST" else None
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=COMMAND_TIMEOUT_S)
        try:
            connection.request(method, f"/session{self.session}{path}", body, {"Content-Type": "application/json"})
            value = json.load(connection.getresponse())["value"]
        except OSError as error:
            raise DriverError(f"no answer to {method} {path}") from error
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise refusal(value)
        return value

    def quit(self) -> None:
        end(self.process)
        end(self.screen)


ENGINES: Mapping[str, type[Firefox] | type[WebKit]] = {"firefox": Firefox, "webkit": WebKit}


@contextmanager
def started(engine: str) -> Iterator[Driver]:
    """Start an engine with a profile of its own, and end it."""
    folder = Path(tempfile.mkdtemp(prefix=engine))
    driver = ENGINES[engine](folder)
    try:
        yield driver
    finally:
        driver.quit()
        shutil.rmtree(folder, ignore_errors=True)


def connect(port: int, process: subprocess.Popen[bytes]) -> socket.socket:
    """Connect to a process that is starting."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=1)
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(POLL_S)


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
