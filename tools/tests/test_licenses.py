"""Installed packages: exact, with hashes, the same everywhere, without install scripts, under allowed licenses."""

import json
import re
from pathlib import Path

import pytest

from tools.licenses import components, faults

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements", "requirements-dev")
INSTALLERS = ("Makefile", "deploy/Dockerfile", "docs/operations/install.md", "docs/operations/upgrade.md")


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def locked(name: str) -> dict[str, str]:
    """Return the packages of a lock with all their lines."""
    entries = re.split(r"^(?=[^\s#])", read(name), flags=re.MULTILINE)[1:]
    return {re.split(r"[=<>~@ ]", entry)[0]: entry for entry in entries}


def wanted(name: str) -> list[str]:
    """Return the lines of a requirements file, without the parts in brackets."""
    return [re.sub(r"\[.*\]", "", line) for line in read(name).splitlines() if re.match(r"\w", line)]


@pytest.mark.req("SEC-22")
@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_exact_and_has_hashes(name):
    entries = locked(f"{name}.txt")
    assert len(entries) > len(wanted(f"{name}.in")), "with all that they need"
    exact = re.compile(r"[\w.-]+==[\w.]+( ; [^\n\\]+)? \\\n( +--hash=sha256:[0-9a-f]{64}( \\)?\n)+( +#.*\n)*")
    assert [entry for entry in entries.values() if not exact.fullmatch(entry)] == []


@pytest.mark.req("SEC-22")
@pytest.mark.parametrize("name", LOCKS)
def test_the_required_packages_are_the_installed_ones(name):
    entries = locked(f"{name}.txt")
    for line in wanted(f"{name}.in"):
        package, version = line.lower().split("==")
        assert entries[package].startswith(f"{package}=={version} "), "make lock"


@pytest.mark.req("SEC-22")
def test_tests_run_with_the_packages_of_production():
    tested = locked("requirements-dev.txt")
    for package, entry in locked("requirements.txt").items():
        # The reasons of a package and its dependents can differ; its version and its files can't.
        facts = re.compile(r"==\S+|sha256:\w+")
        assert facts.findall(tested[package]) == facts.findall(entry), "make lock"


@pytest.mark.req("SEC-22")
@pytest.mark.parametrize("name", INSTALLERS)
def test_nothing_is_installed_without_its_hash(name):
    installed = re.findall(r"^.*\binstall\b.*-r \S+", read(name), re.MULTILINE)
    assert installed
    assert [line for line in installed if "--require-hashes" not in line] == []
    assert [line for line in installed if "-r requirements.txt" in line and "--only-binary :all:" not in line] == []


@pytest.mark.req("SEC-23")
def test_packages_of_the_browser_have_hashes_and_run_nothing_when_they_are_installed():
    packages = json.loads(read("package-lock.json"))["packages"]
    shipped = {name: package for name, package in packages.items() if name and not package.get("dev")}
    assert "node_modules/react" in shipped
    assert [name for name, package in shipped.items() if not package.get("integrity", "").startswith("sha512-")] == []
    assert "ignore-scripts=true" in read(".npmrc").splitlines()
    assert re.search(r"^COPY .*\.npmrc", read("deploy/Dockerfile"), re.MULTILINE)
    assert "!.npmrc" in read("deploy/Dockerfile.dockerignore").splitlines()


@pytest.mark.req("SEC-24")
@pytest.mark.parametrize(
    ("declared", "fault"),
    [
        ([{"license": {"id": "MIT"}}], None),
        ([{"expression": "Apache-2.0 OR BSD-3-Clause"}], None),
        ([{"expression": "GPL-3.0-only OR MIT"}], None),
        ([{"license": {"name": "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)"}}], None),
        ([{"license": {"id": "GPL-3.0-only"}}], "x 1 has the license GPL-3.0-only, which is not allowed."),
        ([{"license": {"id": "MIT"}}, {"license": {"name": "Own"}}], "x 1 has the license Own, which is not allowed."),
        (
            [{"expression": "MIT AND GPL-3.0-only"}],
            "x 1 has the license MIT AND GPL-3.0-only, which is not allowed.",
        ),
        ([{"expression": "Apache-2.0 AND BSD-2-Clause"}], None),
        ([{"expression": "GPL-3.0-only OR MIT AND ISC"}], None),
        (
            [{"expression": "MIT OR GPL-3.0-only AND ISC"}],
            None,
        ),
        (
            [{"expression": "(MIT OR GPL-3.0-only) AND Own"}],
            "x 1 has the license (MIT OR GPL-3.0-only) AND Own, which is not allowed.",
        ),
        ([], "x 1 names no license."),
    ],
)
def test_a_license_that_is_not_allowed_is_noticed(declared, fault):
    component = {"name": "x", "version": "1", "licenses": declared}
    assert faults(component) == ([fault] if fault else [])


@pytest.mark.req("SEC-24")
def test_licenses_of_development_tools_are_not_checked():
    tool = {"name": "tool", "properties": [{"name": "cdx:npm:package:development", "value": "true"}]}
    assert components({"components": [tool, {"name": "react"}]}) == [{"name": "react"}]
