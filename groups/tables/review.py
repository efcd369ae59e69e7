"""Tables of the access review: the users to review, and the reviews that were signed off."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from msgspec.structs import replace

from console.audit import words
from console.audit.content import DONE, Entry
from console.l10n.dates import date_text, exact_time, local_moment, zoned_time
from console.l10n.numbers import number_text
from console.lists.choices import CLINIC
from console.lists.filters import Tab
from console.lists.query import Choice, Filter, ListDefinition, ListQuery
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, RowAction, list_view
from groups.audit.review import DECISIONS, KEEP, LOCK, OPEN, UNREADABLE, last_login_text
from groups.links.review import decisions_url, review_url, signed_review_url, signed_reviews_url
from groups.links.users import user_pages
from groups.reviewing import AWAY, NEVER, OVERRIDDEN, PENDING, Decision, reviewed_text, users_text
from groups.tables.users import USERS, user_table
from upstream.listing import Listing
from upstream.nouns import called
from upstream.resources.users import User

GROUPS = {
    # Translators: tab: users who have not logged in for half a year.
    AWAY: gettext_lazy("No login in the last 180 days"),
    # Translators: tab: users who accepted their invitation, and have not logged in since.
    NEVER: gettext_lazy("Never logged in"),
    # Translators: tab: users who have not accepted their invitation.
    PENDING: gettext_lazy("Invitation not accepted"),
    OVERRIDDEN: gettext_lazy("Own setting"),
}

REVIEW = replace(
    USERS,
    name="review",
    filters=(
        Filter(
            "group",
            # Translators: label of a filter: why users are reviewed, such as “Never logged in”.
            gettext_lazy("Reason for review"),
            tuple(Choice(name, label) for name, label in GROUPS.items()),
            is_single=True,
            tabs=tuple(GROUPS),
            default=AWAY,
        ),
        CLINIC,
    ),
    default_sort="last_login_date",
    columns=(*USERS.columns, "decision"),
    hidden=("type", "team"),
)

SIGNED_REVIEWS = ListDefinition("signedreviews", (), filters=(), sorts=(), default_sort="")
SIGNED_USERS = ListDefinition(
    "signedusers",
    (),
    filters=(
        Filter(
            "outcome",
            gettext_lazy("Result"),
            tuple(Choice(code, label) for code, (label, _tone) in words.OUTCOMES.items()),
        ),
    ),
    sorts=(),
    default_sort="",
)


def review_table(
    query: ListQuery,
    listing: Listing[User],
    *,
    tz: tzinfo,
    decisions: Mapping[str, Decision],
    clinic_names: Mapping[str, str],
    can_lock: bool,
    counts: Mapping[str, int | None],
) -> ListView:
    """Return the users of one group, with the decisions since the last sign-off."""

    def decided(user: User) -> Cell:
        decision = decisions.get(user.id)
        return _decision(decision, tz) if decision else Cell("")

    users = user_table(tz, clinic_names=clinic_names, can_lock=can_lock)
    table = replace(
        users,
        columns=[*users.columns, Column("decision", _("Decision"), "badge", decided)],
        texts=ListTexts(
            caption=_("Access review"),
            search=_("Search by name, team, or email"),
            # Translators: shown for a part of the access review that has no users.
            nothing_yet_title=_("There are no users to review here."),
        ),
        selection="bulk-review",
        row_href=lambda user: decisions_url(user.id),
        actions=_actions(decisions, can_lock=can_lock),
        shows_actions=True,
    )
    view = list_view(query, listing, table, path=review_url())
    return replace(view, tabs=_tabs(query, counts))


def _actions(decisions: Mapping[str, Decision], *, can_lock: bool) -> list[RowAction[User]]:
    """Return the decisions that can be made in the list; the user's page has the other actions."""

    def code(user: User) -> str:
        decision = decisions.get(user.id)
        return decision.code if decision and decision.outcome == DONE else OPEN

    def can_be_locked(user: User) -> bool:
        return can_lock and user.is_active and code(user) == OPEN

    return [
        RowAction(str(DECISIONS[KEEP]), "/keep", lambda user: code(user) == OPEN, is_act=True),
        RowAction(str(DECISIONS[LOCK]), "/lock", can_be_locked, is_act=True),
        RowAction(_("Undo"), "/reopen", lambda user: code(user) == KEEP, is_act=True),
        RowAction(_("Undo"), "/unlock", lambda user: code(user) == LOCK and user.is_locked, is_act=True),
    ]


