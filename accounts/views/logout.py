"""Logging out: here at once, at the upstream service if it can be reached."""

from contextlib import suppress

from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect

from console.access import public
from console.grants.opening import close_login
from console.grants.tokens import DEFAULT_SERVICE_ID, api_url
from console.http import ConsoleRequest, attach_client, login_of, wants_json
from console.respond import Answer, json
from console.upstream.errors import UpstreamError


@public(methods=("POST",))
def logout(request: ConsoleRequest) -> HttpResponse:
    login = login_of(request)
    close_login(request)
    attach_client(request)
    if login:
        # Best effort, after our own rows are gone: an upstream that is down must not keep anybody logged in.
        with suppress(UpstreamError):
            request.upstream.oauth.expire(
                login.stored.refreshToken,
                access_token=login.stored.accessToken,
                api_url=api_url(login.stored, settings.UPSTREAM),
                service_id=login.stored.serviceDomainId or DEFAULT_SERVICE_ID,
            )
    if wants_json(request):
        return json(request, Answer(ok=True, goto="/login"))
    return HttpResponseRedirect("/login", status=303)
