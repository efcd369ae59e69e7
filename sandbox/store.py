"""The data of the sandbox: indexed rows in memory, with every change written to an SQLite file."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

# A row has the fields of its JSON, and some internal ones. Rows are never changed in place: `put` replaces them.
Row = dict[str, Any]
Rows = dict[str, Row]

INDEXES: dict[str, tuple[str, ...]] = {
    "admins": ("email", "organizationId"),
    "answers": (),
    "audit_logs": ("organizationId",),
    "cases": ("mainGroupId", "userId"),
    "clinics": ("organizationId",),
    "labs": (),
    "links": ("ownerId",),
    "mails": (),
    "notifications": ("adminId",),
    "organizations": (),
    "partner_list": ("organizationId",),
    "partnerships": ("organizationId", "ownerId"),
    "permissions": (),
    "scanner_history": ("scannerId",),
    "scanners": ("organizationId", "mainGroupId", "serialNumber"),
    "sessions": ("adminId",),
    "state": (),
    "teams": ("organizationId", "mainGroupId"),
    "tokens": ("sessionId",),
    "users": ("organizationId", "mainGroupId", "subGroupId", "email"),
}
# Changes to these kinds can change the order or the content of a list.
LISTED = frozenset(INDEXES) - {"admins", "answers", "audit_logs", "cases", "links", "mails", "organizations"}
LISTED -= {"permissions", "sessions", "state", "tokens"}
EMPTY: Mapping[str, Row] = {}


def id_order(row_id: str) -> tuple[int, str]:
    """Return a sort key under which u-9 comes before u-10."""
    return len(row_id), row_id


class Store:
    """All rows by kind and id. Not thread-safe: the world's lock is held around each call."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS rows (kind TEXT, id TEXT, body BLOB, PRIMARY KEY (kind, id)) WITHOUT ROWID"
        )
        self.generation = 0
        self._clear()
        for kind, body in self._db.execute("SELECT kind, body FROM rows ORDER BY kind, length(id), id"):
            self._add(kind, msgspec.json.decode(body))

    def _clear(self) -> None:
        self._rows: dict[str, Rows] = {kind: {} for kind in INDEXES}
        self._index: dict[tuple[str, str], dict[Any, Rows]] = {
            (kind, field): {} for kind, fields in INDEXES.items() for field in fields
        }
        self._dirty: dict[tuple[str, str], Row | None] = {}
        self._before: dict[tuple[str, str], Row | None] = {}
        self.generation += 1

    def _add(self, kind: str, row: Row) -> None:
        row_id = row["id"]
        old = self._rows[kind].get(row_id)
        for field in INDEXES[kind]:
            index = self._index[kind, field]
            if old is not None and old.get(field) != row.get(field):
                del index[old.get(field)][row_id]
            index.setdefault(row.get(field), {})[row_id] = row
        self._rows[kind][row_id] = row

    def get(self, kind: str, row_id: str) -> Row | None:
        """Return one row, or None."""
        return self._rows[kind].get(row_id)

    def all(self, kind: str) -> Mapping[str, Row]:
        """Return all rows of a kind by id."""
        return self._rows[kind]

    def filter_by(self, kind: str, field: str, value: str | None) -> Mapping[str, Row]:
        """Return the rows of a kind whose indexed field has a value."""
        return self._index[kind, field].get(value, EMPTY)

    def put(self, kind: str, row: Row) -> Row:
        """Add or replace a row."""
        self._before.setdefault((kind, row["id"]), self.get(kind, row["id"]))
        self._add(kind, row)
        self._dirty[kind, row["id"]] = row
        self.generation += kind in LISTED
        return row

    def change(self, kind: str, row: Row, **fields: Any) -> Row:
        """Replace a row by one with these fields changed and the next version."""
        return self.put(kind, {**row, **fields, "version": row["version"] + 1})

    def delete(self, kind: str, row_id: str) -> None:
        """Remove an existing row."""
        row = self._rows[kind].pop(row_id)
        self._before.setdefault((kind, row_id), row)
        for field in INDEXES[kind]:
            del self._index[kind, field][row.get(field)][row_id]
        self._dirty[kind, row_id] = None
        self.generation += kind in LISTED

    def changes(self) -> Iterator[tuple[str, Row | None, Row | None]]:
        """Yield the kind of each row changed since the last flush, how it was, and how it is; None for none."""
        for (kind, row_id), old in list(self._before.items()):
            if (new := self.get(kind, row_id)) or old:
                yield kind, old, new

    def next_id(self, kind: str, prefix: str) -> str:
        """Return an id that no row of the kind has ever had."""
        counter = self.get("state", f"last-{kind}") or {
            "last": max((int(key.rpartition("-")[2]) for key in self._rows[kind]), default=0)
        }
        number = counter["last"] + 1
        self.put("state", {"id": f"last-{kind}", "last": number})
        return f"{prefix}-{number}"

    def replace_all(self, rows: Mapping[str, Iterable[Row]]) -> None:
        self._clear()
        self._db.execute("DELETE FROM rows")
        for kind, members in rows.items():
            for row in members:
                self.put(kind, row)
        self.flush()

    def flush(self) -> None:
        """Write all changes in one transaction."""
        if not self._dirty:
            return
        changed = [(kind, key, msgspec.json.encode(row)) for (kind, key), row in self._dirty.items() if row is not None]
        gone = [key for key, row in self._dirty.items() if row is None]
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", changed)
        self._db.executemany("DELETE FROM rows WHERE kind = ? AND id = ?", gone)
        self._db.execute("COMMIT")
        self._dirty.clear()
        self._before.clear()
