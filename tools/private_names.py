"""Check that the code uses only public names of foreign code: `python -m tools.private_names`.

Each of these is a fault: a private name (with a leading underscore) of a foreign module, class or object; a class that
overrides one; an assignment to a name of a foreign module, class or object, or to `__class__`. A fault is allowed on a
line with `# ADR-NNNN` if docs/adr has that decision.
"""

import ast
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import django

from tools.words import ROOT, tracked

DOCUMENTED = {
    "_meta",
    "_state",
    "_default_manager",
    "_base_manager",
    "_exit",
    "_asdict",
    "_fields",
    "_make",
    "_replace",
}
"""Public names in spite of the underscore: of Django's models, of `os` and of named tuples."""
_PRIVATE = re.compile(r"_(?!_).*(?<!_)")  # names such as `_missing_` of an enum are documented
_DECISION = re.compile(r"# ADR-(\d{4})\b")


class Module(ast.NodeVisitor):
    """The faults of a module, the private names that it defines, and those that it uses."""

    def __init__(self, text: str, project_packages: set[str]) -> None:
        self.faults: list[tuple[int, str]] = []
        self.defined: set[str] = set()
        self.used: list[tuple[int, str]] = []
        self._project_packages = project_packages
        self._foreign: dict[str, str] = {}
        """The sources of imported names."""
        self.visit(ast.parse(text))

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            root = alias.name.partition(".")[0]
            self._import(node, alias.asname or root, alias.name, alias.name if alias.asname else root)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names if not node.level else ():
            name = f"{node.module}.{alias.name}"
            self._import(node, alias.asname or alias.name, name, name)

    def _import(self, node: ast.stmt, name: str, imported: str, bound: str) -> None:
        if imported.partition(".")[0] not in self._project_packages:
            self._foreign[name] = bound
            if any(map(is_private, imported.split("."))):
                self.faults.append((node.lineno, f"the private name {imported}"))

    def visit_FunctionDef(self, node: Any) -> None:
        """Visit a function, whose parameters and variables hide imported names."""
        self.defined.add(getattr(node, "name", ""))
        known, hidden = self._foreign, {name for part in ast.walk(node) if (name := _variable(part))}
        self._foreign = {name: imported for name, imported in known.items() if name not in hidden}
        self.generic_visit(node)
        self._foreign = known

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        before, self.defined = self.defined, set()
        self.generic_visit(node)
        if any(map(is_private, self.defined)):
            inherited = {name for base in map(self._resolve, node.bases) if base for name in private_names(base)}
            for part in node.body:
                names = {part.name} if isinstance(part, ast.FunctionDef) else set(map(_variable, ast.walk(part)))
                self.faults += [(part.lineno, f"overrides the private name {name}") for name in names & inherited]
            self.defined -= inherited
        self.defined |= before | {node.name}

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> None:
        self.generic_visit(node)
        match node:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, value) if value:
                self._foreign |= {name: dotted} if (dotted := self._resolve(value)) else {}

    visit_AnnAssign = visit_Assign

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.defined.add(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.generic_visit(node)
        is_store = not isinstance(node.ctx, ast.Load)
        if is_store and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            self.defined.add(node.attr)
        self._check(node, node.value, node.attr, is_store)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.generic_visit(node)
        match node:
            case ast.Subscript(ast.Call(ast.Name("vars"), [base]), ast.Constant(str(name)), ast.Store() | ast.Del()):
                self._check(node, base, name, is_store=True)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("setattr" | "delattr"), [base, ast.Constant(str(name)), *_]):
                self._check(node, base, name, is_store=True)
            case ast.Call(ast.Name("getattr") | ast.Attribute(_, "setattr"), [base, ast.Constant(str(name)), *_]):
                self._check(node, base, name, is_store=False)  # `monkeypatch.setattr` of a test is undone

    def _check(self, node: ast.expr, base: ast.expr, name: str, is_store: bool) -> None:
        foreign = self._resolve(base)
        if is_private(name):
            (self.faults if foreign else self.used).append((node.lineno, f"the private name {name}"))
        elif is_store and (foreign or name == "__class__"):
            self.faults.append((node.lineno, f"an assignment to the foreign name {name}"))

    def _resolve(self, node: ast.expr) -> str:
        """Return the dotted name of an imported object; empty for anything else."""
        match node:
            case ast.Name(name):
                return self._foreign.get(name, "")
            case ast.Attribute(base, name) if dotted := self._resolve(base):
                return f"{dotted}.{name}"
            case ast.Call(ast.Name("cast"), [_, value]):
                return self._resolve(value)
        return ""


def _variable(node: ast.AST) -> str:
    match node:
        case ast.arg(name) | ast.Name(name, ast.Store()):
            return name
    return ""


def is_private(name: str) -> bool:
    """Return True if a name is private: it has one leading underscore, and is not documented."""
    return bool(_PRIVATE.fullmatch(name)) and name not in DOCUMENTED


@lru_cache
def private_names(dotted: str) -> set[str]:
    """Return the private names of a foreign class, and those that its methods set on instances."""
    names: set[str] = set()
    for part in getattr(pkgutil.resolve_name(dotted), "__mro__", ()):
        try:
            names |= Module(textwrap.dedent(inspect.getsource(part)), set()).defined
        except (OSError, TypeError):  # written in C
            names |= set(vars(part))
    return set(filter(is_private, names))


def faults(texts: Mapping[str, str]) -> Iterator[str]:
    """Return the faults in these modules as `path:line: fault`; the modules are not foreign to each other."""
    project_packages = {path.partition("/")[0].removesuffix(".py") for path in texts}
    modules = {path: Module(text, project_packages) for path, text in texts.items()}
    defined = {f"the private name {name}" for module in modules.values() for name in module.defined}
    for path, module in modules.items():
        lines = texts[path].splitlines()
        for line, fault in sorted({*module.faults, *(use for use in module.used if use[1] not in defined)}):
            decision = _DECISION.search(lines[line - 1])
            if not decision or not list((ROOT / "docs/adr").glob(f"{decision[1]}-*.md")):
                yield f"{path}:{line}: {fault}" + (f", and there is no ADR {decision[1]}" if decision else "")


def main() -> int:
    """Print the faults, and return the exit status."""
    django.setup()  # models can be imported only then
    texts = {path: (ROOT / path).read_text("utf-8") for path in tracked(["*.py"])}
    messages = list(faults(texts))
    print("\n".join(messages) or f"{len(texts)} modules: only public names of foreign code")  # noqa: T201
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
