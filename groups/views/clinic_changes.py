"""Changes of clinics: add, edit, delete."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.access import private
from console.failures import describe
from console.form_errors import add_upstream_errors, differences
from console.http import ConsoleRequest
from console.once import once
from console.places import country_name
from console.reasons import Blocker
from console.respond import done
from console.returning import way_back
from console.timezone import zone_of
from console.upstream.clinics import Clinic
from console.upstream.errors import Code, NotDone
from groups.blockers import blockers as blockers_of
from groups.blockers import refusal
from groups.forms.clinics import ClinicForm, DeleteClinicForm, values_of
from groups.tables.clinics import facts_of, users_url


@private(methods=("GET", "POST"))
def clinic_create(request: ConsoleRequest) -> HttpResponse:
    form = ClinicForm(request.POST or None, country_code=request.GET.get("country_code", ""))
    if request.method == "POST" and form.is_valid():
        return once(request, lambda key: _create(request, form, key))
    return _form_page(request, form, status=422 if form.is_bound else 200)


def _create(request: ConsoleRequest, form: ClinicForm, key: str) -> HttpResponse:
    typed = form.values()
    organization = request.admin.organization_id
    try:
        request.upstream.clinics.create(organization_id=organization, idempotency_key=key, **typed)
    except NotDone as error:
        add_upstream_errors(form, error, _("Failed to create the clinic."))
        return _form_page(request, form, status=describe(error, was_write=True).status)
    messages.success(request, _("Clinic created."))
    back = _back(request)
    if "another" not in request.POST:
        return done(request, goto=back)
    # The next clinic is often in the same country.
    kept = urlencode({"country_code": typed["country_code"], "back": back})
    return done(request, goto=f"{reverse('groups:clinic-create')}?{kept}")


@private(methods=("GET", "POST"))
def clinic_edit(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    clinic = request.upstream.clinics.get(clinic_id)
    form = ClinicForm(request.POST or None, clinic=clinic)
    if request.method == "POST" and form.is_valid():
        return once(request, lambda key: _update(request, form, clinic))
    return _form_page(request, form, clinic, status=422 if form.is_bound else 200)


def _update(request: ConsoleRequest, form: ClinicForm, clinic: Clinic) -> HttpResponse:
    """Send what was changed. Who saw an older state is shown the newest one, and what was typed stays."""
    try:
        if changes := form.changes(clinic):
            request.upstream.clinics.update(clinic.id, version=form.seen, **changes)
    except NotDone as error:
        status = describe(error, was_write=True).status
        if error.code == Code.CHANGED_MEANWHILE:
            newest = request.upstream.clinics.get(clinic.id)
            conflicts = differences(form, values_of(newest))
            return _form_page(request, form, newest, conflicts=conflicts, is_stale=True, status=status)
        add_upstream_errors(form, error, _("Failed to update the clinic."))
        return _form_page(request, form, clinic, status=status)
    messages.success(request, _("Clinic updated."))
    return done(request, goto=_back(request))


@private(methods=("GET", "POST"))
def clinic_delete(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    clinic = request.upstream.clinics.get(clinic_id)
    form = DeleteClinicForm(request.POST or None, name=clinic.name)
    if request.method == "POST" and form.is_valid():
        return once(request, lambda key: _delete(request, form, clinic))
    return _delete_page(request, form, clinic, status=422 if form.is_bound else 200)


def _delete(request: ConsoleRequest, form: DeleteClinicForm, clinic: Clinic) -> HttpResponse:
    try:
        request.upstream.clinics.delete(clinic.id, version=form.seen)
    except NotDone as error:
        add_upstream_errors(form, error, _("Failed to delete the clinic."))
        status = describe(error, was_write=True).status
        if error.code == Code.CHANGED_MEANWHILE:
            clinic = request.upstream.clinics.get(clinic.id)
        return _delete_page(request, form, clinic, blockers=refusal(error, clinic_id=clinic.id), status=status)
    messages.success(request, _("Clinic deleted."))
    return done(request, goto=_back(request))


def _form_page(
    request: ConsoleRequest, form: ClinicForm, clinic: Clinic | None = None, *, status: int, **context: Any
) -> HttpResponse:
    """The form of a new clinic or of one that there is; `context` is what a stale edit adds."""
    context |= {
        "form": form,
        "clinic": clinic,
        "facts": facts_of(clinic, zone_of(request)) if clinic else [],
        "crumbs": _crumbs(clinic),
        "back": _back(request),
        "version": _version(form, clinic, newest=bool(context)),
    }
    return render(request, "groups/clinic_form.html", context, status=status)


def _delete_page(
    request: ConsoleRequest,
    form: DeleteClinicForm,
    clinic: Clinic,
    *,
    status: int,
    blockers: list[Blocker] | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "clinic": clinic,
        "blockers": blockers or blockers_of(clinic.delete_blockers, clinic_id=clinic.id),
        "facts": _goes_with(clinic),
        "crumbs": _crumbs(clinic),
        "back": _back(request),
        "version": clinic.version,
    }
    return render(request, "groups/clinic_delete.html", context, status=status)


def _version(form: ClinicForm, clinic: Clinic | None, *, newest: bool) -> int | None:
    """What the sender of the next form has seen: after a typing error still what was shown first."""
    if clinic is None:
        return None
    seen = form.cleaned_data.get("version") if form.is_bound and not newest else None
    return seen or clinic.version


def _goes_with(clinic: Clinic) -> list[dict[str, str]]:
    """What a clinic consists of, counted in words."""
    users, teams, partners = clinic.user_count, clinic.team_count, clinic.partner_count
    return [
        {"label": _("Country"), "text": country_name(clinic.country_code or "") or "–"},
        {
            "label": _("Users"),
            "text": ngettext("%(count)s user", "%(count)s users", users) % {"count": users},
            "href": users_url(clinic.id),
        },
        {"label": _("Teams"), "text": ngettext("%(count)s team", "%(count)s teams", teams) % {"count": teams}},
        {
            "label": _("Partners"),
            "text": ngettext("%(count)s partner", "%(count)s partners", partners) % {"count": partners},
        },
    ]


def _back(request: ConsoleRequest) -> str:
    return way_back(request, reverse("groups:clinic-list"))


def _crumbs(clinic: Clinic | None) -> list[dict[str, str]]:
    crumbs = [{"label": _("Clinics"), "href": reverse("groups:clinic-list")}]
    return [*crumbs, {"label": clinic.name, "href": users_url(clinic.id)}] if clinic else crumbs
