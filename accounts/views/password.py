"""Another password, and the end of the other sessions that began with the former one."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts import links
from accounts.activity import own_act
from accounts.ending import end_others
from accounts.forms.my_account import ChangePasswordForm
from accounts.views.current_password import asked, check_password
from console.access import private
from console.forms.submit import State, WriteTexts
from console.forms.write import save
from console.grants.opening import renew_key
from console.http import ConsoleRequest
from console.respond import show
from console.text.numbers import ngettext
from console.upstream.errors import Code, Refused


@private(methods=("GET", "POST"))
def password_edit(request: ConsoleRequest) -> HttpResponse:
    email = request.upstream.admins.get(request.admin.id).email
    form = ChangePasswordForm(request.POST if request.method == "POST" else None)

    def act(_key: str) -> None:
        passwords = form.cleaned_data
        with asked(request):
            request.upstream.admins.change_password(
                request.admin.id, passwords["current_password"], passwords["new_password"]
            )

    def check() -> State[None]:
        """After a lost answer: whether the new one is the password now."""
        try:
            check_password(request, email, form.cleaned_data["new_password"])
        except Refused as error:
            if error.code != Code.CURRENT_PASSWORD_WRONG:
                raise
            return State(None, is_as_sent=False)
        return State(None, is_as_sent=True)

    def said(_result: object) -> str:
        renew_key(request)  # whoever copied the cookie before is out as well
        count = end_others(request)
        told = ngettext(
            "Your password was changed. %(count)s other session at this console was ended.",
            "Your password was changed. %(count)s other sessions at this console were ended.",
            count,
        )
        return told % {"count": count} if count else _("Your password was changed.")

    def page(**more: Any) -> HttpResponse:
        context = {"problem": None, "back": links.account_url(), "crumbs": [links.account_crumb()], **more}
        return show(request, "accounts/password_edit.html", form=form, email=email, **context)

    return save(
        request,
        form,
        act=act,
        activity=lambda: own_act(request, "password"),
        check=check,
        said=said,
        texts=WriteTexts(
            done="",
            failed=_("Failed to update your password."),
            unknown=_(
                "It is not known whether your password was changed. When you log in next, try the new password first."
            ),
        ),
        goto=links.account_url(),
        page=page,
    )
