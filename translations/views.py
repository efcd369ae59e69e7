"""The pages of the translators' site."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from console.errors import TooManyAttempts
from console.l10n.dates import local_moment
from console.models import Edit
from console.web.failures import describe
from console.web.request import ConsoleRequest, get_tz
from console.web.responses import show
from translations import accounts, saving, texts
from translations.access import TranslatorRequest, get_language, site, translators
from translations.forms import LoginForm, PasswordForm
from translations.history import get_history
from translations.listing import TextsView
from translations.sentences import sentence

HOME = "/translate/"


@site()
def rosetta(request: ConsoleRequest) -> HttpResponse:
    """Redirect from the address where Rosetta's own pages would be."""
    return HttpResponseRedirect(HOME)


@site(methods=("GET", "POST"))
def login(request: ConsoleRequest) -> HttpResponse:
    form = LoginForm(request.POST or None)
    goto, status = _next(request), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                translator = accounts.log_in(**form.cleaned_data, address=request.client_ip)
            except accounts.Refused:
                form.add_error(None, _("Login failed. Check your name and password."))
            except TooManyAttempts as error:
                form.add_error(None, describe(error).text)
                status = 429
            else:
                response = HttpResponseRedirect(goto, status=303)
                accounts.open_login(request, response, translator)
                return response
    return show(request, "translate/login.html", status=status, form=form, next=goto if goto != HOME else "")


@translators(methods=("POST",))
def logout(request: TranslatorRequest) -> HttpResponse:
    response = HttpResponseRedirect("/translate/login", status=303)
    accounts.close_login(request, response)
    return response


@translators(methods=("GET", "POST"))
def password_edit(request: TranslatorRequest) -> HttpResponse:
    form = PasswordForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                accounts.log_in(request.user.name, form.cleaned_data["current"], address=request.client_ip)
            except accounts.Refused:
                form.add_error("current", _("The password does not match."))
            except TooManyAttempts as error:
                form.add_error(None, describe(error).text)
                status = 429
            else:
                accounts.set_password(request.user, form.cleaned_data["new"], except_for=request)
                return HttpResponseRedirect("/translate/password?changed=1", status=303)
    is_changed = request.method == "GET" and "changed" in request.GET
    return show(request, "translate/password.html", status=status, form=form, is_changed=is_changed, user=request.user)


@translators()
def language_list(request: TranslatorRequest) -> HttpResponse:
    progress = texts.progress(accounts.get_languages(request.user))
    return show(request, "translate/languages.html", languages=progress, user=request.user)


@translators(methods=("GET", "POST"))
def text_list(request: TranslatorRequest, tag: str) -> HttpResponseBase:
    response: HttpResponseBase = TextsView.as_view(language=get_language(request, tag))(request)
    return response


@translators()
def gone_list(request: TranslatorRequest, tag: str) -> HttpResponse:
    language = get_language(request, tag)
    edits = [(edit, local_moment(edit.created_at, get_tz(request))) for edit in texts.gone(language)]
    return show(request, "translate/gone.html", language=language, edits=edits, user=request.user)


@translators(methods=("GET", "POST"))
def text_show(request: TranslatorRequest, tag: str, name: str) -> HttpResponse:
    """Show a text with its history; a POST reverts an edit, or decides about one that waits."""
    language = get_language(request, tag)
    entry = texts.get_entry(language, name)
    if entry is None:
        raise Http404
    context: dict[str, Any] = {"problems": []}
    if request.method == "POST":
        edit = Edit.objects.filter(code=language.code, message=name, pk=_number(request.POST.get("edit"))).first()
        if edit is None:
            raise Http404
        match request.POST.get("act"):
            case "take-back":
                saving.revert(edit)
            case "publish":
                outcome = saving.publish(language, entry, edit, author=request.user.name)
                context["problems"] = [sentence(problem) for problem in outcome.problems]
            case "discard":
                saving.discard(edit)
        if not context["problems"]:
            return HttpResponseRedirect(f"/translate/{tag}/texts/{name}", status=303)
    return show(
        request,
        "translate/text.html",
        language=language,
        entry=entry,
        forms=texts.get_forms(entry),
        history=get_history(language, entry, get_tz(request)),
        user=request.user,
        status=422 if context["problems"] else 200,
        **context,
    )


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 18 else 0


def _next(request: ConsoleRequest) -> str:
    """Return the target of a login, which is always a page of this site."""
    goto = request.POST.get("next") or request.GET.get("next") or HOME
    is_safe = url_has_allowed_host_and_scheme(goto, allowed_hosts=None, require_https=settings.CONSOLE_HTTPS)
    return goto if is_safe and goto.startswith(HOME) else HOME
