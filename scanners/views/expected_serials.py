"""Expected serial numbers: the list, checks for connected scanners, edit, delete, files."""

from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.audit.content import Change
from console.audit.record import AuditAction
from console.errors import ObjectNotFound
from console.files.links import FileLink, export_links
from console.forms.confirm import ConfirmPage, Question
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.return_url import return_url
from console.forms.submit import CHECK_VALUES, Problem, State, WriteTexts, edited, submit
from console.l10n.bidi import isolated
from console.l10n.numbers import ngettext
from console.lists.choices import Choices, find_clinics
from console.lists.query import Choice, ListQuery, read_list
from console.lists.view import ListView, with_facts
from console.screens.list_page import ListPage
from console.sessions.deferred_writes import write_if_possible
from console.web.access import private
from console.web.links import Link
from console.web.paths import get_path
from console.web.request import ConsoleRequest, get_tz
from console.web.responses import done, show
from scanners.audit import expected_change, expected_entry
from scanners.bulk.expected_serials import ExpectedActions
from scanners.files.expected_serials import ExpectedExport, get_expected_import
from scanners.forms.expected_serials import DeleteAllForm, ExpectedForm, initial_values
from scanners.labels import DELETE_SERIAL, DELETE_UNREADABLE
from scanners.links import scanners_crumb
from scanners.models import Expected
from scanners.reading import check_all, check_page, expected_serials
from scanners.storage.changes import MAX_SERIALS
from scanners.tables.expected_serials import EXPECTED, expected_facts, expected_table, list_facts
from upstream.listing import Listing, ListParams, all_by_name


class ExpectedSerialList(ListPage[Expected]):
    definition = EXPECTED
    template = "scanners/expected_serial_list.html"
    bulk = ExpectedActions
    exports = ExpectedExport
    imports = get_expected_import

    def load(self, query: ListQuery) -> tuple[Listing[Expected], ListQuery]:
        upstream, serials = self.request.upstream, expected_serials(self.request)
        clinics = upstream.clinics
        listing, query = read_list(query, lambda params: serials.read(params, clinics.get_known_names))
        rows = listing.results
        choices, self.clinic_names, checks = upstream.together(
            lambda: find_clinics(self.request, query),
            lambda: clinics.get_known_names(rows),
            lambda: check_page(upstream, rows),
        )
        if checks:
            write_if_possible(partial(serials.note_checks, checks))
            listing = replace(listing, results=[row.as_checked(checks.get(row.id)) for row in rows])
        self.totals = serials.totals()
        return listing, query.with_choices("clinic", choices.choices, search_term=choices.search_term)

    def rows(self, query: ListQuery, listing: Listing[Expected]) -> ListView:
        table = expected_table(query, listing, path=self.request.path, tz=self.tz, clinic_names=self.clinic_names)
        return with_facts(table, *list_facts(table.total, self.totals, tz=self.tz), once=["clinic"])

    def context(self) -> dict[str, Any]:
        return {
            "files": _files(),
            "total": self.totals.total,
            "crumbs": _scanners(),
            "back": self.request.get_full_path(),
        }


@private(methods=("GET", "POST"))
@idempotent
def expected_serial_edit(request: ConsoleRequest, expected_id: str) -> HttpResponse:
    serials = expected_serials(request)
    row = serials.get(expected_id)
    if not row.is_readable:
        return HttpResponseRedirect(get_path("scanners:expected-serial-delete", row.id))
    clinics = _clinics(request, row)
    form = ExpectedForm(form_data_or_draft(request), row=row, clinics=clinics)

    page = partial(_edit_page, request, form, row)
    texts = WriteTexts(
        action=_("Edit expected serial number"),
        failed=_("Failed to update the serial number."),
        unknown=CHECK_VALUES,
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    def update(_key: str) -> None:
        if changes := form.changes():
            serials.update(row.id, version=form.sent_version, **changes)

    def read_stored() -> State[Expected]:
        newest = serials.get(row.id)
        return edited(form, newest, initial_values(newest))

    entry = expected_change(row, form, clinics)
    outcome = submit(request, form, update, texts=texts, entry=entry, verify=read_stored)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=_back(request))
    return done(
        request,
        goto=_back(request),
        # Translators: %(name)s: a serial number, such as SN12345.
        message=_("%(name)s was updated.") % {"name": isolated(row.serial_number)},
        about=[Link(row.serial_number, get_path("scanners:expected-serial-edit", row.id))],
    )


def _edit_page(
    request: ConsoleRequest, form: ExpectedForm, row: Expected, *, status: int = 200, problem: Problem | None = None
) -> HttpResponse:
    return show(
        request,
        "scanners/expected_serial_form.html",
        status=status,
        problem=problem,
        form=form,
        facts=expected_facts(row, tz=get_tz(request)),
        crumbs=_crumbs(),
        back=_back(request),
    )


