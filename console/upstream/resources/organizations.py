"""Organizations: the one that an administrator manages."""

from datetime import datetime

from console.upstream.calls import Resource
from console.upstream.nouns import Id, Noun, Version


class Organization(Noun, frozen=True, kw_only=True):
    """An organization; its server location never changes."""

    id: Id
    name: str = ""
    country_code: str | None = None
    server_location: str | None = None
    created_date: datetime | None = None
    version: Version | None = None


class Organizations(Resource):
    """The calls on organizations."""

    def get(self, id: str) -> Organization:
        """GET /v1/bizOrganizations/{id}"""
        organization = self._read(Organization, "/v1/bizOrganizations/{id}", id=id)
        self._must_be_ours(organization.id)
        return organization

    def exists(self, name: str, *, api_url: str, service_id: int | None = None) -> bool:
        """GET /v1/bizOrganizations/exist, without a token; names are compared by the service"""
        return self._exists("/v1/bizOrganizations/exist", name=name, api_url=api_url, service_id=service_id)
