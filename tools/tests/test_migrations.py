"""Migrations only add, so that the release before serves next to the new one during a switch."""

import datetime
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from django.db import migrations, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState
from django.utils import timezone

from console.ops import demo
from tools.migrations import problems, project_migrations

SAMPLES: dict[str, Any] = {
    "CharField": "x",
    "TextField": "x",
    "BooleanField": False,
    "PositiveIntegerField": 1,
    "PositiveSmallIntegerField": 1,
    "IntegerField": 1,
    "BigIntegerField": 1,
    "DateField": datetime.date(2026, 1, 31),
    "DateTimeField": timezone.now(),
    "BinaryField": b"x",
    "JSONField": {},
}
BEFORE = ProjectState()
BEFORE.add_model(
    ModelState(
        "console",
        "Thing",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("name", models.CharField(max_length=64, db_default="")),
            ("note", models.TextField(null=True)),
        ],
    )
)
SHORTER = models.CharField(max_length=32, db_default="")
TAKES_AWAY: list[tuple[Any, str]] = [
    (migrations.RemoveField("thing", "name"), "the release before uses it"),
    (migrations.RenameField("thing", "name", "title"), "the release before uses it"),
    (migrations.RenameModel("Thing", "Item"), "the release before uses it"),
    (migrations.DeleteModel("Thing"), "the release before uses it"),
    (migrations.AlterModelTable("thing", "item"), "the release before uses it"),
    (migrations.AlterField("thing", "name", SHORTER), "it takes shorter texts only"),
    (migrations.AlterField("thing", "name", models.CharField(max_length=64)), "it loses its default in the database"),
    (migrations.AlterField("thing", "note", models.TextField(db_default="")), "it no longer takes NULL"),
    (migrations.AlterField("thing", "note", models.DateField(null=True)), "its type changes"),
    (migrations.AlterField("thing", "note", models.TextField(null=True, unique=True)), "it becomes unique"),
    (migrations.AlterField("thing", "note", models.TextField(null=True, db_column="n")), "its column is renamed"),
    (migrations.AddField("thing", "kind", models.CharField(max_length=8, default="")), "it needs null or db_default"),
    (
        migrations.AddConstraint("thing", models.UniqueConstraint(fields=["name"], name="once")),
        "the release before may write what this refuses",
    ),
    (migrations.RunSQL('ALTER TABLE thing DROP COLUMN "name"'), "may use what the SQL takes away"),
]
ADDS: list[Any] = [
    migrations.AddField("thing", "kind", models.CharField(max_length=8, db_default="")),
    migrations.AddField("thing", "seen", models.DateTimeField(null=True)),
    migrations.AlterField("thing", "name", models.CharField(max_length=128, db_default="")),
    migrations.AlterField("thing", "name", models.TextField(db_default="")),
    migrations.AddIndex("thing", models.Index(fields=["name"], name="by_name")),
    migrations.RunSQL("CREATE TABLE another (id integer)"),
    migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("thing", "name")]),
]


def list_problems(operations: list[Any], **attributes: str) -> list[str]:
    migration = type("Migration", (migrations.Migration,), {"operations": operations, **attributes})("0002", "console")
    return list(problems(migration, BEFORE, {"0.1.0", "0.2.0"}))


@pytest.mark.parametrize(("operation", "problem"), TAKES_AWAY, ids=lambda value: type(value).__name__)
def test_changes_that_would_break_the_previous_release_are_refused(operation, problem):
    (one,) = list_problems([operation])
    assert one.startswith("console.0002: ")
    assert problem in one
    assert len(list_problems([migrations.SeparateDatabaseAndState([operation])])) == 1


def test_pure_additions_are_accepted():
    assert [problem for operation in ADDS for problem in list_problems([operation])] == []


def test_a_table_that_is_created_in_the_same_migration_may_change():
    table = migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))])
    column = migrations.AddField("new", "name", models.CharField(max_length=8, default=""))
    assert list_problems([table, column]) == []


def test_what_a_release_has_stopped_using_may_be_removed_in_the_next_one():
    gone = [migrations.RunSQL('ALTER TABLE thing DROP COLUMN "name"')]
    assert list_problems(gone, unused_since="0.2.0") == []
    marker, refusal = list_problems(gone, unused_since="0.3.0")
    assert marker.endswith("unused_since is 0.3.0, which is no release with a date in CHANGELOG.md")
    assert "takes away" in refusal


def earlier_states() -> Iterator[tuple[str, ProjectState]]:
    """Return the models of each earlier migration since the last one that removed something."""
    loader = MigrationLoader(None)
    states: list[tuple[str, ProjectState]] = []
    for migration in project_migrations(loader):
        key = migration.app_label, migration.name
        if hasattr(migration, "unused_since"):
            states = [(f"before {migration}", loader.project_state(key, at_end=False))]
        states.append((str(migration), loader.project_state(key)))
    return iter(states)


def fill(model: type[models.Model]) -> models.Model:
    """Insert a row with only the required values."""
    values: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field.remote_field:
            values[field.name] = fill(field.remote_field.model)
        elif not (
            field.has_default() or field.null or field.has_db_default() or field.get_internal_type() == "BigAutoField"
        ):
            values[field.name] = SAMPLES[field.get_internal_type()]
    return model._default_manager.create(**values)


@pytest.mark.sql
@pytest.mark.django_db
@pytest.mark.req("SEC-56")
def test_each_earlier_release_can_write_and_read_the_tables_of_this_one():
    tried = 0
    for name, state in earlier_states():
        for model in state.apps.get_models():
            with transaction.atomic():
                row = fill(model)
                assert model._default_manager.get(pk=row.pk) == row, name
                transaction.set_rollback(True)
            tried += 1
    assert tried > 50


ENTRIES = 100_000
TIMEOUT_S = 20
"""Seconds for which a request waits for another writer (console/config/environment.py)."""
FILL = """
WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
INSERT INTO activity (at, organization, who, act, kind, target, clinic, other_clinic, team, other_team, outcome,
  is_bulk, parent, key, content, key_mark)
SELECT datetime('now'), 'o-' || n % 50, 'a-' || n % 500, 'user.move', 'user', 'u-' || n % 9000, 'g-' || n % 300, '',
  '', '', 'done', 0, '', 'k-' || n, hex(randomblob(300)), 'mark' FROM number
"""


@pytest.mark.slow
@pytest.mark.req("SEC-56")
def test_a_request_waits_for_no_migration_longer_than_sqlite_lets_it(tmp_path):
    """With 100,000 entries in the activity, while the release before writes."""
    variables = {"PATH": os.environ["PATH"], **demo.environment(port=1, handler_port=1, api_port=1, data_dir=tmp_path)}

    def migrate(*target: str) -> None:
        command = [sys.executable, "manage.py", "migrate", "--verbosity=0", *target]
        subprocess.run(command, cwd=demo.ROOT, env=variables, check=True)

    migrate("console", "0007")
    with closing(sqlite3.connect(tmp_path / "console.sqlite3")) as database, database:
        database.execute(FILL, [ENTRIES])
    waits: list[float] = []
    over = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(tmp_path / "console.sqlite3", timeout=TIMEOUT_S)) as database:
            while not over.wait(0.01):
                start = time.monotonic()
                with database:
                    database.execute("UPDATE activity SET outcome = 'done' WHERE key = 'k-1'")
                waits.append(time.monotonic() - start)

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        try:
            migrate()
        finally:
            over.set()
        writing.result()
    sys.stdout.write(f"the longest wait of {len(waits)}: {max(waits):.2f} s\n")
    assert max(waits) < TIMEOUT_S
