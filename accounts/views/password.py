"""Changing the password, and ending the other sessions, which were opened with the previous one."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts import links
from accounts.audit import account_entry
from accounts.ending import end_others
from accounts.forms.my_account import ChangePasswordForm
from accounts.views.current_password import check_password, counted_attempt
from console.errors import WrongPassword
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.submit import Problem, State, WriteTexts, submit
from console.l10n.numbers import ngettext
from console.sessions.login import renew_key
from console.web.access import private
from console.web.request import ConsoleRequest
from console.web.responses import done, show


@private(methods=("GET", "POST"))
@idempotent
def password_edit(request: ConsoleRequest) -> HttpResponse:
    email = request.upstream.admins.get(request.admin.id).email
    form = ChangePasswordForm(request.POST if request.method == "POST" else None)
    texts = WriteTexts(
        action=_("Change password"),
        failed=_("Failed to update your password."),
        unknown=_("We couldn't confirm whether this worked. Next time you log in, try the new password first."),
    )

    def page(**more: Any) -> HttpResponse:
        context = {"problem": None, "back": links.account_url(), "crumbs": [links.account_crumb()], **more}
        return show(request, "accounts/password_edit.html", form=form, email=email, **context)

    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    current, new = form.cleaned_data["current_password"], form.cleaned_data["new_password"]

    def change(_key: str) -> None:
        with counted_attempt(request):
            request.upstream.admins.change_password(request.admin.id, current, new)

    def read_stored() -> State[None]:
        """Try the new password, to find out if the change was made."""
        try:
            check_password(request, email, new)
        except WrongPassword:
            return State(None, is_as_sent=False)
        return State(None, is_as_sent=True)

    outcome = submit(request, form, change, texts=texts, entry=account_entry(request, "password"), verify=read_stored)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=links.account_url())
    renew_key(request)  # copies of the old cookie stop working
    count = end_others(request)
    ended = ngettext(
        "Password changed. %(count)s other session in this console was ended.",
        "Password changed. %(count)s other sessions in this console were ended.",
        count,
    )
    message = ended % {"count": count} if count else _("Password changed.")
    return done(request, goto=links.account_url(), message=message)
