"""What one administrator may do beyond the known calls: an email change that waits, and sessions anywhere."""

from typing import Any, Literal

import msgspec

from sandbox import mail, tokens
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.gate import Call
from sandbox.store import Row

DEVICE = "Enterprise for Admin"
"""Only consoles log in here."""


class Nothing(msgspec.Struct):
    """The body of a call that takes none."""


class Except(msgspec.Struct, forbid_unknown_fields=True, rename={"kept": "except"}):
    """The query of the call that ends several sessions."""

    kept: Literal["current"]


def _me(call: Call, admin_id: str) -> Row:
    if admin_id != call.admin["id"]:
        raise Refusal(Code.NOT_FOUND)
    return call.admin


def _waiting(call: Call, admin_id: str) -> tuple[Row, Row]:
    admin = _me(call, admin_id)
    if admin["pendingEmail"] is None:
        raise Refusal(Code.NOT_FOUND, "no email change is waiting")
    return admin, admin["pendingEmail"]


def resend_email_change(call: Call, id: str) -> Any:
    """PUT /v1/bizOrganizationAdmins/{id}/changeEmail/resend"""
    call.body(Nothing)
    admin, pending = _waiting(call, id)
    link = mail.send_link(call.world, admin, "change-email", pending["email"])
    sent = {"sentDate": iso(call.world.clock.now()), "expiresDate": iso(link["expires"])}
    call.world.store.change("admins", admin, pendingEmail={"email": pending["email"], **sent})
    return sent


def cancel_email_change(call: Call, id: str) -> Any:
    """DELETE /v1/bizOrganizationAdmins/{id}/changeEmail: the link that was sent stops working"""
    admin, _pending = _waiting(call, id)
    mail.forget_links(call.world, admin["id"], "change-email")
    call.world.store.change("admins", admin, pendingEmail=None)
    return {}


def sessions(call: Call, id: str) -> Any:
    """GET /v1/bizOrganizationAdmins/{id}/sessions"""
    rows = call.world.store.where("sessions", "adminId", _me(call, id)["id"]).values()
    results = [
        {
            "id": row["id"],
            "device": DEVICE,
            "createdDate": iso(row["created"]),
            "lastUsedDate": iso(row["used"]),
            "current": row["id"] == call.session["id"],
        }
        for row in rows
    ]
    return {"resultCount": len(results), "results": results}


def end_session(call: Call, id: str, session: str) -> Any:
    """DELETE /v1/bizOrganizationAdmins/{id}/sessions/{sessionId}"""
    row = call.world.store.where("sessions", "adminId", _me(call, id)["id"]).get(session)
    if row is None:
        raise Refusal(Code.NOT_FOUND)
    tokens.end(call.world, row)
    return {}


def end_other_sessions(call: Call, id: str) -> Any:
    """DELETE /v1/bizOrganizationAdmins/{id}/sessions?except=current"""
    call.query(Except)
    for row in list(call.world.store.where("sessions", "adminId", _me(call, id)["id"]).values()):
        if row["id"] != call.session["id"]:
            tokens.end(call.world, row)
    return {}
