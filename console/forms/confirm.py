"""A question before an act: a page with one button, and what became of pressing it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from django.http import HttpResponse

from console.forms.blockers import Blocker
from console.forms.form_page import refuse, show_form
from console.forms.submit import Problem, WriteTexts
from console.forms.versioned import VersionedForm
from console.l10n.bidi import filled
from console.lists.query import Label
from console.lists.view import Fact
from console.web.links import Link
from console.web.request import ConsoleRequest
from console.web.responses import show

R = TypeVar("R")


@dataclass(frozen=True)
class Question:
    """What is asked before something is done. Without a button it can't be done.

    `blocked` says that what stands in the way (`blockers`) does so; then it can't be done, either, until the page was
    read anew.
    """

    title: str
    texts: list[str]
    button: str = ""
    is_danger: bool = True
    facts: Sequence[Fact] = ()
    blockers: list[Blocker] = field(default_factory=list)
    blocked: str = ""
    instead: Link | None = None
    """Something milder that can be done, blocked or not."""


@dataclass(frozen=True)
class ActionMessages:
    """The words of one act, translated when they are printed: what is asked before it, and what is said after it.

    Placeholders are filled in by `names`, the same for all of them.
    """

    title: Label
    button: Label
    done: Label
    failed: Label
    unknown: Label
    text: Label = ""
    """What it means for people."""
    missing: Label = ""

    def texts(self, names: Mapping[str, str], *, reasons: Mapping[str, str] | None = None) -> WriteTexts:
        done, missing = filled(self.done, names), str(self.missing)
        return WriteTexts(
            failed=str(self.failed), unknown=str(self.unknown), done=done, missing=missing, reasons=reasons or {}
        )

    def question(self, names: Mapping[str, str], *, is_danger: bool = False, facts: Sequence[Fact] = ()) -> Question:
        return Question(filled(self.title, names), [filled(self.text, names)], str(self.button), is_danger, facts)

    def refusal(self, names: Mapping[str, str], texts: list[str], *, facts: Sequence[Fact] = ()) -> Question:
        """The question where it can't be done, and why."""
        return Question(filled(self.title, names), texts, facts=facts)


def row_result(id: str, *, problem: Problem | None = None, follow_up: Link | None = None) -> dict[str, object]:
    """Return the `item` of an action of a row, which leaves the browser in its list.

    What was not done is not what it was taken for, so its row is read again. `follow_up` is what is best done next.
    """
    more = {"next": follow_up} if follow_up else {}
    return {"id": id, "is_stale": problem is not None, **more}


class ConfirmPage:
    """The page of a question, and the form of its one button.

    `question` is called again after a problem, and for the page only. `version` is the one of what it is about.
    """

    def __init__(
        self,
        request: ConsoleRequest,
        question: Callable[[Problem | None], Question],
        texts: WriteTexts,
        *,
        back: str,
        crumbs: Sequence[Mapping[str, str]],
        version: int | None = None,
    ) -> None:
        self._request, self._question, self._texts, self._back, self._crumbs = request, question, texts, back, crumbs
        self.form = VersionedForm(request.POST if request.method == "POST" else None, stored=version)

    @property
    def is_confirmed(self) -> bool:
        """Whether the button was pressed."""
        return self._request.method == "POST" and self.form.is_valid()

    def show(self) -> HttpResponse:
        """Ask the question."""
        return show_form(self._request, self.form, self._render, self._texts)

    def refuse(self, problem: Problem, *, item: object = None, url: str = "") -> HttpResponse:
        """Ask again, with what went wrong; see `form_page.refuse`."""
        return refuse(self._request, self.form, problem, self._render, url=url or self._back, item=item)

    def _render(self, *, status: int = 200, problem: Problem | None = None) -> HttpResponse:
        return show(
            self._request,
            "forms/confirm.html",
            status=status,
            form=self.form,
            question=self._question(problem),
            problem=problem,
            crumbs=self._crumbs,
            back=self._back,
        )
