"""Workers are forked from a process that has loaded everything, and holds nothing that processes can't share."""

import os
import subprocess
import sys

import pytest

from console.ops.demo import ROOT

CODE = """
import os, sys, threading
from pathlib import Path
from contextlib import suppress
import msgspec
import console.wsgi
from django.db import connection, connections
from upstream.answers import Answer, AuthAttempt, read
from upstream.listing import Listing
from console.shell.preload import structs

files = [str(file.resolve()) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
assert not [name for name in files if "socket:" in name or "sqlite3" in name], files
assert not [name for name in connections if connections[name].connection is not None]
assert threading.active_count() == 1, threading.enumerate()
assert ("psycopg" in sys.modules) == (connection.vendor == "postgresql"), "only what is used is in memory"

if worker := os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]))

types = list(structs())
lists, equal = [Listing[type] for type in types], [Listing[type] for type in types]
assert not any(one is two for one, two in zip(lists, equal)), "Python remembers only 128 types"
everybody = threading.Barrier(16)
sys.setswitchinterval(1e-6)

def decode():
    for type, listing, another in zip(types, lists, equal):
        body = msgspec.json.encode(dict.fromkeys(type.__struct_encode_fields__))
        for wanted in (type, listing, another):
            everybody.wait()
            with suppress(Exception):
                read(Answer(200, body), wanted, AuthAttempt.FIRST)

threads = [threading.Thread(target=decode) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("all answered")
"""


@pytest.mark.sql
def test_a_new_worker_answers_in_all_threads_at_once(tmp_path):
    """A type that two threads started to read at the same time once crashed a worker with a segmentation fault."""
    variables = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.support.settings", "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)  # noqa: S603 - our own code
    assert (done.returncode, done.stdout) == (0, "all answered\n"), done.stderr
