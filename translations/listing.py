"""The list of a language's texts, which is also their form: Rosetta's view of a catalog, with our catalog and edits."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import polib
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from rosetta.views import TranslationFormView

from console.i18n.languages import DEFAULT, Language
from console.models import Edit
from translations import saving, texts
from translations.seen import page_of
from translations.sentences import sentence
from translations.texts import Entry

PER_PAGE = 25
SHOWS = ("all", "untranslated", "edited", "waiting")
_NOTE = "Translators: "


@dataclass(frozen=True)
class Row:
    """A text as the list shows it. `problems`: why what was typed is not published; `theirs`: what others did."""

    entry: Entry
    notes: list[str]
    forms: list[str]
    seen: str
    page: str
    suggestion: list[str]
    waiting: int
    problems: list[str] = field(default_factory=list)
    theirs: list[str] = field(default_factory=list)


class TextsView(TranslationFormView):  # type: ignore[misc]  # Rosetta has no types
    """Search and the repair of line ends are Rosetta's; everything that reads or writes is ours."""

    template_name = "translate/texts.html"
    language: Language = DEFAULT

    @cached_property
    def po_file(self) -> polib.POFile:
        catalog = polib.POFile()
        catalog.extend(texts.entries_of(self.language))
        return catalog

    @cached_property
    def show(self) -> str:
        """The filter."""
        asked = self.request.GET.get("show", "all")
        return asked if asked in SHOWS else "all"

    def get_entries(self) -> list[Entry]:
        entries: list[Entry] = super().get_entries()
        if self.show == "untranslated":
            return [entry for entry in entries if not all(texts.forms_of(entry))]
        if self.show in ("edited", "waiting"):
            states = [Edit.State.PUBLISHED] if self.show == "edited" else Edit.OPEN
            rows = Edit.objects.filter(code=self.language.code, state__in=states)
            names = set(rows.values_list("message", flat=True))
            return [entry for entry in entries if entry.name in names]
        return entries

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._draw({})

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Save what was changed. What can't be published comes back as it was typed, with the reason."""
        outcomes: dict[str, saving.Outcome] = {}
        by_name = {entry.name: entry for entry in texts.entries_of(self.language)}
        for name, seen in ((key.removeprefix("seen-"), str(seen)) for key, seen in request.POST.items()):
            if entry := by_name.get(name):
                typed = self._typed(entry)
                if typed is None:
                    continue
                outcomes[name] = saving.save(
                    self.language,
                    entry,
                    typed,
                    seen=seen,
                    author=request.user.name,  # type: ignore[union-attr]
                )
        saved = sum(o.edit is not None and o.edit.state == Edit.State.PUBLISHED for o in outcomes.values())
        refused = {name: o for name, o in outcomes.items() if o.edit and o.edit.state in Edit.OPEN}
        self.__dict__.pop("po_file", None)
        if refused:
            return self._draw(refused, saved=saved, status=422)
        step = 1 if "next" in request.POST else 0
        return HttpResponseRedirect(self._address(page=self._page().number + step, saved=saved), status=303)

    def _typed(self, entry: Entry) -> list[str] | None:
        """Return what was typed for each form; None when a field did not arrive, which is no wish to empty it."""
        names = [f"text-{entry.name}-{form}" for form in range(len(texts.forms_of(entry)))]
        if not all(name in self.request.POST for name in names):
            return None
        source = entry.msgid_plural or entry.msgid
        return [self.fix_nls(source, self.request.POST[name]) for name in names]

    def _draw(self, refused: dict[str, saving.Outcome], *, saved: int = 0, status: int = 200) -> HttpResponse:
        page = self._page()
        rows = [*self._missing(page, refused), *page]
        asked = self.request.GET.get("saved", "") if self.request.method == "GET" else ""
        numbers = page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1)
        context = {
            "language": self.language,
            "user": self.request.user,
            "rows": [self._row(entry, refused) for entry in rows],
            "page": page,
            "pages": [(n, self._address(page=n) if isinstance(n, int) else "") for n in numbers],
            "query": self.query or "",
            "show": self.show,
            "action": self._address(page=page.number),
            "saved": saved or (int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 4 else 0),
            "refused": len(refused),
        }
        drawn: HttpResponse = self.render_to_response(context, status=status)
        return drawn

    def _missing(self, page: Page[Entry], refused: dict[str, saving.Outcome]) -> list[Entry]:
        """Return what was refused and is not on its page: what others made of it fits the search no more."""
        names = refused.keys() - {entry.name for entry in page}
        return [entry for entry in texts.entries_of(self.language) if entry.name in names]

    def _row(self, entry: Entry, refused: dict[str, saving.Outcome]) -> Row:
        forms, outcome = texts.forms_of(entry), refused.get(entry.name)
        return Row(
            entry=entry,
            notes=" ".join(entry.comment.split()).removeprefix(_NOTE).split(" " + _NOTE) if entry.comment else [],
            forms=(self._typed(entry) if outcome else None) or forms,
            seen=saving.digest_of(forms),
            page=page_of(min(place for place, _ in entry.occurrences)) if entry.occurrences else "",
            suggestion=texts.suggestion_of(entry),
            waiting=self._waiting[entry.name],
            problems=[sentence(problem) for problem in outcome.problems] if outcome else [],
            theirs=list(outcome.theirs) if outcome else [],
        )

    @cached_property
    def _waiting(self) -> Counter[str]:
        rows = Edit.objects.filter(code=self.language.code, state__in=Edit.OPEN)
        return Counter(rows.values_list("message", flat=True))

    def _page(self) -> Page[Entry]:
        return Paginator(self.get_entries(), PER_PAGE).get_page(self.request.GET.get("page", 1))

    def _address(self, *, page: int, saved: int = 0) -> str:
        asked = {"query": self.query, "show": self.show if self.show != "all" else "", "page": page if page > 1 else ""}
        query = urlencode({name: value for name, value in {**asked, "saved": saved}.items() if value})
        return f"/translate/{self.language.tag}/" + (f"?{query}" if query else "")
