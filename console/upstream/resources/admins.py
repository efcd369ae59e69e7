"""Administrators: the account of the person who uses the console."""

from datetime import datetime

import msgspec

from console.upstream.calls import Resource
from console.upstream.nouns import Count, Id, Noun, Version


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


class Admins(Resource):
    """The calls on administrators."""

    def get(self, id: str) -> Admin:
        """GET /v1/bizOrganizationAdmins/{id}"""
        admin = self._read(Admin, "/v1/bizOrganizationAdmins/{id}", id=id)
        self._must_be_ours(admin.organization_id)
        return admin
