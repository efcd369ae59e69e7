"""The sandbox's answers from memory: a service that costs almost nothing, as the reference's does.

The sandbox is a Django site on the same machine; while it works out an answer, it takes processor and caches from the
page that is measured. Here each GET reaches it once, and its answer is sent again from then on, after a delay if one
is asked for. Everything else is forwarded.
"""

import http.client
import io
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from console.ops.demo import ROOT, is_port_in_use
from sandbox.process import SandboxProcess, free_ports

START_SECONDS = 10
_HOP = {"connection", "content-length", "date", "server", "transfer-encoding"}


@contextmanager
def recorded(sandbox: SandboxProcess, *, milliseconds: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the ports that stand for the sandbox's handler and API; each answer takes at least so long."""
    handler, api = free_ports(2)
    pairs = [f"{handler}:{sandbox.handler_port}", f"{api}:{sandbox.api_port}"]
    process = subprocess.Popen([sys.executable, "-m", "lab.bench.recorded", str(milliseconds), *pairs], cwd=ROOT)
    try:
        ends = time.monotonic() + START_SECONDS
        while not (is_port_in_use(handler) and is_port_in_use(api)):
            if process.poll() is not None or time.monotonic() > ends:
                raise RuntimeError("the recorded service did not start")
            time.sleep(0.05)
        yield handler, api
    finally:
        process.terminate()
        process.wait(START_SECONDS)


class Recorder:
    """One or more ports, each standing for one of the sandbox's."""

    def __init__(self, pairs: dict[int, int], delay: float) -> None:
        self._pairs, self._delay = pairs, delay
        self._answers: dict[tuple[int, bytes], bytes] = {}

    def serve(self) -> None:
        """Answer until the process is ended."""
        threads = [threading.Thread(target=self._accept, args=(port,)) for port in self._pairs]
        for thread in threads:
            thread.start()

    def _accept(self, port: int) -> None:
        with socket.create_server(("127.0.0.1", port), backlog=256) as server:
            while True:
                connection, _ = server.accept()
                threading.Thread(target=self._converse, args=(connection, port), daemon=True).start()

    def _converse(self, connection: socket.socket, port: int) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection:
            request = b""
            while chunk := connection.recv(65_536):
                request += chunk
                line, _, remainder = request.partition(b"\r\n")
                if b"\r\n\r\n" not in request:
                    continue
                key = port, line
                if not (answer := self._answers.get(key)):  # else only its first line is read: to parse all is dear
                    answer = self._forward(port, line, remainder, connection)
                    if line.startswith(b"GET ") and answer.startswith(b"HTTP/1.1 200 "):
                        self._answers[key] = answer
                time.sleep(self._delay)
                connection.sendall(answer)
                request = b""

    def _forward(self, port: int, line: bytes, remainder: bytes, connection: socket.socket) -> bytes:
        """Return the sandbox's answer to a request, of which the fields and some of the body have been read."""
        method, path, _ = line.decode("latin-1").split()
        given_head, _, body = remainder.partition(b"\r\n\r\n")
        given = http.client.parse_headers(io.BytesIO(given_head + b"\r\n\r\n"))
        while len(body) < int(given.get("Content-Length", 0)) and (chunk := connection.recv(65_536)):
            body += chunk
        fields = {name: value for name, value in given.items() if name.lower() not in _HOP}
        upstream = http.client.HTTPConnection("127.0.0.1", self._pairs[port], timeout=30)
        try:
            upstream.request(method, path, body or None, fields)
            got = upstream.getresponse()
            content = got.read()
        finally:
            upstream.close()
        for local, remote in self._pairs.items():  # the answer to a login names the port of the API
            content = content.replace(b"127.0.0.1:%d" % remote, b"127.0.0.1:%d" % local)
        headers = [f"{name}: {value}" for name, value in got.getheaders() if name.lower() not in _HOP]
        head = [f"HTTP/1.1 {got.status} {got.reason}", *headers, f"Content-Length: {len(content)}", "", ""]
        return "\r\n".join(head).encode("latin-1") + content


if __name__ == "__main__":
    pairs = (pair.split(":") for pair in sys.argv[2:])
    Recorder({int(local): int(remote) for local, remote in pairs}, int(sys.argv[1]) / 1000).serve()
