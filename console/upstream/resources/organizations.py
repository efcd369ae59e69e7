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
