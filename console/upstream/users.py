"""Users: the doctors and the staff of the clinics."""

from datetime import datetime

import msgspec

from console.upstream.errors import Reason
from console.upstream.listing import Listing, ListParams, ListResource
from console.upstream.nouns import Id, Noun

DOCTOR, STAFF = USER_TYPES = ("DOCTOR", "STAFF")
INVITED, INVITATION_EXPIRED, ACTIVE, LOCKED = USER_STATUSES = ("INVITED", "INVITATION_EXPIRED", "ACTIVE", "LOCKED")


class User(Noun, frozen=True, kw_only=True):
    """A user of one clinic, perhaps of one of its teams; unknown types and statuses are kept as they are."""

    id: Id
    clinic_id: Id = msgspec.field(default="", name="mainGroupId")
    clinic_name: str = msgspec.field(default="", name="mainGroupName")
    team_id: Id | None = msgspec.field(default=None, name="subGroupId")
    team_name: str | None = msgspec.field(default=None, name="subGroupName")
    name: str = ""
    user_type: str = ""
    email: str = ""
    account_type: int | None = None
    status: str = ""
    last_login_date: datetime | None = None
    invited_date: datetime | None = None
    invitation_expires_date: datetime | None = None
    can_delete: bool | None = None
    delete_blockers: list[Reason] = []
    created_date: datetime | None = None
    version: int | None = None

    @property
    def is_doctor(self) -> bool:
        return self.user_type == DOCTOR

    @property
    def is_active(self) -> bool:
        return self.status == ACTIVE

    @property
    def is_locked(self) -> bool:
        return self.status == LOCKED

    @property
    def is_invited(self) -> bool:
        """Whether the invitation still waits, in time or too late."""
        return self.status in (INVITED, INVITATION_EXPIRED)

    @property
    def is_invitation_expired(self) -> bool:
        return self.status == INVITATION_EXPIRED


class Users(ListResource):
    """The calls on users."""

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
        "inactive_days": "inactiveDays",
        "never_logged_in": "neverLoggedIn",
    }
    SEARCH_FIELDS = {"all": "all", "name": "name", "team": "team", "email": "email"}

    def list(
        self, params: ListParams, *, clinic_id: str | None = None, organization_id: str | None = None
    ) -> Listing[User]:
        """GET /v1/bizUsers, of one clinic or of the organization

        Searched by email, the keyword must be a whole valid address, else the service refuses.
        """
        scope = {"mainGroupId": clinic_id, "organizationId": organization_id}
        return self._list("/v1/bizUsers", params, Listing[User], **scope)

    def get(self, id: str) -> User:
        """GET /v1/bizUsers/{id}"""
        return self._read(User, "/v1/bizUsers/{id}", id=id)
