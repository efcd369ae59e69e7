"""Parts of the first page of the console: the steps to set up an organization, and what waits for a decision."""

from collections.abc import Sequence
from dataclasses import dataclass

from console.web.contributions import contributed
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from upstream.resources.dashboards import Summary


@dataclass(frozen=True)
class Step:
    """A step; `href` is the URL of the page for it."""

    label: str
    text: str
    href: str
    is_done: bool
    is_next: bool
    """True for the first one that is not done."""


def get_setup_steps(summary: Summary) -> Sequence[Step]:
    """Return the steps in the order in which they depend on each other, or an empty list if all are done.

    Nothing is stored: the steps are derived from the counts.
    """
    counted = [(step, step.count(summary)) for step in contributed().setup_steps]
    todo = [step for step, count in counted if count == 0]
    if not todo:
        return []
    return [
        Step(str(step.label), str(step.text), step.href(summary), is_done=count > 0, is_next=step is todo[0])
        for step, count in counted
        if count is not None
    ]


@dataclass(frozen=True)
class Waiting:
    """A kind of decision that waits: its name, the number in words, and its place on the page of decisions."""

    kind: str
    label: str
    href: str


def get_waiting(request: ConsoleRequest, summary: Summary) -> Sequence[Waiting]:
    """Return the kinds of decisions that wait, those that block someone's work first."""
    page = get_path(contributed().decision_page)
    counts = [
        (kind, kind.count(summary) + kind.stored_count(request))
        for kind in sorted(contributed().decisions, key=lambda kind: kind.rank)
    ]
    return [Waiting(kind.name, kind.waiting(count), f"{page}#waits-{kind.name}") for kind, count in counts if count]
