"""The tokens of a grant, and their refresh: once for all requests of a session, across threads and workers.

The grant row is the lock (lease), the value (payload) and the fencing token (generation) in one, so there is no second
store that could disagree, and it works with every database that Django supports.
"""

import logging
import random
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import NoReturn, Protocol

import msgspec
from django.db import DatabaseError
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from console.config import metrics
from console.config.database_errors import log_storage_failure
from console.config.encryption import Unreadable
from console.sessions.crypto import StoredSession
from console.sessions.deferred_writes import is_removed, remove
from console.sessions.models import Grant
from upstream.calls import NotRenewed, RenewalFailure
from upstream.config import Deadlines
from upstream.errors import Maintenance, ServerCode15001, UpstreamError
from upstream.resources.oauth import TokenInfo
from upstream.transport import Token, TransportConfig

logger = logging.getLogger(__name__)

REUSE_WINDOW = timedelta(seconds=3)
"""The time during which a refreshed token is not refreshed again (specification, section 9)."""
KEEPS_SESSION = {"15001": RenewalFailure.SERVER_CODE_15001, "18001": RenewalFailure.MAINTENANCE}
"""Refresh errors that keep the session; the row stores the code as its last owner, for the waiting requests.

The next owner of the lease adds the code to its own name, so that a request that checks late gets the error, too.
"""
LEASE_MARGIN = 4.0
"""Seconds by which a lease outlasts the refresh's deadline, which is also the tolerated clock skew between hosts."""
WRONG_CLOCK = timedelta(minutes=5)
"""A lease that ends this much later than a new one would was taken while a clock was wrong."""
WAIT_TIMEOUT_SECONDS = 15.0
"""Seconds that a request waits for another request's refresh."""
DEFAULT_SERVICE_ID = 1
API_KIND = "2"


def max_renewal_seconds(deadlines: Deadlines) -> float:
    """Return the maximum seconds that `renew` takes: the wait for another request's refresh, and then its own."""
    return WAIT_TIMEOUT_SECONDS + deadlines.refresh


class OAuth(Protocol):
    """The two calls to the token service that a grant needs."""

    def refresh(self, refresh_token: str, *, api_url: str, service_id: int) -> TokenInfo: ...

    def expire(self, refresh_token: str, *, access_token: str, api_url: str, service_id: int) -> None: ...


