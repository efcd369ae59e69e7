"""Administrators: the account of the person who uses the console."""

from datetime import datetime
from typing import Any

import msgspec

from upstream.calls import Call, Changed, Limit, Resource, write
from upstream.emails import sent_email
from upstream.errors import BadAnswer, Code, FieldError, Refused
from upstream.nouns import UNREADABLE_ID, Count, Email, Id, Noun, Version

_ONE = "/v1/bizOrganizationAdmins/{id}"
_EMAIL = "/v1/bizOrganizationAdmins/{id}/changeEmail"
_RESEND = "/v1/bizOrganizationAdmins/{id}/changeEmail/resend"
_ACTIVATE = "/v1/bizOrganizationAdmins/changeEmail/activate/{id}"
_PASSWORD = "/v1/bizOrganizationAdmins/{id}/changePassword"  # noqa: S105 - a path
_SESSIONS = "/v1/bizOrganizationAdmins/{id}/sessions"
_SESSION = "/v1/bizOrganizationAdmins/{id}/sessions/{session}"
_SIGN_UP = "/v1/accounts/organizationAdmins/signUpWithOrganization"
_FIELDS = {
    "organization.name": "organization_name",
    "organization.country_code": "country_code",
    "organization.server_location": "server_location",
    "agreements": "terms",
    "agreements.terms": "terms",
    "agreements.privacy": "privacy",
}
"""The service's names for the fields of a sign-up, where ours differ."""
_CODE_FIELDS = {
    Code.EMAIL_IN_USE: "email",
    Code.ORGANIZATION_NAME_IN_USE: "organization_name",
    Code.PASSWORD_RULE_BROKEN: "password",
    Code.AGREEMENT_MISSING: "terms",
}
"""The field of a sign-up that a code is about, where the service does not say so."""


class PendingEmail(Noun, frozen=True, kw_only=True):
    """A new address whose owner has not followed the confirmation link yet."""

    email: Email = ""
    sent_date: datetime | None = None
    expires_date: datetime | None = None


class Admin(Noun, frozen=True, kw_only=True):
    """An administrator; only id, email and organization are always known."""

    id: Id
    email: Email = ""
    organization_id: Id = ""
    account_type: Count = msgspec.field(default=1, name="type")
    name: str = ""
    language: str = ""
    time_zone: str = ""
    marketing_agreed: bool = False
    dashboard_url: str | None = None
    pending_email: PendingEmail | None = None
    last_login_date: datetime | None = None
    created_date: datetime | None = None
    version: Version | None = None


class ServiceSession(Noun, frozen=True, kw_only=True):
    """A login of an administrator anywhere, as the service knows it; `current` is the one of this request."""

    id: Id
    device: str = ""
    created_date: datetime | None = None
    last_used_date: datetime | None = None
    current: bool = False


class _Sessions(msgspec.Struct, frozen=True):
    results: list[ServiceSession]


class NewAccount(msgspec.Struct, frozen=True, kw_only=True):
    """An organization and its first administrator, as they sign up; `terms_version` is the accepted version."""

    email: str
    password: str
    name: str
    organization_name: str
    country_code: str
    server_location: str
    language: str
    marketing: bool
    terms_version: str

    def __repr__(self) -> str:
        return "NewAccount(...)"  # keeps the password out of logged tracebacks


