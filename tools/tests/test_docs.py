"""The documents name only variables, commands, files and headings that exist."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from console.i18n import po
from tools import release

ROOT = Path(__file__).resolve().parents[2]
READERS = ("console/settings.py", "gunicorn.conf.py")
NAME = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
# Getters of django-environ and of os.environ, and functions of gunicorn.conf.py: their first argument is a variable.
METHODS = {"_addresses", "_count", "bool", "env", "get", "int", "list", "str"}


def read(name):
    return (ROOT / name).read_text("utf-8")


def documents():
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md"]
    names = subprocess.run(git, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    return [name for name in names if name and (ROOT / name).exists()]


DOCUMENTS = documents()


def variables():
    """Return the names of the variables that the code reads, from its calls."""
    names = set()
    for reader in READERS:
        for node in ast.walk(ast.parse(read(reader))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr=called) | ast.Name(id=called), args=[ast.Constant(value=name), *_]
                ):
                    if called in METHODS and isinstance(name, str) and NAME.fullmatch(name):
                        names.add(name)
    return names


def test_the_example_of_variables_has_each_variable_that_is_read_and_no_other():
    assert set(re.findall(r"^#?([A-Z_]+)=", read(".env.example"), re.MULTILINE)) == variables()


def test_each_command_in_the_documents_exists():
    commands = set(re.findall(r"^([a-z-]+):.*##", read("Makefile"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", "".join(read(name) for name in DOCUMENTS))) <= commands


def links(name):
    """Return the file and the heading of each link of a document into the repository."""
    text = re.sub(r"^```.*?^```", "", read(name), flags=re.MULTILINE | re.DOTALL)
    matches = re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", text)
    return [link for link in matches if not link[0].startswith(("http://", "https://", "mailto:"))]


def target(name, file):
    return (ROOT / name).parent.joinpath(file).resolve().relative_to(ROOT).as_posix() if file else name


def anchors(name):
    """Return the anchors of the headings of a document, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", read(name), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_link_leads_to_a_file_and_a_heading(name):
    for file, anchor in links(name):
        assert (ROOT / target(name, file)).exists(), file
        assert not anchor or anchor in anchors(target(name, file)), f"{file}#{anchor}"


def test_the_documents_for_operators_come_with_a_release_and_link_to_nothing_else():
    delivered = {path.relative_to(ROOT).as_posix() for path in release.list_files(ROOT)}
    names = [name for name in DOCUMENTS if name.startswith("docs/operations/")]
    assert len(names) >= 5
    for name in [*names, "docs/monitoring.md"]:
        assert name in delivered
        for file, _anchor in links(name):
            assert any(path.startswith(target(name, file)) for path in delivered), file


def test_incidents_quote_the_messages_of_pages():
    messages = {entry.msgid for entry in po.read(po.catalog_path(po.SHIPPED, "fr"))}
    text = re.sub(r"`[^`]*`", "", read("docs/operations/incidents.md"))
    quoted = set(re.findall(r'"([A-Z][a-z\']+(?: [\w\']+)+)"', text))
    assert quoted
    assert {text for text in quoted if not any(message.startswith(text) for message in messages)} == set()
