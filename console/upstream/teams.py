"""Teams: what the service calls sub groups."""

from datetime import datetime

import msgspec

from console.upstream.errors import Failed, NotFound, Reason
from console.upstream.listing import Listing, ListParams, ListResource
from console.upstream.nouns import Id, Noun


class Team(Noun, frozen=True, kw_only=True):
    """A team of one clinic."""

    id: Id
    clinic_id: Id = msgspec.field(default="", name="mainGroupId")
    clinic_name: str = msgspec.field(default="", name="mainGroupName")
    name: str = ""
    team_type: str = ""
    user_count: int = 0
    can_delete: bool | None = None
    delete_blockers: list[Reason] = []
    created_date: datetime | None = None
    version: int | None = None


class TeamType(msgspec.Struct, frozen=True):
    """A kind of team; the name is the service's own text, which may be empty."""

    code: str
    name: str = ""


class _TeamTypes(msgspec.Struct, frozen=True):
    results: list[TeamType]


DEFAULT_TEAM_TYPES = (TeamType("GENERAL"),)  # for a service that has no such call


class Teams(ListResource):
    """The calls on teams."""

    SORTS = {"name": "name", "team_type": "teamType", "user_count": "userCount", "created_date": "createdDate"}
    FILTERS = {"team_type": "teamType"}
    SEARCH_FIELDS = {"all": "all", "name": "name"}

    def list(
        self, params: ListParams, *, clinic_id: str | None = None, organization_id: str | None = None
    ) -> Listing[Team]:
        """GET /v1/bizSubGroups, of one clinic or of the organization"""
        scope = {"mainGroupId": clinic_id, "organizationId": organization_id}
        return self._list("/v1/bizSubGroups", params, Listing[Team], **scope)

    def get(self, id: str) -> Team:
        """GET /v1/bizSubGroups/{id}"""
        return self._read(Team, "/v1/bizSubGroups/{id}", id=id)

    def types(self) -> tuple[TeamType, ...]:
        """GET /v1/bizSubGroups/teamTypes; a service without this call has the default ones"""
        try:
            return tuple(self._read(_TeamTypes, "/v1/bizSubGroups/teamTypes").results)
        except NotFound:
            return DEFAULT_TEAM_TYPES
        except Failed as error:
            if error.status != 501:
                raise
            return DEFAULT_TEAM_TYPES
