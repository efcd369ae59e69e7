"""A pytest plugin: a browser test that fails runs once more, right away, after the same tests as before.

A busy machine may slow a browser down. Tests that pass only on repeat are listed at the end of the run, which fails if
there are more than MAX_REPEATS of them, or if one did so in an earlier run, too (`--cache-clear` resets those). All
other tests run once.
"""

import pytest

MAX_REPEATS = 3
CACHE_KEY = "console/passed-on-repeat"


class Repeats:
    """Collects the reports of a run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._repeated: dict[str, str] = {}
        self._failed: set[str] = set()
        self._repeated_before: set[str] = set()

    @property
    def names(self) -> list[str]:
        """Return the tests that passed only on repeat."""
        return sorted(self._repeated.keys() - self._failed)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if str(report.outcome) == "rerun":
            crash = getattr(report.longrepr, "reprcrash", None)
            self._repeated[report.nodeid] = str(crash.message if crash else report.longrepr)
        elif report.failed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        earlier: list[str] = self._config.cache.get(CACHE_KEY, [])
        self._repeated_before = set(self.names) & set(earlier)
        if len(self.names) > MAX_REPEATS or self._repeated_before:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self.names:
            self._config.cache.set(CACHE_KEY, sorted({*earlier, *self.names}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for name in self.names:
            terminalreporter.section(f"first run of {name}", sep="_")
            terminalreporter.write_line(self._repeated[name])
        for name in self.names:
            terminalreporter.write_line(f"PASSED ON REPEAT {name} - {' '.join(self._repeated[name].split())[:300]}")
        for name in sorted(self._repeated_before):
            reason = "passed only on repeat, as in an earlier run; fix it, then run pytest --cache-clear"
            terminalreporter.write_line(f"FAILED {name} - {reason}")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a worker of xdist reports to the process that started it
        config.pluginmanager.register(Repeats(config))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.usepdb:  # pytest-rerunfailures refuses to combine the two
        return
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))
