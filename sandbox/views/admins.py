"""One administrator: detail, availability, email change, passwords, sessions."""

from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

import msgspec

from sandbox import mail, tokens
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.gate import LANGUAGES, Call, Nothing, route
from sandbox.notices import notify
from sandbox.rules import check_email, check_password
from sandbox.store import Row
from sandbox.views.dashboards import is_dashboard

DEVICE = "Enterprise for Admin"
"""Only consoles log in here."""
HIDDEN = ("password",)
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class EmailQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The query of the calls about one address."""

    email: str


class AdminChange(msgspec.Struct):
    """The fields that may change; other fields are accepted and ignored."""

    name: Text | msgspec.UnsetType = msgspec.UNSET
    language: str | msgspec.UnsetType = msgspec.UNSET
    timeZone: str | msgspec.UnsetType | None = msgspec.UNSET
    marketingAgreed: bool | msgspec.UnsetType = msgspec.UNSET
    dashboardUrl: Annotated[str, msgspec.Meta(max_length=2000)] | msgspec.UnsetType | None = msgspec.UNSET


class EmailChange(msgspec.Struct):
    """The body of changeEmail."""

    email: str


class PasswordChange(msgspec.Struct):
    """The body of changePassword."""

    currentPassword: str
    newPassword: str


class PasswordReset(msgspec.Struct):
    """The body of resetPassword."""

    uuid: str
    newPassword: str


class Except(msgspec.Struct, forbid_unknown_fields=True, rename={"except_": "except"}):
    """The query of the call that ends several sessions."""

    except_: Literal["current"]


def admin_view(admin: Row) -> Row:
    """Return an admin as it is in responses."""
    return {key: value for key, value in admin.items() if key not in HIDDEN}


def _self(call: Call, admin_id: str) -> Row:
    """Return the caller, or another admin of the same organization."""
    return call.row("admins", admin_id)


@route("GET", "v1/bizOrganizationAdmins/exist", access="open")
def exist(call: Call) -> Any:
    email = check_email(call.query(EmailQuery).email)
    return {"resultCount": len(call.store.filter_by("admins", "email", email))}


@route("GET", "v1/bizOrganizationAdmins/<id>")
def read(call: Call, id: str) -> Any:
    return admin_view(_self(call, id))


@route("PUT", "v1/bizOrganizationAdmins/<id>")
def update(call: Call, id: str) -> Any:
    admin = _self(call, id)
    change = call.body(AdminChange)
    call.check_version(admin)
    fields = msgspec.to_builtins(change)
    if fields.get("language", "en-US") not in LANGUAGES:
        raise Refusal(Code.PARAMETER_INVALID, "unknown language", fields=["language"], status=422)
    zone = fields.get("timeZone")
    if zone is not None and zone not in available_timezones():
        raise Refusal(Code.PARAMETER_INVALID, "unknown time zone", fields=["timeZone"], status=422)
    url = fields.get("dashboardUrl")
    if url and not is_dashboard(url):
        raise Refusal(Code.DASHBOARD_URL_NOT_ALLOWED, fields=["dashboardUrl"])
    return {"version": call.store.change("admins", admin, **fields)["version"]}


@route("PUT", "v1/bizOrganizationAdmins/<id>/changeEmail")
def change_email(call: Call, id: str) -> Any:
    admin = _self(call, id)
    email = check_email(call.body(EmailChange).email)
    if email == admin["email"]:
        raise Refusal(Code.EMAIL_SAME, fields=["email"])
    if call.store.filter_by("admins", "email", email):
        raise Refusal(Code.EMAIL_IN_USE, fields=["email"])
    return _send_email_link(call, admin, email)


def _send_email_link(call: Call, admin: Row, email: str) -> Row:
    link = mail.send_link(call.world, admin, "change-email", email)
    sent = {"sentDate": call.now, "expiresDate": iso(link["expires"])}
    call.store.change("admins", admin, pendingEmail={"email": email, **sent})
    return sent


@route("PUT", "v1/bizOrganizationAdmins/changeEmail/activate/<uuid>", access="open")
def activate_email(call: Call, uuid: str) -> Any:
    call.body(Nothing)
    link = mail.open_link(call.world, uuid, "change-email")
    admin = call.store.all("admins")[link["ownerId"]]
    if call.store.filter_by("admins", "email", link["email"]):
        raise Refusal(Code.EMAIL_IN_USE, "taken meanwhile", fields=["email"])
    call.store.put("links", {**link, "used": True})
    call.store.change("admins", admin, email=link["email"], pendingEmail=None)
    notify(call.world, admin["organizationId"], "EMAIL_CHANGED", {"email": link["email"]})
    return {}


@route("PUT", "v1/bizOrganizationAdmins/<id>/changePassword")
def change_password(call: Call, id: str) -> Any:
    admin = _self(call, id)
    body = call.body(PasswordChange)
    if body.currentPassword != admin["password"]:
        raise Refusal(Code.CURRENT_PASSWORD_WRONG, fields=["currentPassword"])
    _set_password(call, admin, body.newPassword)
    return {}


def _set_password(call: Call, admin: Row, password: str) -> None:
    if password == admin["password"]:
        raise Refusal(Code.SAME_PASSWORD, fields=["newPassword"])
    check_password(password, "newPassword")
    call.store.change("admins", admin, password=password)
    notify(call.world, admin["organizationId"], "PASSWORD_CHANGED", {})


@route("GET", "v1/bizOrganizationAdmins/forgotPassword", access="open")
def forgot_password(call: Call) -> Any:
    """The response is the same whether or not the address is known."""
    email = check_email(call.query(EmailQuery).email)
    for admin in call.store.filter_by("admins", "email", email).values():
        mail.send_link(call.world, admin, "reset-password", email)
    return {}


@route("PUT", "v1/bizOrganizationAdmins/resetPassword", access="open")
def reset_password(call: Call) -> Any:
    body = call.body(PasswordReset)
    link = mail.open_link(call.world, body.uuid, "reset-password")
    admin = call.store.all("admins")[link["ownerId"]]
    _set_password(call, admin, body.newPassword)
    call.store.put("links", {**link, "used": True})
    return {}


def _me(call: Call, admin_id: str) -> Row:
    if admin_id != call.admin["id"]:
        raise Refusal(Code.NOT_FOUND)
    return call.admin


def _waiting(call: Call, admin_id: str) -> tuple[Row, Row]:
    admin = _me(call, admin_id)
    if admin["pendingEmail"] is None:
        raise Refusal(Code.NOT_FOUND, "no email change is waiting")
    return admin, admin["pendingEmail"]


@route("PUT", "v1/bizOrganizationAdmins/<id>/changeEmail/resend")
def resend_email_change(call: Call, id: str) -> Any:
    call.body(Nothing)
    admin, pending = _waiting(call, id)
    return _send_email_link(call, admin, pending["email"])


@route("DELETE", "v1/bizOrganizationAdmins/<id>/changeEmail")
def cancel_email_change(call: Call, id: str) -> Any:
    """The link stops working."""
    admin, _pending = _waiting(call, id)
    mail.delete_links(call.world, admin["id"], "change-email")
    call.store.change("admins", admin, pendingEmail=None)
    return {}


@route("GET", "v1/bizOrganizationAdmins/<id>/sessions")
def sessions(call: Call, id: str) -> Any:
    rows = call.store.filter_by("sessions", "adminId", _me(call, id)["id"]).values()
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


@route("DELETE", "v1/bizOrganizationAdmins/<id>/sessions/<session>")
def end_session(call: Call, id: str, session: str) -> Any:
    row = call.store.filter_by("sessions", "adminId", _me(call, id)["id"]).get(session)
    if row is None:
        raise Refusal(Code.NOT_FOUND)
    tokens.end(call.world, row)
    return {}


@route("DELETE", "v1/bizOrganizationAdmins/<id>/sessions")
def end_other_sessions(call: Call, id: str) -> Any:
    call.query(Except)
    for row in list(call.store.filter_by("sessions", "adminId", _me(call, id)["id"]).values()):
        if row["id"] != call.session["id"]:
            tokens.end(call.world, row)
    return {}
