"""Reading one row by SQL that is written once: to build a query takes several times as long as to read its row."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from django.db.models.sql import Query

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class _Plan:
    """What does not change from one row to the next on a connection, and is kept with it."""

    sql: str
    names: list[str]
    convert: Callable[[list[Any]], list[Any]]


class OneRow(Generic[M]):
    """The rows of a model that fulfill a condition; `where` is SQL with `%s` for each value, and names its columns.

    `also` is SQL of one more value, which comes with the same query as the row's attribute `also`.
    """

    def __init__(self, model: type[M], where: str, *, also: str = "") -> None:
        self._model = model
        self._where = where
        self._also = also

    def find(self, *values: Any) -> M | None:
        """Return the row, with all of its fields; None if there is none. One query."""
        connection = connections[DEFAULT_DB_ALIAS]
        plans: dict[OneRow[Any], _Plan] = vars(connection).setdefault("_one_row_plans", {})
        if (plan := plans.get(self)) is None:
            plan = plans[self] = self._plan(connection)
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, [connection.ops.adapt_unknown_value(value) for value in values])
            row = cursor.fetchone()
        if row is None:
            return None
        values_of_row = list(row)
        also = values_of_row.pop() if self._also else None
        found = self._model.from_db(DEFAULT_DB_ALIAS, plan.names, plan.convert(values_of_row))
        if self._also:
            vars(found)["also"] = also
        return found

    def _plan(self, connection: BaseDatabaseWrapper) -> _Plan:
        quote, meta = connection.ops.quote_name, self._model._meta
        columns = ", ".join(quote(str(field.column)) for field in meta.concrete_fields)
        columns += f", {self._also}" if self._also else ""
        # What a database returns is not yet what a field holds (a time of SQLite has no zone). No public name tells.
        compiler = Query(self._model).get_compiler(connection=connection)
        converters = compiler.get_converters([field.get_col(meta.db_table) for field in meta.concrete_fields])
        return _Plan(
            f"SELECT {columns} FROM {quote(meta.db_table)} WHERE {self._where}",  # noqa: S608 - all of it is ours
            [field.attname for field in meta.concrete_fields],
            lambda row: next(iter(compiler.apply_converters([row], converters))),
        )
