"""Organizations: the one that an administrator manages."""

from datetime import datetime
from typing import Any

from upstream.calls import Resource
from upstream.nouns import Id, Noun, Version

_ONE = "/v1/bizOrganizations/{id}"
MAX_HEADING_LENGTH = 200
"""Characters of a name that go into the header of each page, and into the session."""


class Organization(Noun, frozen=True, kw_only=True):
    """An organization; its server location never changes."""

    id: Id
    name: str = ""
    country_code: str | None = None
    server_location: str | None = None
    dashboard_url: str | None = None
    created_date: datetime | None = None
    version: Version | None = None

    @property
    def heading(self) -> str:
        """Its name as the header of each page shows it, however much the service sends."""
        return self.name[:MAX_HEADING_LENGTH]


class Organizations(Resource):
    def get(self, id: str) -> Organization:
        """GET /v1/bizOrganizations/{id}"""
        organization = self._read(Organization, _ONE, id=id)
        self._check_organization(organization.id)
        return organization

    def update(self, id: str, *, version: int | None, **changes: Any) -> int | None:
        """PUT /v1/bizOrganizations/{id}, with the given fields of Organization, and with those that only the service
        knows as they are; return the new version, None if unknown"""
        return self._update(Organization, _ONE, id, version=version, changes=changes)

    def exists(self, name: str, *, api_url: str, service_id: int | None = None) -> bool:
        """GET /v1/bizOrganizations/exist, without a token; names are compared by the service"""
        return self._exists("/v1/bizOrganizations/exist", name=name, api_url=api_url, service_id=service_id)
