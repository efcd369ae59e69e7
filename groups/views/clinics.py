"""Clinics: the list, and the pages to add, edit and delete them."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from msgspec.structs import replace

from console.audit.content import Ref
from console.audit.query import read_history
from console.audit.record import AuditAction
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import add_probable_success, refuse, reject_duplicates, show_form
from console.forms.idempotency import idempotent
from console.forms.return_url import return_url
from console.forms.submit import CHECK_VALUES, Problem, State, WriteTexts, deleted, edited, submit
from console.l10n.bidi import isolated
from console.l10n.countries import country_name
from console.l10n.numbers import ngettext
from console.lists.query import ListQuery, read_list
from console.lists.view import Cell, Fact, ListView, with_facts
from console.screens.list_page import ListPage
from console.shell.first_page import get_setup_steps, get_waiting
from console.web.access import private
from console.web.badges import get_counts
from console.web.links import Link
from console.web.paths import get_path
from console.web.request import ConsoleRequest, get_tz
from console.web.responses import done, show
from groups.audit.clinics import clinic_ref
from groups.bulk.clinics import ClinicActions
from groups.bulk.users import move_step
from groups.files.clinics import ClinicExport, build_clinic_import
from groups.forms.clinics import ClinicForm, DeleteClinicForm, clinic_values
from groups.links.blockers import blocker_links
from groups.links.clinics import clinic_crumbs, clinic_delete_url, clinic_files, clinic_list_url, clinics_crumb
from groups.links.users import user_list_url
from groups.tables.clinics import CLINICS, clinic_facts, clinic_table
from upstream.listing import Listing
from upstream.resources.clinics import Clinic, NewClinic
from upstream.resources.dashboards import Summary


class ClinicList(ListPage[Clinic]):
    definition = CLINICS
    template = "groups/clinic_list.html"
    bulk = ClinicActions
    exports = ClinicExport
    imports = build_clinic_import

    def load(self, query: ListQuery) -> tuple[Listing[Clinic], ListQuery]:
        clinics, organization = self.request.upstream.clinics, self.request.admin.organization_id
        listing, query = read_list(query, lambda params: clinics.list(params, organization_id=organization))
        self.is_empty = not listing.result_count and not query.is_narrowed and not query.invalid
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[Clinic]) -> ListView:
        table = clinic_table(query, listing, path=self.request.path, tz=self.tz)
        return with_facts(table, once=["server"])

    def context(self) -> dict[str, Any]:
        summary = get_counts(self.request).summary
        # The list is newer than the counts.
        steps = get_setup_steps(replace(summary or Summary(), main_group_count=0)) if self.is_empty else []
        return {
            "facts": _counts(summary) if summary else [],
            "files": clinic_files(),
            "steps": steps,
            "waiting": get_waiting(self.request, summary) if summary and not self.is_empty else [],
            "needs_users": summary is not None and summary.user_count == 0 and not self.is_empty,
        }


@private(methods=("GET", "POST"))
@idempotent
def clinic_create(request: ConsoleRequest) -> HttpResponse:
    clinics, organization = request.upstream.clinics, request.admin.organization_id
    form = ClinicForm(form_data_or_draft(request), country_code=request.GET.get("country_code", ""))
    page = partial(_form_page, request, form, None)
    texts = WriteTexts(
        action=_("Add clinic"),
        failed=_("Failed to create the clinic."),
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    name, url = form.cleaned_data["name"], _next(request, form)

    def exists() -> dict[str, bool]:
        return {"name": clinics.exists(name, organization_id=organization)}

    if problem := reject_duplicates(request, form, exists, texts):
        return refuse(request, form, problem, page)
    outcome = submit(
        request,
        form,
        lambda key: clinics.create(NewClinic(**form.values()), organization_id=organization, idempotency_key=key),
        texts=texts,
        entry=AuditAction("clinic", "create", Ref("", name)),
    )
    if isinstance(outcome, Problem):
        created = _("A clinic with this name now exists, so it was probably created.")
        return refuse(request, form, add_probable_success(form, outcome, exists, created), page, url=url)
    return done(
        request,
        goto=url,
        message=pgettext("clinic", "%(name)s was created.") % {"name": isolated(name)},
        about=[Link(name, user_list_url(outcome.result) if outcome.result else "")],
    )


def _next(request: ConsoleRequest, form: ClinicForm) -> str:
    """Return the list, or the form for the next clinic, which is often in the same country."""
    back = _back(request)
    if "another" not in request.POST:
        return back
    query = urlencode({"country_code": form.cleaned_data["country_code"], "back": back})
    return f"{reverse('groups:clinic-create')}?{query}"


@private(methods=("GET", "POST"))
@idempotent
def clinic_edit(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    clinics = request.upstream.clinics
    clinic = clinics.get(clinic_id)
    form = ClinicForm(form_data_or_draft(request), clinic=clinic)
    page = partial(_form_page, request, form, clinic)
    texts = WriteTexts(
        action=_("Edit clinic"),
        failed=_("Failed to update the clinic."),
        unknown=CHECK_VALUES,
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    def update(_key: str) -> None:
        if changes := form.changes(clinic):
            clinics.update(clinic.id, version=form.sent_version, **changes)

    def read_stored() -> State[Clinic]:
        newest = clinics.get(clinic.id)
        return edited(form, newest, clinic_values(newest))

    entry = AuditAction("clinic", "edit", clinic_ref(clinic), edits=True)
    outcome = submit(request, form, update, texts=texts, entry=entry, verify=read_stored)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=_back(request))
    name = form.cleaned_data["name"]
    return done(
        request,
        goto=_back(request),
        message=pgettext("clinic", "%(name)s was updated.") % {"name": isolated(name)},
        about=[Link(name, user_list_url(clinic.id))],
    )


@private(methods=("GET", "POST"))
@idempotent
def clinic_delete(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    clinics = request.upstream.clinics
    clinic = clinics.get(clinic_id)
    form = DeleteClinicForm(form_data_or_draft(request), name=clinic.called, stored=clinic.version)
    page = partial(_delete_page, request, form, clinic)
    texts = WriteTexts(
        action=_("Delete clinic"),
        failed=_("Failed to delete the clinic."),
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    outcome = submit(
        request,
        form,
        lambda _key: clinics.delete(clinic.id, version=form.sent_version),
        texts=texts,
        entry=AuditAction("clinic", "delete", clinic_ref(clinic)),
        verify=lambda: deleted(lambda: clinics.get(clinic.id)),
    )
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=_back(request))
    return done(
        request,
        goto=_back(request),
        message=pgettext("clinic", "%(name)s was deleted.") % {"name": isolated(clinic.called)},
        about=[Link(clinic.called, "")],
    )


def _form_page(
    request: ConsoleRequest,
    form: ClinicForm,
    clinic: Clinic | None,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    """Show the form of a new or an existing clinic."""
    current = problem.newest if problem and problem.newest else clinic
    return show(
        request,
        "groups/clinic_form.html",
        status=status,
        problem=problem,
        form=form,
        clinic=current,
        facts=clinic_facts(current, get_tz(request)) if current else [],
        history=current and read_history(request, "clinic", current.id, current.name),
        crumbs=[clinics_crumb()],
        back=_back(request),
    )


def _delete_page(
    request: ConsoleRequest,
    form: DeleteClinicForm,
    clinic: Clinic,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    current: Clinic = problem.newest if problem and problem.newest else clinic
    reasons = (problem.reasons if problem else ()) or current.delete_blockers
    back = _back(request)
    page_url = clinic_delete_url(current.id, back=back)
    move = move_step(request, current.id, back=page_url)
    return show(
        request,
        "groups/clinic_delete.html",
        status=status,
        problem=problem,
        form=form,
        clinic=current,
        blockers=blocker_links(reasons, clinic_id=current.id, back=page_url, move=move),
        facts=_contents(current),
        crumbs=clinic_crumbs(current),
        back=back,
    )


def _contents(clinic: Clinic) -> list[Fact]:
    """Return the facts of a clinic, with the counts of what belongs to it."""
    users, teams, partners = clinic.user_count, clinic.team_count, clinic.partner_count
    return [
        Fact(_("Country"), Cell(country_name(clinic.country_code or ""))),
        Fact(
            _("Users"),
            Cell(
                ngettext("%(count)s user", "%(count)s users", users) % {"count": users},
                href=user_list_url(clinic.id),
            ),
        ),
        Fact(_("Teams"), Cell(ngettext("%(count)s team", "%(count)s teams", teams) % {"count": teams})),
        Fact(_("Partners"), Cell(ngettext("%(count)s partner", "%(count)s partners", partners) % {"count": partners})),
    ]


def _back(request: ConsoleRequest) -> str:
    """Return the list of clinics, or the form to invite users, which needs a clinic first."""
    return return_url(request, clinic_list_url(), get_path("groups:all-user-invite"))


def _counts(summary: Summary) -> list[str]:
    """Return the counts in words, each on its own: sentences with two plurals can't be translated."""
    counts = (
        ngettext("%(count)s clinic", "%(count)s clinics", summary.main_group_count or 0),
        ngettext("%(count)s user", "%(count)s users", summary.user_count or 0),
    )
    waiting = summary.invited_user_count
    if not waiting:
        return list(counts)
    return [
        *counts,
        ngettext("%(count)s pending invitation", "%(count)s pending invitations", waiting),
    ]