@private(methods=("GET", "POST"))
@idempotent
def expected_serial_delete(request: ConsoleRequest, expected_id: str) -> HttpResponse:
    serials = expected_serials(request)
    row = serials.get(expected_id)
    name, words = {"name": isolated(row.serial_number)}, DELETE_SERIAL if row.is_readable else DELETE_UNREADABLE

    texts = words.texts(name)

    def question(_problem: Problem | None) -> Question:
        clinics = request.upstream.clinics.get_known_names([row])
        facts = expected_facts(row, tz=get_tz(request), clinic_name=clinics.get(row.clinic_id, ""))
        return words.question(name, is_danger=True, facts=facts)

    page = ConfirmPage(request, question, texts, back=_back(request), crumbs=_crumbs(), version=row.version)
    if not page.is_confirmed:
        return page.show()

    def delete(_key: str) -> None:
        if not serials.delete([row.id]).rows[0].ok:
            raise ObjectNotFound("another request was faster")

    outcome = submit(request, page.form, delete, texts=texts, entry=expected_entry("delete", row))
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    about = [Link(row.serial_number, "")] if row.is_readable else []
    return done(request, goto=_back(request), message=texts.done, about=about)


@private(methods=("GET", "POST"))
@idempotent
def all_expected_serial_delete(request: ConsoleRequest) -> HttpResponse:
    serials = expected_serials(request)
    totals = serials.totals()
    form = DeleteAllForm(form_data_or_draft(request), count=totals.total, newest=totals.newest)
    page = partial(_delete_page, request, form, totals.total)
    texts = WriteTexts(
        action=_("Delete all expected serial numbers"),
        failed=_("Failed to delete the serial numbers."),
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    outcome = submit(
        request,
        form,
        lambda _key: serials.delete_all(count=totals.total, newest=form.sent_version or 0),
        texts=texts,
        entry=AuditAction("expected", "delete_all", changes=[Change("count", totals.total, 0)]),
    )
    url = get_path("scanners:expected-serial-list")
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=url)
    count = ngettext("%(count)s serial number deleted.", "%(count)s serial numbers deleted.", totals.total)
    return done(request, goto=url, message=count % {"count": totals.total})


def _delete_page(
    request: ConsoleRequest, form: DeleteAllForm, count: int, *, status: int = 200, problem: Problem | None = None
) -> HttpResponse:
    if problem and problem.is_stale:  # the count has changed, so it has to be typed again
        now = expected_serials(request).totals()
        form, count = DeleteAllForm(count=now.total, newest=now.newest), now.total
    return show(
        request,
        "scanners/expected_serial_delete.html",
        status=status,
        problem=problem,
        form=form,
        count=count,
        crumbs=_crumbs(),
        back=_back(request),
    )


@private(methods=("GET", "POST"))
@idempotent
def expected_check_run(request: ConsoleRequest) -> HttpResponse:
    texts = WriteTexts(
        failed=_("Failed to check the serial numbers."), unknown=_("The check wasn't completed. Try again.")
    )
    question = Question(
        _("Check which scanners have connected?"),
        [_("We'll ask the service about these serial numbers. Nothing will change there.")],
        _("Check now"),
        is_danger=False,
    )
    page = ConfirmPage(request, lambda _problem: question, texts, back=_back(request), crumbs=_crumbs())
    if not page.is_confirmed:
        return page.show()

    outcome = submit(request, page.form, lambda _key: _check(request), texts=texts)  # no entry: nothing is changed
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    never = outcome.result or 0
    text = ngettext(
        "Check complete. %(count)s serial number has never connected.",
        "Check complete. %(count)s serial numbers have never connected.",
        never,
    )
    return done(request, goto=_back(request), message=text % {"count": never})


def _check(request: ConsoleRequest) -> int:
    """Ask the service which serial numbers have connected, and store it; return how many never have."""
    serials = expected_serials(request)
    checks = check_all(request.upstream, serials.read(ListParams(size=MAX_SERIALS, sort="serial_number")).results)
    serials.note_checks(checks)
    return sum(is_connected is False for is_connected in checks.values())


def _clinics(request: ConsoleRequest, row: Expected) -> Choices:
    """Return the clinics by name, including the selected one if the service no longer has it.

    Raises the failure of a read: without the list, a clinic can't be shown as no longer existing.
    """
    upstream = request.upstream
    read = partial(upstream.clinics.list, organization_id=upstream.organization_id)
    clinics = tuple(Choice(clinic.id, clinic.called) for clinic in all_by_name(upstream.together, read))
    if not row.clinic_id or row.clinic_id in {clinic.value for clinic in clinics}:
        return clinics
    # Translators: an option: shown instead of the name of a clinic that was deleted.
    name = upstream.clinics.get_known_names([row]).get(row.clinic_id, _("A clinic that no longer exists"))
    return (Choice(row.clinic_id, name), *clinics)


def _files() -> list[FileLink]:
    imports = FileLink(_("Import"), get_path("scanners:expected-serial-import"))
    return [*export_links("scanners:expected-serial"), imports]


def _back(request: ConsoleRequest) -> str:
    return return_url(request, get_path("scanners:expected-serial-list"))


def _scanners() -> list[dict[str, str]]:
    return [scanners_crumb()]


def _crumbs() -> list[dict[str, str]]:
    return [*_scanners(), {"label": _("Expected serial numbers"), "href": get_path("scanners:expected-serial-list")}]
