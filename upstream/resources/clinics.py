"""Clinics, which the service calls main groups."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

import msgspec

from upstream.bulk import BulkResource, BulkResult, RowOutcome, RowUpdate, dry_run_outcome, outcome_for, single_key
from upstream.calls import Call, Created, MatchCount, write
from upstream.errors import Code, NotDone, NotFound, NotOffered, Reason, Refused
from upstream.listing import PAGE_LIMIT, Listing, ListParams, ListResource, R, Search, chunked, find_all
from upstream.nouns import Count, Id, Named, Version, new, plain, wire
from upstream.resources import permissions

PATH = "/v1/bizMainGroups"
_ONE = "/v1/bizMainGroups/{id}"
_EXIST = "/v1/bizMainGroups/exist"
OFFERED = 50
"""Clinics to choose from that a list draws at once; others are found by their names."""


class Clinic(Named, frozen=True, kw_only=True):
    """A clinic; `info` keeps whatever shape the service sent, and missing counts are 0."""

    organization_id: Id = ""
    info: Any = None
    country_code: str | None = None
    server_location: str | None = None
    dentist_count: Count | None = None
    staff_count: Count | None = None
    team_count: Count = msgspec.field(default=0, name="subGroupCount")
    user_count: Count = 0
    scanner_count: Count = 0
    partner_count: Count = 0
    pending_partnership_count: Count = 0
    can_delete: bool | None = None
    delete_blockers: list[Reason] = []
    last_activity_date: datetime | None = None
    created_date: datetime | None = None
    updated_date: datetime | None = None
    version: Version | None = None


class ClinicSettings(Clinic, frozen=True, kw_only=True):
    """A clinic with its permissions, in whatever shape the list has sent them; None if it has none."""

    permissions: Any = None

    @property
    def settings(self) -> dict[str, bool]:
        """The values of the permissions, by our names; without those that can't be read."""
        sent = self.permissions if isinstance(self.permissions, dict) else {}
        entries = {name: sent.get(wire_name) for name, wire_name in permissions.NAMES.items()}
        values = {name: one.get("value") for name, one in entries.items() if isinstance(one, dict)}
        return {name: value for name, value in values.items() if isinstance(value, bool)}


class NewClinic(msgspec.Struct, frozen=True, kw_only=True):
    """The editable fields of a clinic, for a new one or a change."""

    name: str
    country_code: str
    info: Any = None
    dentist_count: int | None = None
    staff_count: int | None = None


class HasClinic(Protocol):
    """An object that belongs to a clinic."""

    @property
    def clinic_id(self) -> str: ...

    @property
    def clinic_name(self) -> str: ...


class ClinicScopedResource(ListResource):
    """Base of the lists of objects that belong to clinics, which have the filter `clinic`."""

    def _list_page(self, path: str, params: ListParams, answer: type[Listing[R]], **scope: str | None) -> Listing[R]:
        """Read one page; a clinic of the filter that does not exist is empty, not an error."""
        try:
            return self._list(path, params, answer, **scope)
        except NotFound:
            chosen, organization_id = params.filters.get("clinic", ()), scope.get("organizationId")
            existing = self._existing_clinics(chosen, organization_id) if chosen and organization_id else chosen
            if existing == chosen:
                raise
        if not existing:
            return Listing(results=[], page=params.page, size=params.size)
        filters = params.filters | {"clinic": existing}
        return self._list(path, msgspec.structs.replace(params, filters=filters), answer, **scope)

    def _existing_clinics(self, ids: tuple[str, ...], organization_id: str) -> tuple[str, ...]:
        """GET /v1/bizMainGroups with these IDs; return those of them that exist"""
        listing = Clinics(self._upstream).list(ListParams(size=PAGE_LIMIT, ids=ids), organization_id=organization_id)
        existing = {clinic.id for clinic in listing.results}
        return tuple(id for id in ids if id in existing)


