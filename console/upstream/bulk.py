"""Bulk: one call for up to a hundred rows; single calls in its place where the service has none (contract, 1.6)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import msgspec
from msgspec.structs import replace

from console.upstream.calls import Call, Changed, Created, Found, Resource, write
from console.upstream.errors import Code, Failed, Limited, NotDone, NotFound, Reason, Refused
from console.upstream.nouns import Id, Noun, our_name, wire

LARGEST = 100
"""Rows in one call; who has more makes several calls."""


class BulkRow(Noun, frozen=True, kw_only=True):
    """What became of one row: of an object by its `id`, of an item by its `index` (its `id` is the new object's).

    `field` is in our spelling. A row that is not ok has no code when the service gave none; `unsure` says that it may
    have been carried out all the same.
    """

    ok: bool
    id: Id = ""
    index: int | None = None
    code: int | None = None
    reasons: tuple[Reason, ...] = ()
    field: str = ""
    unsure: bool = False


class Change(msgspec.Struct, frozen=True, array_like=True):
    """What to set of one object, by our names of its fields; the service refuses another version than this."""

    id: str
    version: int | None
    fields: dict[str, Any]


class BulkResult(msgspec.Struct, frozen=True):
    """What became of each row, in the order in which they were handed in."""

    rows: tuple[BulkRow, ...] = ()

    @property
    def ok_count(self) -> int:
        return sum(row.ok for row in self.rows)


class _Answer(msgspec.Struct, frozen=True):
    results: list[BulkRow]


class BulkResource(Resource):
    """What the resources with bulk actions have in common."""

    def _bulk(
        self, path: str, ids: Iterable[str], *, single: Callable[[str], Call], idempotency_key: str, **body: Any
    ) -> BulkResult:
        """Do the same to each object; one that is named twice is one row."""
        ids = list(dict.fromkeys(ids))
        call = write("POST", path, body={"ids": ids, **body}, idempotency_key=idempotency_key)
        return self._run(call, "id", ids, lambda key: list(self._singly(ids, single).rows))

    def _singly(self, ids: Iterable[str], single: Callable[[str], Call]) -> BulkResult:
        """Do the same to each object by its own call, a few at a time; one that is named twice is one row."""
        ids = list(dict.fromkeys(ids))
        became = self._upstream.each([single(id) for id in ids], Changed)
        return BulkResult(tuple(replace(row_of(got), id=id) for id, got in zip(ids, became, strict=True)))

    def _change_each(self, path: str, noun: type[Noun], changes: Sequence[Change]) -> BulkResult:
        """Change each object by a call of its own: the service has none that sets other values in each row."""
        calls = [write("PUT", path, id=c.id, body=wire(noun, c.fields), version=c.version) for c in changes]
        became = self._upstream.each(calls, Changed)
        return BulkResult(tuple(replace(row_of(got), id=c.id) for c, got in zip(changes, became, strict=True)))

    def _bulk_create(
        self,
        path: str,
        items: Sequence[Mapping[str, Any]],
        *,
        dry_run: bool,
        one_by_one: Callable[[str], list[BulkRow]],
        idempotency_key: str,
    ) -> BulkResult:
        """Make an object of each item, which is in the service's spelling; a dry run only tells what would be.

        `one_by_one` is what to do without a bulk call; it gets the key that those of its calls are made from.
        """
        body = {"dryRun": dry_run, "items": items}
        call = write("POST", path, body=body, idempotency_key=idempotency_key)
        return self._run(call, "index", range(len(items)), one_by_one)

    def _run(
        self, call: Call, name: str, keys: Sequence[str | int], one_by_one: Callable[[str], list[BulkRow]]
    ) -> BulkResult:
        if len(keys) > LARGEST:
            raise ValueError(f"{len(keys)} rows are more than the {LARGEST} of one call")
        if not keys:
            return BulkResult()
        told: dict[str | int, BulkRow] | None = None
        try:
            told = {getattr(row, name): row for row in self._upstream.call(call, _Answer).results}
        except (NotFound, Refused, Failed) as error:
            if not _is_missing(error):
                raise
        if told is None:
            told = dict(zip(keys, one_by_one(call.idempotency_key), strict=True))
        rows = ((key, told.get(key, _UNMENTIONED)) for key in keys)
        return BulkResult(tuple(replace(row, **{name: key}, field=our_name(row.field)) for key, row in rows))


_UNMENTIONED = BulkRow(ok=False, unsure=True)


def _is_missing(error: NotFound | Refused | Failed) -> bool:
    """Tell whether the service has no such call; to some, its path looks like that of an object (405)."""
    return error.status in (405, 501) or (error.status == 404 and error.code != Code.NOT_FOUND)


def row_of(got: Created | Changed | NotDone | NotFound) -> BulkRow:
    """Return the row that a bulk call would have told of what a single write became."""
    match got:
        case Created(id=id):
            return BulkRow(ok=True, id=id)
        case Changed():
            return BulkRow(ok=True)
        case Refused(fields=fields, reasons=reasons):
            return BulkRow(ok=False, code=got.code, reasons=reasons, field=fields[0].field if fields else "")
        case NotFound():
            return BulkRow(ok=False, code=Code.NOT_FOUND)
        case Limited():
            return BulkRow(ok=False, code=Code.TOO_MANY_REQUESTS)
    return BulkRow(ok=False, code=got.code, unsure=got.may_be_done)


def row_of_search(got: Found | NotDone | NotFound, code: Code, field: str) -> BulkRow:
    """Return the row of a dry run whose item is free unless something was found, or the search itself failed."""
    if isinstance(got, Found):
        return BulkRow(ok=False, code=code, field=field) if got.result_count else BulkRow(ok=True)
    return replace(row_of(got), unsure=False)


def single_key(key: str, index: int) -> str:
    """Return the Idempotency-Key of one item: the same whenever the same form is sent again."""
    return str(uuid5(NAMESPACE_OID, f"{key}/{index}"))
