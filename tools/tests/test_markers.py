"""Markers: a test file that uses a model of ours runs on PostgreSQL, too."""

import ast
import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

MARKS = re.compile(r"^pytestmark = (\[.*?\]|.*?)$", re.MULTILINE | re.DOTALL)
MODELS = {model.__module__ for model in apps.get_models()}


def imports(source):
    """Return the names of imported modules; `from a import b` counts as `a` and `a.b`, since `b` may be a module."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def marks(source):
    """Return the names of the marks of a whole file."""
    match = MARKS.search(source)
    return set(re.findall(r"mark\.(\w+)", match[1])) if match else set()


def unmarked(sources, helpers):
    """Return the test files that import a model, or a helper that does, and run on SQLite only.

    Matrices do: they are slow, and have no SQL of their own.
    """
    return [
        name
        for name, source in sources.items()
        if imports(source) & (MODELS | helpers) and not marks(source) & {"sql", "slow"}
    ]


@pytest.fixture(scope="module")
def sources(pytestconfig):
    """The source of each Python file of the tests, by its module."""
    folders = [Path(settings.BASE_DIR, folder) for folder in pytestconfig.getini("testpaths")]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    return {
        ".".join(file.relative_to(settings.BASE_DIR).with_suffix("").parts): file.read_text()
        for file in files
        if "tests" in file.parts
    }


def test_a_test_file_that_uses_a_model_has_the_marker_sql(sources):
    helpers = {name for name, source in sources.items() if "test_" not in name and imports(source) & MODELS}
    tests = {name: source for name, source in sources.items() if "test_" in name}
    assert len(tests) > 200
    assert {"groups.tests.stored_presets", "scanners.tests.stored_serials", "overview.tests.stored_entries"} <= helpers
    assert unmarked(tests, helpers) == []


def test_a_missing_marker_is_noticed():
    uses_model, uses_helper = "from console.models import Draft\n", "from groups.tests.stored_presets import preset\n"
    sources = {
        "model": uses_model,
        "helper": uses_helper,
        "package": "from console import models\n",
        "inner": "def test():\n    from console.sessions.models import Grant\n",
        "marked": uses_model + "pytestmark = [pytest.mark.django_db, pytest.mark.sql]\n",
        "matrix": uses_model + "pytestmark = pytest.mark.slow\n",
        "neither": "from tests.support import factories\n",
    }
    assert unmarked(sources, {"groups.tests.stored_presets"}) == ["model", "helper", "package", "inner"]
