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
from translations.sentences import sentence
from translations.text_pages import get_page
from translations.texts import Entry

PER_PAGE = 25
SHOWS = ("all", "untranslated", "edited", "waiting")
_NOTE = "Translators: "


@dataclass(frozen=True)
class Row:
    """A text as the list shows it. `problems`: reasons for not publishing; `other_forms`: another translator's text."""

    entry: Entry
    notes: list[str]
    forms: list[str]
    digest: str
    page: str
    suggestion: list[str]
    waiting: int
    problems: list[str] = field(default_factory=list)
    other_forms: list[str] = field(default_factory=list)


class TextsView(TranslationFormView):  # type: ignore[misc]  # Rosetta has no types
    """Search and the repair of line ends are Rosetta's; everything that reads or writes is ours."""

    template_name = "translate/texts.html"
    language: Language = DEFAULT

    @cached_property
    def po_file(self) -> polib.POFile:
        catalog = polib.POFile()
        catalog.extend(texts.get_entries(self.language))
        return catalog

    @cached_property
    def show(self) -> str:
        value = self.request.GET.get("show", "all")
        return value if value in SHOWS else "all"

    def get_entries(self) -> list[Entry]:
        entries: list[Entry] = super().get_entries()
        if self.show == "untranslated":
            return [entry for entry in entries if not all(texts.get_forms(entry))]
        if self.show in ("edited", "waiting"):
            states = [Edit.State.PUBLISHED] if self.show == "edited" else Edit.OPEN
            rows = Edit.objects.filter(code=self.language.code, state__in=states)
            names = set(rows.values_list("message", flat=True))
            return [entry for entry in entries if entry.name in names]
        return entries

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._render({})

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Save changed texts. A text that can't be published is returned unchanged, with the reason."""
        outcomes: dict[str, saving.Outcome] = {}
        by_name = {entry.name: entry for entry in texts.get_entries(self.language)}
        for name, digest in ((key.removeprefix("seen-"), str(digest)) for key, digest in request.POST.items()):
            if entry := by_name.get(name):
                forms = self._submitted_forms(entry)
                if forms is None:
                    continue
                outcomes[name] = saving.save(
                    self.language,
                    entry,
                    forms,
                    digest=digest,
                    author=request.user.name,  # type: ignore[union-attr]
                )
        saved = sum(o.edit is not None and o.edit.state == Edit.State.PUBLISHED for o in outcomes.values())
        refused = {name: o for name, o in outcomes.items() if o.edit and o.edit.state in Edit.OPEN}
        self.__dict__.pop("po_file", None)
        if refused:
            return self._render(refused, saved=saved, status=422)
        step = 1 if "next" in request.POST else 0
        return HttpResponseRedirect(self._address(page=self._page().number + step, saved=saved), status=303)

    def _submitted_forms(self, entry: Entry) -> list[str] | None:
        """Return the submitted text of each form; None if a field is missing, which does not mean empty."""
        names = [f"text-{entry.name}-{form}" for form in range(len(texts.get_forms(entry)))]
        if not all(name in self.request.POST for name in names):
            return None
        source = entry.msgid_plural or entry.msgid
        return [self.fix_nls(source, self.request.POST[name]) for name in names]

    def _render(self, refused: dict[str, saving.Outcome], *, saved: int = 0, status: int = 200) -> HttpResponse:
        page = self._page()
        rows = [*self._missing(page, refused), *page]
        saved_param = self.request.GET.get("saved", "") if self.request.method == "GET" else ""
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
            "saved": saved
            or (int(saved_param) if saved_param.isascii() and saved_param.isdigit() and len(saved_param) < 4 else 0),
            "refused": len(refused),
        }
        response: HttpResponse = self.render_to_response(context, status=status)
        return response

    def _missing(self, page: Page[Entry], refused: dict[str, saving.Outcome]) -> list[Entry]:
        """Return refused texts that left the page because another edit no longer matches the search."""
        names = refused.keys() - {entry.name for entry in page}
        return [entry for entry in texts.get_entries(self.language) if entry.name in names]

    def _row(self, entry: Entry, refused: dict[str, saving.Outcome]) -> Row:
        forms, outcome = texts.get_forms(entry), refused.get(entry.name)
        return Row(
            entry=entry,
            notes=" ".join(entry.comment.split()).removeprefix(_NOTE).split(" " + _NOTE) if entry.comment else [],
            forms=(self._submitted_forms(entry) if outcome else None) or forms,
            digest=saving.get_digest(forms),
            page=get_page(min(file_path for file_path, _ in entry.occurrences)) if entry.occurrences else "",
            suggestion=texts.get_suggestion(entry),
            waiting=self._waiting[entry.name],
            problems=[sentence(problem) for problem in outcome.problems] if outcome else [],
            other_forms=list(outcome.other_forms) if outcome else [],
        )

    @cached_property
    def _waiting(self) -> Counter[str]:
        rows = Edit.objects.filter(code=self.language.code, state__in=Edit.OPEN)
        return Counter(rows.values_list("message", flat=True))

    def _page(self) -> Page[Entry]:
        return Paginator(self.get_entries(), PER_PAGE).get_page(self.request.GET.get("page", 1))

    def _address(self, *, page: int, saved: int = 0) -> str:
        params = {
            "query": self.query,
            "show": self.show if self.show != "all" else "",
            "page": page if page > 1 else "",
        }
        query = urlencode({name: value for name, value in {**params, "saved": saved}.items() if value})
        return f"/translate/{self.language.tag}/" + (f"?{query}" if query else "")
