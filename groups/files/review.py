"""A review that was signed off as a file: each user, what was decided, by whom, when and why, and what became of it."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from console.audit.history import activity_of
from console.audit.reading import Entry
from console.errors import ObjectNotFound
from console.files.exporter import Export
from console.l10n.dates import zoned_time
from console.web.request import ConsoleRequest, zone_of
from groups import links
from groups.activity import SIGN_OFF
from groups.reviewing import Decision, decided_in
from groups.tables.review import SIGNED_USERS, note_of, signed_users_table
from upstream.listing import Listing, ListParams, in_turn

Read = Callable[[ListParams], Listing[Entry]]


def signed_review(request: ConsoleRequest, review_id: str) -> Entry:
    """Read a sign-off of this organization. Raises ObjectNotFound."""
    entry = activity_of(request).get(review_id)
    if entry.act != SIGN_OFF or not entry.is_bulk:
        raise ObjectNotFound("no sign-off")
    return entry


def signed_review_export_of(request: ConsoleRequest, review_id: str) -> Export[Decision]:
    stored, where, entry = activity_of(request), zone_of(request), signed_review(request, review_id)
    path, reads = links.signed_review_url(entry.id), list[Read]()

    def read(params: ListParams) -> Listing[Decision]:
        if not reads:
            reads.append(stored.whole_rows(entry, params))
        return decided_in(reads[0](params))

    return Export(
        SIGNED_USERS,
        read=read,
        draw=lambda query, listing: signed_users_table(query, listing, path=path, where=where, is_file=True),
        list_path=path,
        more={
            # Translators: head of a column of a file: the name of who confirmed the review.
            _("Signed off by"): entry.content.who,
            # Translators: head of a column of a file: when the review was confirmed.
            _("Signed off on"): zoned_time(entry.at, where),
            _("Note"): note_of(entry),
        },
        together=in_turn,
    )
