"""Confirm an action on a page with one button, and show its problems there."""

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
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import show

R = TypeVar("R")


@dataclass(frozen=True)
class Question:
    """The question before an action. Without a button the action is not possible.

    `blocked` is the heading of the `blockers`. With blockers the action is not possible until the page is
    loaded again.
    """

    title: str
    texts: list[str]
    button: str = ""
    is_danger: bool = True
    facts: Sequence[Fact] = ()
    blockers: list[Blocker] = field(default_factory=list)
    blocked: str = ""
    instead: Link | None = None
    """A less drastic action, which is always possible."""
    keep: str = ""
    """The label of the way back, for an action that is itself called "Cancel"."""


@dataclass(frozen=True)
class ActionMessages:
    """The texts of one action, before and after it; they are translated lazily.

    Their placeholders are filled from `names`, which are the same for all texts.
    """

    title: Label
    button: Label
    done: Label
    failed: Label
    text: Label = ""
    """Its consequences for people."""
    missing: Label = ""
    keep: Label = ""
    """See `Question`."""

    def texts(self, names: Mapping[str, str], *, reasons: Mapping[str, str] | None = None) -> WriteTexts:
        done, missing = filled(self.done, names), str(self.missing)
        return WriteTexts(
            action=str(self.button), failed=str(self.failed), done=done, missing=missing, reasons=reasons or {}
        )

    def question(self, names: Mapping[str, str], *, is_danger: bool = False, facts: Sequence[Fact] = ()) -> Question:
        title, texts = filled(self.title, names), [filled(self.text, names)]
        return Question(title, texts, str(self.button), is_danger, facts, keep=str(self.keep))

    def refusal(self, names: Mapping[str, str], texts: list[str], *, facts: Sequence[Fact] = ()) -> Question:
        """Return the question without a button, with the reasons why the action is not possible."""
        return Question(filled(self.title, names), texts, facts=facts)


def row_result(id: str, *, problem: Problem | None = None, follow_up: Link | None = None) -> dict[str, object]:
    """Return the `item` of a row action, which leaves the browser in its list.

    After a problem the row may have changed, so the browser reads it again. `follow_up` is a suggested next action.
    """
    more = {"next": follow_up} if follow_up else {}
    return {"id": id, "is_stale": problem is not None, **more}


def needs_question(request: ConsoleRequest) -> bool:
    """Return True if this POST must be confirmed on a page first; a script offers undo instead."""
    return request.method == "POST" and "confirmed" not in request.POST and not wants_json(request)


class ConfirmPage:
    """The page of a question, and the form of its button.

    `question` is called when the page is rendered, with the problem if there is one. `version` is that of the object.
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
        """True if the button was pressed."""
        return self._request.method == "POST" and self.form.is_valid()

    def show(self) -> HttpResponse:
        """Ask the question."""
        return show_form(self._request, self.form, self._render, self._texts)

    def refuse(self, problem: Problem, *, item: object = None, url: str = "") -> HttpResponse:
        """Ask again, with the problem; see `form_page.refuse`."""
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
