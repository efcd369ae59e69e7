"""The pager of a list, as data: its page numbers, its steps, its page sizes."""

import msgspec
from django.utils.translation import gettext as _

from console.l10n.numbers import ngettext, number_text
from console.lists.query import ListQuery, Page
from upstream.listing import PAGE_SIZES


class PageLink(msgspec.Struct, frozen=True):
    """One step of the pager; an empty href with an empty label is a gap."""

    label: str
    name: str
    href: str
    current: bool


class PagerView(msgspec.Struct, frozen=True):
    label: str
    range: str
    pages: list[PageLink]
    previous_href: str
    next_href: str
    sizes_label: str
    sizes: list[PageLink]
    """Empty if all rows fit in the smallest page."""


def pager_view(query: ListQuery, total: int, path: str) -> PagerView:
    """The pager of the page that was asked for; each of its links keeps the rest of the query."""
    page = Page(number=query.page, size=query.size, total=total)
    rows = {"first": page.first_row, "last": page.last_row, "total": page.total}
    # Translators: number: of a page of a list.
    name = _("Page %(number)s")
    return PagerView(
        # Translators: read aloud: the name of the links to the pages of a list.
        label=_("Pages"),
        # Translators: the rows that a page of a list shows, such as “21 to 40 of 240”.
        range=_("%(first)s to %(last)s of %(total)s") % {name: number_text(row) for name, row in rows.items()},
        pages=[
            PageLink(label="", name="", href="", current=False)
            if number is None
            else PageLink(
                label=number_text(number),
                name=name % {"number": number_text(number)},
                href=query.url(path, page=number),
                current=number == page.number,
            )
            for number in page.numbers()
        ],
        previous_href=query.url(path, page=page.number - 1) if page.number > 1 else "",
        next_href=query.url(path, page=page.number + 1) if page.number < page.last else "",
        # Translators: the label of a choice: how many rows a page of a list shows.
        sizes_label=_("Rows per page"),
        sizes=[
            PageLink(
                label=str(size),
                name=ngettext("%(count)s row per page", "%(count)s rows per page", size) % {"count": size},
                href=query.url(path, size=size) if size != query.default_size else _explicit_size(query, path, size),
                current=size == query.size,
            )
            for size in PAGE_SIZES
            if total > PAGE_SIZES[0]
        ],
    )


def _explicit_size(query: ListQuery, path: str, size: int) -> str:
    """The remembered size must be sayable too, else one could not go back to it after it was changed elsewhere."""
    url = query.url(path, size=size)
    return f"{url}{'&' if '?' in url else '?'}size={size}"
