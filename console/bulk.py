"""Bulk actions of every list: what was chosen, what will happen to each row, what did, and the failed ones again.

A bulk action is POSTs to one URL, each answered with its own page, so that it works without JavaScript: the choice
(check boxes, or all that match the list's query) is answered with the plan; the confirmed plan with the result of its
first hundred rows; each further hundred with its own. What has to be carried from one to the next is signed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from django.core import signing
from django.http import HttpRequest

from console.lists import ID

AT_ONCE = 100
"""Rows of one request (conformance CO-17)."""
MOST = 2000
"""Rows that one action may be chosen for."""
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


class Target(msgspec.Struct, frozen=True, array_like=True):
    """A row still to do. Its name goes along, so that it is known even when the row is gone."""

    id: str
    name: str
    detail: str


class Row(msgspec.Struct, frozen=True, array_like=True):
    """What happened to one row; `text` is why it was not done."""

    id: str
    name: str
    detail: str
    ok: bool
    text: str


class Course(msgspec.Struct, frozen=True):
    """An action planned or under way: the rows still to do, and what happened to the others."""

    action: str
    left: list[Target]
    rows: list[Row] = []
    options: dict[str, str] = {}
    confirmed: bool = False

    @classmethod
    def planned(cls, action: str, candidates: Sequence[Candidate]) -> "Course":
        """What can't be done is not sent: it was not done from the start, for the reason that was told."""
        possible = [Target(c.id, c.name, c.detail) for c in candidates if not c.blockers]
        blocked = [Row(c.id, c.name, c.detail, False, " ".join(c.blockers)) for c in candidates if c.blockers]
        return cls(action, possible, blocked)

    @property
    def failed(self) -> list[Row]:
        return [row for row in self.rows if not row.ok]

    @property
    def total(self) -> int:
        return len(self.rows) + len(self.left)

    def again(self) -> "Course":
        """The failed rows once more; what stood in their way may be gone by now."""
        left = [Target(row.id, row.name, row.detail) for row in self.failed]
        return Course(self.action, left, [], self.options, confirmed=True)

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


def carry_out(course: Course, texts: Mapping[str, str]) -> Course:
    """The course after its next rows were done; `texts` are the reasons of those that were not."""
    rows = [
        Row(target.id, target.name, target.detail, target.id not in texts, texts.get(target.id, ""))
        for target in course.left[:AT_ONCE]
    ]
    return msgspec.structs.replace(course, left=course.left[AT_ONCE:], rows=[*course.rows, *rows])
