"""Labs: the laboratories of the service, which the organization may work with."""

from datetime import datetime

import msgspec

from upstream.listing import Listing, ListParams, ListResource
from upstream.nouns import Count, Email, Named, Noun

PATH = "/v1/bizLabs"
_ONE = "/v1/bizLabs/{id}"

PROSTHODONTIST, ORTHODONTIST, BOTH = ("PROSTHODONTIST", "ORTHODONTIST", "BOTH")
IN_LIST, REQUEST_SENT, PENDING, ACCEPTED = ("IN_LIST", "REQUEST_SENT", "PENDING", "ACCEPTED")
"""The states of a lab for the organization; PENDING waits for the organization."""


class Opening(Noun, frozen=True, kw_only=True):
    """From when to when a lab is open on a day; over midnight when it closes before it opens."""

    day: str = ""
    open: str = ""
    close: str = ""


class Lab(Named, frozen=True, kw_only=True):
    """A lab and its state for the organization; unknown codes are kept unchanged.

    `business_hours` are openings or free text. A lab with a `departure_date` is no longer in the service.
    """

    lab_type: str = ""
    address: str = ""
    zip_code: str = ""
    country_code: str = ""
    office_phone: str = ""
    founded_year: Count | None = None
    business_hours: list[Opening] | str | None = None
    time_zone: str | None = None
    services: list[str] = []
    communication_languages: list[str] = []
    served_countries: list[str] = []
    contact_email: Email = ""
    websites: list[str] = []
    in_partner_list: bool = False
    partner_count: Count = msgspec.field(default=0, name="partneredMainGroupCount")
    incoming_count: Count = msgspec.field(default=0, name="incomingRequestCount")
    outgoing_count: Count = msgspec.field(default=0, name="outgoingRequestCount")
    departure_date: datetime | None = msgspec.field(default=None, name="leftDate")

    @property
    def is_gone(self) -> bool:
        """True if the lab is no longer in the service."""
        return self.departure_date is not None

    @property
    def state(self) -> str:
        """Its state for the organization, one of those above, "" if none: first what waits for the organization."""
        if self.incoming_count:
            return PENDING
        if self.partner_count:
            return ACCEPTED
        if self.outgoing_count:
            return REQUEST_SENT
        return IN_LIST if self.in_partner_list else ""

    @property
    def has_open(self) -> bool:
        """True if a request or a partnership keeps the lab in the partner list."""
        return bool(self.partner_count or self.incoming_count or self.outgoing_count)

    @property
    def can_be_added(self) -> bool:
        return not (self.in_partner_list or self.has_open or self.is_gone)

    @property
    def can_be_removed(self) -> bool:
        return self.in_partner_list and not self.has_open

    @property
    def accepts_request(self) -> bool:
        """True if a request can be sent: nothing is open, and it is in the partner list."""
        return self.can_be_removed and not self.is_gone


class Labs(ListResource):
    SORTS = {"name": "name", "founded_year": "foundedYear"}
    FILTERS = {
        "country": "countryCode",
        "service": "services",
        "lab_type": "labType",
        "language": "communicationLanguages",
        "served_country": "servedCountries",
        "in_list": "inPartnerList",
    }
    SEARCH_FIELDS = {"all": "all", "name": "name", "address": "address", "zip_code": "zipCode"}
    SEARCHED_TEXTS = {
        "all": lambda lab: (lab.name, lab.address, lab.zip_code),
        "name": lambda lab: (lab.name,),
        "address": lambda lab: (lab.address,),
    }

    def list(self, params: ListParams) -> Listing[Lab]:
        """GET /v1/bizLabs"""
        return self._list(PATH, params, Listing[Lab], organizationId=self._upstream.organization_id)

    def get(self, id: str) -> Lab:
        """GET /v1/bizLabs/{id}; raise Conflict with LAB_GONE for a lab that left the service"""
        return self._read_one(Lab, _ONE, id, query=[("organizationId", self._upstream.organization_id)])
