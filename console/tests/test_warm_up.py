"""A worker that has started is ready for all of its threads at once."""

import os
import subprocess
import sys

from console.demo import ROOT

CODE = """
import sys, threading
from contextlib import suppress
import django, msgspec
django.setup()
from console.upstream.answers import Answer, Standing, read
from console.upstream.listing import Listing
from console.warm_up import structs, warm_up

warm_up()
from django.db import connection
assert ("psycopg" in sys.modules) == (connection.vendor == "postgresql"), "only what is used is in memory"
types = list(structs())
assert len(types) > 100, types
everybody = threading.Barrier(8)
sys.setswitchinterval(1e-6)

def decode():
    for type in types:
        body = msgspec.json.encode(dict.fromkeys(type.__struct_encode_fields__))
        everybody.wait()
        with suppress(Exception):
            msgspec.json.decode(body, type=type)
        with suppress(Exception):
            read(Answer(200, body), Listing[type], Standing.FIRST)

threads = [threading.Thread(target=decode) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("all answered")
"""


def test_the_first_answers_of_many_threads_do_not_end_the_worker(tmp_path):
    """A type that two threads begin to read at the same time has ended a worker with a segmentation fault."""
    variables = {**os.environ, "DJANGO_SETTINGS_MODULE": "console.testing.settings", "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)  # noqa: S603 - our own code
    assert (done.returncode, done.stdout) == (0, "all answered\n"), done.stderr
