"""Teams, which the service calls sub groups."""

import builtins
from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from upstream.bulk import RowOutcome, outcome_for, single_key
from upstream.calls import Created, write
from upstream.errors import Failed, NotFound, Reason
from upstream.listing import Listing, ListParams, ListResource
from upstream.nouns import Count, Id, Named, Version, wire

PATH = "/v1/bizSubGroups"
_ONE = "/v1/bizSubGroups/{id}"


class Team(Named, frozen=True, kw_only=True):
    """A team of one clinic."""

    clinic_id: Id = msgspec.field(default="", name="mainGroupId")
    clinic_name: str = msgspec.field(default="", name="mainGroupName")
    team_type: str = ""
    user_count: Count = 0
    can_delete: bool | None = None
    delete_blockers: list[Reason] = []
    created_date: datetime | None = None
    version: Version | None = None


class TeamType(msgspec.Struct, frozen=True):
    """A type of team; the name is the service's text, which may be empty."""

    code: str
    name: str = ""


class _TeamTypes(msgspec.Struct, frozen=True):
    results: list[TeamType]


DEFAULT_TEAM_TYPES = (TeamType("GENERAL"),)  # for a service without this call


class Teams(ListResource):
    SORTS = {"name": "name", "team_type": "teamType", "user_count": "userCount", "created_date": "createdDate"}
    FILTERS = {"team_type": "teamType"}
    SEARCH_FIELDS = {"all": "all", "name": "name"}
    SEARCHED_TEXTS = {"all": lambda team: (team.name, team.clinic_name), "name": lambda team: (team.name,)}

    def list(
        self, params: ListParams, *, clinic_id: str | None = None, organization_id: str | None = None
    ) -> Listing[Team]:
        """GET /v1/bizSubGroups, of one clinic or of the organization"""
        scope = {"mainGroupId": clinic_id, "organizationId": organization_id}
        return self._list(PATH, params, Listing[Team], **scope)

    def get(self, id: str) -> Team:
        """GET /v1/bizSubGroups/{id}"""
        return self._read_one(Team, _ONE, id)

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

    def exists(self, name: str, *, clinic_id: str, except_id: str = "") -> bool:
        """GET /v1/bizSubGroups/exist; `except_id` is a team that is ignored"""
        return self._exists("/v1/bizSubGroups/exist", mainGroupId=clinic_id, name=name, exceptId=except_id)

    def create(self, *, clinic_id: str, name: str, team_type: str, idempotency_key: str = "") -> str:
        """POST /v1/bizSubGroups; return the id, empty if the answer does not contain it"""
        body = wire(Team, {"clinic_id": clinic_id, "name": name, "team_type": team_type})
        return self._create(write("POST", PATH, body=body, idempotency_key=idempotency_key))

    def create_each(
        self, items: Sequence[tuple[str, str]], *, team_type: str, idempotency_key: str
    ) -> builtins.list[RowOutcome]:
        """POST /v1/bizSubGroups for each clinic id and name"""
        calls = [
            write(
                "POST",
                PATH,
                body=wire(Team, {"clinic_id": clinic_id, "name": name, "team_type": team_type}),
                idempotency_key=single_key(idempotency_key, f"{clinic_id}/{name}"),
            )
            for clinic_id, name in items
        ]
        return [outcome_for(result) for result in self._upstream.each(calls, Created)]

    def update(
        self,
        id: str,
        *,
        version: int | None,
        name: str | UnsetType = UNSET,
        team_type: str | UnsetType = UNSET,
    ) -> int | None:
        """PUT /v1/bizSubGroups/{id}, with the given fields only; return the new version, None if unknown"""
        body = wire(Team, {"name": name, "team_type": team_type})
        return self._change(write("PUT", _ONE, id=id, body=body, version=version))

    def delete(self, id: str, *, move_users_to: str | None = None, version: int | None = None) -> None:
        """DELETE /v1/bizSubGroups/{id}, after moving its users to another team of the clinic"""
        query = [("moveUsersTo", move_users_to)] if move_users_to else []
        self._change(write("DELETE", _ONE, id=id, query=query, version=version))