class Admins(Resource):
    """The calls on administrators."""

    def get(self, id: str) -> Admin:
        """GET /v1/bizOrganizationAdmins/{id}; the account of another administrator is no answer"""
        admin = self._read(Admin, _ONE, id=id)
        self._check_organization(admin.organization_id)
        if admin.id not in ("", UNREADABLE_ID, id):
            raise BadAnswer("another administrator than the one that was asked for")
        return admin

    def update(self, id: str, *, version: int | None, **changes: Any) -> int | None:
        """PUT /v1/bizOrganizationAdmins/{id}, with the given fields of Admin, and with those that only the service
        knows as they are; return the new version, None if unknown"""
        return self._update(Admin, _ONE, id, version=version, changes=changes)

    def exists(self, email: str, *, api_url: str, service_id: int | None = None) -> bool:
        """GET /v1/bizOrganizationAdmins/exist, without a token"""
        path, email = "/v1/bizOrganizationAdmins/exist", sent_email(email)
        return self._exists(path, email=email, api_url=api_url, service_id=service_id)

    def change_email(self, id: str, email: str) -> None:
        """PUT /v1/bizOrganizationAdmins/{id}/changeEmail: a mail with a link is sent to the new address"""
        self._change(write("PUT", _EMAIL, id=id, body={"email": sent_email(email)}))

    @property
    def can_resend_email_change(self) -> bool:
        """True unless the service is known not to send the mail again."""
        return self._upstream.offers(_resending(""))

    def resend_email_change(self, id: str) -> None:
        """PUT /v1/bizOrganizationAdmins/{id}/changeEmail/resend; NotOffered where the service has no such call"""
        self._change(_resending(id))

    @property
    def can_cancel_email_change(self) -> bool:
        """True unless the service is known not to cancel a pending address."""
        return self._upstream.offers(_canceling(""))

    def cancel_email_change(self, id: str) -> None:
        """DELETE /v1/bizOrganizationAdmins/{id}/changeEmail; NotOffered where the service has no such call"""
        self._change(_canceling(id))

    def activate_email(self, link_id: str, *, api_url: str) -> None:
        """PUT /v1/bizOrganizationAdmins/changeEmail/activate/{uuid}, without a token

        Where the link no longer works, NotFound has the code LINK_ENDED and the reason USED, EXPIRED or UNKNOWN.
        """
        self._change(write("PUT", _ACTIVATE, id=link_id, base=api_url))

    def change_password(self, id: str, current: str, new: str) -> None:
        """PUT /v1/bizOrganizationAdmins/{id}/changePassword"""
        self._change(write("PUT", _PASSWORD, id=id, body={"currentPassword": current, "newPassword": new}))

    def sessions(self, id: str) -> list[ServiceSession]:
        """GET /v1/bizOrganizationAdmins/{id}/sessions; NotOffered where the service has no such list"""
        call = Call(method="GET", path=_SESSIONS, ids={"id": id}, optional=True)
        return self._upstream.call(call, _Sessions).results

    def end_session(self, id: str, session_id: str) -> None:
        """DELETE /v1/bizOrganizationAdmins/{id}/sessions/{sessionId}"""
        ids = {"id": id, "session": session_id}
        self._change(Call(method="DELETE", path=_SESSION, ids=ids, limit=Limit.WRITE, may_be_empty=True, optional=True))

    def end_other_sessions(self, id: str) -> None:
        """DELETE /v1/bizOrganizationAdmins/{id}/sessions?except=current"""
        self._change(write("DELETE", _SESSIONS, id=id, query=[("except", "current")], optional=True))

    def sign_up(self, account: NewAccount, *, idempotency_key: str) -> None:
        """POST {handler}/v1/accounts/organizationAdmins/signUpWithOrganization, without a token

        The fields of a Refused are those of NewAccount, and `terms` and `privacy`.
        """
        config = self._upstream.config
        body = {
            "email": sent_email(account.email),
            "password": account.password,
            "name": account.name,
            "organization": {
                "name": account.organization_name,
                "countryCode": account.country_code,
                "serverLocation": account.server_location,
            },
            "language": account.language,
            "agreements": {
                "terms": True,
                "privacy": True,
                "marketing": account.marketing,
                "termsVersion": account.terms_version,
            },
        }
        base = config.handler_url or config.api_url  # the China variant need not have a domain handler
        try:
            self._change(write("POST", _SIGN_UP, body=body, base=base, idempotency_key=idempotency_key))
        except Refused as error:
            rows = error.fields or [
                FieldError(field, code) for code, field in _CODE_FIELDS.items() if code == error.code
            ]
            error.fields = tuple(FieldError(_FIELDS.get(row.field, row.field), row.code) for row in rows)
            raise

    def forgot_password(self, email: str, *, api_url: str, service_id: int | None = None) -> None:
        """GET forgotPassword, without a token; the service says nothing about whether it knows the address

        The specification does not show the path, so it is a setting.
        """
        path, query = self._upstream.config.forgot_password_path, [("email", sent_email(email))]
        call = Call(
            method="GET",
            path=path,
            query=query,
            base=api_url,
            service_id=service_id,
            limit=Limit.WRITE,
            may_be_empty=True,
            has_side_effects=True,
        )
        self._upstream.call(call, Changed)

    def reset_password(self, link_id: str, new_password: str, *, api_url: str) -> None:
        """PUT /v1/bizOrganizationAdmins/resetPassword, without a token

        Where the link no longer works, NotFound has the code LINK_ENDED and the reason USED, EXPIRED or UNKNOWN.
        """
        body = {"uuid": link_id, "newPassword": new_password}
        self._change(write("PUT", "/v1/bizOrganizationAdmins/resetPassword", body=body, base=api_url))


def _resending(id: str) -> Call:
    return write("PUT", _RESEND, id=id, optional=True)


def _canceling(id: str) -> Call:
    return write("DELETE", _EMAIL, id=id, optional=True)
