"""Export of a signed-off review: each user with the decision, who made it, when and why, and its outcome."""

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _

from console.audit.content import Entry
from console.audit.query import stored_activity
from console.errors import ObjectNotFound
from console.files.exporter import Export
from console.l10n.dates import zoned_time
from console.lists.query import ListQuery
from console.lists.view import Column
from console.web.request import ConsoleRequest
from groups.audit.review import SIGN_OFF
from groups.reviewing import Decision, decided_in
from groups.tables.review import SIGNED_USERS, sign_off_note, signed_user_columns
from upstream.listing import Listing, ListParams


def signed_review(request: ConsoleRequest, review_id: str) -> Entry:
    """Read a sign-off of this organization. Raises ObjectNotFound."""
    entry = stored_activity(request).get(review_id)
    if entry.action != SIGN_OFF or not entry.is_bulk:
        raise ObjectNotFound("no sign-off")
    return entry


class SignedReviewExport(Export[Decision]):
    definition = SIGNED_USERS
    reads_in_order = True

    def __init__(self, request: ConsoleRequest, review_id: str) -> None:
        super().__init__(request)
        self.entry = signed_review(request, review_id)
        self._read_next: Callable[[ListParams], Listing[Entry]] | None = None

    def read(self, params: ListParams) -> Listing[Decision]:
        """Start with the first page; those after it continue from there."""
        if self._read_next is None:
            self._read_next = stored_activity(self.request).whole_rows(self.entry, params)
        return decided_in(self._read_next(params))

    def columns(self, query: ListQuery, listing: Listing[Decision]) -> Sequence[Column[Decision]]:
        return signed_user_columns(self.tz, is_file=True)

    def extra_columns(self) -> Mapping[str, str]:
        return {
            # Translators: head of a column of a file: the name of who confirmed the review.
            _("Signed off by"): self.entry.content.who,
            # Translators: head of a column of a file: when the review was confirmed.
            _("Signed off on"): zoned_time(self.entry.at, self.tz),
            _("Note"): sign_off_note(self.entry),
        }