def _tabs(query: ListQuery, counts: Mapping[str, int | None]) -> list[Tab]:
    """Return a tab for each group, without a count that could not be read.

    Groups overlap, so there is no tab for all.
    """
    tabs = []
    for name, label in GROUPS.items():
        href = query.url(review_url(), filters={**query.filters, "group": (name,)})
        if href == review_url():  # opens the first tab with users
            href = f"{href}?group={name}"
        count = counts.get(name)
        tabs.append(Tab(str(label), href, "" if count is None else number_text(count), name in query.filters["group"]))
    return tabs


def _decision(decision: Decision, tz: tzinfo) -> Cell:
    """Return the decision with its date, or with the outcome of its action if that isn't done."""
    outcome = words.outcome_cell(decision.outcome)
    note = date_text(decision.at, tz) if outcome.tone == "success" else outcome.text
    tone = "warning" if decision.code == UNREADABLE else outcome.tone
    return Cell(str(DECISIONS.get(decision.code, decision.code)), tone=tone, note=note)


def signed_reviews_table(query: ListQuery, listing: Listing[Entry], *, tz: tzinfo) -> ListView:
    """Return the signed-off reviews, the newest first."""

    def name(entry: Entry) -> Cell:
        return Cell(local_moment(entry.at, tz).local if entry.at else entry.id)

    def href(entry: Entry) -> str:
        return signed_review_url(entry.id)

    columns: tuple[Column[Entry], ...] = (
        Column("date", _("Date"), "text", name, href=href),
        # Translators: the head of a column: who did something, an administrator or a user; neutral form.
        Column("person", pgettext("column", "Person"), "text", lambda entry: Cell(entry.content.who)),
        Column("users", _("Users"), "word", lambda entry: Cell(signed_users_text(entry))),
        Column("note", _("Note"), "text", lambda entry: Cell(sign_off_note(entry))),
        Column("outcome", _("Result"), "badge", lambda entry: words.outcome_cell(entry.outcome)),
    )
    return list_view(
        query,
        listing,
        ListTable(
            columns=columns,
            row_href=href,
            # Translators: a page and a button that leads there: access reviews that were completed.
            texts=ListTexts(caption=_("Signed-off reviews"), nothing_yet_title=_("No signed-off reviews yet.")),
        ),
        path=signed_reviews_url(),
    )


def signed_user_columns(tz: tzinfo, *, is_file: bool = False) -> Sequence[Column[Decision]]:
    """Return the columns of users as they were when a review was signed off; a file has dates for programs."""

    def last_login(line: Decision) -> Cell:
        is_day = is_file and line.last_login[:1].isdigit()
        return Cell(line.last_login if is_day else last_login_text(line.last_login))

    def on(line: Decision) -> Cell:
        if is_file:
            return Cell(zoned_time(line.at, tz))
        return Cell(local_moment(line.at, tz).local, at=exact_time(line.at)) if line.at else Cell("")

    return (
        Column(
            "name",
            pgettext("person", "Name"),
            "person",
            lambda line: Cell(called(line.user.name, line.user.id)),
            href=lambda line: user_pages(line.clinic.id, line.user.id),
        ),
        Column("clinic", _("Clinic"), "text", lambda line: Cell(called(line.clinic.name, line.clinic.id))),
        # Translators: a column and a filter: when a user last logged in.
        Column("last_login", _("Last login"), "word", last_login),
        Column("decision", _("Decision"), "word", lambda line: Cell(str(DECISIONS.get(line.code, line.code)))),
        Column("reason", _("Reason"), "text", lambda line: Cell(line.reason)),
        Column("by", _("Decided by"), "text", lambda line: Cell(line.by)),
        Column("on", _("Decision date"), "date", on),
        Column("outcome", _("Result"), "badge", _result),
    )


def signed_users_table(query: ListQuery, listing: Listing[Decision], *, path: str, tz: tzinfo) -> ListView:
    """Return the users of a signed-off review."""
    texts = ListTexts(caption=_("Users"), nothing_yet_title=_("There are no users to review here."))
    return list_view(
        query,
        listing,
        ListTable(
            columns=signed_user_columns(tz),
            row_href=lambda line: "",
            texts=texts,
        ),
        path=path,
    )


def _result(line: Decision) -> Cell:
    return words.outcome_cell(line.outcome) if line.at else Cell("")


def signed_users_text(entry: Entry) -> str:
    """Return how many users were decided of how many; older entries have only the number of users."""
    count = sum(entry.content.counts.values())
    for change in entry.content.changes:
        if change.field == "undecided" and isinstance(change.new, int):
            return reviewed_text(count - change.new, count)
    return users_text(count)


def sign_off_note(entry: Entry) -> str:
    return next((str(change.new or "") for change in entry.content.changes if change.field == "note"), "")
