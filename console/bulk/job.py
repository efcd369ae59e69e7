"""Signed state that forms carry between the steps of a bulk action: the query of "all that match", and the job.

A bulk action is a series of POSTs to one URL, each answered with its own page, so that it works without JavaScript. The
answer to the selection is the plan; the answer to the confirmed plan is the progress after the first hundred rows. So
is the answer to each further hundred; the last answer redirects to the result. The signatures are bound to the
administrator, and to the list or the address.

A job of MAX_PLANNED people takes about 350 kB, with the longest names and emails of the widest characters 1.3 MB, and
the IDs of MAX_EXCLUDED 0.5 MB. A form may send 2 MB (DATA_UPLOAD_MAX_MEMORY_SIZE, and client_max_body_size of nginx),
including its other fields. The job carries rows that are selected beyond MAX_PLANNED as `remaining`; they are planned
after the first ones.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal
from urllib.parse import urlencode
from uuid import uuid4

import msgspec
from django.core import signing
from django.http import QueryDict
from msgspec.structs import replace

from console.audit.content import Ref
from console.bulk.action import BulkList, Candidate, T
from console.l10n.bidi import shortened
from console.lists.query import ID, ListDefinition, ListQuery
from console.web.request import ConsoleRequest, bound
from upstream.bulk import single_key
from upstream.listing import PAGE_LIMIT
from upstream.nouns import plain

MAX_PLANNED = 5000
"""Maximum rows of one plan."""
MAX_EXCLUDED = 15_000
"""Maximum IDs that "all that match" excludes: deselected rows, and rows that were planned earlier."""
MAX_TEXT_LENGTH = 100
"""Maximum characters of a name, and of a detail."""
MAX_NAME_CHARS = 10_000
"""Maximum characters of all names for the activity: clinics and previous values. Beyond that it only gets IDs."""
NONE = -1
NEVER = -1
"""The batch of a row that is blocked in the plan, so it is never sent."""
MAX_JOB_CHARS = 250_000
"""Maximum characters of all names and details. With many rows each is shortened, so that a form can send all of them.

A name that is shorter than its share leaves the rest to the detail, and vice versa.
"""
ORDER = ("sort", "order")
LIFETIME = 3600
"""Seconds for which a plan can be performed."""

Outcome = Literal["waiting", "done", "failed", "blocked", "unknown"]
"""A blocked row stays blocked until its reasons are resolved; a failed one may succeed the next time."""


class _Compact:
    """Serializer of jobs: half as long as Django's default if names are not ASCII."""

    def dumps(self, job: "Job") -> bytes:
        return msgspec.json.encode(job)

    def loads(self, data: bytes) -> "Job":
        return msgspec.json.decode(data, type=Job)


class StaleJob(Exception):
    """A plan that is too old to be performed."""


class TooMany(Exception):
    """More rows are selected or excluded than a form can send."""


class NotApplicable(Exception):
    """All matches of a query were selected, but the list can't apply a part of it: the message says which."""


class NotUsable(Exception):
    """A selection or job without our signature, or for another list, action, organization or administrator."""


@dataclass(frozen=True)
class Matching:
    """The query of a list whose rows are all selected, and the number of rows when it was rendered."""

    query: ListQuery
    total: int

    def sign(self, request: ConsoleRequest, path: str) -> str:
        """Return `total?search#order:signature`, which the browser can read (behaviors/selection.ts)."""
        pairs = self.query.pairs()
        search = urlencode([pair for pair in pairs if pair[0] not in ("page", "size", *ORDER)])
        order = urlencode([pair for pair in pairs if pair[0] in ORDER])
        return signing.Signer(salt=bound(request, "bulk query", path)).sign(f"{self.total}?{search}#{order}")

    @classmethod
    def read(cls, request: ConsoleRequest, path: str, definition: ListDefinition, text: str) -> "Matching":
        """Read the signed query of the list at `path`. Raises NotUsable."""
        try:
            total, _, query = signing.Signer(salt=bound(request, "bulk query", path)).unsign(text).partition("?")
            search, _, order = query.partition("#")
        except signing.BadSignature as error:
            raise NotUsable from error
        return cls(ListQuery.read(definition, QueryDict(f"{search}&{order}")), int(total))


