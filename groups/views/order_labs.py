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
from console.upstream.errors import Code, NotDone
from groups.forms.order_labs import OrderLabsForm, only_partners
from groups.views.permissions import Panel, clinic_panel, here, panel_page


@private(methods=("GET", "POST"))
def clinic_order_labs(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    """The page is the one of the permissions: after a refusal it is opened again at this address."""
    panel, current = clinic_panel(request, clinic_id)
    if request.method != "POST":
        return panel_page(request, panel, current)
    form = OrderLabsForm(request.POST, labs=current.order_labs)
    if form.is_valid():
        return once(request, lambda key: _change(request, form, panel, clinic_id))
    error = _("Failed to update the permissions.")
    return panel_page(request, panel, current, labs=form, error=error, reasons=[only_partners()], status=422)


def _change(request: ConsoleRequest, form: OrderLabsForm, panel: Panel, clinic_id: str) -> HttpResponse:
    try:
        if changes := form.changes():
            # Without a version: only what was changed here is sent, and a tick has no third value to lose.
            request.upstream.permissions.change_clinic(clinic_id, changes={}, order_labs=changes, version=None)
    except NotDone as error:
        message = upstream_message(error, _("Failed to update the permissions."))
        status = describe(error, was_write=True).status
        panel, newest = clinic_panel(request, clinic_id)
        labs = OrderLabsForm(request.POST, labs=newest.order_labs)
        reasons = [only_partners()] if error.code == Code.LAB_IS_NOT_A_PARTNER else []
        return panel_page(request, panel, newest, labs=labs, error=message, reasons=reasons, status=status)
    messages.success(request, _("Permissions updated."))
    return done(request, goto=here(panel))
