"""A reverse proxy that compresses pages, as deploy/nginx.conf does, for machines that have no nginx."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

LEVEL = 1  # nginx's default
TYPES = ("text/html", "application/json")
HOP = ("connection", "transfer-encoding", "content-length", "keep-alive")


@contextmanager
def compressing(url: str) -> Iterator[str]:
    """Serve what is behind this URL, compressed; yields the URL of the proxy."""
    behind = urlsplit(url).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            connection = HTTPConnection(behind)
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {**dict(self.headers), "Host": behind}
            if "Origin" in headers:  # a post of another site would be refused
                headers["Origin"] = url
            connection.request(self.command, self.path, sent or None, headers=headers)
            answer = connection.getresponse()
            body, packs = answer.read(), answer.headers.get_content_type() in TYPES
            if packs:
                body = gzip.compress(body, LEVEL)
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in HOP:
                    self.send_header(name, value)
            if packs:
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            connection.close()

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        setattr(server, "handle_error", lambda *_: None)  # noqa: B010 - a browser that leaves a page ends its calls
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
