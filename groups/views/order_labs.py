"""The labs that a clinic may order from: a form below its permissions."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.errors import VersionConflict
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.submit import CHECK_VALUES, Problem, State, WriteTexts, submit
from console.web.access import private
from console.web.request import ConsoleRequest
from console.web.responses import done
from groups.audit.permissions import lab_changes
from groups.forms.order_labs import OrderLabsForm
from groups.views.permissions import clinic_owner, clinic_permission_url, permission_page
from upstream.resources.permissions import PermissionSet


@private(methods=("GET", "POST"))
@idempotent
def clinic_lab_edit(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    """Save the labs; the page is that of the permissions, which is shown at this address after a refusal."""
    owner, permissions = clinic_owner(request, clinic_id), request.upstream.permissions
    if request.method != "POST":
        return permission_page(request, owner)
    form = OrderLabsForm(request.POST, labs=owner.current.order_labs)
    texts = WriteTexts(
        done=_("Labs saved.") if form.changes() else _("No labs changed."),
        action=_("Change labs to order from"),
        failed=_("Failed to save the labs."),
        unknown=CHECK_VALUES,
    )

    def page(*, status: int = 200, problem: Problem | None = None) -> HttpResponse:
        page_owner = replace(owner, current=problem.newest) if problem and problem.newest else owner
        labs = OrderLabsForm(request.POST, labs=page_owner.current.order_labs)
        return permission_page(request, page_owner, labs=labs, status=status, problem=problem)

    if not form.is_valid():
        return show_form(request, form, page, texts)

    def change(_key: str) -> None:
        if form.is_stale():
            raise VersionConflict("the labs were changed since the page was rendered")
        if changes := form.changes():
            # `is_stale` has compared the labs, so the version just read is safe even if the switches above changed.
            permissions.change_clinic(clinic_id, changes={}, order_labs=changes, version=owner.current.version)

    def read_stored() -> State[PermissionSet]:
        newest = permissions.get_for_clinic(clinic_id)
        return State(newest, is_as_sent=not OrderLabsForm(request.POST, labs=newest.order_labs).conflicts())

    entry = replace(owner.entry, code="labs", changes=lab_changes(owner.current, form.changes()), edits=True)
    outcome = submit(request, form, change, texts=texts, entry=entry, verify=read_stored)
    url = clinic_permission_url(request, clinic_id)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=url)
    return done(request, goto=f"{url}#labs", message=texts.done, is_change=bool(form.changes()))
