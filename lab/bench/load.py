"""The load: request one page over persistent connections for some seconds, in a separate process."""

import http.client
import json
import sys
import threading
import time
from dataclasses import asdict, dataclass, field


@dataclass
class Load:
    """The result of one round: milliseconds of each successful answer, total duration, and answers other than 200."""

    milliseconds: list[float] = field(default_factory=list)
    seconds: float = 0
    failures: int = 0


def run(port: int, path: str, headers: dict[str, str], *, seconds: float, connections: int) -> Load:
    """Send requests as fast as the answers come; each connection waits for its answer before the next request."""
    load = Load()
    started = time.perf_counter()
    threads = [
        threading.Thread(target=_ask, args=(port, path, headers, started + seconds, load)) for _ in range(connections)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    load.seconds = time.perf_counter() - started
    return load


def _ask(port: int, path: str, headers: dict[str, str], ends: float, load: Load) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        while (started := time.perf_counter()) < ends:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status == 200:
                load.milliseconds.append((time.perf_counter() - started) * 1000)
            else:
                load.failures += 1
    except (OSError, http.client.HTTPException):
        load.failures += 1
    finally:
        connection.close()


if __name__ == "__main__":
    json.dump(asdict(run(**json.load(sys.stdin))), sys.stdout)