class Clinics(ListResource, BulkResource):
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
    SEARCHED_TEXTS = {"all": lambda clinic: (clinic.name,), "name": lambda clinic: (clinic.name,)}

    def list(self, params: ListParams, *, organization_id: str) -> Listing[Clinic]:
        """GET /v1/bizMainGroups"""
        return self._list(PATH, params, Listing[Clinic], organizationId=organization_id)

    def list_settings(self, params: ListParams, *, organization_id: str) -> Listing[ClinicSettings]:
        """GET /v1/bizMainGroups with their permissions; raise NotOffered where the service has none in its list"""
        listing = self.list_with_settings(params, organization_id=organization_id)
        if listing.results and all(clinic.permissions is None for clinic in listing.results):
            raise NotOffered("the list of clinics has no permissions")
        return listing

    def list_with_settings(self, params: ListParams, *, organization_id: str) -> Listing[ClinicSettings]:
        """GET /v1/bizMainGroups with their permissions, if the list has any; raise NotOffered where that is refused"""
        scope = {"organizationId": organization_id, "include": "permissions"}
        try:
            return self._list(PATH, params, Listing[ClinicSettings], **scope)
        except Refused as error:
            if error.code in (Code.PARAMETER_MISSING, Code.PARAMETER_INVALID):
                raise NotOffered("the list of clinics can't be asked for permissions") from error
            raise

    def offered(self, *, name: str = "") -> Listing[Clinic]:
        """GET /v1/bizMainGroups: the first by name, of those with this in their names; the count is that of all"""
        params = ListParams(size=OFFERED, sort="name", search_field="name", keyword=name, word_calls=0)
        return self.list(params, organization_id=self._upstream.organization_id)

    def get_many(self, ids: Sequence[str]) -> builtins.list[Clinic]:
        """GET /v1/bizMainGroups: those of the organization that have these IDs, at most PAGE_LIMIT"""
        params = ListParams(size=PAGE_LIMIT, ids=tuple(ids))
        return self.list(params, organization_id=self._upstream.organization_id).results

    def existing_ids(self, ids: Iterable[str]) -> set[str]:
        """Return those of these IDs whose clinics exist, as `get_many` reads them."""
        return {clinic.id for clinic in self.get_many(tuple(ids))}

    def get_names(self, rows: Iterable[HasClinic]) -> dict[str, str]:
        """Return the clinics' names by ID, requested only where the service leaves them out of the rows.

        Errors are raised, because a file must not leave names out.
        """
        unnamed = list(dict.fromkeys(row.clinic_id for row in rows if row.clinic_id and not row.clinic_name))
        return {clinic.id: clinic.name for ids in chunked(unnamed) for clinic in self.get_many(ids)}

    def get_known_names(self, rows: Iterable[HasClinic]) -> dict[str, str]:
        """Return the same for a page, or no names if the request fails; the page still renders."""
        try:
            return self.get_names(rows)
        except (NotDone, NotFound):
            return {}

    def get(self, id: str) -> Clinic:
        """GET /v1/bizMainGroups/{id}"""
        clinic = self._read_one(Clinic, _ONE, id)
        self._check_organization(clinic.organization_id)
        return clinic

    def exists(self, name: str, *, organization_id: str, except_id: str = "") -> bool:
        """GET /v1/bizMainGroups/exist; `except_id` is a clinic that is ignored"""
        return self._exists(_EXIST, organizationId=organization_id, name=name, exceptId=except_id)

    def create(self, item: NewClinic, *, organization_id: str, idempotency_key: str = "") -> str:
        """POST /v1/bizMainGroups; return the id, empty if the answer does not contain it"""
        return self._create(_creation(item, organization_id, idempotency_key))

    def update(self, id: str, *, version: int | None, **changes: Any) -> int | None:
        """PUT /v1/bizMainGroups/{id}, with the given fields only; return the new version, None if unknown

        The fields are those of NewClinic; another one is the caller's mistake (ValueError).
        """
        if unknown := changes.keys() - set(NewClinic.__struct_fields__):
            raise ValueError(f"These can't be changed: {', '.join(sorted(unknown))}")
        return self._change(write("PUT", _ONE, id=id, body=wire(Clinic, changes), version=version))

    def delete(self, id: str, *, version: int | None = None) -> None:
        """DELETE /v1/bizMainGroups/{id}"""
        self._change(write("DELETE", _ONE, id=id, version=version))

    def bulk_delete(self, ids: Iterable[str], *, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizMainGroups/bulkDelete"""
        return self._bulk(
            "/v1/bizMainGroups/bulkDelete",
            ids,
            single=lambda id, _key: write("DELETE", _ONE, id=id),
            idempotency_key=idempotency_key,
        )

    def bulk_create(self, items: Sequence[NewClinic], *, dry_run: bool, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizMainGroups/bulkCreate, in the organization of this client"""

        def one_by_one(key: str) -> builtins.list[RowOutcome]:
            organization_id = self._upstream.organization_id
            if dry_run:
                searches = [_search(item.name, organization_id) for item in items]
                return [
                    dry_run_outcome(result, Code.NAME_IN_USE, "name")
                    for result in self._upstream.each(searches, MatchCount)
                ]
            calls = [_creation(item, organization_id, single_key(key, n)) for n, item in enumerate(items)]
            return [outcome_for(result) for result in self._upstream.each(calls, Created)]

        return self._bulk_create(
            "/v1/bizMainGroups/bulkCreate",
            [new(Clinic, msgspec.structs.asdict(item)) for item in items],
            dry_run=dry_run,
            one_by_one=one_by_one,
            idempotency_key=idempotency_key,
        )

    def find_by_names(self, names: Sequence[str]) -> builtins.list[Clinic | None]:
        """GET /v1/bizMainGroups for each name; None unless exactly one clinic is known to have the name"""
        scope = {"organizationId": self._upstream.organization_id}
        searches = [Search(PATH, "name", name, scope) for name in names]
        matches: builtins.list[Clinic | None] = []
        for name, result in zip(names, find_all(self._upstream, searches, Listing[Clinic]), strict=True):
            listed = result.results if isinstance(result, Listing) else []
            same = {clinic.id: clinic for clinic in listed if plain(clinic.name) == plain(name)}
            matches.append(next(iter(same.values())) if len(same) == 1 else None)
        return matches

    def update_each(self, updates: Sequence[RowUpdate]) -> BulkResult:
        """PUT /v1/bizMainGroups/{id} for each"""
        return self._update_each(_ONE, Clinic, updates)

    def bulk_permissions(
        self, ids: Iterable[str], *, changes: Mapping[str, bool], idempotency_key: str = ""
    ) -> BulkResult:
        """POST /v1/bizMainGroups/bulkPermissions"""
        return self._bulk(
            "/v1/bizMainGroups/bulkPermissions",
            ids,
            single=lambda id, _key: permissions.change(permissions.CLINIC_PATH, id, changes=changes),
            idempotency_key=idempotency_key,
            permissions=permissions.to_wire(changes),
        )


def _creation(item: NewClinic, organization_id: str, key: str) -> Call:
    body = new(Clinic, {"organization_id": organization_id, **msgspec.structs.asdict(item)})
    return write("POST", PATH, body=body, idempotency_key=key)


def _search(name: str, organization_id: str) -> Call:
    return Call(method="GET", path=_EXIST, query=[("organizationId", organization_id), ("name", name)])
