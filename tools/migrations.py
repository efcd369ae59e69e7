"""Check that migrations only add: `python -m tools.migrations`.

During an upgrade the previous release reads and writes the same tables. What it no longer uses may be dropped,
renamed or narrowed by a migration that names the first release without it: `unused_since = "0.2.0"`, which has a
date in CHANGELOG.md. That release takes a field out of the code with `state_operations` of
SeparateDatabaseAndState, which change no table.
"""

import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import django
from django.apps import apps
from django.db import models
from django.db.migrations import (
    AddConstraint,
    AddField,
    AlterField,
    AlterModelTable,
    AlterUniqueTogether,
    CreateModel,
    DeleteModel,
    Migration,
    RemoveField,
    RenameField,
    RenameModel,
    RunSQL,
    SeparateDatabaseAndState,
)
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from console.ops.demo import ROOT

TAKES_AWAY = (RemoveField, RenameField, DeleteModel, RenameModel, AlterModelTable)
SQL_THAT_TAKES_AWAY = re.compile(r"\b(?:ALTER|DROP|RENAME|TRUNCATE)\b", re.IGNORECASE)
WIDER = {("CharField", "TextField"), ("IntegerField", "BigIntegerField"), ("AutoField", "BigAutoField")}
RELEASED = re.compile(r"^## (\S+) - \d{4}-\d\d-\d\d$", re.MULTILINE)


def problems(migration: Migration, before: ProjectState, released: set[str]) -> Iterator[str]:
    """Return what would break the previous release, unless `unused_since` names a release."""
    unused_since = getattr(migration, "unused_since", None)
    if unused_since in released:
        return
    if unused_since is not None:
        yield f"{migration}: unused_since is {unused_since}, which is no release with a date in CHANGELOG.md"
    state, created = before.clone(), set()
    for operation in migration.operations:
        if isinstance(operation, CreateModel):
            created.add(operation.name_lower)
        elif getattr(operation, "model_name_lower", "") not in created:
            for problem in _problems(operation, state, migration.app_label):
                yield f"{migration}: {operation.describe()}: {problem}"
        operation.state_forwards(migration.app_label, state)


def _problems(operation: Operation, before: ProjectState, app: str) -> Iterator[str]:
    match operation:
        case SeparateDatabaseAndState():
            for inner in operation.database_operations:
                yield from _problems(inner, before, app)
        case RunSQL() if SQL_THAT_TAKES_AWAY.search(str(operation.sql)):
            yield "the release before may use what the SQL takes away"
        case AddConstraint() | AlterUniqueTogether():
            yield "the release before may write what this refuses"
        case AddField() if not (
            operation.field.null or operation.field.many_to_many or operation.field.has_db_default()
        ):
            yield "the release before writes rows without it, so it needs null or db_default"
        case AlterField():
            old = before.models[app, operation.model_name_lower].fields[operation.name]
            yield from _narrowed(old, operation.field)
        case _ if isinstance(operation, TAKES_AWAY):
            yield "the release before uses it"


def _narrowed(old: "models.Field[Any, Any]", new: "models.Field[Any, Any]") -> Iterator[str]:
    """Return how a column became narrower in the values that it takes or returns."""
    types = old.get_internal_type(), new.get_internal_type()
    if types[0] != types[1] and types not in WIDER:
        yield "its type changes"
    if old.null and not new.null:
        yield "it no longer takes NULL"
    if new.unique and not old.unique:
        yield "it becomes unique"
    if new.max_length is not None and (old.max_length is None or new.max_length < old.max_length):
        yield "it takes shorter texts only"
    if old.has_db_default() and not (new.has_db_default() or new.null):
        yield "it loses its default in the database"
    if old.db_column != new.db_column:
        yield "its column is renamed"


def project_migrations(loader: MigrationLoader) -> Iterator[Migration]:
    """Return the migrations of this project, without those of packages, in an order in which they can run."""
    plan: dict[tuple[str, str], None] = {}
    for leaf in loader.graph.leaf_nodes():
        plan |= dict.fromkeys(loader.graph.forwards_plan(leaf))
    for app, name in plan:
        if (ROOT / apps.get_app_config(app).name.partition(".")[0]).is_dir():
            yield loader.graph.nodes[app, name]


def main() -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.support.settings"
    django.setup()
    loader = MigrationLoader(None)
    released = set(RELEASED.findall((ROOT / "CHANGELOG.md").read_text("utf-8")))
    faults = [
        problem
        for migration in project_migrations(loader)
        for problem in problems(
            migration, loader.project_state((migration.app_label, migration.name), at_end=False), released
        )
    ]
    sys.stderr.write("".join(f"{problem}\n" for problem in faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
