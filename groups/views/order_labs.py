"""The labs that a clinic may order from: a form below its permissions."""

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.access import private
from console.failures import describe
from console.form_errors import upstream_message
from console.http import ConsoleRequest
from console.once import once
from console.respond import done
from console.upstream.errors import Code, Conflict, NotDone
from console.upstream.permissions import PermissionSet
from groups.forms.order_labs import OrderLabsForm, only_partners
from groups.views.permissions import Panel, clinic_panel, newest_of, panel_page


@private(methods=("GET", "POST"))
def clinic_order_labs(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    """The page is the one of the permissions: after a refusal it is opened again at this address."""
    panel, current = clinic_panel(request, clinic_id)
    if request.method != "POST":
        return panel_page(request, panel, current)
    form = OrderLabsForm(request.POST, labs=current.order_labs)
    if form.is_valid():
        return once(request, lambda _key: _change(request, form, panel, current))
    error = _("Failed to update the permissions.")
    return panel_page(request, panel, current, labs=form, error=error, reasons=[only_partners()], status=422)


def _change(request: ConsoleRequest, form: OrderLabsForm, panel: Panel, current: PermissionSet) -> HttpResponse:
    if form.is_stale():
        return _stale(request, panel, current)
    permissions = request.upstream.permissions
    try:
        if changes := form.changes():
            # Of what was just read: it tells the labs that the sender saw, whatever became of the switches above them.
            permissions.change_clinic(panel.clinic_id, changes={}, order_labs=changes, version=current.version)
    except NotDone as error:
        if isinstance(error, Conflict):
            current = newest_of(lambda: permissions.of_clinic(panel.clinic_id), current)
        if error.code == Code.CHANGED_MEANWHILE:
            return _stale(request, panel, current)
        message = upstream_message(error, _("Failed to update the permissions."))
        status = describe(error, was_write=True).status
        labs = OrderLabsForm(request.POST, labs=current.order_labs)
        reasons = [only_partners()] if error.code == Code.LAB_IS_NOT_A_PARTNER else []
        return panel_page(request, panel, current, labs=labs, error=message, reasons=reasons, status=status)
    messages.success(request, _("Permissions updated."))
    return done(request, goto=panel.here)


def _stale(request: ConsoleRequest, panel: Panel, newest: PermissionSet) -> HttpResponse:
    """What others changed is taken over; what the sender changed stays chosen, and is asked about."""
    labs = OrderLabsForm(request.POST, labs=newest.order_labs)
    error = _("Somebody else changed this meanwhile.")
    return panel_page(request, panel, newest, labs=labs, error=error, status=412, is_stale=True)
