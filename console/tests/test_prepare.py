"""The command that makes a release ready to serve."""

import os

from django.core.files import locks
from django.core.management import call_command

from console.management.commands import prepare


def test_two_preparations_run_one_after_the_other(tmp_path, settings, monkeypatch):
    settings.STATIC_ROOT = tmp_path / "build" / "served"
    steps = []

    def step(name, *args, **options):
        other = os.open(settings.STATIC_ROOT, os.O_RDONLY)
        steps.append((name, locks.lock(other, locks.LOCK_EX | locks.LOCK_NB)))
        os.close(other)

    monkeypatch.setattr(prepare, "call_command", step)
    call_command("prepare")
    assert steps == [("migrate", False), ("messages", False), ("collectstatic", False)]
    step("afterwards")
    assert steps[-1] == ("afterwards", True)
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "build", settings.STATIC_ROOT], "nothing is left beside the files"
