"""The saved views of a list as links, with the one that it shows now, and what can be done: save it, or edit it."""

from urllib.parse import urlencode

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext as _
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from console.lists.choosing import choosing
from console.lists.query import DEFAULT_SIZE, ListQuery
from console.lists.saved import ListState
from console.web.paths import get_path

MAX_URL_LENGTH = 2000
"""Characters of an address that can be saved: a redirect leads there."""
ALL_SIZES = 0
"""No size is left out of a query of which this is the default."""


class ViewLink(msgspec.Struct, frozen=True):
    """A saved view, and whether the list shows it now; the first one is the list in its plain form."""

    label: str
    href: str
    is_current: bool


class ViewLinks(msgspec.Struct, frozen=True):
    """The links above the list, called `label` together; no links where nothing is saved, or it can't be read (`told`).

    `act_label` is what can be done with what the list shows, at `act_href`; both are empty in its plain form.
    """

    label: str
    links: list[ViewLink] = []
    told: str = ""
    act_label: str = ""
    act_href: str = ""


def view_links(query: ListQuery, path: str) -> ViewLinks | UnsetType:
    """Everything that is shown of the views of this list; nothing where none is saved and it is in its plain form."""
    if (saved := query.views) is None:
        return UNSET
    label = _("Saved views")
    if not saved.is_read:
        return ViewLinks(label, told=_("Your saved views could not be read."))
    current_key = _comparison_key(query)
    # Translators: the link to a list without search and filters, beside those of saved views; neutral form.
    queries = [(_("All"), plain_form(query)), *((view.name, apply_view(query, view.state)) for view in saved.views)]
    indexes = [index for index, (_name, view_query) in enumerate(queries) if _comparison_key(view_query) == current_key]
    current = indexes[-1] if indexes else None  # a view that is like the plain form can be edited, too
    links = [
        ViewLink(name, _href(query, view_query, path), n == current) for n, (name, view_query) in enumerate(queries)
    ]
    links = links if saved.views else []
    if current:
        edit = get_path("saved-view-edit", saved.views[current - 1].id)
        return ViewLinks(label, links, act_label=_("Edit view"), act_href=edit)
    address = build_url(query, path)
    is_part = any(f.default for f in query.definition.filters)  # then the plain form is a choice, too, and has a name
    if (current is None or is_part) and len(address) <= MAX_URL_LENGTH and not query.invalid:
        params = {
            "back": address,
            **({"hidden": ".".join(sorted(query.hidden_columns))} if query.hidden_columns else {}),
        }
        save = f"{get_path('saved-view-create')}?{urlencode(params)}"
        return ViewLinks(label, links, act_label=_("Save view"), act_href=save)
    return ViewLinks(label, links) if links else UNSET


def plain_form(query: ListQuery) -> ListQuery:
    """The same list as it is before anybody asks or chooses anything."""
    return apply_view(query, ListState("", f"size={DEFAULT_SIZE}", query.definition.hidden))


def apply_view(query: ListQuery, state: ListState) -> ListQuery:
    """What a view asks of the list of this query; what the list can't apply any more stays, and is reported there."""
    definition = query.definition
    result = ListQuery.read(
        definition,
        QueryDict(state.query),
        stored_size=query.default_size,
        hidden_columns=frozenset(state.hidden).intersection(definition.columns),
    )
    return replace(result, views=query.views)


def build_url(query: ListQuery, path: str) -> str:
    """The address of the first page of a list, which says the page size, too."""
    return replace(query, page=1, default_size=ALL_SIZES).url(path)


def _comparison_key(query: ListQuery) -> object:
    """What makes two queries the same view."""
    return frozenset(replace(query, page=1, default_size=ALL_SIZES).pairs()), query.hidden_columns


def _href(now: ListQuery, target: ListQuery, path: str) -> str:
    """Where a view is shown; by way of the choice of columns, where it has others than are shown now."""
    address = replace(target, page=1).url(path)
    if target.hidden_columns == now.hidden_columns:
        return address
    return choosing(address, now.definition, target.hidden_columns or frozenset())
