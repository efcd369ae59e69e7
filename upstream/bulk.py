"""Bulk calls for up to a hundred rows, or single calls where the service has no bulk call (contract, section 1.6)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_OID, uuid4, uuid5

import msgspec
from msgspec.structs import replace

from upstream.calls import Call, Changed, Created, MatchCount, Resource, write
from upstream.errors import Code, Failed, Limited, NotDone, NotFound, NotOffered, Reason, Refused, is_missing
from upstream.listing import PAGE_LIMIT
from upstream.nouns import Id, Noun, our_name, wire


class RowOutcome(Noun, frozen=True, kw_only=True):
    """The outcome of one row: of an object by its `id`, or of a new item by its `index` (`id` is then the new id).

    `field` is in our spelling. A row that is not ok has no code when the service gave none; `maybe_applied`
    means that the change may have been made anyway; `is_verdict` that the service checked the row: without it, the row
    says nothing about an earlier attempt. A row that is ok and has a code was refused because nothing was left to do.
    """

    ok: bool
    id: Id = ""
    index: int | None = None
    code: int | None = None
    reasons: tuple[Reason, ...] = ()
    field: str = ""
    maybe_applied: bool = False
    is_verdict: bool = True


class RowUpdate(msgspec.Struct, frozen=True, array_like=True):
    """New values for one object, by our field names; the service refuses the update if the version has changed."""

    id: str
    version: int | None
    fields: dict[str, Any]


class BulkResult(msgspec.Struct, frozen=True):
    """The outcome of each row, in the order in which the rows were passed in."""

    rows: tuple[RowOutcome, ...] = ()

    @property
    def done_ids(self) -> list[str]:
        """The IDs of the rows that are done."""
        return [row.id for row in self.rows if row.ok and row.id]


class _Answer(msgspec.Struct, frozen=True):
    results: list[RowOutcome]


class BulkResource(Resource):
    """Base of the resources that have bulk actions."""

    def _bulk(
        self,
        path: str,
        ids: Iterable[str],
        *,
        single: Callable[[str, str], Call],
        idempotency_key: str,
        ids_name: str = "ids",
        **body: Any,
    ) -> BulkResult:
        """Apply the same action to each object; a repeated id is one row. `ids_name` is the service's name for the ids.

        The calls derive their keys from `idempotency_key`: a single one by its id, so that it has the same key
        whichever rows it is sent with; the bulk call by its body, because a key belongs to one body.
        """
        ids, key = list(dict.fromkeys(ids)), idempotency_key or str(uuid4())
        content = {ids_name: ids, **body}
        call = write("POST", path, body=content, idempotency_key=single_key(key, msgspec.json.encode(content).decode()))
        return self._run(
            call,
            "id",
            ids,
            lambda _key: list(self._singly(ids, lambda id: single(id, single_key(key, id))).rows),
        )

    def _singly(self, ids: Iterable[str], single: Callable[[str], Call]) -> BulkResult:
        """Apply the same action to each object with a call of its own, a few at a time; a repeated id is one row.

        Raises NotOffered when the service has this call for none of them.
        """
        ids = list(dict.fromkeys(ids))
        answers = self._upstream.each([single(id) for id in ids], Changed)
        missing = [result for result in answers if isinstance(result, NotOffered)]
        if missing and len(missing) == len(ids):
            raise missing[0]
        return BulkResult(tuple(replace(outcome_for(result), id=id) for id, result in zip(ids, answers, strict=True)))

    def _update_each(self, path: str, noun: type[Noun], updates: Sequence[RowUpdate]) -> BulkResult:
        """Update each object with a call of its own: no bulk call of the service sets different values in each row."""
        calls = [write("PUT", path, id=row.id, body=wire(noun, row.fields), version=row.version) for row in updates]
        answers = self._upstream.each(calls, Changed)
        return BulkResult(tuple(replace(outcome_for(got), id=r.id) for r, got in zip(updates, answers, strict=True)))

    def _bulk_create(
        self,
        path: str,
        items: Sequence[Mapping[str, Any]],
        *,
        dry_run: bool,
        one_by_one: Callable[[str], list[RowOutcome]],
        idempotency_key: str,
    ) -> BulkResult:
        """Create an object from each item, which is in the service's spelling; a dry run only checks the items.

        `one_by_one` does the same without a bulk call; it is passed the key from which it derives those of its calls.
        """
        body = {"dryRun": dry_run, "items": items}
        call = write("POST", path, body=body, idempotency_key=idempotency_key, read_only=dry_run)
        return self._run(call, "index", range(len(items)), one_by_one)

    def _run(
        self, call: Call, name: str, keys: Sequence[str | int], one_by_one: Callable[[str], list[RowOutcome]]
    ) -> BulkResult:
        if len(keys) > PAGE_LIMIT:
            raise ValueError(f"{len(keys)} rows are more than the {PAGE_LIMIT} of one call")
        if not keys:
            return BulkResult()
        outcomes: dict[str | int, RowOutcome] | None = None
        try:
            outcomes = {getattr(row, name): row for row in self._upstream.call(call, _Answer).results}
        except (NotFound, Refused, Failed) as error:
            if not is_missing(error):
                raise
        if outcomes is None:
            outcomes = dict(zip(keys, one_by_one(call.idempotency_key), strict=True))
        rows = ((key, outcomes.get(key, _UNMENTIONED)) for key in keys)
        return BulkResult(tuple(replace(row, **{name: key}, field=our_name(row.field)) for key, row in rows))


_UNMENTIONED = RowOutcome(ok=False, maybe_applied=True)


def outcome_for(result: Created | Changed | NotDone | NotFound) -> RowOutcome:
    """Return the outcome that a bulk call would have reported for a single write."""
    match result:
        case Created(id=id):
            return RowOutcome(ok=True, id=id)
        case Changed():
            return RowOutcome(ok=True)
        case Refused(fields=fields, reasons=reasons):
            return RowOutcome(ok=False, code=result.code, reasons=reasons, field=fields[0].field if fields else "")
        case NotFound():
            return RowOutcome(ok=False, code=Code.NOT_FOUND)
        case Limited():
            return RowOutcome(ok=False, code=Code.TOO_MANY_REQUESTS, is_verdict=False)
    return RowOutcome(ok=False, code=result.code, maybe_applied=result.may_be_done, is_verdict=False)


def dry_run_outcome(result: MatchCount | NotDone | NotFound, code: Code, field: str) -> RowOutcome:
    """Return the outcome of a dry run: ok unless the search has a match or failed."""
    if isinstance(result, MatchCount):
        return RowOutcome(ok=False, code=code, field=field) if result.result_count else RowOutcome(ok=True)
    return replace(outcome_for(result), maybe_applied=False)


def single_key(key: str, item: int | str) -> str:
    """Return the Idempotency-Key of one item, by index or id; it is the same whenever the same form is sent again."""
    return str(uuid5(NAMESPACE_OID, f"{key}/{item}"))
