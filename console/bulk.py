"""Bulk actions of every list: what was chosen, what will happen to each row, what did, and the failed ones again.

A bulk action is POSTs to one URL, each answered with its own page, so that it works without JavaScript: the choice
(check boxes, or all that match the list's query) is answered with the plan; the confirmed plan with the result of its
first hundred rows; each further hundred with its own. What has to be carried from one to the next is signed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
from django.core import signing
from django.http import HttpRequest

from console.lists import ID
from console.upstream.bulk import BulkResult, BulkRow

AT_ONCE = 100
"""Rows of one request (conformance CO-17)."""
MOST = 2000
"""Rows that one action may be chosen for."""
TYPED_FROM = 6
"""A deletion of this many rows needs the number typed (conformance LS-15)."""
SALT = "bulk"
LIVES = 3600
"""Seconds for which a plan can be carried out."""


class Unknown(Exception):
    """What was sent is no plan of ours, or an old one."""


class TooMany(Exception):
    """More rows match than one action may be chosen for."""


@dataclass(frozen=True)
class Candidate:
    """A row that was chosen, and why it can't be done (empty: it can)."""

    id: str
    name: str
    detail: str = ""
    blockers: tuple[str, ...] = ()


class Row(msgspec.Struct, frozen=True, array_like=True):
    """What happened to one row."""

    id: str
    name: str
    detail: str
    ok: bool
    text: str


class Course(msgspec.Struct, frozen=True):
    """An action under way: the rows still to do, and what happened to the others."""

    action: str
    left: list[str]
    options: dict[str, str] = {}
    rows: list[Row] = []

    @property
    def failed(self) -> list[str]:
        return [row.id for row in self.rows if not row.ok]

    @property
    def total(self) -> int:
        return len(self.rows) + len(self.left)

    def pack(self) -> str:
        return signing.dumps(msgspec.to_builtins(self), salt=SALT, compress=True)

    @classmethod
    def unpack(cls, text: str, action: str) -> "Course":
        """Read a course that a page carried. Raises Unknown."""
        try:
            course = msgspec.convert(signing.loads(text, salt=SALT, max_age=LIVES), cls)
        except (signing.BadSignature, msgspec.ValidationError) as error:
            raise Unknown from error
        if course.action != action:
            raise Unknown
        return course


def chosen_ids(request: HttpRequest) -> list[str]:
    """The ids of the ticked rows, each once: the boxes of this page, and in one field those of other pages."""
    ids = dict.fromkeys([*request.POST.getlist("id"), *request.POST.get("ids", "").split()])
    return [id for id in ids if ID.fullmatch(id)]


def hundreds(ids: Sequence[str]) -> list[Sequence[str]]:
    """The ids in pieces that one call may have."""
    return [ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE)]


def carry_out(
    course: Course,
    names: Mapping[str, Candidate],
    run: Callable[[Sequence[str]], BulkResult],
    reason: Callable[[BulkRow | None], str],
) -> Course:
    """Run the next rows of a course; a row that fails never stops the others. Raises what stops a whole call."""
    ids = course.left[:AT_ONCE]
    answers = {row.id: row for row in run(ids).rows}
    rows = []
    for id in ids:
        known, answer = names.get(id, Candidate(id, id)), answers.get(id)
        ok = answer is not None and answer.ok
        rows.append(Row(id, known.name, known.detail, ok, "" if ok else reason(answer)))
    return msgspec.structs.replace(course, left=course.left[AT_ONCE:], rows=[*course.rows, *rows])
