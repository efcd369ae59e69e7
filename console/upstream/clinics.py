"""Clinics: what the service calls main groups."""

from datetime import datetime
from typing import Any

import msgspec

from console.upstream.errors import Reason
from console.upstream.listing import Listing, ListParams, ListResource
from console.upstream.nouns import Id, Noun


class Clinic(Noun, frozen=True, kw_only=True):
    """A clinic; `info` keeps whatever shape the service gave it, counts that were not sent are 0."""

    id: Id
    organization_id: Id = ""
    name: str = ""
    info: Any = None
    country_code: str | None = None
    server_location: str | None = None
    dentist_count: int | None = None
    staff_count: int | None = None
    team_count: int = msgspec.field(default=0, name="subGroupCount")
    user_count: int = 0
    scanner_count: int = 0
    partner_count: int = 0
    pending_partnership_count: int = 0
    can_delete: bool | None = None
    delete_blockers: list[Reason] = []
    last_activity_date: datetime | None = None
    created_date: datetime | None = None
    updated_date: datetime | None = None
    version: int | None = None


class Clinics(ListResource):
    """The calls on clinics."""

    SORTS = {
        "name": "name",
        "country_code": "countryCode",
        "user_count": "userCount",
        "scanner_count": "scannerCount",
        "partner_count": "partnerCount",
        "created_date": "createdDate",
    }
    FILTERS = {"country_code": "countryCode", "has_partner": "hasPartner", "has_user": "hasUser"}
    SEARCH_FIELDS = {"all": "all", "name": "name"}

    def list(self, params: ListParams, *, organization_id: str) -> Listing[Clinic]:
        """GET /v1/bizMainGroups"""
        return self._list("/v1/bizMainGroups", params, Listing[Clinic], organizationId=organization_id)

    def get(self, id: str) -> Clinic:
        """GET /v1/bizMainGroups/{id}"""
        clinic = self._read(Clinic, "/v1/bizMainGroups/{id}", id=id)
        self._must_be_ours(clinic.organization_id)
        return clinic
