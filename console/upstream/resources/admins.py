"""Administrators: the account of the person who uses the console."""

from datetime import datetime

import msgspec

from console.upstream.calls import Call, Changed, Limit, Resource, write
from console.upstream.errors import Code, FieldError, Refused
from console.upstream.nouns import Count, Id, Noun, Version

_SIGN_UP = "/v1/accounts/organizationAdmins/signUpWithOrganization"
_FIELDS = {
    "organization.name": "organization_name",
    "organization.country_code": "country_code",
    "organization.server_location": "server_location",
    "agreements": "terms",
    "agreements.terms": "terms",
    "agreements.privacy": "privacy",
}
"""What the service calls the parts of a sign-up, where it is not what we call them."""
_FIELD_OF = {
    Code.EMAIL_IN_USE: "email",
    Code.ORGANIZATION_NAME_IN_USE: "organization_name",
    Code.PASSWORD_RULE_BROKEN: "password",
    Code.AGREEMENT_MISSING: "terms",
}
"""Which part of a sign-up a code is about, where the service does not say so."""


class PendingEmail(Noun, frozen=True, kw_only=True):
    """A new address whose owner has not followed the confirmation link yet."""

    email: str = ""
    sent_date: datetime | None = None
    expires_date: datetime | None = None


class Admin(Noun, frozen=True, kw_only=True):
    """An administrator; only id, email and organization are always known."""

    id: Id
    email: str = ""
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


class NewAccount(msgspec.Struct, frozen=True, kw_only=True):
    """An organization and its first administrator, as they sign up; who agreed to the terms agreed to a version."""

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
        """GET /v1/bizOrganizationAdmins/{id}"""
        admin = self._read(Admin, "/v1/bizOrganizationAdmins/{id}", id=id)
        self._must_be_ours(admin.organization_id)
        return admin

    def exists(self, email: str, *, api_url: str, service_id: int | None = None) -> bool:
        """GET /v1/bizOrganizationAdmins/exist, without a token"""
        return self._exists("/v1/bizOrganizationAdmins/exist", email=email, api_url=api_url, service_id=service_id)

    def sign_up(self, account: NewAccount, *, idempotency_key: str) -> None:
        """POST {handler}/v1/accounts/organizationAdmins/signUpWithOrganization, without a token

        The fields of a Refused are those of NewAccount, and `terms` and `privacy`.
        """
        config = self._upstream.config
        body = {
            "email": account.email,
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
            told = error.fields or [FieldError(field, code) for code, field in _FIELD_OF.items() if code == error.code]
            error.fields = tuple(FieldError(_FIELDS.get(row.field, row.field), row.code) for row in told)
            raise

    def forgot_password(self, email: str, *, api_url: str, service_id: int | None = None) -> None:
        """GET forgotPassword, without a token; the service says nothing about whether it knows the address

        The specification does not show the path, so it is a setting.
        """
        path, query = self._upstream.config.forgot_password_path, [("email", email)]
        call = Call(
            method="GET",
            path=path,
            query=query,
            base=api_url,
            service_id=service_id,
            limit=Limit.WRITE,
            may_be_empty=True,
        )
        self._upstream.call(call, Changed)

    def reset_password(self, link_id: str, new_password: str, *, api_url: str) -> None:
        """PUT /v1/bizOrganizationAdmins/resetPassword, without a token

        Where the link no longer works, NotFound has the code LINK_ENDED and the reason USED, EXPIRED or UNKNOWN.
        """
        body = {"uuid": link_id, "newPassword": new_password}
        self._change(write("PUT", "/v1/bizOrganizationAdmins/resetPassword", body=body, base=api_url))
