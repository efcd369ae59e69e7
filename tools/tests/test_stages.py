"""Repeats, the summary of a run, and its exit code."""

import pytest

from console.ops.demo import ROOT
from tools import stages
from tools.repeats import MAX_REPEATS
from tools.stages import Stage

pytest_plugins = ["pytester"]

FLAKY = """
    import pytest

    runs = {}

    @pytest.fixture
    def browser():
        return "fake"

    @pytest.mark.parametrize("number", range(%d))
    def test_late(browser, number):
        runs[number] = runs.get(number, 0) + 1
        assert runs[number] > 1

    def test_without_a_browser():
        runs["unit"] = runs.get("unit", 0) + 1
        assert runs["unit"] > %d
"""


@pytest.fixture
def run(pytester, monkeypatch):
    """Run pytest with nothing but the plugins in question, in a process of its own."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    plugins = ("xdist", "pytest_rerunfailures", "tools.repeats")

    def run(late, *options, unit_passes=True):
        pytester.makepyfile(test_all=FLAKY % (late, 0 if unit_passes else 1))
        return pytester.runpytest_subprocess(*(f"-p{name}" for name in plugins), *options)

    return run


def test_a_browser_test_that_passes_on_repeat_is_named_with_its_failure_and_the_run_passes(run):
    result = run(MAX_REPEATS, "-n2")
    assert result.ret == 0
    lines = [f"PASSED ON REPEAT test_all.py::test_late?{n}? - assert 1 > 1*" for n in range(MAX_REPEATS)]
    result.stdout.fnmatch_lines(lines)


def test_too_many_repeats_fail_the_run(run):
    assert run(MAX_REPEATS + 1).ret == 1


def test_the_same_repeat_in_a_second_run_fails_and_the_reason_is_given(run):
    assert run(1).ret == 0
    second = run(1)
    assert second.ret == 1
    second.stdout.fnmatch_lines(["FAILED test_all.py::test_late?0? - passed only on repeat, as in an earlier run; *"])


def test_a_browser_test_can_be_debugged(run):
    result = run(1, "--pdb")
    result.stdout.fnmatch_lines(["(Pdb)*"])
    result.stdout.no_fnmatch_line("*incompatible*")


def test_a_test_without_a_browser_is_never_repeated(run):
    result = run(0, unit_passes=False)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED test_all.py::test_without_a_browser*", "*1 failed*"])
    result.stdout.no_fnmatch_line("*rerun*")


def test_the_summary_names_times_repeats_and_every_failed_test():
    stage = Stage("test-browser", seconds=125.4, code=1)
    for line in (
        "FAILED tests/e2e/test_a.py::test_b[keys-chromium] - AssertionError: no",
        "ERROR tests/e2e/test_a.py::test_c - RuntimeError",
        "FAILED tests/e2e/test_a.py::test_b[without scripts] - AssertionError: no",
        "ERROR    django.request:log.py:241 a captured line of a log",
        "PASSED ON REPEAT tests/e2e/test_a.py::test_d[without scripts] - TimeoutError: late",
        "2 failed, 343 passed in 872.81s (0:14:32)",
        "\x1b[41m\x1b[1m FAIL \x1b[22m\x1b[49m static_src/a.test.ts\x1b[2m > \x1b[22mshows\x1b[39m",
        "some output that says FAILED",
    ):
        stage.read(line)
    assert list(stages.summary([Stage("check", 34), stage])) == [
        "===== summary =====",
        "check                   0:34  ok",
        "test-browser            2:05  FAILED  2 failed, 343 passed in 872.81s (0:14:32)",
        "all                     2:39",
        "Passed only on repeat:",
        "  tests/e2e/test_a.py::test_d[without scripts] - TimeoutError: late",
        "Failed tests:",
        "  tests/e2e/test_a.py::test_b[keys-chromium]",
        "  tests/e2e/test_a.py::test_c",
        "  tests/e2e/test_a.py::test_b[without scripts]",
        "  static_src/a.test.ts > shows",
        "Failed stages:",
        "  test-browser",
    ]


def test_the_summary_fits_into_forty_lines_however_many_tests_failed():
    names = [f"a.py::test_{number}" for number in range(700)]
    lines = list(stages.summary([Stage("test-unit", code=1, failures=names, repeats=["a"] * 3)] * 7))
    assert len(lines) <= 40
    assert all(any(name in line.split() for line in lines) for name in names)


@pytest.mark.parametrize(("repeats", "code"), [(MAX_REPEATS, 0), (MAX_REPEATS + 1, 1)])
def test_stages_together_may_have_as_many_repeats_as_one(monkeypatch, capsys, repeats, code):
    monkeypatch.setattr(stages, "run", lambda name: Stage(name, repeats=[name]))
    assert stages.main([str(number) for number in range(repeats)]) == code
    assert ("Passed only on repeat (too many: the run fails):" in capsys.readouterr().out) is bool(code)


def test_a_stage_that_fails_does_not_stop_the_others(monkeypatch, capsys):
    monkeypatch.setattr(stages, "run", lambda name: Stage(name, code=name == "a"))
    assert stages.main(["a", "b"]) == 1
    assert "b                       0:00  ok" in capsys.readouterr().out
