"""What travels signed between the steps of a bulk action: the query of "all that match", and the job.

A bulk action is POSTs to one URL, each answered with its own page, so that it works without JavaScript: the selection
is answered with the plan; the confirmed plan with how far it is after its first hundred rows; each further hundred
likewise, and the last one with the result. All of it is bound to whom it was signed for, and to the list or the
address.

A job of MOST_PLANNED people takes about 350 kB, with the longest names and emails of the widest characters 1.3 MB, and
the IDs of MOST_LEFT_OUT 0.5 MB. A form may send 2 MB (DATA_UPLOAD_MAX_MEMORY_SIZE, and client_max_body_size of nginx),
its other fields included. What is selected beyond MOST_PLANNED travels along as the rest, and is planned after them.
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
from console.lists.query import ID, ListDefinition, ListQuery
from console.web.request import ConsoleRequest, bound
from upstream.bulk import single_key
from upstream.listing import PAGE_LIMIT
from upstream.nouns import plain

MAX_PLANNED = 5000
"""Rows that are planned at once."""
MAX_EXCLUDED = 15_000
"""IDs that "all that match" may be without: those that were unticked, and those that were planned before the rest."""
MAX_TEXT_LENGTH = 100
"""Characters of a name, and of a detail."""
MAX_NAME_CHARS = 10_000
"""Characters of the names that are kept for the activity: of clinics, and of what rows had. Of more, IDs are told."""
NONE = -1
NEVER = -1
"""The batch of a row that is blocked when it is planned, so it is never sent."""
MAX_JOB_CHARS = 250_000
"""Characters of all names and details: where there are many, each is cut shorter, so that a form can send all of them.
What a short one leaves of a row's share is the other's.
"""
ORDER = ("sort", "order")
LIFETIME = 3600
"""Seconds for which a plan can be carried out."""

Outcome = Literal["waiting", "done", "failed", "blocked", "unknown"]
"""A blocked row stays so until what stands in its way is gone; one that failed may succeed the next time."""


class _Compact:
    """How a job is written: half as long as what Django writes by itself where names are not ASCII."""

    def dumps(self, job: "Job") -> bytes:
        return msgspec.json.encode(job)

    def loads(self, data: bytes) -> "Job":
        return msgspec.json.decode(data, type=Job)


class StaleJob(Exception):
    """A plan that is too old to be carried out."""


class TooMany(Exception):
    """More is left out than a form can tell."""


class NotApplicable(Exception):
    """All that match a query were selected, and the list can't apply a part of it: the message says which."""


class NotUsable(Exception):
    """What was sent was not signed here, or for another list, action, organization or administrator."""


@dataclass(frozen=True)
class Matching:
    """The query of a list whose rows are all selected, and how many they were when it was drawn."""

    query: ListQuery
    total: int

    def sign(self, request: ConsoleRequest, path: str) -> str:
        """Return it as `total?search#order:signature`, which the browser can read (behaviors/selection.ts)."""
        pairs = self.query.pairs()
        search = urlencode([pair for pair in pairs if pair[0] not in ("page", "size", *ORDER)])
        order = urlencode([pair for pair in pairs if pair[0] in ORDER])
        return signing.Signer(salt=bound(request, "bulk query", path)).sign(f"{self.total}?{search}#{order}")

    @classmethod
    def read(cls, request: ConsoleRequest, path: str, definition: ListDefinition, text: str) -> "Matching":
        """Read what the list at `path` was drawn with. Raises NotUsable."""
        try:
            total, _, query = signing.Signer(salt=bound(request, "bulk query", path)).unsign(text).partition("?")
            search, _, order = query.partition("#")
        except signing.BadSignature as error:
            raise NotUsable from error
        return cls(ListQuery.read(definition, QueryDict(f"{search}&{order}")), int(total))