class GrantTokens:
    """The token source of a request: reads the grant row once, and renews the tokens when the service rejects them."""

    def __init__(
        self, grant: Grant, stored: StoredSession, config: TransportConfig, oauth: OAuth, on_renewed: Callable[[], None]
    ) -> None:
        self._grant_id = grant.pk
        self._config = config
        self._oauth = oauth
        self._on_renewed = on_renewed
        self._token = self._as_token(grant.generation, stored)

    def current(self) -> Token:
        return self._token

    def renew(self, stale: Token) -> Token:
        """Return a newer token than `stale`, refreshed by this or another request.

        Raises NotRenewed, and ServerCode15001 or Maintenance from the refresh.
        """
        me = secrets.token_hex(12)
        give_up = time.monotonic() + WAIT_TIMEOUT_SECONDS
        waited_for: str | None = None
        while time.monotonic() < give_up:
            grant = Grant.objects.filter(pk=self._grant_id).first()
            if grant is None or is_removed(Grant, grant.pk):
                raise _session_ended("no grant")
            stored = self._read(grant)
            if grant.generation != stale.generation or _is_fresh(grant):
                self._token = self._as_token(grant.generation, stored)
                return self._token
            code = grant.lease_owner.rpartition(" ")[2]
            if waited_for not in (None, grant.lease_owner) and code in KEEPS_SESSION:
                raise NotRenewed(KEEPS_SESSION[code], "told to the request that refreshed for all")
            owner = f"{me} {grant.lease_owner}" if grant.lease_owner in KEEPS_SESSION else me
            if self._take_lease(grant, owner):
                try:
                    with metrics.refresh():
                        self._token = self._refresh(grant, stored, owner)
                except Exception:
                    # After an unexpected error other requests must not wait for the lease to end.
                    # But no request may start a refresh with tokens that are used up.
                    if not is_removed(Grant, grant.pk):
                        with suppress(DatabaseError):
                            Grant.objects.filter(pk=grant.pk, lease_owner=owner).update(lease_until=timezone.now())
                    raise
                self._on_renewed()
                return self._token
            if grant.lease_owner not in KEEPS_SESSION:  # else the lease was taken after this read: read its owner again
                waited_for = grant.lease_owner
            with metrics.waiting.track_inprogress():
                time.sleep(random.uniform(0.02, 0.06))  # noqa: S311 - spreads waiting requests; not a secret
        # The session may still be valid: a later request may find it refreshed.
        raise NotRenewed(RenewalFailure.TIMED_OUT, "the refresh of another request took too long")

    def _take_lease(self, grant: Grant, owner: str) -> bool:
        now = timezone.now()
        until = now + timedelta(seconds=self._config.deadlines.refresh + LEASE_MARGIN)
        # A lease without an owner is free whatever its time, which a wrong clock may have stored; so is one that ends
        # too far in the future.
        is_free = Q(lease_owner="") | Q(lease_until__lte=now) | Q(lease_until__gt=until + WRONG_CLOCK)
        rows = Grant.objects.filter(is_free, pk=grant.pk, generation=grant.generation)
        try:
            return rows.update(lease_owner=owner, lease_until=until) == 1
        except DatabaseError as error:
            # The service was not called: a new pair that can't be stored would be lost, and the session with it.
            log_storage_failure("new tokens can't be stored", error)
            raise NotRenewed(RenewalFailure.NOT_STORED, "new tokens can't be stored") from None

    def _refresh(self, grant: Grant, stored: StoredSession, owner: str) -> Token:
        mine = Grant.objects.filter(pk=grant.pk, generation=grant.generation)
        if not stored.refreshToken:
            self._end(mine, grant, "no refresh token")
        api_url, service_id = self._api_url(stored), stored.serviceDomainId or DEFAULT_SERVICE_ID
        try:
            info = self._oauth.refresh(stored.refreshToken, api_url=api_url, service_id=service_id)
        except (ServerCode15001, Maintenance) as error:
            # The service answered with a known code, and the refresh token was not used: keep the session.
            with suppress(DatabaseError):  # then other requests refresh once the lease ends
                mine.filter(lease_owner=owner).update(lease_owner=str(error.code), lease_until=timezone.now())
            raise
        except UpstreamError as error:
            self._end(mine, grant, type(error).__name__)
        if not _is_for_the_same(stored, info):
            given = {"accessToken": info.access_token, "refreshToken": info.refresh_token or stored.refreshToken}
            expire(self._oauth, msgspec.structs.replace(stored, **given), self._config)
            self._end(mine, grant, "the answer is for somebody else, or for another type of account")
        renewed = msgspec.structs.replace(
            stored,
            accessToken=info.access_token,
            refreshToken=info.refresh_token or stored.refreshToken,
            # Empty values in the response mean "unchanged", like missing ones.
            adminAuthDetail={
                **stored.adminAuthDetail,
                **{name: value for name, value in info.admin_detail.items() if value},
            },
        )
        now = timezone.now()
        try:
            updated = mine.filter(lease_owner=owner).update(
                payload=renewed.encrypt(),
                generation=F("generation") + 1,
                refreshed_at=now,
                lease_owner="",
                lease_until=now,
            )
        except DatabaseError as error:
            log_storage_failure("new tokens could not be stored", error)
            # Only used tokens remain, and the service would treat their reuse as theft: the session is over. This
            # request reports the error now, so that a form keeps its data.
            remove(Grant, grant.pk)
            expire(self._oauth, renewed, self._config)
            raise NotRenewed(RenewalFailure.NOT_STORED, "new tokens could not be stored") from None
        if not updated or is_removed(Grant, grant.pk):
            # Logged out during the refresh: the new pair must not be used.
            expire(self._oauth, renewed, self._config)
            raise _session_ended("logged out meanwhile")
        return self._as_token(grant.generation + 1, renewed)

    def _end(self, mine: QuerySet[Grant], grant: Grant, reason: str) -> NoReturn:
        """Delete the grant; of all requests that see the failure, only the one that deletes the row logs it."""
        try:
            is_first = bool(mine.delete()[0])
        except DatabaseError:
            remove(Grant, grant.pk)
            is_first = True
        if is_first:
            logger.warning("refresh failed, session ended: %s", reason, extra={"grant": grant.pk[:8]})
        raise _session_ended(reason)

    def _read(self, grant: Grant) -> StoredSession:
        try:
            return StoredSession.decrypt(grant.payload)
        except Unreadable:
            raise _session_ended("unreadable grant") from None

    def _api_url(self, stored: StoredSession) -> str:
        return api_url(stored, self._config)

    def _as_token(self, generation: int, stored: StoredSession) -> Token:
        return Token(
            generation=generation,
            access_token=stored.accessToken,
            api_url=self._api_url(stored),
            service_id=stored.serviceDomainId or DEFAULT_SERVICE_ID,
        )


def _session_ended(reason: str) -> NotRenewed:
    return NotRenewed(RenewalFailure.SESSION_ENDED, reason)


def _is_fresh(grant: Grant) -> bool:
    """Return True if the tokens were refreshed within REUSE_WINDOW, also by a clock that is slightly ahead."""
    if grant.refreshed_at is None:
        return False
    return -timedelta(seconds=LEASE_MARGIN) < timezone.now() - grant.refreshed_at < REUSE_WINDOW


def _is_for_the_same(stored: StoredSession, info: TokenInfo) -> bool:
    """Return True if refreshed tokens are for the same administrator; values missing in the response are unchanged."""
    organization = stored.adminAuthDetail.get("organizationId")
    pairs = [
        (info.admin_id, stored.adminId),
        (info.admin_detail.get("id"), stored.adminId),
        (info.admin_detail.get("organizationId"), organization),
    ]
    return info.is_organization_admin and all(str(new) == str(old) for new, old in pairs if new and old)


def expire(oauth: OAuth, stored: StoredSession, config: TransportConfig) -> UpstreamError | None:
    """End tokens at the service; if that fails, log it and return the error. The tokens then expire on their own."""
    try:
        oauth.expire(
            stored.refreshToken,
            access_token=stored.accessToken,
            api_url=api_url(stored, config),
            service_id=stored.serviceDomainId or DEFAULT_SERVICE_ID,
        )
    except UpstreamError as error:
        logger.warning("tokens could not be ended at the service: %s: %s", type(error).__name__, error)
        return error
    return None


def api_url(stored: StoredSession, config: TransportConfig) -> str:
    """Return the base URL of a login's calls: its region's API (kind 2), or the configured one in the China variant."""
    return config.api_url if stored.variant == "china" else stored.domainUrls.get(API_KIND, "")
