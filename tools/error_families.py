"""Check that only `upstream` makes errors of the client: `python -m tools.error_families`.

A failure of the console itself is a `console.errors.DomainError`.
"""

import ast
import inspect
import sys
from collections.abc import Iterator

from tools.words import ROOT, tracked
from upstream import errors

CLIENT_ERRORS = {name for name, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, Exception)}


def faults(text: str) -> Iterator[tuple[int, str]]:
    """Return where a module calls, raises or derives from an error of the client, with that error's name."""
    tree = ast.parse(text)
    names, modules = dict[str, str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("upstream", "upstream.errors"):
            for alias in node.names:
                if node.module == "upstream.errors" and alias.name in CLIENT_ERRORS:
                    names[alias.asname or alias.name] = alias.name
                elif node.module == "upstream" and alias.name == "errors":
                    modules.add(alias.asname or alias.name)

    def error_in(node: ast.expr) -> str:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            return node.attr if node.attr in CLIENT_ERRORS else ""
        return names.get(node.id, "") if isinstance(node, ast.Name) else ""

    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(bases=used):
                pass
            case ast.Call(func=function):
                used = [function]
            case ast.Raise(exc=ast.expr() as raised):
                used = [raised]
            case _:
                continue
        yield from ((node.lineno, name) for name in map(error_in, used) if name)


def main() -> None:
    conflicts = [
        f"{path}:{line}: {name} is an error of the client: use one of console.errors"
        for path in tracked(["*.py"])
        if not path.startswith(("upstream/", "tests/", "tools/", "lab/")) and "/tests/" not in path
        for line, name in faults((ROOT / path).read_text())
    ]
    sys.exit("\n".join(conflicts) or None)


if __name__ == "__main__":
    main()
