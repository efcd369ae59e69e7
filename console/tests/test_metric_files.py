"""The files in which workers count: neither full memory nor a damaged file ends a worker or hides the others."""

import errno
import os
from contextlib import ExitStack
from random import Random

import pytest
from prometheus_client import CollectorRegistry

from console.metric_files import SIZE, AllCounts, Counts


def no_memory(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def key(number=0):
    return f'["visits", "visits_total", {{"route": "r{number:04d}"}}, "Visits"]'


@pytest.fixture
def count(tmp_path):
    """Count as the worker of this number does."""
    with ExitStack() as stack:

        def add(worker, value):
            counts = Counts(str(tmp_path / f"counter_{worker}.db"))
            stack.callback(counts.close)
            counts.write_value(key(), value, 0.0)
            return counts

        yield add


@pytest.fixture
def told(tmp_path):
    """What all workers counted together."""

    def read():
        collector = AllCounts(CollectorRegistry(), path=str(tmp_path))
        return {sample.labels["route"]: sample.value for metric in collector.collect() for sample in metric.samples}

    return read


def test_a_file_has_its_memory_before_anything_is_written_to_it(count, tmp_path):
    counts = count(0, 7.0)
    file = tmp_path / "counter_0.db"
    assert file.stat().st_blocks * 512 >= file.stat().st_size == SIZE
    for number in range(1000):
        counts.write_value(key(number), 1.0, 0.0)
    assert file.stat().st_blocks * 512 >= file.stat().st_size > SIZE


def test_who_gets_no_memory_counts_alone_and_the_others_are_told(count, told, monkeypatch, caplog):
    count(0, 7.0)
    with monkeypatch.context() as full:
        full.setattr(os, "posix_fallocate", no_memory)
        alone = count(1, 5.0)
        for number in range(1000):
            alone.write_value(key(number), 1.0, 0.0)
        assert alone.read_value(key(999)) == (1.0, 0.0)
    assert told() == {"r0000": 7.0}
    assert "this process counts for itself: No space left on device" in caplog.text
    count(1, 5.0)
    assert told() == {"r0000": 12.0}, "the next worker in its place is told again"


def test_who_gets_no_more_memory_goes_on_alone_with_what_it_has(count, told, monkeypatch):
    counts = count(0, 7.0)
    monkeypatch.setattr(os, "posix_fallocate", no_memory)
    for number in range(1000):
        counts.write_value(key(number), 8.0, 0.0)
    assert counts.read_value(key()) == (8.0, 0.0)
    assert told()["r0000"] == 8.0, "until its memory was used up"
    assert "r0999" not in told()


@pytest.mark.parametrize(
    "damage",
    [
        b"\xff\xff\xff\x7f" + bytes(100),
        b"\xff\xff\xff\xff" + bytes(100),
        b"\x40\x00\x00\x00\x00\x00\x00\x00" + b"\xff" * 200,
        b"\x09",
        b"",
        Random(7).randbytes(5000),
    ],
    ids=["too long", "negative", "entry", "cut", "empty", "noise"],
)
def test_a_damaged_file_is_left_out_and_made_anew_by_the_next_worker(count, told, tmp_path, damage):
    count(0, 7.0)
    (tmp_path / "counter_1.db").write_bytes(damage)
    assert told() == {"r0000": 7.0}
    count(1, 5.0)
    assert told() == {"r0000": 12.0}
