"""The account page, and the forms of its sections."""

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts import links
from accounts.audit import account_entry, dashboard_entry, organization_entry, preference_changes
from accounts.forms.my_account import (
    DashboardUrl,
    DashboardUrlForm,
    OrganizationNameForm,
    PreferencesForm,
    get_preferences,
)
from accounts.reading.my_account import overview
from accounts.views.availability import check_availability
from console.errors import VersionConflict
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import refuse, reject_duplicates, show_form
from console.forms.idempotency import idempotent
from console.forms.submit import CHECK_VALUES, Problem, State, WriteTexts, edited, submit
from console.l10n.bidi import isolated
from console.sessions.tokens import api_url
from console.shell.dashboards import allowed_hosts
from console.web.access import private
from console.web.request import ConsoleRequest, get_login, wants_json
from console.web.responses import Answer, done, json, show
from upstream import usage_dashboard
from upstream.errors import UpstreamError
from upstream.nouns import plain
from upstream.resources.admins import Admin
from upstream.resources.organizations import Organization


@private
def account_show(request: ConsoleRequest) -> HttpResponse:
    account = overview(request)
    if account.organization.name:
        request.session["organization_name"] = account.organization.heading  # it may have been changed elsewhere
    return show(request, "accounts/account_show.html", account=account)


@private(methods=("GET", "POST"))
@idempotent
def organization_name_edit(request: ConsoleRequest) -> HttpResponse:
    organizations = request.upstream.organizations
    organization = organizations.get(request.admin.organization_id)
    form = OrganizationNameForm(form_data_or_draft(request), organization=organization)
    if request.POST.get("check") == "name":
        return _checked(request, form, organization)

    page = partial(_page, request, "organization_name_edit", form=form)
    texts = WriteTexts(
        action=_("Change organization name"),
        failed=_("Failed to change the organization name."),
        unknown=CHECK_VALUES,
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts, extra_fields=("name_checked",))

    name = form.cleaned_data["name"]
    if problem := reject_duplicates(
        request, form, lambda: {"name": bool(_is_in_use(request, name, organization))}, texts
    ):
        return refuse(request, form, problem, page)

    def read_stored() -> State[Organization]:
        newest = organizations.get(organization.id)
        return edited(form, newest, {"name": newest.name})

    outcome = submit(
        request,
        form,
        lambda _key: organizations.update(organization.id, version=form.sent_version, name=name),
        texts=texts,
        entry=organization_entry(organization),
        verify=read_stored,
    )
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=links.account_url())
    request.session["organization_name"] = name
    # Translators: name: the new name of the organization, such as “Smile Dental Group”.
    message = _("Organization name changed to %(name)s.") % {"name": isolated(name)}
    return done(request, goto=links.account_url(), message=message)


def _checked(request: ConsoleRequest, form: OrganizationNameForm, organization: Organization) -> HttpResponse:
    """Respond to "Check Availability": in place, or with the form and its values."""
    check = check_availability(request, form, "name", lambda name: _is_in_use(request, name, organization))
    if wants_json(request):
        return json(request, Answer(ok=not check.is_error, message=check.text, item=check))
    form.set_check("name", check)
    return _page(request, "organization_name_edit", form=form)


def _is_in_use(request: ConsoleRequest, name: str, organization: Organization) -> bool | None:
    """Check with the service of this login, without its token; return None if the result is unknown."""
    if plain(name) == plain(organization.name):
        return False  # the service would find this organization
    login = get_login(request)
    if login is None:
        return None
    url, service_id = api_url(login.stored, settings.UPSTREAM), login.stored.serviceDomainId
    try:
        return request.upstream.organizations.exists(name, api_url=url, service_id=service_id or None)
    except UpstreamError:
        return None


@private(methods=("GET", "POST"))
@idempotent
def dashboard_url_edit(request: ConsoleRequest) -> HttpResponse:
    stored, hosts = DashboardUrl(usage_dashboard.read_url(request.upstream)), allowed_hosts(request)
    console_hosts = frozenset(host.partition(":")[0].lower() for host in (request.get_host(), *settings.ALLOWED_HOSTS))
    form = DashboardUrlForm(form_data_or_draft(request), stored=stored, hosts=hosts, console_hosts=console_hosts)

    page = partial(_page, request, "dashboard_url_edit", form=form, hosts=hosts)
    texts = WriteTexts(
        action=_("Change dashboard URL"), failed=_("Failed to save the dashboard URL."), unknown=CHECK_VALUES
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    address = form.cleaned_data["dashboard_url"]

    def store(_key: str) -> None:
        if form.sent_version != stored.version:
            raise VersionConflict("the dashboard URL")
        usage_dashboard.store_url(request.upstream, address)

    def read_stored() -> State[DashboardUrl]:
        newest = DashboardUrl(usage_dashboard.read_url(request.upstream))
        return edited(form, newest, {"dashboard_url": newest.address})

    entry = dashboard_entry(request, stored.address, address)
    outcome = submit(request, form, store, texts=texts, entry=entry, verify=read_stored)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=links.account_url())
    message = _("Dashboard URL saved.") if address else _("Dashboard URL removed.")
    return done(request, goto=links.account_url(), message=message)


@private(methods=("GET", "POST"))
@idempotent
def preferences_edit(request: ConsoleRequest) -> HttpResponse:
    admins = request.upstream.admins
    admin = admins.get(request.admin.id)
    form = PreferencesForm(form_data_or_draft(request), admin=admin)

    page = partial(_page, request, "preferences_edit", form=form)
    texts = WriteTexts(
        action=_("Change preferences"), failed=_("Failed to save your preferences."), unknown=CHECK_VALUES
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    def update(_key: str) -> None:
        if changes := form.changes(admin):
            admins.update(request.admin.id, version=form.sent_version, **changes)

    def read_stored() -> State[Admin]:
        newest = admins.get(request.admin.id)
        return edited(form, newest, get_preferences(newest))

    entry = account_entry(request, "preferences", *preference_changes(admin, form.changes(admin)), edits=True)
    outcome = submit(request, form, update, texts=texts, entry=entry, verify=read_stored)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=links.account_url())
    return done(request, goto=links.account_url(), message=_("Preferences saved."))


def _page(request: ConsoleRequest, name: str, **context: Any) -> HttpResponse:
    context = {"problem": None, "back": links.account_url(), "crumbs": [links.account_crumb()], **context}
    return show(request, f"accounts/{name}.html", **context)
