"""The partner list: the labs that the organization has chosen, whether or not something is agreed with them."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from upstream.bulk import BulkResource, BulkResult
from upstream.calls import Call, write
from upstream.listing import Listing, ListParams, ListResource
from upstream.nouns import Count, Noun
from upstream.resources.labs import Lab
from upstream.resources.partnerships import Partnership, State

PATH = "/v1/bizPartnerLists"
_ONE = "/v1/bizPartnerLists/{id}"


class ListedLab(Noun, frozen=True, kw_only=True):
    """A lab of the partner list; `ordering_clinic_count` is None where the service does not tell who may order."""

    lab: Lab = Lab(id="")
    added_date: datetime | None = None
    partnerships: list[Partnership] = []
    ordering_clinic_count: Count | None = msgspec.field(default=None, name="orderAllowedMainGroupCount")

    @property
    def id(self) -> str:
        """The lab's."""
        return self.lab.id

    @property
    def partner_count(self) -> int:
        """Of how many clinics the lab is a partner."""
        accepted = [one for one in self.partnerships if one.state == State.ACCEPTED]
        return sum(one.owner.is_clinic for one in accepted) if accepted else self.lab.partner_count

    @property
    def can_be_removed(self) -> bool:
        """True if nothing open keeps it in the list; a lab that left the service can be removed, too."""
        return not (self.lab.has_open or any(one.is_open for one in self.partnerships))

    @property
    def contract_date(self) -> datetime | None:
        """When the newest of the partnerships began."""
        return max((one.contract_date for one in self.partnerships if one.contract_date), default=None)


class PartnerLists(ListResource, BulkResource):
    """The calls on the partner list of the organization; IDs are those of labs."""

    SORTS = {"name": "name", "added_date": "addedDate", "contract_date": "contractDate"}
    FILTERS = {"state": "state", "country": "countryCode", "lab_type": "labType", "service": "service"}
    SEARCH_FIELDS = {"all": "all", "name": "name"}
    SEARCHED_TEXTS = {
        "all": lambda row: (row.lab.name, row.lab.address, row.lab.zip_code),
        "name": lambda row: (row.lab.name,),
    }

    def list(self, params: ListParams) -> Listing[ListedLab]:
        """GET /v1/bizPartnerLists"""
        return self._list(PATH, params, Listing[ListedLab], organizationId=self._upstream.organization_id)

    def find(self, lab_id: str) -> ListedLab | None:
        """GET /v1/bizPartnerLists: the row of this lab, which may have left the service; None if it is not there"""
        rows = self.list(ListParams(size=10, ids=(lab_id,))).results
        return next((row for row in rows if row.id == lab_id), None)

    def add(self, lab_id: str, *, idempotency_key: str = "") -> None:
        """POST /v1/bizPartnerLists"""
        self._change(self._adding(lab_id, idempotency_key))

    def remove(self, lab_id: str) -> None:
        """DELETE /v1/bizPartnerLists/{labId}; refused while a request or a partnership is open"""
        self._change(self._removing(lab_id))

    def bulk_add(self, lab_ids: Iterable[str], *, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizPartnerLists/bulkAdd"""
        return self._bulk(
            "/v1/bizPartnerLists/bulkAdd",
            lab_ids,
            single=self._adding,
            idempotency_key=idempotency_key,
            ids_name="labIds",
            organizationId=self._upstream.organization_id,
        )

    def bulk_remove(self, lab_ids: Iterable[str], *, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizPartnerLists/bulkRemove"""
        return self._bulk(
            "/v1/bizPartnerLists/bulkRemove",
            lab_ids,
            single=lambda lab_id, _key: self._removing(lab_id),
            idempotency_key=idempotency_key,
            ids_name="labIds",
            organizationId=self._upstream.organization_id,
        )

    def _adding(self, lab_id: str, key: str) -> Call:
        body = {"organizationId": self._upstream.organization_id, "labId": lab_id}
        return write("POST", PATH, body=body, idempotency_key=key)

    def _removing(self, lab_id: str) -> Call:
        query = [("organizationId", self._upstream.organization_id)]
        return write("DELETE", _ONE, id=lab_id, query=query)
