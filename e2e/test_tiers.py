"""`make test` and `make test-all` together run every browser test exactly once."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from console.testing.crashes import Crashes
from e2e.conftest import WAYS
from e2e.pages import SCREENS
from e2e.tiers import all_ways, alternating, parts

HERE = Path(__file__).parent
ROOT = HERE.parent
MAKEFILE = (ROOT / "Makefile").read_text()
MATRIX = "pytest.mark" + ".matrix"


def is_repeated(parameters) -> bool:
    return all_ways.mark in [getattr(mark, "mark", mark) for mark in parameters.marks]


def test_the_two_tiers_leave_out_no_test_and_run_none_twice():
    selections = re.findall(
        r"^(test-\w+):.*\n\t\$\(BROWSER\) (.+) \$\(IF_FAILED\) \$\(ALONE\) (.+)$", MAKEFILE, re.MULTILINE
    )
    assert all(first == again for _target, first, again in selections)
    selections = [(target, first) for target, first, _again in selections]
    assert dict(selections) == {"test-browser": '-m "not all_ways"', "test-ways": "-m all_ways"}
    assert MAKEFILE.count("$(BROWSER)") == len(selections) == 2


@pytest.mark.parametrize(("when", "code"), [("???", 3), ("call", 1), ("setup", 1)])
def test_what_crashed_is_not_run_again_as_if_it_had_failed(when, code):
    """xdist tells so of a test that its process ended with, after which others may not have run."""
    session: Any = SimpleNamespace(exitstatus=1)
    report: Any = SimpleNamespace(when=when)
    crashes = Crashes()
    crashes.pytest_runtest_logreport(report)
    crashes.pytest_sessionfinish(session)
    assert session.exitstatus == code
    assert "IF_FAILED := ; code=$$?; test $$code -eq 1 || exit $$code;\n" in MAKEFILE


def test_both_tiers_belong_to_a_command_that_has_to_pass():
    assert re.search(r"^test:.*\btest-browser\b", MAKEFILE, re.MULTILINE)
    assert re.search(r"^test-all:.*\btest-ways\b.*\btest-postgres\b", MAKEFILE, re.MULTILINE)
    assert re.search(r"^make test\nmake test-all$", (HERE.parent / ".ci/run").read_text(), re.MULTILINE)


def test_no_test_runs_in_the_second_tier_alone():
    """Only parameters carry the mark: of each test, at least one set of parameters is in the first tier."""
    sources = {path.name: path.read_text() for path in HERE.glob("*.py")}
    assert len(sources) > 30
    marked = re.compile(r"^\s*@(all_ways|pytest\.mark\.all_ways)\b|^pytestmark\b", re.MULTILINE)
    assert [name for name, source in sources.items() if marked.search(source)] == []
    unmarked = re.compile(r"parametrize\([^\[]*\[\s*pytest\.param\([^)]*marks=all_ways")
    assert [name for name, source in sources.items() if unmarked.search(source)] == [], (
        "begin with one without the mark"
    )


def test_what_goes_through_a_whole_matrix_runs_in_the_second_tier():
    """Without a browser, these take as long as all other tests."""
    assert re.search(
        r'^test-fast:.*\n.*\n\t\$\(PYTEST\) -m "not matrix" \$\(IF_FAILED\) .* -m "not matrix" \$\(AGAIN\)$',
        MAKEFILE,
        re.MULTILINE,
    )
    with_matrix = {
        str(path.relative_to(ROOT)) for path in ROOT.glob("*/tests/**/test_*.py") if MATRIX in path.read_text()
    }
    assert len(with_matrix) > 4
    (apps,) = re.findall(r"^APPS := (.*)$", MAKEFILE, re.MULTILINE)
    first, again = re.findall(r"testing\.postgres (.*)", MAKEFILE)
    assert first.endswith(" $(ON_POSTGRES) $(IF_FAILED) \\")
    assert again == "$(AGAIN) $(ON_POSTGRES)"
    (postgres,) = re.findall(r"^ON_POSTGRES := (.*)$", MAKEFILE, re.MULTILINE)
    folders = tuple(f"{word}/" for word in postgres.replace("$(APPS)", apps).split() if not word.startswith("-"))
    (queries,) = re.findall(r"^\tEXAMPLES=2000 .*$", MAKEFILE, re.MULTILINE)
    assert [name for name in with_matrix if not name.startswith(folders) and name not in queries] == []


def test_a_flow_goes_by_keyboard_in_the_first_tier_and_in_all_other_ways_in_the_second():
    assert [(way.id, is_repeated(way)) for way in WAYS] == [
        ("keys", False),
        ("touch", True),
        ("plain", True),
        ("arabic", True),
    ]


def test_variants_take_turns():
    pairs = alternating("abc", [1, 2])
    assert [pair.values for pair in pairs] == [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 1), ("c", 2)]
    assert [pair.values for pair in pairs if not is_repeated(pair)] == [("a", 1), ("b", 2), ("c", 1)]


def test_the_parts_hold_every_screen_once():
    held = [screen.name for part in parts(SCREENS, 4) for screen in part]
    assert sorted(held) == sorted(screen.name for screen in SCREENS)
