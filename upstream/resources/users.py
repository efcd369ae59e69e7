"""Users: the doctors and staff of the clinics."""

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import UNSET, UnsetType

from upstream.bulk import BulkResource, BulkResult, RowOutcome, RowUpdate, dry_run_outcome, outcome_for, single_key
from upstream.calls import Call, Created, MatchCount, write
from upstream.emails import email_key, sent_email
from upstream.errors import Code, Maintenance, NotDone, NotFound, Reason
from upstream.listing import PAGE_LIMIT, Listing, ListParams, Search, find_all
from upstream.nouns import Count, Email, Id, Named, Noun, Version, new, wire
from upstream.resources import permissions
from upstream.resources.clinics import Clinics, ClinicScopedResource
from upstream.resources.name_lookup import Membership, find_memberships

PATH = "/v1/bizUsers"
_ONE = "/v1/bizUsers/{id}"
_EXIST = "/v1/bizUsers/exist"
_RESEND = "/v1/bizUsers/{id}/invitation/resend"
_INVITATION = "/v1/bizUsers/{id}/invitation"
_LOCK = "/v1/bizUsers/{id}/lock"
_UNLOCK = "/v1/bizUsers/{id}/unlock"

NEVER = "never"
MAX_NAMED_CLINICS = 20
"""Clinics that a keyword may name: their users are found if no user has the keyword."""
DOCTOR, STAFF = ("DOCTOR", "STAFF")
INVITED, INVITATION_EXPIRED, ACTIVE, LOCKED = ("INVITED", "INVITATION_EXPIRED", "ACTIVE", "LOCKED")


class User(Named, frozen=True, kw_only=True):
    """A user of one clinic, perhaps of one of its teams; unknown types and statuses are kept as they are."""

    clinic_id: Id = msgspec.field(default="", name="mainGroupId")
    clinic_name: str = msgspec.field(default="", name="mainGroupName")
    team_id: Id | None = msgspec.field(default=None, name="subGroupId")
    team_name: str | None = msgspec.field(default=None, name="subGroupName")
    user_type: str = ""
    email: Email = ""
    account_type: Count | None = None
    status: str = ""
    last_login_date: datetime | None = None
    invited_date: datetime | None = None
    invitation_expires_date: datetime | None = None
    can_delete: bool | None = None
    delete_blockers: list[Reason] = []
    created_date: datetime | None = None
    version: Version | None = None

    @property
    def is_active(self) -> bool:
        return self.status == ACTIVE

    @property
    def is_locked(self) -> bool:
        return self.status == LOCKED

    @property
    def is_invited(self) -> bool:
        """True until the invitation is accepted, even if it has expired."""
        return self.status in (INVITED, INVITATION_EXPIRED)

    @property
    def is_invitation_expired(self) -> bool:
        return self.status == INVITATION_EXPIRED

    @property
    def move_blockers(self) -> "list[Reason]":
        """The known reasons that keep the user in the clinic."""
        return [reason for reason in self.delete_blockers if reason.reason == Code.ONGOING_ORDERED_CASE.name]


class NewUser(msgspec.Struct, frozen=True, kw_only=True):
    """A user to be created in bulk; clinic and team are given by name.

    An empty team name means no team; an empty language leaves the language of the invitation to the service.
    """

    name: str
    user_type: str
    email: str
    clinic_name: str
    team_name: str = ""
    language: str = ""


class _Invitation(Noun, frozen=True):
    invitation_expires_date: datetime | None = None


