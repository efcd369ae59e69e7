"""Regions: the domain handler knows in which region an administrator's organization is hosted."""

from enum import IntEnum
from typing import ClassVar

import msgspec

from upstream.calls import Call, Limit, Resource
from upstream.emails import sent_email
from upstream.errors import NotFound
from upstream.nouns import Id, Noun

ORGANIZATION_ADMIN = 1  # the account type for which this console is made


class DomainKind(IntEnum):
    """The known kinds of addresses in domain data (specification, section 3); unknown ones are kept, too."""

    MAIN = 1
    API = 2
    PUSH = 3
    SHARE = 4
    DASHBOARD = 5
    LAUNCHER = 6
    WEBHOOK = 7
    OPEN_API = 8


class Region(msgspec.Struct, frozen=True):
    """The stored domain data; the keys of `domain_urls` are kinds, as strings."""

    service_domain_id: int = 1
    domain_urls: dict[str, str] = {}

    @property
    def api_url(self) -> str:
        """The base of all calls after login; empty if there is none, which counts as no domain data."""
        return self.url(DomainKind.API)

    def url(self, kind: DomainKind) -> str:
        """Return the address of a kind, or an empty string."""
        return self.domain_urls.get(str(int(kind)), "")


class _DomainUrl(msgspec.Struct, frozen=True):
    kind: int | str
    url: str = ""


class _SearchResult(msgspec.Struct, frozen=True, rename="camel"):
    IS_WHOLE: ClassVar = True  # half of it would be another region, or an unknown account

    service_domain_id: int = 1
    domain_urls: dict[str, str] | list[_DomainUrl] = {}


class ServerLocation(Noun, frozen=True):
    """A location for an organization's data, and the countries for which the service suggests it."""

    code: Id
    country_codes: list[str] = []


class _Locations(msgspec.Struct, frozen=True):
    results: list[ServerLocation]


class Regions(Resource):
    """The regions of the service."""

    def server_locations(self, *, api_url: str) -> list[ServerLocation]:
        """GET /v1/commons/serverLocations, without a token; NotOffered where the service has no such list"""
        path = "/v1/commons/serverLocations"
        call = Call(method="GET", path=path, base=api_url, limit=Limit.LOOKUP, optional=True)
        return self._upstream.call(call, _Locations).results

    def lookup(self, email: str) -> Region:
        """POST {handler}/v1/accounts/search, without a token; raise NotFound if the answer has no address.

        The addresses come from the network: pass them through `check_base_url` before they are stored.
        """
        config = self._upstream.config
        result = self._upstream.call(
            Call(
                method="POST",
                path="/v1/accounts/search",
                body={"email": sent_email(email), "type": ORGANIZATION_ADMIN, "env": config.environment},
                base=config.handler_url,
                limit=Limit.LOOKUP,
                may_be_empty=True,
                read_only=True,
            ),
            _SearchResult,
        )
        urls = result.domain_urls
        if not isinstance(urls, dict):
            urls = {str(row.kind): row.url for row in urls}
        if not urls:
            raise NotFound("no region", request_id=self._upstream.request_id)
        return Region(result.service_domain_id, urls)
