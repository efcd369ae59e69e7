"""Bulk actions of every list: what was chosen, what will happen to each row, what did, and the failed ones again.

A bulk action is POSTs to one URL, each answered with its own page, so that it works without JavaScript: the choice
(check boxes, or all that match the list's query) is answered with the plan; the confirmed plan with the result of its
first hundred rows; each further hundred with its own. What has to be carried from one to the next is signed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
from django.core import signing
from django.http import HttpRequest
from django.utils.translation import gettext as _

from console.lists import ID
from console.upstream.bulk import BulkResult

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


@dataclass(frozen=True)
class Candidate:
    """A row that was chosen, and why it can't be done (empty: it can)."""

    id: str
    name: str
    detail: str = ""
    blockers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """What happened to one row."""

    name: str
    detail: str
    ok: bool
    text: str


class Course(msgspec.Struct, frozen=True):
    """An action under way: rows still to do, rows that failed, and how many are done."""

    action: str
    left: list[str]
    options: dict[str, str] = {}
    failed: list[str] = []
    done: int = 0

    @property
    def total(self) -> int:
        return self.done + len(self.failed) + len(self.left)

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


@dataclass(frozen=True)
class Result:
    """What one request of a course did, and the course as it goes on."""

    rows: list[Row]
    course: Course
    summary: str = field(default="")

    @property
    def goes_on(self) -> bool:
        return bool(self.course.left)


def chosen_ids(request: HttpRequest) -> list[str]:
    """The ids of the ticked rows, each once."""
    ids = dict.fromkeys(request.POST.getlist("id"))
    return [id for id in ids if ID.fullmatch(id)]


def carry_out(
    course: Course, names: dict[str, Candidate], run: Callable[[Sequence[str]], BulkResult], reason: Callable[..., str]
) -> Result:
    """Run the next rows of a course; a row that fails never stops the others. Raises what stops a whole call."""
    ids = course.left[:AT_ONCE]
    answers = {row.id: row for row in run(ids).rows}
    rows, failed = [], list(course.failed)
    for id in ids:
        known, answer = names.get(id, Candidate(id, id)), answers.get(id)
        ok = answer is not None and answer.ok
        rows.append(Row(known.name, known.detail, ok, _("Done.") if ok else reason(answer)))
        if not ok:
            failed.append(id)
    done = course.done + sum(row.ok for row in rows)
    return Result(rows, msgspec.structs.replace(course, left=course.left[AT_ONCE:], failed=failed, done=done))
