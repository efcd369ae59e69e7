"""Access to the views of the translators' site."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpResponseRedirect
from django.http.response import HttpResponseBase

from console.i18n import catalogs
from console.i18n.languages import Language
from console.models import Translator
from console.web.access import public
from console.web.request import ConsoleRequest
from console.web.responses import show
from translations.accounts import get_languages, get_translator

View = Callable[..., HttpResponseBase]


class TranslatorRequest(ConsoleRequest):
    """Annotation for views: the request of a translator."""

    user: Translator  # type: ignore[assignment]  # users of Django have nothing to do with it


def site(*, methods: tuple[str, ...] = ("GET",)) -> Callable[[View], View]:
    """Admit all users to a page of the site, if it is enabled (TRANSLATE_ENABLED)."""

    def decorate(view: View) -> View:
        @public(methods=methods)
        @wraps(view)
        def admitted(request: ConsoleRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not settings.TRANSLATE_ENABLED:
                raise Http404
            catalogs.sync(at_once=True)
            response = view(request, *args, **kwargs)
            response.headers["Cache-Control"] = "no-store"
            return response

        return admitted

    return decorate


def translators(*, methods: tuple[str, ...] = ("GET",)) -> Callable[[View], View]:
    """Admit translators; other users are redirected to the login.

    Texts that are sent after the login has ended are not lost: the error page can send them again.
    """

    def decorate(view: View) -> View:
        @site(methods=methods)
        @wraps(view)
        def admitted(request: TranslatorRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            translator = get_translator(request)
            if translator is None:
                if request.method == "POST":
                    form_data = [
                        (name, text) for name, text in request.POST.items() if name.startswith(("seen-", "text-"))
                    ]
                    return show(request, "translate/logged_out.html", status=401, form_data=form_data)
                return HttpResponseRedirect(f"/translate/login?{urlencode({'next': request.get_full_path()})}")
            request.user = translator
            return view(request, *args, **kwargs)

        return admitted

    return decorate


def get_language(request: TranslatorRequest, tag: str) -> Language:
    """Return the language of a page, if it is the translator's; else there is no such page."""
    language = next((language for language in get_languages(request.user) if language.tag == tag), None)
    if language is None:
        raise Http404
    return language
