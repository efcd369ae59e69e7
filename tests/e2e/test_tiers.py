"""`make test` and `make test-all` together run every test."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()


def stages(target: str) -> list[str]:
    """The stages that a target of the Makefile runs."""
    return recipe(target).removeprefix("\t@$(STAGES) ").split()


def recipe(target: str) -> str:
    """The commands of a target of the Makefile."""
    (commands,) = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    return str(commands)


def test_every_test_runs_in_make_test_or_in_make_test_all():
    assert '-m "not slow"' in recipe("test-unit")
    assert 'e2e -m "not slow"' in recipe("test-browser")
    assert "-m slow" in recipe("test-unit-slow")
    assert "e2e -m slow" in recipe("test-browser-slow")
    assert {"test-unit", "test-browser"} <= set(stages("test"))
    assert {"test-unit-slow", "test-browser-slow", "test-postgres"} <= set(stages("test-all"))


def test_continuous_integration_runs_both():
    assert stages("ci") == [*stages("test"), *stages("test-all")]
    assert (ROOT / ".ci/run").read_text().endswith("\nmake ci\n")
