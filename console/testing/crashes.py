"""A pytest plugin: a run in which a process crashed does not end like one in which tests failed.

Those that failed may run once more (Makefile); after a crash, nobody knows what else did not run.
"""

import pytest

CRASHED = 3
"""The exit code, which is that of an internal error."""


class Crashes:
    """Watches the reports of a run: xdist reports the test that a process died with, at no known stage."""

    def __init__(self) -> None:
        self._seen = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seen = self._seen or report.when not in ("setup", "call", "teardown")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._seen:
            session.exitstatus = CRASHED


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Crashes())
