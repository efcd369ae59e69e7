"""Tokens: requesting, refreshing, checking and expiring them."""

from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar

from upstream.calls import Call, Limit, Resource
from upstream.emails import sent_email
from upstream.errors import Refused
from upstream.nouns import Id, Noun
from upstream.resources.regions import ORGANIZATION_ADMIN, Region


class TokenInfo(Noun, frozen=True, kw_only=True):
    """A pair of tokens and their owner; `refresh_token` is empty if a refresh returned no new one."""

    IS_WHOLE: ClassVar = True  # without its detail or refresh token, its rights would be different

    access_token: str
    refresh_token: str = ""
    admin_detail: dict[str, Any] = {}
    admin_id: Id = ""

    @property
    def is_organization_admin(self) -> bool:
        """True if the type is an administrator's. The specification names only the detail, so it may be missing."""
        return str(self.admin_detail.get("type", ORGANIZATION_ADMIN)) == str(ORGANIZATION_ADMIN)

    def __repr__(self) -> str:
        return f"TokenInfo(admin_id={self.admin_id!r})"


class TokenCheck(Noun, frozen=True, kw_only=True):
    """The facts about an accepted token."""

    valid: bool = True
    expires_date: datetime | None = None


class _Nothing(Noun, frozen=True, kw_only=True):
    pass


class OAuth(Resource):
    """The calls on tokens. All but the check ignore an open circuit breaker."""

    def request_token(self, email: str, password: str, *, region: Region | None) -> TokenInfo:
        """POST /v2/oauth/requestToken with a password, at the region's or else the configured address.

        A wrong password is Refused with status 401.
        """
        return self._upstream.call(
            Call(
                method="POST",
                path="/v2/oauth/requestToken",
                body={"email": sent_email(email), "password": password, "grantType": "password"},
                base=region.api_url if region else self._upstream.config.api_url,
                service_id=region.service_domain_id if region else None,
                limit=Limit.WRITE,
                essential=True,
            ),
            TokenInfo,
        )

    def refresh(self, refresh_token: str, *, api_url: str, service_id: int) -> TokenInfo:
        """POST /v2/oauth/requestToken with a refresh token, within the deadline of a refresh.

        If the connection can't be opened it is tried once more, because the token was certainly not used.
        """
        return self._upstream.call(
            Call(
                method="POST",
                path="/v2/oauth/requestToken",
                body={"grantType": "refresh_token", "refreshToken": refresh_token},
                base=api_url,
                service_id=service_id,
                limit=Limit.REFRESH,
                essential=True,
                reopen=True,
            ),
            TokenInfo,
        )

    def check_token(self, admin_id: str) -> TokenCheck:
        """GET /v2/oauth/checkToken; any successful answer means that the token is valid."""
        query = [("adminId", admin_id)]
        call = Call(method="GET", path="/v2/oauth/checkToken", query=query, may_be_empty=True)
        return self._upstream.call(call, TokenCheck)

    def expire(self, refresh_token: str, *, access_token: str, api_url: str, service_id: int) -> None:
        """End a pair of tokens; a logout does not depend on its errors.

        An access token that has run out can't end anything, and the refresh token would live on: it is renewed for it.
        """
        try:
            self._expire(refresh_token, access_token, api_url, service_id)
        except Refused as error:
            if error.status != HTTPStatus.UNAUTHORIZED:
                raise
            renewed = self.refresh(refresh_token, api_url=api_url, service_id=service_id)
            self._expire(renewed.refresh_token or refresh_token, renewed.access_token, api_url, service_id)

    def _expire(self, refresh_token: str, access_token: str, api_url: str, service_id: int) -> None:
        """POST /v2/oauth/expireToken, within 2 s"""
        self._upstream.call(
            Call(
                method="POST",
                path="/v2/oauth/expireToken",
                body={"refreshToken": refresh_token},
                base=api_url,
                service_id=service_id,
                access_token=access_token,
                limit=Limit.EXPIRE,
                may_be_empty=True,
                essential=True,
            ),
            _Nothing,
        )
