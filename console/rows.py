"""Reading rows by SQL that is written once: to build a query takes several times as long as to read a few rows."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core.exceptions import FieldDoesNotExist
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from django.db.models.sql import Query

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class _Plan:
    """What does not change from one query to the next on a connection, and is kept with it."""

    sql: str
    convert: Callable[[Sequence[Any]], list[Any]]


class Rows:
    """The values of some `fields`, or of all, in the model's order, of the rows that fulfill a condition.

    `where` is SQL with `%s` for each value, and names its columns; an order and a limit may follow. `also` is SQL of
    one more value, which comes last.
    """

    def __init__(
        self, model: type[Model], where: str, *, fields: Collection[str] | None = None, also: str = ""
    ) -> None:
        self._model, self._where, self._also = model, where, also
        every = model._meta.concrete_fields
        self._fields = [field for field in every if fields is None or field.name in fields]
        if fields and len(self._fields) != len(fields):
            raise FieldDoesNotExist(f"one of {', '.join(fields)}")

    def read(self, *values: Any) -> list[list[Any]]:
        """Return what the rows hold. One query."""
        connection = connections[DEFAULT_DB_ALIAS]
        plans: dict[Rows, _Plan] = vars(connection).setdefault("_plans_of_rows", {})
        if (plan := plans.get(self)) is None:
            plan = plans[self] = self._plan(connection)
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, [connection.ops.adapt_unknown_value(value) for value in values])
            return [plan.convert(row) for row in cursor.fetchall()]

    def _plan(self, connection: BaseDatabaseWrapper) -> _Plan:
        quote, table = connection.ops.quote_name, self._model._meta.db_table
        columns = [quote(str(field.column)) for field in self._fields] + ([self._also] if self._also else [])
        # What a database returns is not yet what a field holds (a time of SQLite has no zone). No public name tells.
        compiler = Query(self._model).get_compiler(connection=connection)
        converters = compiler.get_converters([field.get_col(table) for field in self._fields])
        return _Plan(
            f"SELECT {', '.join(columns)} FROM {quote(table)} WHERE {self._where}",  # noqa: S608 - all of it is ours
            lambda row: next(iter(compiler.apply_converters([row], converters))),
        )


class Objects(Generic[M]):
    """Such rows with all of their fields, as objects of the model; the value of `also` is their attribute `also`."""

    def __init__(self, model: type[M], where: str, *, also: str = "") -> None:
        self._model, self._also = model, also
        self._names = [field.attname for field in model._meta.concrete_fields]
        self._rows = Rows(model, where, also=also)

    def all(self, *values: Any) -> list[M]:
        """Return all of them. One query."""
        return [self._object(row) for row in self._rows.read(*values)]

    def one(self, *values: Any) -> M | None:
        """Return the first one; None if there is none. One query."""
        return next(iter(self.all(*values)), None)

    def _object(self, row: list[Any]) -> M:
        also = row.pop() if self._also else None
        found = self._model.from_db(DEFAULT_DB_ALIAS, self._names, row)
        if self._also:
            vars(found)["also"] = also
        return found
