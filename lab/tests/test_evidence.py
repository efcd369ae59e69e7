"""Measurements are written down even if a command fails, never ends, or prints something else."""

import json
import re

import pytest

from lab.bench import evidence
from lab.bench.evidence import Goal, Measure, maximum, nothing_wrong
from lab.soak.__main__ import PROOFS

FIGURE = (maximum("how long", r"^took ([\d.]+) s", 2, " s"),)
PRINTS = "import time; print('took 1.5 s', flush=True)"
MEASURES = {
    "good": Measure(("-c", PRINTS), FIGURE),
    "fails": Measure(("-c", f"{PRINTS}; raise SystemExit(3)"), FIGURE),
    "endless": Measure(("-c", f"{PRINTS}; time.sleep(600)"), FIGURE),
    "crashes": Measure(("-c", "1 / 0"), (*FIGURE, nothing_wrong("a proof"))),
    "odd": Measure(("-c", "print('took no time')"), (Goal("a ratio", "0", lambda _: str(1 / 0), lambda _: True),)),
    "last": Measure(("-c", PRINTS), FIGURE),
}


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Measure what is asked for; return the exit code, and the figures of the page."""
    monkeypatch.setattr(evidence, "STORED", tmp_path / "evidence.json")
    monkeypatch.setattr(evidence, "PAGE", tmp_path / "evidence.md")
    monkeypatch.setattr(evidence, "MEASURES", MEASURES)
    monkeypatch.setattr(evidence, "COMMAND_TIMEOUT_SECONDS", 2)

    def measure(*arguments):
        monkeypatch.setattr("sys.argv", ["evidence", *arguments])
        code = evidence.main()
        return code, re.findall(r"^- [^:]+: (.+)$", evidence.PAGE.read_text("utf-8"), re.MULTILINE)

    return measure


def test_a_command_that_fails_or_never_ends_stops_no_other_and_its_figure_is_written(written):
    code, rows = written()
    assert rows == [
        "1.5 s (≤ 2 s)",
        "1.5 s (≤ 2 s, ended with 3, **missed**)",
        "1.5 s (≤ 2 s, stopped after 2 s, **missed**)",
        "no figure (≤ 2 s, ended with 1, **missed**)",
        "no figure (0 wrong, ended with 1, **missed**)",
        "no figure (0, **missed**)",
        "1.5 s (≤ 2 s)",
    ]
    assert code == 1
    assert json.loads(evidence.STORED.read_text("utf-8"))["endless"]["printed"] == ["took 1.5 s"]


def test_a_smaller_run_does_not_pass_for_the_whole(written, monkeypatch):
    proof = "import sys; print(f'proof: {sys.argv[1]} rounds; wrong: 0')"
    monkeypatch.setattr(evidence, "MEASURES", {"proof": Measure(("-c", proof), (nothing_wrong("a proof"),), 60)})
    assert written("proof=5") == (0, ["5 rounds; wrong: 0 (0 wrong, in part)"])
    assert written("proof") == (0, ["60 rounds; wrong: 0 (0 wrong)"])


def test_every_long_proof_is_measured():
    assert {m.command[2] for m in evidence.MEASURES.values() if m.command[:2] == evidence.SOAK} == PROOFS.keys()
