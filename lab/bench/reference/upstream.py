"""The reference's service: always the same answer, with one thread per connection."""

import socket
import sys
import threading
import time

import msgspec

ROWS = 25


def people(count: int) -> bytes:
    """Return this many users as the service would send them."""
    results = [
        {
            "id": f"u-{number}",
            "name": f"Person Number {number}",
            "email": f"person{number}@reference.example",
            "userType": "DOCTOR" if number % 3 else "STAFF",
            "teamName": f"Team {number % 5}",
            "lastLoginDate": f"2026-10-{number % 28 + 1:02}T08:30:00Z",
            "permissions": {
                "orderLabs": number % 2 == 0,
                "allowExport": number % 3 == 0,
                "caseConvert": True,
                "caseTalk": number % 5 == 0,
                "download": False,
            },
        }
        for number in range(count)
    ]
    return msgspec.json.encode({"resultCount": 10 * count, "results": results})


def serve(port: int, delay: float) -> None:
    """Answer on this port of the loopback address, after the delay in seconds, until the process is ended."""
    body = people(ROWS)
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_server(("127.0.0.1", port), backlog=256) as server:
        while True:
            connection, _ = server.accept()
            threading.Thread(target=_answer, args=(connection, head.encode() + body, delay), daemon=True).start()


def _answer(connection: socket.socket, answer: bytes, delay: float) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection:
        request = b""
        while chunk := connection.recv(65_536):
            request += chunk
            if request.endswith(b"\r\n\r\n"):  # only GET requests arrive here
                time.sleep(delay)
                connection.sendall(answer)
                request = b""


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]) / 1000)