def _shortened(candidate: Candidate, share: int) -> Candidate:
    """Shorten name and details, because a form sends the whole plan back, with up to MAX_PLANNED rows."""
    name = candidate.name[: max(share // 2, share - len(candidate.detail))][:MAX_TEXT_LENGTH]
    detail = shortened(candidate.detail, min(share - len(name), MAX_TEXT_LENGTH))
    plan_detail = candidate.plan_detail if len(name + detail + candidate.plan_detail) <= share else ""
    return candidate._replace(name=name, detail=detail, plan_detail=plan_detail)


class _Refs:
    """Objects that several rows refer to, each once."""

    def __init__(self) -> None:
        self.found: list[Ref] = []
        self._positions: dict[str, int] = {}
        self._remaining_chars = MAX_NAME_CHARS

    def index_for(self, ref: Ref) -> int:
        """Return the index of a reference, and add it if necessary."""
        if not ref:
            return NONE
        if ref.id not in self._positions:
            name = ref.name[: min(MAX_TEXT_LENGTH, self._remaining_chars)]
            self._remaining_chars -= len(name)
            self._positions[ref.id] = len(self.found)
            self.found.append(Ref(ref.id, name))
        return self._positions[ref.id]


class JobRow(msgspec.Struct, frozen=True, array_like=True):
    """A row and its outcome. It has its name, which is then known even if the row no longer exists.

    Rows of the same `batch` are sent together; a row stays in its batch until the service answers it. `unknown_tries`
    counts the earlier tries that may have been carried out. `text` says why it was not done, or that the outcome is
    unknown: one sentence per line. `clinic`, `target` and `was` are for the activity: indexes in the `refs` of the job,
    or NONE.
    """

    id: str
    name: str
    detail: str
    batch: int
    outcome: Outcome = "waiting"
    text: str = ""
    unknown_tries: int = 0
    parent_id: str = ""
    clinic: int = NONE
    target: int = NONE
    was: int = NONE
    plan_detail: str = ""

    @property
    def current_detail(self) -> str:
        """Detail, plus `plan_detail` until the row is done."""
        return " · ".join(filter(None, [self.detail, self.plan_detail if self.outcome != "done" else ""]))

    @property
    def reasons(self) -> list[str]:
        return self.text.splitlines()

    def has(self, words: str) -> bool:
        """Return whether the texts of the row contain these words, which are normalized by `plain`."""
        return words in plain(f"{self.name} {self.current_detail} {self.text}")


class Selection(msgspec.Struct, frozen=True, rename={"excluded": "left_out"}):
    """The selected rows: by their IDs, or all that match a signed `query` except the `excluded` ones.

    `count` is their number if they are the remaining rows of another selection.
    """

    ids: list[str] = []
    query: str | None = None
    excluded: list[str] = []
    count: int = 0


class Job(msgspec.Struct, frozen=True, rename={"remaining": "rest"}):
    """An action on its rows, planned or running. `selected` is the number of selected rows that the bar showed.

    The keys of its calls are derived from `key`. `remaining` is the selection beyond its rows. `refs` are objects of
    the rows that the activity records, `chosen` the labels of the chosen options by value. `run` identifies one action
    of the activity, and its result: each confirmation of the plan and each retry starts another one. `undone_run` links
    an undo, and the plan made from it, to the result that offers it; `retried_run` links a retry.
    """

    rows: list[JobRow]
    selected: int
    options: dict[str, str] = {}
    confirmed: bool = False
    key: str = ""
    remaining: Selection | None = None
    refs: list[Ref] = []
    chosen: dict[str, str] = {}
    run: str = ""
    undone_run: str = ""
    retried_run: str = ""

    @classmethod
    def planned(
        cls, candidates: Iterable[tuple[Candidate, Sequence[str]]], *, selected: int, remaining: Selection | None = None
    ) -> "Job":
        """Plan an action on candidates with their blockers; blocked rows are not sent."""
        numbers, planned, refs = count(), list(candidates), _Refs()
        share = MAX_JOB_CHARS // max(1, len(planned))
        rows = []
        for candidate, blockers in planned:
            short = _shortened(candidate, share)
            row = JobRow(
                short.id,
                short.name,
                short.detail,
                NEVER if blockers else next(numbers) // PAGE_LIMIT,
                parent_id=short.parent_id,
                clinic=refs.index_for(short.clinic),
                target=refs.index_for(short.target),
                was=refs.index_for(short.previous),
                plan_detail=short.plan_detail,
            )
            rows.append(replace(row, outcome="blocked", text="\n".join(blockers)) if blockers else row)
        return cls(rows, selected, key=str(uuid4()), remaining=remaining, refs=refs.found)

    def ref(self, index: int) -> Ref:
        """Return the reference at an index of `refs`; an empty one for NONE."""
        return self.refs[index] if index != NONE else Ref()

    @property
    def waiting(self) -> list[JobRow]:
        """The rows without an outcome."""
        return [row for row in self.rows if row.outcome == "waiting"]

    @property
    def next_batch(self) -> int:
        return next((row.batch for row in self.rows if row.outcome == "waiting"), 0)

    @property
    def next_rows(self) -> list[JobRow]:
        """The waiting rows of the next call."""
        batch = self.next_batch
        return [row for row in self.waiting if row.batch == batch]

    @property
    def next_key(self) -> str:
        """The key of the next call: a retry has the same one as long as the outcome of its rows is unknown."""
        return single_key(self.key, json.dumps([self.next_batch, self.options]))

    @property
    def finished(self) -> list[JobRow]:
        """The rows with an outcome, those that need attention first."""
        return sorted((row for row in self.rows if row.outcome != "waiting"), key=lambda row: row.outcome == "done")

    def count(self, *outcomes: Outcome) -> int:
        return sum(row.outcome in outcomes for row in self.rows)

    def with_outcomes(self, outcomes: Mapping[str, tuple[Outcome, str]]) -> "Job":
        """Return the job with the outcomes and texts of some of its rows, by ID."""
        rows = [
            replace(row, outcome=outcomes[row.id][0], text=outcomes[row.id][1]) if row.id in outcomes else row
            for row in self.rows
        ]
        return replace(self, rows=rows)

    def retry(self, retried_run: str = "") -> "Job":
        """Return the job of the rows that are not known to be done; blocked ones are shown again, but not sent.

        Rows that failed get new batches, after all others: for the same key the service would only repeat its answer.
        Batches with an unknown outcome are sent again unchanged, or a second email might follow the first. Each retry
        of this job has the same keys: one that stopped is resumed without doing anything twice.
        """
        numbers = count((max((row.batch for row in self.rows), default=0) + 1) * PAGE_LIMIT)
        rows = [
            row
            if row.outcome == "blocked"
            else replace(row, outcome="waiting", text="", unknown_tries=row.unknown_tries + 1)
            if row.outcome == "unknown"
            else replace(row, outcome="waiting", text="", unknown_tries=0, batch=next(numbers) // PAGE_LIMIT)
            for row in self.rows
            if row.outcome != "done"
        ]
        return replace(self, rows=rows, selected=len(rows), confirmed=True, run="", retried_run=retried_run)

    def undone(self) -> "Job":
        """Return the job that reverts the rows that were done; confirming this job has confirmed it, too.

        It always has the same key, so that the service does not execute it twice.
        """
        done = (row for row in self.rows if row.outcome == "done")
        rows = [
            replace(row, batch=number // PAGE_LIMIT, outcome="waiting", unknown_tries=0, text="")
            for number, row in enumerate(done)
        ]
        key = single_key(self.run, "undo")
        return Job(rows, len(rows), confirmed=True, key=key, refs=self.refs, undone_run=self.run)

    def sign(self, request: ConsoleRequest, path: str) -> str:
        """Return the signed job for the form of the next step, whose action is at `path`."""
        return signing.dumps(self, salt=bound(request, "bulk job", path), serializer=_Compact, compress=True)

    @staticmethod
    def read(request: ConsoleRequest, text: str) -> "Job":
        """Read a job that a form carried. Raises StaleJob and NotUsable."""
        salt = bound(request, "bulk job", request.path)
        try:
            job: Job = signing.loads(text, salt=salt, serializer=_Compact, max_age=LIFETIME)
        except signing.SignatureExpired as error:
            raise StaleJob from error
        except (signing.BadSignature, msgspec.ValidationError) as error:
            raise NotUsable from error
        return job


def sign_query(bulk_list: BulkList[T], query: ListQuery, total: int) -> str:
    """Return the signed value of a form that selects all rows of a list that match its query."""
    return Matching(query, total).sign(bulk_list.request, bulk_list.path)


def sent_ids(*values: str) -> list[str]:
    """Return the IDs that a form sent, each once; a field may have several."""
    ids = dict.fromkeys(id for value in values for id in value.split())
    return [id for id in ids if ID.fullmatch(id)]
