"""One running sandbox for all tests of a worker, reset before each test."""

from collections.abc import Iterator

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxProcess]:
    with SandboxProcess(data_dir=tmp_path_factory.mktemp("sandbox")) as process:
        yield process


@pytest.fixture
def sandbox(running: SandboxProcess) -> SandboxProcess:
    running.reset()
    return running


@pytest.fixture
def visitor(sandbox: SandboxProcess) -> Iterator[Client]:
    """A client that has not logged in."""
    client = Client(sandbox)
    yield client
    client.close()


@pytest.fixture
def admin(visitor: Client) -> Client:
    """The administrator of the demo data, logged in."""
    visitor.log_in()
    return visitor
