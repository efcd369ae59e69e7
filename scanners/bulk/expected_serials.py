"""Bulk actions on expected serial numbers."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _
from django.utils.translation import npgettext, pgettext_lazy

from console.audit.content import Ref
from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, Options, SelectionTexts, plural
from scanners.models import Expected
from scanners.reading import expected_serials
from scanners.tables.expected_serials import EXPECTED, get_name
from upstream.bulk import BulkResult
from upstream.listing import Listing, ListParams

SERIAL_TEXTS = SelectionTexts(
    selected=plural("%(count)s serial number selected", "%(count)s serial numbers selected"),
    # Translators: follows a sentence such as "1 serial number can't be deleted."
    others=lambda n: npgettext("serial numbers", "The other one can.", "The other %(count)s can.", n),
)


class DeleteSerials(BulkAction[Expected]):
    name = "delete"
    tone = "danger"
    deletes = True
    texts = ActionTexts(
        label=_("Delete"),
        title=_("Delete expected serial numbers"),
        button=plural("Delete %(count)s serial number", "Delete %(count)s serial numbers"),
        # Translators: heading above a list of serial numbers.
        planned=pgettext_lazy("serial numbers", "Will be deleted"),
        done=plural("%(count)s serial number deleted.", "%(count)s serial numbers deleted."),
        not_done=plural("%(count)s serial number wasn't deleted.", "%(count)s serial numbers weren't deleted."),
        failed=_("Failed to delete the serial number."),
    )

    def run(self, ids: Sequence[str], options: Options, key: str) -> BulkResult:
        return expected_serials(self.request).delete(ids)


class ExpectedActions(BulkList[Expected]):
    """The bulk actions on expected serial numbers, which are stored in the console's own database."""

    id = "bulk-expected"
    definition = EXPECTED
    texts = SERIAL_TEXTS
    kind = "expected"
    actions = (DeleteSerials,)
    url_name = "scanners:expected-serial-list"
    reads_in_order = True

    def read(self, params: ListParams) -> Listing[Expected]:
        return expected_serials(self.request).read(params, self.upstream.clinics.get_known_names)

    def candidate(self, row: Expected) -> Candidate:
        return Candidate(row.id, get_name(row), row.note, clinic=Ref(row.clinic_id, row.clinic_name))
