"""Sessions and their opaque tokens: access tokens expire, refresh tokens rotate, and reusing one ends the session."""

import secrets
from typing import Any

from sandbox.errors import Code, Refusal
from sandbox.store import Row
from sandbox.world import World


def start(world: World, admin: Row) -> dict[str, str]:
    """Open a session and return its first pair of tokens."""
    session_id = world.store.next_id("sessions", "e")
    now = world.clock.now()
    world.store.put("sessions", {"id": session_id, "adminId": admin["id"], "created": now, "used": now})
    return _pair(world, session_id)


def _pair(world: World, session_id: str) -> dict[str, str]:
    now, switches = world.clock.now(), world.switches
    pair = {}
    for use in ("access", "refresh"):
        token = secrets.token_urlsafe(32)
        expires = now + switches[f"{use}Seconds"]
        row = {"id": token, "sessionId": session_id, "use": use, "expires": expires, "spent": False}
        world.store.put("tokens", row)
        pair[f"{use}Token"] = token
    return pair


def rotate(world: World, refresh_token: str) -> tuple[Row, dict[str, str]]:
    """Return the admin and a new pair for a refresh token; reusing a refresh token ends its session."""
    store, now = world.store, world.clock.now()
    token = store.get("tokens", refresh_token)
    if token is None or token["use"] != "refresh":
        raise Refusal(Code.REFRESH_TOKEN_REFUSED)
    session = store.all("sessions")[token["sessionId"]]
    if token["spent"] or token["expires"] <= now:
        end(world, session)
        raise Refusal(Code.REFRESH_TOKEN_REFUSED, "used before" if token["spent"] else "its time is over")
    store.put("tokens", {**token, "spent": True})
    for old in list(store.filter_by("tokens", "sessionId", session["id"]).values()):
        if old["expires"] <= now:
            store.delete("tokens", old["id"])
    store.put("sessions", {**session, "used": now})
    return store.all("admins")[session["adminId"]], _pair(world, session["id"])


def end(world: World, session: Row) -> None:
    """End a session: its tokens are no longer valid."""
    for token in list(world.store.filter_by("tokens", "sessionId", session["id"])):
        world.store.delete("tokens", token)
    world.store.delete("sessions", session["id"])


def caller(world: World, authorization: str) -> tuple[Row, Row]:
    """Return the admin and the session of an Authorization header."""
    scheme, _, value = authorization.partition(" ")
    token = world.store.get("tokens", value.strip())
    if scheme.lower() != "bearer" or token is None or token["use"] != "access":
        raise Refusal(Code.ACCESS_TOKEN_ENDED, "no valid bearer token")
    if token["expires"] <= world.clock.now():
        raise Refusal(Code.ACCESS_TOKEN_ENDED, "its time is over")
    session = world.store.all("sessions")[token["sessionId"]]
    return world.store.all("admins")[session["adminId"]], session


def expires(world: World, session: Row) -> float:
    """Return when the last access token of a session ends."""
    members = world.store.filter_by("tokens", "sessionId", session["id"]).values()
    return max((token["expires"] for token in members if token["use"] == "access"), default=0.0)


def expire_access(world: World) -> int:
    """Expire all access tokens now; sessions and refresh tokens stay valid."""
    ended = [key for key, token in world.store.all("tokens").items() if token["use"] == "access"]
    for key in ended:
        world.store.delete("tokens", key)
    return len(ended)


def find_session(world: World, refresh_token: Any) -> Row | None:
    """Return the session of a refresh token, if it is still open."""
    token = world.store.get("tokens", refresh_token) if isinstance(refresh_token, str) else None
    return world.store.get("sessions", token["sessionId"]) if token else None