class Users(ClinicScopedResource, BulkResource):
    SORTS = {
        "name": "name",
        "user_type": "userType",
        "email": "email",
        "team_name": "subGroupName",
        "status": "status",
        "last_login_date": "lastLoginDate",
        "created_date": "createdDate",
    }
    FILTERS = {
        "user_type": "userType",
        "team": "subGroupId",
        "status": "status",
        "account_type": "accountType",
        "clinic": "mainGroupId",
        "inactive_days": "inactiveDays",
        "never_logged_in": "neverLoggedIn",
        "own_permission": "ownPermission",
    }
    SEARCH_FIELDS = {"all": "all", "name": "name", "team": "team", "email": "email"}
    SEARCHED_TEXTS = {
        "all": lambda user: (user.name, user.email, user.team_name, user.clinic_name),
        "name": lambda user: (user.name,),
        "team": lambda user: (user.team_name,),
    }

    def list(
        self, params: ListParams, *, clinic_id: str | None = None, organization_id: str | None = None
    ) -> Listing[User]:
        """GET /v1/bizUsers, of one clinic or of the organization

        When searching by email, the keyword must be a complete, valid address, or the service refuses. The filter
        `last_login` is NEVER, or the days since then, which include users who never logged in. A clinic of the filter
        `clinic` that does not exist has no users. A keyword that is in no user finds those of the clinics whose names
        it is in.
        """
        scope = {"mainGroupId": clinic_id, "organizationId": organization_id}
        listing = self._list_page(PATH, _to_wire_params(params), Listing[User], **scope)
        if listing.result_count or not organization_id:
            return listing
        clinic_ids = self._find_named_clinics(params, organization_id)
        if not clinic_ids:
            return listing
        params = msgspec.structs.replace(params, keyword="", filters=params.filters | {"clinic": clinic_ids})
        return self._list_page(PATH, _to_wire_params(params), Listing[User], **scope)

    def _find_named_clinics(self, params: ListParams, organization_id: str) -> tuple[str, ...]:
        """GET /v1/bizMainGroups with the keyword; return the IDs of the clinics, () if they can't be a filter"""
        can_filter = params.search_field == "all" and "clinic" not in params.filters
        if not (params.keyword and can_filter and params.word_calls > 1):
            return ()
        search = ListParams(size=PAGE_LIMIT, keyword=params.keyword, word_calls=2)
        try:
            named = Clinics(self._upstream).list(search, organization_id=organization_id)
        except (NotDone, NotFound):
            return ()
        return tuple(clinic.id for clinic in named.results) if named.result_count <= MAX_NAMED_CLINICS else ()

    def get(self, id: str) -> User:
        """GET /v1/bizUsers/{id}"""
        return self._read_one(User, _ONE, id)

    def exists(self, email: str) -> bool:
        """GET /v1/bizUsers/exist"""
        return self._exists(_EXIST, email=sent_email(email))

    def create(
        self,
        *,
        clinic_id: str,
        name: str,
        user_type: str,
        email: str,
        language: str,
        team_id: str | None = None,
        settings: Mapping[str, bool | None] = {},
        idempotency_key: str = "",
    ) -> str:
        """POST /v1/bizUsers, which sends the invitation; return the id, empty if unknown

        A permission that is not in `settings` is the clinic's.
        """
        item = NewUser(name=name, user_type=user_type, email=email, clinic_name="", language=language)
        return self._create(_creation(item, Membership(clinic_id, team_id), idempotency_key, settings))

    def update(
        self,
        id: str,
        *,
        version: int | None,
        name: str | UnsetType = UNSET,
        user_type: str | UnsetType = UNSET,
        team_id: str | UnsetType | None = UNSET,
        clinic_id: str | UnsetType = UNSET,
    ) -> int | None:
        """PUT /v1/bizUsers/{id}, with the given fields only; return the new version, None if unknown

        `team_id=None` removes the user from the team.
        """
        body = wire(User, {"name": name, "user_type": user_type, "team_id": team_id, "clinic_id": clinic_id})
        return self._change(write("PUT", _ONE, id=id, body=body, version=version))

    def delete(self, id: str, *, version: int | None = None) -> None:
        """DELETE /v1/bizUsers/{id}"""
        self._change(write("DELETE", _ONE, id=id, version=version))

    @property
    def can_be_locked(self) -> bool:
        """True unless the service is known not to lock or not to unlock users."""
        return all(self._upstream.offers(_locking("", locked)) for locked in (True, False))

    def set_locked(self, id: str, locked: bool) -> None:
        """PUT /v1/bizUsers/{id}/lock or /unlock; raise NotOffered where the service has no such call"""
        self._change(_locking(id, locked))

    def resend_invitation(self, id: str, *, idempotency_key: str = "") -> datetime | None:
        """PUT /v1/bizUsers/{id}/invitation/resend; return the new expiry date, None if unknown"""
        return self._upstream.call(_resending(id, idempotency_key), _Invitation).invitation_expires_date

    def cancel_invitation(self, id: str) -> None:
        """DELETE /v1/bizUsers/{id}/invitation, which removes the user"""
        self._change(write("DELETE", _INVITATION, id=id))

    def bulk_delete(self, ids: Iterable[str], *, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizUsers/bulkDelete"""
        return self._bulk(
            "/v1/bizUsers/bulkDelete",
            ids,
            single=lambda id, _key: write("DELETE", _ONE, id=id),
            idempotency_key=idempotency_key,
        )

    def bulk_update(
        self,
        ids: Iterable[str],
        *,
        team_id: str | UnsetType | None = UNSET,
        user_type: str | UnsetType = UNSET,
        clinic_id: str | UnsetType = UNSET,
        idempotency_key: str = "",
    ) -> BulkResult:
        """POST /v1/bizUsers/bulkUpdate, with the same values for all; raise ValueError if there are none"""
        body = wire(User, {"team_id": team_id, "user_type": user_type, "clinic_id": clinic_id})
        if not body:
            raise ValueError("Nothing to change")
        return self._bulk(
            "/v1/bizUsers/bulkUpdate",
            ids,
            single=lambda id, _key: write("PUT", _ONE, id=id, body=body),
            idempotency_key=idempotency_key,
            set=body,
        )

    def bulk_create(self, items: Sequence[NewUser], *, dry_run: bool, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizUsers/bulkCreate, which sends the invitations; the named clinics and teams must exist"""
        return self._bulk_create(
            "/v1/bizUsers/bulkCreate",
            [_body(item, clinic_name=item.clinic_name, team_name=item.team_name) for item in items],
            dry_run=dry_run,
            one_by_one=partial(self._create_each, items, dry_run),
            idempotency_key=idempotency_key,
        )

    def _create_each(self, items: Sequence[NewUser], dry_run: bool, key: str) -> builtins.list[RowOutcome]:
        lookups = find_memberships(self._upstream, [(item.clinic_name, item.team_name) for item in items])
        memberships = {n: membership for n, membership in enumerate(lookups) if isinstance(membership, Membership)}
        rows = {n: outcome for n, outcome in enumerate(lookups) if isinstance(outcome, RowOutcome)}
        if dry_run:
            searches = [
                Call(method="GET", path=_EXIST, query=[("email", sent_email(items[n].email))]) for n in memberships
            ]
            for n, result in zip(memberships, self._upstream.each(searches, MatchCount), strict=True):
                rows[n] = dry_run_outcome(result, Code.USER_EMAIL_IN_USE, "email")
        else:
            calls = [_creation(items[n], membership, single_key(key, n)) for n, membership in memberships.items()]
            for n, created in zip(memberships, self._upstream.each(calls, Created), strict=True):
                rows[n] = outcome_for(created)
        return [rows[n] for n in range(len(items))]

    def find_by_emails(self, items: Sequence[NewUser]) -> builtins.list[tuple[User, Membership] | RowOutcome]:
        """GET /v1/bizUsers for each: the user with its address, and the membership it names; or why there is none"""
        scope = {"organizationId": self._upstream.organization_id}
        searches = [Search(PATH, "email", sent_email(item.email), scope) for item in items]
        listings = find_all(self._upstream, searches, Listing[User])
        memberships = find_memberships(self._upstream, [(item.clinic_name, item.team_name) for item in items])
        matches: builtins.list[tuple[User, Membership] | RowOutcome] = []
        for item, result, membership in zip(items, listings, memberships, strict=True):
            if not isinstance(result, Listing):
                matches.append(msgspec.structs.replace(outcome_for(result), maybe_applied=False))
                continue
            user = next((user for user in result.results if email_key(user.email) == email_key(item.email)), None)
            if user is None:
                matches.append(RowOutcome(ok=False, code=Code.USER_EMAIL_IN_USE, field="email"))
            else:
                matches.append(membership if isinstance(membership, RowOutcome) else (user, membership))
        return matches

    def update_each(self, updates: Sequence[RowUpdate]) -> BulkResult:
        """PUT /v1/bizUsers/{id} for each"""
        return self._update_each(_ONE, User, updates)

    def bulk_resend_invitation(self, ids: Iterable[str], *, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizUsers/bulkResendInvitation"""
        return self._bulk(
            "/v1/bizUsers/bulkResendInvitation",
            ids,
            single=_resending,
            idempotency_key=idempotency_key,
        )

    def bulk_set_locked(self, ids: Iterable[str], locked: bool, *, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizUsers/bulkLock or /bulkUnlock; users in the requested state count as done"""
        result = self._bulk(
            "/v1/bizUsers/bulkLock" if locked else "/v1/bizUsers/bulkUnlock",
            ids,
            single=lambda id, _key: _locking(id, locked),
            idempotency_key=idempotency_key,
        )
        if refused := [row.id for row in result.rows if row.code == Code.USER_STATE]:
            result = BulkResult(tuple(self._verified(result.rows, self._by_id(refused), locked)))
        return result

    def _by_id(self, ids: Sequence[str]) -> dict[str, User] | None:
        """GET /v1/bizUsers with these IDs; return the users that there are, None where they can't be read"""
        try:
            listing = self.list(
                ListParams(size=PAGE_LIMIT, ids=tuple(ids)), organization_id=self._upstream.organization_id
            )
        except (NotDone, NotFound, Maintenance):
            return None
        return {user.id: user for user in listing.results}

    @staticmethod
    def _verified(rows: Iterable[RowOutcome], users: Mapping[str, User] | None, locked: bool) -> Iterator[RowOutcome]:
        """Check the stored state of rows that were refused, perhaps because an earlier attempt succeeded."""
        for row in rows:
            if row.code != Code.USER_STATE:
                yield row
            elif users is None:
                yield msgspec.structs.replace(row, is_verdict=False)
            elif row.id in users and users[row.id].is_locked == locked:
                yield RowOutcome(ok=True, id=row.id, code=row.code)
            else:
                yield row

    def bulk_cancel_invitation(self, ids: Iterable[str]) -> BulkResult:
        """DELETE /v1/bizUsers/{id}/invitation for each: the service has no bulk call for this"""
        return self._singly(ids, lambda id: write("DELETE", _INVITATION, id=id))

    def bulk_permissions(
        self, ids: Iterable[str], *, changes: Mapping[str, bool | None], idempotency_key: str = ""
    ) -> BulkResult:
        """POST /v1/bizUsers/bulkPermissions; None as a value makes the users follow their clinics"""
        return self._bulk(
            "/v1/bizUsers/bulkPermissions",
            ids,
            single=lambda id, _key: permissions.change(permissions.USER_PATH, id, changes=changes),
            idempotency_key=idempotency_key,
            permissions=permissions.to_wire(changes),
        )


def _to_wire_params(params: ListParams) -> ListParams:
    """Return the service's filters, which are separate for days and for "never", and the keyword as a sent address."""
    filters = dict(params.filters)
    if last_login := filters.pop("last_login", ()):
        filters["inactive_days"] = tuple(days for days in last_login if days != NEVER)
        filters["never_logged_in"] = ("true",)
    filters["own_permission"] = tuple(permissions.NAMES[name] for name in filters.get("own_permission", ()))
    return msgspec.structs.replace(params, filters=filters, keyword=sent_email(params.keyword))


def _body(item: NewUser, **membership: str | None) -> dict[str, Any]:
    fields = {"name": item.name, "user_type": item.user_type, "email": item.email, **membership}
    return new(User, fields) | ({"language": item.language} if item.language else {})


def _resending(id: str, key: str) -> Call:
    """Return the one PUT that needs a key: made twice, it sends two mails."""
    return write("PUT", _RESEND, id=id, idempotency_key=key or str(uuid4()))


def _locking(id: str, locked: bool) -> Call:
    return write("PUT", _LOCK if locked else _UNLOCK, id=id, optional=True)


def _creation(item: NewUser, membership: Membership, key: str, settings: Mapping[str, bool | None] = {}) -> Call:
    body = _body(item, **membership._asdict())
    if settings:
        body["permissions"] = permissions.to_wire(settings)
    return write("POST", PATH, body=body, idempotency_key=key)
