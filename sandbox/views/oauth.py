"""Tokens: log in, refresh, check, expire."""

from typing import Annotated, Any, Literal

import msgspec

from sandbox import tokens
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.gate import Call, route
from sandbox.views.admins import admin_view


class TokenRequest(msgspec.Struct):
    """The body of both grants."""

    grantType: Literal["password", "refresh_token"]
    email: str | None = None
    password: str | None = None
    refreshToken: str | None = None


class Expire(msgspec.Struct):
    """The body of expireToken."""

    refreshToken: str | None = None


class CheckQuery(msgspec.Struct, forbid_unknown_fields=True):
    adminId: Annotated[str, msgspec.Meta(min_length=1)]


@route("POST", "v2/oauth/requestToken", access="open")
def request_token(call: Call) -> Any:
    body = call.body(TokenRequest)
    wanted = ("email", "password") if body.grantType == "password" else ("refreshToken",)
    missing = [name for name in wanted if not getattr(body, name)]
    if missing:
        raise Refusal(Code.PARAMETER_MISSING, fields=missing)
    if body.grantType == "password":
        store = call.store
        admin = next(iter(store.filter_by("admins", "email", str(body.email).lower()).values()), None)
        if admin is None or admin["password"] != body.password:
            raise Refusal(Code.WRONG_LOGIN)
        admin = store.put("admins", {**admin, "lastLoginDate": call.now})
        pair = tokens.start(call.world, admin)
    else:
        admin, pair = tokens.rotate(call.world, str(body.refreshToken))
    return {**pair, "adminDetail": admin_view(admin), "adminId": admin["id"]}


@route("GET", "v2/oauth/checkToken", any_type=True)
def check_token(call: Call) -> Any:
    if call.query(CheckQuery).adminId != call.admin["id"]:
        raise Refusal(Code.NOT_FOUND)
    return {"valid": True, "expiresDate": iso(tokens.expires(call.world, call.session))}


@route("POST", "v2/oauth/expireToken", any_type=True)
def expire_token(call: Call) -> Any:
    """Ends the session of the refresh token, or the caller's own if there is none."""
    refresh_token = call.body(Expire).refreshToken
    session = tokens.find_session(call.world, refresh_token) if refresh_token else call.session
    if session is not None and session["adminId"] == call.admin["id"]:
        tokens.end(call.world, session)
    return {}
