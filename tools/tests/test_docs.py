"""The documents tell what is there: every variable, every command, every file that they link to."""

import ast
import importlib
import pkgutil
import re
from pathlib import Path
from textwrap import dedent

import pytest

from console.i18n import po
from tools import release

ROOT = Path(__file__).resolve().parents[2]
READERS = ("console/settings.py", "gunicorn.conf.py")
DOCUMENTS = [
    *(path.relative_to(ROOT).as_posix() for path in ROOT.glob("*.md")),
    *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")),
    "sandbox/README.md",
]
WITHOUT_LINKS = {"docs/translating.md", "CHANGELOG.md", "docs/conformance.md", "docs/evidence.md"}
NAME = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
# Getters of django-environ and of os.environ, and functions of gunicorn.conf.py: their first argument is a variable.
METHODS = {"_addresses", "_count", "bool", "env", "get", "int", "list", "str"}


def read(name):
    return (ROOT / name).read_text("utf-8")


def variables():
    """The names of variables that the code reads, found in its calls."""
    found = set()
    for reader in READERS:
        for node in ast.walk(ast.parse(read(reader))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr=called) | ast.Name(id=called), args=[ast.Constant(value=name), *_]
                ):
                    if called in METHODS and isinstance(name, str) and NAME.fullmatch(name):
                        found.add(name)
    return found


def commands():
    return set(re.findall(r"^([a-z-]+):.*##", read("Makefile"), re.MULTILINE))


def test_the_variables_are_found():
    found = variables()
    assert {"SECRET_KEY", "UPSTREAM_DEADLINES", "UPSTREAM_PROXY", "BIND", "WEB_THREADS", "DATABASE_URL"} <= found
    assert len(found) >= 28


@pytest.mark.parametrize("name", sorted(variables()))
def test_a_variable_is_in_the_table_of_operations_and_in_the_example(name):
    table = [line for line in read("docs/operations.md").splitlines() if line.startswith("| `")]
    assert any(f"`{name}`" in line.split("|")[1] for line in table)
    assert re.search(rf"^#?{name}=", read(".env.example"), re.MULTILINE)


def test_the_example_names_no_variable_that_nobody_reads():
    assert set(re.findall(r"^#?([A-Z_]+)=", read(".env.example"), re.MULTILINE)) == variables()


@pytest.mark.parametrize("name", sorted(commands()))
def test_a_command_is_described(name):
    told = read("README.md") + read("CONTRIBUTING.md") + read("docs/operations.md")
    assert re.search(rf"make {name}\b(?!-)", told)


def test_no_command_is_described_that_is_not_there():
    told = "".join(read(name) for name in DOCUMENTS)
    assert set(re.findall(r"`make ([a-z-]+)", told)) <= commands()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_link_leads_to_a_file(name):
    text = re.sub(r"```.*?```", "", read(name), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    assert links or name in WITHOUT_LINKS
    files = [link for link in links if not link.startswith(("http://", "https://", "mailto:"))]
    assert [link for link in files if not (ROOT / name).parent.joinpath(link).exists()] == []


def anchors(name):
    """Where a link can lead in a document: its headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.+)$", read(name), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_link_into_a_document_leads_to_a_heading(name):
    for file, anchor in re.findall(r"\]\(([\w./-]*\.md)?#([^)]+)\)", read(name)):
        there = (ROOT / name).parent.joinpath(file).resolve().relative_to(ROOT).as_posix() if file else name
        assert anchor in anchors(there), f"{file}#{anchor}"


def test_what_operators_are_told_to_read_comes_with_a_release():
    delivered = {name if name.endswith((".md", ".example")) else name + "/" for name in release.READ}
    for name in ("docs/operations.md", "docs/monitoring.md"):
        assert name in delivered
        for link in re.findall(r"\]\(([^)#\s]+)", read(name)):
            there = (ROOT / name).parent.joinpath(link).resolve().relative_to(ROOT).as_posix()
            assert {there, there + "/"} & delivered, link


@pytest.mark.parametrize("name", ["docs/operations.md", "docs/monitoring.md"])
def test_what_operators_are_told_to_see_is_what_pages_say(name):
    texts = {entry.msgid for entry in po.read(po.path_of(po.SHIPPED, "fr"))}
    said = set(re.findall(r'"([A-Z][a-z\']+(?: [\w\']+)+)"', re.sub(r"`[^`]*`", "", read(name))))
    assert said, name
    assert {text for text in said if not any(known.startswith(text) for known in texts)} == set()


def test_each_folder_is_drawn():
    tree = read("ARCHITECTURE.md").split("```text\n")[1].split("```")[0]
    made = {"build", "data", "node_modules", "test-results", "__pycache__"}
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - made
    packages = {path.parent.name for path in (ROOT / "console").glob("*/__init__.py")} - {"tests"}
    assert {f"{name}/" for name in folders | packages} <= set(tree.split())


def blocks():
    """The Python of CONTRIBUTING's example, by the file that it would stand in."""
    found = re.findall(r"^   ```python\n(.*?)^   ```", read("CONTRIBUTING.md"), re.MULTILINE | re.DOTALL)
    return {text.split("\n", 1)[0].strip(" #"): dedent(text) for text in found}


@pytest.mark.parametrize("name", [name for name in blocks() if name != "groups/urls.py"])
def test_the_example_of_a_screen_uses_what_is_there(name):
    """Each block is Python, and all that it takes from the project is there; what the example adds is named chair."""
    for node in ast.walk(ast.parse(blocks()[name])):
        if isinstance(node, ast.ImportFrom) and node.module and "chairs" not in node.module:
            module = importlib.import_module(node.module)
            submodules = {m.name for m in pkgutil.iter_modules(getattr(module, "__path__", []))}
            missing = [
                a.name
                for a in node.names
                if not hasattr(module, a.name) and a.name not in submodules and "chair" not in a.name
            ]
            assert missing == [], node.module


def test_every_address_of_the_example_has_its_path():
    """The rows of the list and its actions lead to paths of the example; each path has its view."""
    table, paths = blocks()["groups/tables/chairs.py"], blocks()["groups/urls.py"]
    views = "".join(text for name, text in blocks().items() if name.startswith("groups/views/"))
    actions = re.findall(r'RowAction\(_\("\w+"\), "(/\w+)"', table)
    assert len(actions) == 3
    for action in actions:
        assert f"<id:chair_id>{action}" in paths
    called = re.findall(r"chairs\.(\w+), name=", paths)
    assert len(called) == 5
    for view in called:
        assert f"def {view}(" in views
