"""Who may call a view of the translators' site."""

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
from translations.accounts import languages_of, translator_of

View = Callable[..., HttpResponseBase]


class TranslatorRequest(ConsoleRequest):
    """Annotation for views: the request of a translator."""

    user: Translator  # type: ignore[assignment]  # users of Django have nothing to do with it


def site(*, methods: tuple[str, ...] = ("GET",)) -> Callable[[View], View]:
    """Admit everybody to a page of the site, where there is one (TRANSLATE_ENABLED)."""

    def decorate(view: View) -> View:
        @public(methods=methods)
        @wraps(view)
        def admitted(request: ConsoleRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not settings.TRANSLATE_ENABLED:
                raise Http404
            catalogs.look(at_once=True)
            response = view(request, *args, **kwargs)
            response.headers["Cache-Control"] = "no-store"
            return response

        return admitted

    return decorate


def translators(*, methods: tuple[str, ...] = ("GET",)) -> Callable[[View], View]:
    """Admit translators; everybody else is led to their login.

    Texts that were sent after the login's end are not lost: the page that says so has them, and sends them again.
    """

    def decorate(view: View) -> View:
        @site(methods=methods)
        @wraps(view)
        def admitted(request: TranslatorRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            translator = translator_of(request)
            if translator is None:
                if request.method == "POST":
                    typed = [(name, text) for name, text in request.POST.items() if name.startswith(("seen-", "text-"))]
                    return show(request, "translate/logged_out.html", status=401, typed=typed)
                return HttpResponseRedirect(f"/translate/login?{urlencode({'next': request.get_full_path()})}")
            request.user = translator
            return view(request, *args, **kwargs)

        return admitted

    return decorate


def language_of(request: TranslatorRequest, tag: str) -> Language:
    """Return the language of a page, if it is the translator's; else there is no such page."""
    found = next((language for language in languages_of(request.user) if language.tag == tag), None)
    if found is None:
        raise Http404
    return found
