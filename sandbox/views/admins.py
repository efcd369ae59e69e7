"""One administrator: detail, availability, email change, passwords."""

from typing import Annotated, Any
from zoneinfo import available_timezones

import msgspec

from sandbox import mail
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.gate import LANGUAGES, Call
from sandbox.notices import notify
from sandbox.rules import check_email, check_password
from sandbox.store import Row
from sandbox.views.dashboards import is_dashboard

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


class Nothing(msgspec.Struct):
    """The body of calls that take none."""


def admin_view(admin: Row) -> Row:
    """Return an admin as it is in answers."""
    return {key: value for key, value in admin.items() if key not in HIDDEN}


def _self(call: Call, admin_id: str) -> Row:
    """Return the caller, or another admin of the same organization."""
    return call.owns(call.world.store.get("admins", admin_id))


def exist(call: Call) -> Any:
    """GET /v1/bizOrganizationAdmins/exist"""
    email = check_email(call.query(EmailQuery).email)
    return {"resultCount": len(call.world.store.where("admins", "email", email))}


def read(call: Call, id: str) -> Any:
    """GET /v1/bizOrganizationAdmins/{id}"""
    return admin_view(_self(call, id))


def update(call: Call, id: str) -> Any:
    """PUT /v1/bizOrganizationAdmins/{id}"""
    admin = _self(call, id)
    change = call.body(AdminChange)
    call.check_version(admin)
    fields = {key: value for key, value in msgspec.structs.asdict(change).items() if value is not msgspec.UNSET}
    if fields.get("language", "en-US") not in LANGUAGES:
        raise Refusal(Code.PARAMETER_INVALID, "unknown language", fields=["language"], status=422)
    zone = fields.get("timeZone")
    if zone is not None and zone not in available_timezones():
        raise Refusal(Code.PARAMETER_INVALID, "unknown time zone", fields=["timeZone"], status=422)
    url = fields.get("dashboardUrl")
    if url and not is_dashboard(url):
        raise Refusal(Code.DASHBOARD_URL_NOT_ALLOWED, fields=["dashboardUrl"])
    return {"version": call.world.store.change("admins", admin, **fields)["version"]}


def change_email(call: Call, id: str) -> Any:
    """PUT /v1/bizOrganizationAdmins/{id}/changeEmail"""
    admin = _self(call, id)
    email = check_email(call.body(EmailChange).email)
    if email == admin["email"]:
        raise Refusal(Code.EMAIL_SAME, fields=["email"])
    if call.world.store.where("admins", "email", email):
        raise Refusal(Code.EMAIL_IN_USE, fields=["email"])
    link = mail.send_link(call.world, admin, "change-email", email)
    sent = {"sentDate": iso(call.world.clock.now()), "expiresDate": iso(link["expires"])}
    call.world.store.change("admins", admin, pendingEmail={"email": email, **sent})
    return sent


def activate_email(call: Call, uuid: str) -> Any:
    """PUT /v1/bizOrganizationAdmins/changeEmail/activate/{uuid}"""
    call.body(Nothing)
    link = mail.open_link(call.world, uuid, "change-email")
    admin = call.world.store.all("admins")[link["ownerId"]]
    if call.world.store.where("admins", "email", link["email"]):
        raise Refusal(Code.EMAIL_IN_USE, "taken meanwhile", fields=["email"])
    call.world.store.put("links", {**link, "used": True})
    call.world.store.change("admins", admin, email=link["email"], pendingEmail=None)
    notify(call.world, admin["organizationId"], "EMAIL_CHANGED", {"email": link["email"]})
    return {}


def change_password(call: Call, id: str) -> Any:
    """PUT /v1/bizOrganizationAdmins/{id}/changePassword"""
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
    call.world.store.change("admins", admin, password=password)
    notify(call.world, admin["organizationId"], "PASSWORD_CHANGED", {})


def forgot_password(call: Call) -> Any:
    """GET /v1/bizOrganizationAdmins/forgotPassword: the same answer whether or not the address is known"""
    email = check_email(call.query(EmailQuery).email)
    for admin in call.world.store.where("admins", "email", email).values():
        mail.send_link(call.world, admin, "reset-password", email)
    return {}


def reset_password(call: Call) -> Any:
    """PUT /v1/bizOrganizationAdmins/resetPassword"""
    body = call.body(PasswordReset)
    link = mail.open_link(call.world, body.uuid, "reset-password")
    admin = call.world.store.all("admins")[link["ownerId"]]
    _set_password(call, admin, body.newPassword)
    call.world.store.put("links", {**link, "used": True})
    return {}