def _shortened(candidate: Candidate, share: int) -> Candidate:
    """Cut what is only to be recognized: a plan is sent back as a whole, of up to MOST_PLANNED rows."""
    name = candidate.name[: max(share // 2, share - len(candidate.detail))][:MAX_TEXT_LENGTH]
    return candidate._replace(name=name, detail=candidate.detail[: share - len(name)][:MAX_TEXT_LENGTH])


class _Refs:
    """What rows have in common, each once."""

    def __init__(self) -> None:
        self.found: list[Ref] = []
        self._positions: dict[str, int] = {}
        self._remaining_chars = MAX_NAME_CHARS

    def index_for(self, ref: Ref) -> int:
        """Return where it stands."""
        if not ref:
            return NONE
        if ref.id not in self._positions:
            name = ref.name[: min(MAX_TEXT_LENGTH, self._remaining_chars)]
            self._remaining_chars -= len(name)
            self._positions[ref.id] = len(self.found)
            self.found.append(Ref(ref.id, name))
        return self._positions[ref.id]


class JobRow(msgspec.Struct, frozen=True, array_like=True):
    """A row, and what became of it; its name goes along, so that it is known even when the row is gone.

    Rows of the same `batch` are sent together; a row stays in its batch until the service answered it. `unknown_tries`
    counts the earlier tries that may have been carried out. `text` says why it was not done, or that this is not known:
    sentences, one a line. `clinic`, `target` and `was` are for the activity: places in the `refs` of the job, or NONE.
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

    @property
    def reasons(self) -> list[str]:
        return self.text.splitlines()

    def has(self, words: str) -> bool:
        """Tell whether these words stand in what is told of it; `words` are `plain`."""
        return words in plain(f"{self.name} {self.detail} {self.text}")


class Selection(msgspec.Struct, frozen=True, rename={"excluded": "left_out"}):
    """What is selected: rows by their IDs, or all that match a signed `query`, except those that are left out.

    `count` is how many rows these are, where it is the rest of another selection.
    """

    ids: list[str] = []
    query: str | None = None
    excluded: list[str] = []
    count: int = 0


class Job(msgspec.Struct, frozen=True, rename={"remaining": "rest"}):
    """An action on its rows, planned or under way. `selected` is how many rows the bar said they were.

    `key` is that from which its calls derive theirs; `remaining` is what is selected beyond them. `refs` are what the
    activity tells of its rows, `chosen` the names of what was chosen, by value. `run` is one act of the activity: each
    press that confirms the plan or tries again begins another one.
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

    @classmethod
    def planned(
        cls, candidates: Iterable[tuple[Candidate, Sequence[str]]], *, selected: int, remaining: Selection | None = None
    ) -> "Job":
        """Plan an action on candidates with their blockers: what can't be done is not sent."""
        numbers, planned, refs = count(), list(candidates), _Refs()
        share = MAX_JOB_CHARS // max(1, len(planned))
        rows = []
        for candidate, blockers in planned:
            id, name, detail, parent_id, *about = _shortened(candidate, share)
            clinic, target, was = map(refs.index_for, about)
            batch = NEVER if blockers else next(numbers) // PAGE_LIMIT
            row = JobRow(id, name, detail, batch, parent_id=parent_id, clinic=clinic, target=target, was=was)
            rows.append(replace(row, outcome="blocked", text="\n".join(blockers)) if blockers else row)
        return cls(rows, selected, key=str(uuid4()), remaining=remaining, refs=refs.found)

    def ref(self, index: int) -> Ref:
        """Return what stands at a place of `refs`."""
        return self.refs[index] if index != NONE else Ref()

    @property
    def waiting(self) -> list[JobRow]:
        """The rows that are still to be done."""
        return [row for row in self.rows if row.outcome == "waiting"]

    @property
    def next_batch(self) -> int:
        return next((row.batch for row in self.rows if row.outcome == "waiting"), 0)

    @property
    def next_rows(self) -> list[JobRow]:
        """Those of them that the next call has."""
        batch = self.next_batch
        return [row for row in self.waiting if row.batch == batch]

    @property
    def next_key(self) -> str:
        """That from which this call derives its keys: the same again as long as nobody knows of these rows."""
        return single_key(self.key, json.dumps([self.next_batch, self.options]))

    @property
    def finished(self) -> list[JobRow]:
        """All other rows: those that need a look come first."""
        return sorted((row for row in self.rows if row.outcome != "waiting"), key=lambda row: row.outcome == "done")

    def count(self, *outcomes: Outcome) -> int:
        return sum(row.outcome in outcomes for row in self.rows)

    def with_outcomes(self, outcomes: Mapping[str, tuple[Outcome, str]]) -> "Job":
        """Return the job after some of its rows were done; `outcomes` are these rows' outcomes and texts, by ID."""
        rows = [
            replace(row, outcome=outcomes[row.id][0], text=outcomes[row.id][1]) if row.id in outcomes else row
            for row in self.rows
        ]
        return replace(self, rows=rows)

    def retry(self) -> "Job":
        """Return the job of what is not known to be done; what is blocked is told again, and not sent.

        What was answered goes into new batches, after all others: for the same key the service would only give its
        answer again. What nobody knows of is sent again as it was, or a second mail might follow the first.
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
        return replace(self, rows=rows, selected=len(rows), confirmed=True, run="")

    def undone(self) -> "Job":
        """Return the job that takes back what was done: it was planned and confirmed with this one."""
        done = (row for row in self.rows if row.outcome == "done")
        rows = [
            replace(row, batch=number // PAGE_LIMIT, outcome="waiting", unknown_tries=0, text="")
            for number, row in enumerate(done)
        ]
        return Job(rows, len(rows), confirmed=True, key=str(uuid4()), refs=self.refs)

    def sign(self, request: ConsoleRequest, path: str) -> str:
        """Return the job as the next step's form carries it to the address of its action."""
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
    """Return what a form carries that selects all rows of a list that match its query."""
    return Matching(query, total).sign(bulk_list.request, bulk_list.path)


def sent_ids(*values: str) -> list[str]:
    """Return the IDs that a form sent, each once; several may stand in one field."""
    ids = dict.fromkeys(id for value in values for id in value.split())
    return [id for id in ids if ID.fullmatch(id)]
